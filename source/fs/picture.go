package fs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/mention"
)

// Attach makes a mention of a picture that was pasted or attached, and returns
// the bytes that the mention names, to be kept where a [Pictures] finds them.
// PNG, JPEG, GIF and WebP stay as they are; BMP and TIFF become PNG; anything
// else is refused, and what cannot be decoded. Name may be empty.
func (r *Resolver) Attach(name string, data []byte) (mention.Image, []byte, error) {
	fail := func(format string, args ...any) (mention.Image, []byte, error) {
		if name == "" {
			return mention.Image{}, nil, fmt.Errorf("attach a picture: "+format, args...)
		}
		return mention.Image{}, nil, fmt.Errorf("attach %s: "+format, append([]any{name}, args...)...)
	}
	if len(data) == 0 {
		return fail("it is empty")
	}
	if len(data) > r.limits.Media {
		return fail("it has more than the %s that are read", wording.Count(r.limits.Media, "byte"))
	}
	kind := formatOf(data)
	d, ok := decoderFor(kind.mime)
	if !ok {
		if kind.name == "" {
			kind.name = "text"
		}
		return fail("it is no picture that models accept, but %s; use PNG, JPEG, GIF, WebP, BMP or TIFF", kind.name)
	}
	ctx := context.Background() // it waits for other pictures only
	if sent, _, note := r.prepare(ctx, data, kind.mime, d); sent == nil {
		return fail("%s", note)
	}
	if !d.accepted {
		var b bytes.Buffer
		err := r.decode(ctx, data, kind.mime, d, func(picture image.Image) error { return png.Encode(&b, picture) })
		if err != nil {
			return fail("it cannot be made a PNG: %w", err)
		}
		data, kind.mime = b.Bytes(), "image/png"
	}
	return mention.Image{Digest: blob.Of(data), MIME: kind.mime, Name: name}, data, nil
}

// Pictures is an [ampersat.Resolver] for pictures that came with a message.
type Pictures struct {
	// Files makes of a picture what it would make of a file with one.
	Files *Resolver
	// Blobs has the bytes.
	Blobs blob.Store
}

// Resolve implements [ampersat.Resolver].
func (p Pictures) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	m, ok := q.Mention.(mention.Image)
	if !ok {
		return ampersat.Content{}, q.Unfit("is not a picture")
	}
	if p.Blobs == nil {
		return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: ampersat.Missing, Reason: "there is no store that could have its bytes"}
	}
	data, err := p.Blobs.Get(ctx, m.Digest)
	switch {
	case ctx.Err() != nil:
		return ampersat.Content{}, ctx.Err()
	case errors.Is(err, blob.ErrNotFound):
		return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: ampersat.Missing, Reason: "its bytes came with a message and are gone", Err: err}
	case err != nil:
		return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: ampersat.Failed, Reason: "it cannot be read: " + err.Error(), Err: err}
	}
	return p.Captured(ctx, q, data)
}

// Captured implements [ampersat.Capturer].
func (p Pictures) Captured(ctx context.Context, q ampersat.Query, data []byte) (ampersat.Content, error) {
	if err := q.Asker.Allow(q.Mention); err != nil {
		return ampersat.Content{}, err
	}
	name := "image"
	if m, ok := q.Mention.(mention.Image); ok && m.Name != "" {
		name = m.Name
	}
	if p.Files == nil {
		return ampersat.Content{}, q.Unfit("needs a resolver of files to decode it")
	}
	c, err := p.Files.Decode(ctx, name, data, q.Limit)
	if err != nil {
		return ampersat.Content{}, err
	}
	if _, isImage := decoderFor(c.MIME); !isImage || len(c.Parts) == 0 {
		return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Failed, Reason: join("it is no picture that can be sent", c.Note)}
	}
	c.ID = string(c.Source)
	return c, nil
}
