package fs

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
)

// load returns the content of a file, by what it is.
func (a *asking) load(ctx context.Context, f *found, limit int) (ampersat.Content, error) {
	l, err := a.look(ctx, f, limit)
	if err != nil {
		return ampersat.Content{}, a.failed(ctx, err)
	}
	r, kind, t := l.reading, l.kind, l.text
	c := ampersat.Content{Name: f.name, ID: f.at.address(), Size: r.size, Shown: r.shown, Note: r.note}
	if l.isText {
		c.Text, c.Tail, c.Source = t.head, t.tail, l.digest
		c.Note = join(c.Note, t.note)
		c.Shown = join(c.Shown, t.shown)
		a.mentions(&c, f, t.head)
		return c, nil
	}
	if kind.isMedia() && !r.whole {
		if r, err = a.readMedia(ctx, f); err != nil {
			return ampersat.Content{}, a.failed(ctx, err)
		}
		if r.whole {
			c.Size = r.size
		}
	}
	if !r.whole {
		r.head = nil
	}
	err = a.media(ctx, &c, kind, r.head, limit)
	return c, err
}

// media makes a content what a model can look at, or a description of it. The data
// is nil if it was too much to be read.
func (a *asking) media(ctx context.Context, c *ampersat.Content, kind format, data []byte, limit int) error {
	c.MIME = kind.mime
	describe(c, kind.name)
	if data != nil {
		c.Source = blob.Of(data)
	}
	d, isImage := decoderFor(kind.mime)
	switch {
	case !kind.isMedia():
	case data == nil || len(data) > a.r.limits.Media:
		c.Note = join(c.Note, fmt.Sprintf("more than the %s that are read", wording.Count(a.r.limits.Media, "byte")))
	case isImage:
		return a.image(ctx, c, data, d)
	default:
		return a.document(ctx, c, data, limit)
	}
	return nil
}

// readMedia reads a file again that is sent as it is, and so may be longer than
// a text.
func (a *asking) readMedia(ctx context.Context, f *found) (reading, error) {
	if f.info.Size() > int64(a.r.limits.Media) {
		return reading{}, nil
	}
	again, err := a.open(candidate{at: f.at, name: f.name})
	if err != nil {
		return reading{}, err
	}
	defer again.close()
	return a.read(ctx, again, a.r.limits.Media)
}

// describe makes a content a description of what it is.
func describe(c *ampersat.Content, what string) {
	c.Text = fmt.Sprintf("[%s (%s), %s: not text]\n", what, c.MIME, wording.Count(int(c.Size), "byte"))
	c.Shown = "described only"
}

// failed is the error for a file that could not be read to its end: that of
// the context if it has ended.
func (a *asking) failed(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return a.refused(err)
}
