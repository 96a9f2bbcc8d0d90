package fs

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// searchPicture looks for secrets in what a picture says besides what it shows:
// comments, and what cameras and editors write. What can be read in its bytes as
// they are, the pipeline sees; here is what is packed, cut into blocks, or written
// in two bytes a letter.
func searchPicture(data []byte, mime string, s *sieve) {
	m := &metadata{sieve: s, to: s.flow("its metadata")}
	switch mime {
	case "image/png":
		m.png(data)
	case "image/jpeg":
		for marker, body := range jpegSegments(data) {
			if marker == 0xFE || marker >= 0xE0 && marker <= 0xEF {
				m.add(body)
			}
		}
	case "image/gif":
		m.gif(data)
	case "image/webp":
		m.webp(data)
	}
}

// metadata is what a picture says.
type metadata struct {
	sieve *sieve
	to    *flow
	// unpacked is how many bytes came of what is packed.
	unpacked int64
}

// mostMetadata bounds what is unpacked of one picture.
const mostMetadata = 16 << 20

// add looks at one piece that can be read otherwise: at the letters in it that
// take two bytes, one of which is zero.
func (m *metadata) add(piece []byte) {
	var letters []byte
	for at := 0; at < len(piece); at++ {
		if piece[at] == 0 || at > 0 && piece[at-1] != 0 {
			continue
		}
		for ; at < len(piece) && piece[at] != 0; at += 2 {
			letters = append(letters, piece[at])
			if at+1 < len(piece) && piece[at+1] != 0 {
				break
			}
		}
		letters = append(letters, '\n')
	}
	m.to.Write(letters)
	m.to.end()
}

// inflate looks at a piece that is packed.
func (m *metadata) inflate(packed []byte) {
	unpacked, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		m.sieve.miss()
		return
	}
	defer unpacked.Close()
	left := mostMetadata - m.unpacked
	n, err := io.Copy(m.to, io.LimitReader(unpacked, left+1))
	m.to.end()
	if m.unpacked += n; err != nil || n > left {
		m.sieve.miss()
	}
}

// png looks at the chunks that are not the picture.
func (m *metadata) png(data []byte) {
	for data = data[min(8, len(data)):]; len(data) >= 12; {
		size := int64(binary.BigEndian.Uint32(data))
		if size > int64(len(data)-12) {
			return
		}
		kind, body := string(data[4:8]), data[8:8+size]
		data = data[12+size:]
		switch kind {
		case "IDAT", "fdAT", "PLTE", "IHDR":
		case "zTXt", "iCCP": // a name, a zero, how it is packed
			if _, packed, ok := bytes.Cut(body, []byte{0}); ok && len(packed) > 1 {
				m.inflate(packed[1:])
			}
		case "iTXt": // a name, a zero, whether and how it is packed, and two more texts
			m.add(body)
			if _, rest, ok := bytes.Cut(body, []byte{0}); ok && len(rest) > 2 && rest[0] == 1 {
				_, rest, _ = bytes.Cut(rest[2:], []byte{0})
				_, rest, _ = bytes.Cut(rest, []byte{0})
				m.inflate(rest)
			}
		default:
			m.add(body)
		}
	}
}

// gif looks at the extensions, whose text is cut into blocks.
func (m *metadata) gif(data []byte) {
	// table is how many bytes the colours take that a byte of flags tells of.
	table := func(flags byte) int {
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (flags&7 + 1)
	}
	if len(data) < 13 {
		return
	}
	for at := 13 + table(data[10]); at+2 < len(data); {
		var text []byte
		begins := data[at]
		switch {
		case begins == 0x21: // an extension, and of which kind
			at += 2
		case begins == 0x2C && at+10 < len(data): // a picture
			at += 10 + table(data[at+9]) + 1
		default:
			return
		}
		for at < len(data) && data[at] > 0 {
			end := min(at+1+int(data[at]), len(data))
			if begins == 0x21 {
				text = append(text, data[at+1:end]...)
			}
			at = end
		}
		at++
		m.to.Write(text)
		m.to.end()
	}
}

// webp looks at the chunks that cameras and editors add.
func (m *metadata) webp(data []byte) {
	for data = data[min(12, len(data)):]; len(data) >= 8; {
		size := int64(binary.LittleEndian.Uint32(data[4:]))
		if size > int64(len(data)-8) {
			return
		}
		if kind := string(data[:4]); kind == "EXIF" || kind == "XMP " || kind == "ICCP" {
			m.add(data[8 : 8+size])
		}
		data = data[min(8+size+size%2, int64(len(data))):]
	}
}
