package fs

import (
	"bytes"
	"image"
	"image/color"
	"math"
)

// weight is about how many bytes it takes to decode an image, which its pixels
// alone do not tell: a pixel of a scan takes one, one of a photograph in
// progressive JPEG sixteen.
func weight(config image.Config, data []byte, mime string) int64 {
	pixels := int64(config.Width) * int64(config.Height)
	if config.Width <= 0 || config.Height <= 0 || pixels > math.MaxInt64/32 {
		return math.MaxInt64
	}
	each := pixelBytes(config.ColorModel)
	switch mime {
	case "image/png":
		header := data[:max(0, bytes.Index(data, []byte("IDAT")))]
		if each <= 2 && bytes.Contains(header, []byte("tRNS")) {
			each *= 4 // grey that is transparent somewhere becomes colour
		}
		if len(header) > 28 && header[28] != 0 {
			each *= 2 // interlaced: half of it is decoded aside
		}
	case "image/gif":
		each = 2 // an interlaced one is put in order aside
	case "image/webp":
		if each == 4 {
			each = 7 // what is transparent is decoded aside, as colour
		}
	case "image/tiff":
		each *= 3 // a strip, which may be all of it, is unpacked aside
	case "image/jpeg":
		return jpegWeight(config, data)
	}
	return pixels * each
}

// pixelBytes is what a pixel takes once it is decoded.
func pixelBytes(model color.Model) int64 {
	if _, ok := model.(color.Palette); ok {
		return 1
	}
	switch model {
	case color.GrayModel, color.AlphaModel:
		return 1
	case color.Gray16Model, color.Alpha16Model:
		return 2
	case color.YCbCrModel:
		return 3
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	}
	return 4
}

// jpegWeight adds up the components, of which those for colour are often
// smaller. A progressive one keeps all coefficients until its end.
func jpegWeight(config image.Config, data []byte) int64 {
	pixels := int64(config.Width) * int64(config.Height)
	perSample, samples := int64(1), pixels*pixelBytes(config.ColorModel)
	for marker, body := range jpegSegments(data) {
		if marker < 0xC0 || marker > 0xC2 || len(body) < 6 {
			continue // which is no header of a frame
		}
		if marker == 0xC2 {
			perSample += 4
		}
		widest, highest, each := int64(1), int64(1), int64(0)
		components := body[6:]
		for range body[5] {
			if len(components) < 3 {
				break
			}
			wide, high := int64(components[1]>>4), int64(components[1]&15)
			widest, highest, each = max(widest, wide), max(highest, high), each+wide*high
			components = components[3:]
		}
		samples = pixels * each / (widest * highest)
		break
	}
	total := samples * perSample
	if config.ColorModel != color.YCbCrModel && config.ColorModel != color.GrayModel {
		total += 4 * pixels // put together when it is decoded
	}
	return total
}
