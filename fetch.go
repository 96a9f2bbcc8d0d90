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
	content *Content
	err     error
}

// fetch asks the resolver, once for each key however often it is mentioned.
func (x *expansion) fetch(ctx context.Context, q Query) (*Content, error) {
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
	if f.content == nil { // it was left by whoever was first
		return &noContent, abandoned(q.Mention)
	}
	return f.content, f.err
}
