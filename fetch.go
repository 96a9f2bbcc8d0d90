package ampersat

import (
	"context"
	"sync"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// fetchKey is what decides the content of a mention within one turn.
type fetchKey struct {
	mention mention.Mention
	base    string
	asker   access.Asker
	limit   int
	named   bool
	written string
}

type fetch struct {
	once    sync.Once
	content Content
	err     error
}

// fetch asks the resolver, once for each key however often it is mentioned.
func (x *expansion) fetch(ctx context.Context, q Query) (Content, error) {
	key := fetchKey{q.Mention, q.Base, q.Asker, q.Limit, q.Named, q.written}
	x.mu.Lock()
	f, ok := x.fetched[key]
	if !ok {
		f = new(fetch)
		x.fetched[key] = f
	}
	x.mu.Unlock()
	f.once.Do(func() {
		f.content, f.err = x.accept(ctx, q, func() (Content, error) {
			if x.p.Resolver == nil {
				return Content{}, unread(q.Mention, "there is no resolver")
			}
			return x.p.Resolver.Resolve(ctx, q)
		})
	})
	return f.content, f.err
}

// scan refuses content with secrets in it that nobody allowed.
func (x *expansion) scan(c Content) error {
	name := c.ID
	if name == "" {
		name = c.Name
	}
	consent := x.p.Consent
	if consent == nil {
		consent = new(access.Memory)
	}
	for _, text := range []string{c.Text, c.Tail} {
		if text == "" && c.Tail == "" && len(c.Parts) == 0 {
			break
		}
		if found := access.ScanString(name, text); len(found) > 0 {
			if err := access.CheckSecrets(consent, name, found); err != nil {
				return err
			}
		}
	}
	return nil
}
