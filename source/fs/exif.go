package fs

import (
	"bytes"
	"encoding/binary"
)

// exif looks at what a camera wrote: as it is, and value by value. A text there
// follows on numbers, whose last byte may look like a letter of it.
func (m *metadata) exif(body []byte) {
	m.add(body)
	header := bytes.TrimPrefix(body, []byte("Exif\x00\x00"))
	order := exifOrder(header)
	if order == nil {
		return
	}
	todo := []uint32{order.Uint32(header[4:])}
	for done := map[uint32]bool{}; len(todo) > 0; {
		at := todo[0]
		if todo = todo[1:]; done[at] || int64(at)+2 > int64(len(header)) {
			continue
		}
		if len(done) == mostDirectories {
			m.sieve.miss()
			return
		}
		done[at] = true
		entries := header[at+2:]
		for range order.Uint16(header[at:]) {
			if len(entries) < exifEntry {
				break
			}
			tag, kind, count, value := order.Uint16(entries), order.Uint16(entries[2:]), order.Uint32(entries[4:]), order.Uint32(entries[8:])
			entries = entries[exifEntry:]
			switch {
			case tag == 0x8769 || tag == 0x8825 || tag == 0xA005: // a directory of its own
				todo = append(todo, value)
			case kind == 1 || kind == 2 || kind == 7 || kind == 129: // a byte each: what texts are written in
				if end := int64(value) + int64(count); count > 4 && end <= int64(len(header)) {
					m.value(header[value:end])
				}
			}
		}
		if len(entries) >= 4 {
			todo = append(todo, order.Uint32(entries)) // the next one
		}
	}
}

const (
	// exifEntry is how many bytes an entry of a directory takes.
	exifEntry = 12
	// mostDirectories is more than any camera writes.
	mostDirectories = 32
)

// exifOrder is the order of the bytes in a TIFF header, nil if it is none.
func exifOrder(header []byte) binary.ByteOrder {
	switch {
	case len(header) < 8:
	case bytes.HasPrefix(header, []byte("II")):
		return binary.LittleEndian
	case bytes.HasPrefix(header, []byte("MM")):
		return binary.BigEndian
	}
	return nil
}

// value looks at a value. Many may lie at one place, so that they are bounded
// together as what is packed is.
func (m *metadata) value(piece []byte) {
	if m.unpacked += int64(len(piece)); m.unpacked > mostMetadata {
		m.sieve.miss()
		return
	}
	m.add(piece)
}
