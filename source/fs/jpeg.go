package fs

import (
	"bytes"
	"encoding/binary"
	"iter"
)

// startOfScan is the marker of the segment that the picture itself follows.
const startOfScan = 0xDA

// jpegSegments are the segments of a JPEG before the picture itself, by their
// markers.
func jpegSegments(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for marker, body := range jpegMarkers(data) {
			if marker == startOfScan || !yield(marker, body) {
				return
			}
		}
	}
}

// jpegMarkers are all segments of a JPEG: those that stand between the scans of a
// picture too, and those of another picture after it. What is no segment is passed
// over, as decoders do.
func jpegMarkers(data []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		for at := 2; at < len(data); {
			gap := bytes.IndexByte(data[at:], 0xFF)
			if at += gap; gap < 0 || at+4 > len(data) {
				return
			}
			marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
			switch {
			case marker == 0xFF: // which fills a gap
				at++
				continue
			case marker <= 0x01 || marker >= 0xD0 && marker <= 0xD9 || size < 2: // which has no body
				at += 2
				continue
			}
			end := min(at+2+size, len(data))
			if !yield(marker, data[at+4:end]) {
				return
			}
			at = end
		}
	}
}
