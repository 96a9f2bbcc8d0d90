package fs

import (
	"bytes"
	"image"
)

// orientation returns how a JPEG is turned, 1 to 8 as in EXIF. Cameras write
// the picture as the sensor lay and say so; who encodes it again must turn it,
// or it lies on its side.
func orientation(data []byte) int {
	const upright = 1
	for marker, body := range jpegSegments(data) {
		if marker == 0xE1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return exifOrientation(body[6:])
		}
	}
	return upright
}

// exifOrientation finds the tag in the first directory of a TIFF header.
func exifOrientation(header []byte) int {
	const upright, tag, short = 1, 0x0112, 3
	order := exifOrder(header)
	if order == nil {
		return upright
	}
	at := int64(order.Uint32(header[4:]))
	if at+2 > int64(len(header)) {
		return upright
	}
	entries := header[at+2:]
	for range order.Uint16(header[at:]) {
		if len(entries) < exifEntry {
			return upright
		}
		if order.Uint16(entries) == tag && order.Uint16(entries[2:]) == short {
			if turned := int(order.Uint16(entries[8:])); turned >= 1 && turned <= 8 {
				return turned
			}
			return upright
		}
		entries = entries[exifEntry:]
	}
	return upright
}

// upright turns an image as its orientation says.
func upright(from *image.RGBA, orientation int) *image.RGBA {
	if orientation == 1 {
		return from
	}
	width, height := from.Bounds().Dx(), from.Bounds().Dy()
	size := image.Rect(0, 0, width, height)
	if orientation >= 5 {
		size = image.Rect(0, 0, height, width)
	}
	to := image.NewRGBA(size)
	for y := range size.Dy() {
		for x := range size.Dx() {
			fromX, fromY := x, y
			if orientation >= 5 { // a row of the picture is a column of the sensor
				fromX, fromY = y, x
			}
			switch orientation {
			case 2, 3, 7, 8:
				fromX = width - 1 - fromX
			}
			switch orientation {
			case 3, 4, 6, 7:
				fromY = height - 1 - fromY
			}
			to.SetRGBA(x, y, from.RGBAAt(fromX, fromY))
		}
	}
	return to
}
