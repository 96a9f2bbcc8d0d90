package fs

import (
	"context"

	"github.com/ampersat/ampersat"
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
	err := a.media(ctx, &c, kind, data, limit)
	return c, err
}
