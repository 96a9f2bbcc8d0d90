package fs

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	"golang.org/x/image/tiff"
	"golang.org/x/image/webp"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/token"
)

const (
	// longestEdge is what models look at; larger images they scale down
	// themselves, after they were sent and counted.
	longestEdge = 1568
	// largestImage is what fits a request in base64: five million bytes.
	largestImage = 3_750_000
)

// decoder reads one format of image.
type decoder struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
	// accepted says that models accept it as it is.
	accepted bool
}

func decoderFor(mime string) (decoder, bool) {
	switch mime {
	case "image/png":
		return decoder{png.DecodeConfig, png.Decode, true}, true
	case "image/jpeg":
		return decoder{jpeg.DecodeConfig, jpeg.Decode, true}, true
	case "image/gif":
		return decoder{gif.DecodeConfig, gif.Decode, true}, true
	case "image/webp":
		return decoder{webp.DecodeConfig, webp.Decode, true}, true
	case "image/bmp":
		return decoder{bmp.DecodeConfig, bmp.Decode, false}, true
	case "image/tiff":
		return decoder{tiff.DecodeConfig, tiff.Decode, false}, true
	}
	return decoder{}, false
}

// size reads what an image says of itself, without decoding it.
func (d decoder) size(data []byte) (config image.Config, err error) {
	defer notDecoded(&err)
	if config, err = d.config(bytes.NewReader(data)); err != nil {
		err = fmt.Errorf("it cannot be decoded: %w", err)
	}
	return config, err
}

// notDecoded makes an error of a panic: decoders have panicked on what somebody
// made for them.
func notDecoded(err *error) {
	if p := recover(); p != nil {
		*err = errors.New("it cannot be decoded")
	}
}

// image makes a content an image that models accept, or describes it.
func (a *asking) image(ctx context.Context, c *ampersat.Content, data []byte, d decoder) error {
	sent, mime, note := a.r.prepare(ctx, data, c.MIME, d)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.Note = join(c.Note, note)
	if sent == nil {
		return nil
	}
	digest := c.Source
	if mime != c.MIME || len(sent) != len(data) || &sent[0] != &data[0] {
		digest = blob.Of(sent)
	}
	s := &sieve{name: cmp.Or(c.ID, c.Name)}
	searchPicture(sent, mime, s)
	found, told := s.result()
	c.Secrets, c.Note = found, join(c.Note, told)
	c.Text, c.Shown = "", ""
	c.Parts = []message.Part{message.Image{Source: message.InBlob(mime, digest)}}
	c.Blobs = map[blob.Digest][]byte{digest: sent}
	if d, ok := decoderFor(mime); ok {
		if config, err := d.size(sent); err == nil {
			c.PartTokens = imageRule.Count(config.Width, config.Height)
		}
	}
	return nil
}

// imageRule is what models charge for a picture, about.
var imageRule = token.Area{PixelsPerToken: 750, LongestEdge: longestEdge, Most: 1600}

// prepare returns the image to send, which is nil if there is none, and why or
// what was done to it.
func (r *Resolver) prepare(ctx context.Context, data []byte, mime string, d decoder) (sent []byte, as, note string) {
	config, err := d.size(data)
	if err != nil {
		return nil, "", err.Error()
	}
	size := fmt.Sprintf("%sx%s", wording.Number(config.Width), wording.Number(config.Height))
	small := max(config.Width, config.Height) <= longestEdge && len(data) <= largestImage
	if small && mime == "image/webp" && isAnimated(data) {
		return data, mime, "" // which is not decoded here
	}
	turned := 1
	if mime == "image/jpeg" {
		turned = orientation(data)
	}
	asItIs := small && d.accepted && turned == 1
	var scaled *image.RGBA
	err = r.decode(ctx, data, mime, d, func(picture image.Image) error {
		if !asItIs {
			scaled = upright(fit(picture), turned)
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, "", err.Error()
	case asItIs:
		return data, mime, ""
	}
	sent, as, err = encode(scaled, mime)
	if err != nil || len(sent) > largestImage {
		return nil, "", "it cannot be made small enough"
	}
	if edge := scaled.Bounds(); max(edge.Dx(), edge.Dy()) < max(config.Width, config.Height) {
		note = fmt.Sprintf("scaled from %s to %sx%s pixels", size, wording.Number(edge.Dx()), wording.Number(edge.Dy()))
	} else if as != mime {
		note = "sent as " + as
	}
	return sent, as, note
}

// decode hands on an image that it decodes once there is room for it. The room
// is given back when use returns, which keeps nothing of it.
func (r *Resolver) decode(ctx context.Context, data []byte, mime string, d decoder, use func(image.Image) error) (err error) {
	config, err := d.size(data)
	if err != nil {
		return err
	}
	needs := weight(config, data, mime)
	if needs > r.decoding.most {
		return fmt.Errorf("its %sx%s pixels are more than are decoded", wording.Number(config.Width), wording.Number(config.Height))
	}
	giveBack, err := r.decoding.take(ctx, needs)
	if err != nil {
		return err
	}
	defer giveBack()
	return d.hand(data, use)
}

// hand is decode's inner part, on a frame of its own: when it has returned,
// nothing refers to the image any more.
func (d decoder) hand(data []byte, use func(image.Image) error) (err error) {
	defer notDecoded(&err)
	picture, err := d.decode(bytes.NewReader(data))
	if err != nil {
		return fmt.Errorf("it cannot be decoded: %w", err)
	}
	return use(picture)
}

// fit scales an image down until it has no edge that is too long.
func fit(picture image.Image) *image.RGBA {
	from := picture.Bounds()
	width, height := from.Dx(), from.Dy()
	if longest := max(width, height); longest > longestEdge {
		width = max(1, width*longestEdge/longest)
		height = max(1, height*longestEdge/longest)
	}
	to := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.ApproxBiLinear.Scale(to, to.Bounds(), picture, from, draw.Src, nil)
	return to
}

// encode writes photographs as JPEG and the rest as PNG, unless that is too
// large.
func encode(picture *image.RGBA, mime string) (data []byte, as string, err error) {
	var b bytes.Buffer
	if mime != "image/jpeg" {
		if err := png.Encode(&b, picture); err != nil || b.Len() <= largestImage {
			return b.Bytes(), "image/png", err
		}
		b.Reset()
		// JPEG knows no transparency: what shines through is white.
		white := image.NewRGBA(picture.Bounds())
		draw.Draw(white, white.Bounds(), image.White, image.Point{}, draw.Src)
		draw.Draw(white, white.Bounds(), picture, image.Point{}, draw.Over)
		picture = white
	}
	err = jpeg.Encode(&b, picture, &jpeg.Options{Quality: 85})
	return b.Bytes(), "image/jpeg", err
}

// isAnimated reports whether a WebP is: its extended header says so.
func isAnimated(data []byte) bool {
	return len(data) > 20 && string(data[12:16]) == "VP8X" && data[20]&2 != 0
}
