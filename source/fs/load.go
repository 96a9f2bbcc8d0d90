package fs

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
)

// load returns the content of a file, by what it is.
func (a *asking) load(ctx context.Context, f *found, limit int) (ampersat.Content, error) {
	r, err := read(ctx, f, limit)
	if err != nil {
		return ampersat.Content{}, a.failed(ctx, err)
	}
	c := ampersat.Content{Name: f.name, ID: f.at.address(), Size: r.size, Shown: r.shown, Note: r.note}
	kind := formatOf(r.head)
	if kind.mime == "" {
		if t, ok := asText(r); ok {
			c.Text, c.Tail = t.head, t.tail
			c.Note = join(c.Note, t.note)
			c.Tree, c.Folder = a.tree(f.at).address(), f.at.parent().address()
			if r.whole {
				c.Source = blob.Of([]byte(c.Text))
			}
			return c, nil
		}
		kind = unknownFormat
	}
	if r.whole {
		c.Source = blob.Of(r.head)
	}
	c.MIME, c.Tail = kind.mime, ""
	describe(&c, kind.name)
	return c, nil
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
