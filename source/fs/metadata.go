package fs

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// searchPicture looks for secrets in what a picture says besides what it shows:
// comments, and what cameras and editors write. The pipeline looks at the bytes of
// the picture as they are, and sees neither what is packed, cut into blocks or
// written in two bytes a letter, nor where a piece begins and ends: a key that is
// all there is of a comment stands between letters that are not the comment's.
func searchPicture(data []byte, mime string, s *sieve) {
	m := &metadata{sieve: s, to: s.flow("its metadata")}
	switch mime {
	case "image/png":
		m.png(data)
	case "image/jpeg":
		m.jpeg(data)
	case "image/gif":
		m.gif(data)
	case "image/webp":
		m.webp(data[min(12, len(data)):])
	}
}

// metadata is what a picture says.
type metadata struct {
	sieve *sieve
	to    *flow
	// unpacked is how many bytes came of what is packed, or of values that may
	// lie at one place.
	unpacked int64
}

// mostMetadata bounds what is unpacked of one picture.
const mostMetadata = 16 << 20

// add looks at one piece, as it is and at the letters in it that take two bytes.
func (m *metadata) add(piece []byte) {
	m.to.Write(piece)
	m.to.end()
	m.to.Write(wideLetters(piece))
	m.to.end()
}

// wideLetters are the letters that stand between zeros, a line for each run of
// them. Whether the first of a run is one, or the end of what stands before, its
// zero does not tell: there is a line without it as well.
func wideLetters(piece []byte) []byte {
	var letters []byte
	for at := 0; at < len(piece); at++ {
		if piece[at] == 0 {
			continue
		}
		begins := len(letters)
		letters = append(letters, piece[at])
		for ; at+2 < len(piece) && piece[at+1] == 0 && piece[at+2] != 0; at += 2 {
			letters = append(letters, piece[at+2])
		}
		if run := letters[begins:]; len(run) > 1 {
			letters = append(append(append(letters, '\n'), run[1:]...), '\n')
		} else {
			letters = letters[:begins]
		}
	}
	return letters
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
	for data = data[min(8, len(data)):]; len(data) >= 8; {
		size := min(int64(binary.BigEndian.Uint32(data)), int64(len(data)-8))
		kind, body := string(data[4:8]), data[8:8+size]
		data = data[min(12+size, int64(len(data))):]
		switch kind {
		case "IDAT", "fdAT", "PLTE", "IHDR":
		case "zTXt", "iCCP": // a name, a zero, how it is packed
			name, packed, ok := bytes.Cut(body, []byte{0})
			m.add(name)
			if ok && len(packed) > 1 {
				m.inflate(packed[1:])
			}
		case "iTXt": // a name, a zero, whether and how it is packed, and two more texts
			m.add(body)
			if _, rest, ok := bytes.Cut(body, []byte{0}); ok && len(rest) > 2 && rest[0] == 1 {
				_, rest, _ = bytes.Cut(rest[2:], []byte{0})
				_, rest, _ = bytes.Cut(rest, []byte{0})
				m.inflate(rest)
			}
		case "eXIf":
			m.exif(body)
		default:
			m.add(body)
		}
	}
}

// jpeg looks at the segments that are not the picture.
func (m *metadata) jpeg(data []byte) {
	for marker, body := range jpegMarkers(data) {
		switch {
		case marker >= 0xC0 && marker <= 0xDF: // frames, scans and their tables
		case marker == 0xE1:
			m.exif(body)
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
		begins, header := data[at], false
		switch {
		case begins == 0x21: // an extension, and of which kind
			header = data[at+1] != 0xFE // all but comments begin with a block of their own
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
			if header {
				m.add(text)
				text, header = nil, false
			}
			at = end
		}
		at++
		m.add(text)
	}
}

// webp looks at the chunks that are not the picture.
func (m *metadata) webp(chunks []byte) {
	for len(chunks) >= 8 {
		size := min(int64(binary.LittleEndian.Uint32(chunks[4:])), int64(len(chunks)-8))
		if string(chunks[:4]) == "ANMF" { // one of several pictures, in which are chunks
			size = min(16, size)
		}
		kind, body := string(chunks[:4]), chunks[8:8+size]
		chunks = chunks[min(8+size+size%2, int64(len(chunks))):]
		switch kind {
		case "VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF":
		case "EXIF":
			m.exif(body)
		default:
			m.add(body)
		}
	}
}
