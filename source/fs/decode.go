package fs

import (
	"context"
	"fmt"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
)

// Decode makes of bytes that came from elsewhere, such as a server, what a file
// of that content would become: text, an image, a document, or a description.
// Limit is how many bytes of text are of use, zero for as many as there may be.
// The content belongs to no tree, so that nothing in it is expanded.
func (r *Resolver) Decode(ctx context.Context, name string, data []byte, limit int) (ampersat.Content, error) {
	a := &asking{r: r, q: ampersat.Query{Limit: limit}}
	limit = a.limit()
	c := ampersat.Content{Name: name, Size: int64(len(data))}
	kind := formatOf(data)
	if kind.mime == "" {
		whole := reading{head: data, size: c.Size, whole: true}
		if len(data) > limit {
			end := len(data) - limit/4
			whole = reading{head: data[:limit-limit/4], lead: data[max(0, end-margin):end], tail: data[end:], size: c.Size}
		}
		if t, ok := asText(whole); ok {
			c.Text, c.Tail, c.Note, c.Shown = t.head, t.tail, t.note, t.shown
			if whole.whole {
				c.Source = t.digest(data)
			}
			return c, nil
		}
		kind = unknownFormat
	}
	c.MIME, c.Source = kind.mime, blob.Of(data)
	describe(&c, kind.name)
	d, isImage := decoderFor(kind.mime)
	isPDF := kind.mime == "application/pdf"
	var err error
	switch {
	case (isImage || isPDF) && len(data) > r.limits.Media:
		c.Note = fmt.Sprintf("more than the %s that are read", plural(r.limits.Media, "byte"))
	case isImage:
		err = a.image(ctx, &c, data, d)
	case isPDF:
		err = a.document(ctx, &c, data, limit)
	}
	return c, err
}
