package fs

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
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
	c.MIME = kind.mime
	describe(&c, kind.name)
	d, isImage := decoderFor(kind.mime)
	isPDF := kind.mime == "application/pdf"
	if !r.whole && (isImage || isPDF) {
		if r, err = a.readMedia(ctx, f); err != nil {
			return ampersat.Content{}, a.failed(ctx, err)
		}
		if r.whole {
			c.Size = r.size
			describe(&c, kind.name)
		}
	}
	if !r.whole {
		if isImage || isPDF {
			c.Note = join(c.Note, fmt.Sprintf("more than the %s that are read", plural(a.r.limits.Media, "byte")))
		}
		return c, nil
	}
	c.Source = blob.Of(r.head)
	switch {
	case isImage:
		err = a.image(ctx, &c, r.head, d)
	case isPDF:
		err = a.document(ctx, &c, r.head, limit)
	}
	return c, err
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
	c.Text = fmt.Sprintf("[%s (%s), %s: not text]\n", what, c.MIME, plural(int(c.Size), "byte"))
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
