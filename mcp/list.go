package mcp

import (
	"context"
	"sync"
)

// maxListed is how many of its things a server is listened to for.
const maxListed = 10_000

// listing is what a server said it has, until it says that this has changed.
type listing[T any] struct {
	mu      sync.Mutex
	held    bool
	items   []T
	more    bool // there is more than was listened to
	changes int
}

// forget makes the next who asks ask the server.
func (l *listing[T]) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held, l.items = false, nil
	l.changes++
}

// now returns the list if it is held.
func (l *listing[T]) now() (items []T, held bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.items, l.held
}

// all returns the list, page by page from the server if it is not held.
func (l *listing[T]) all(ctx context.Context, page func(ctx context.Context, cursor string) (items []T, next string, err error)) (items []T, more bool, err error) {
	l.mu.Lock()
	items, more, held, changes := l.items, l.more, l.held, l.changes
	l.mu.Unlock()
	if held {
		return items, more, nil
	}
	items, more, err = pages(ctx, page)
	if err != nil {
		return nil, false, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changes == changes { // else it is old already
		l.held, l.items, l.more = true, items, more
	}
	return items, more, nil
}

// pages reads a list to its end. A server that comes back to a page where it was
// before has ended, and so has one that has listed enough.
func pages[T any](ctx context.Context, page func(context.Context, string) ([]T, string, error)) (all []T, more bool, err error) {
	seen := map[string]bool{"": true}
	for cursor := ""; ; {
		items, next, err := page(ctx, cursor)
		if err != nil {
			return nil, false, err
		}
		if len(all)+len(items) > maxListed {
			return append(all, items[:maxListed-len(all)]...), true, nil
		}
		all = append(all, items...)
		if seen[next] {
			return all, false, nil
		}
		if len(seen) == maxListed {
			return all, true, nil
		}
		seen[next] = true
		cursor = next
	}
}

func (c *connection) listResources(ctx context.Context) ([]*resource, bool, error) {
	if c.able.Resources == nil {
		return nil, false, nil
	}
	return c.resources.all(ctx, func(ctx context.Context, cursor string) ([]*resource, string, error) {
		var p page
		err := c.call(ctx, "resources/list", params{Cursor: cursor}, &p)
		return present(p.Resources), p.NextCursor, err
	})
}

func (c *connection) listTemplates(ctx context.Context) ([]*resourceTemplate, bool, error) {
	if c.able.Resources == nil {
		return nil, false, nil
	}
	return c.templates.all(ctx, func(ctx context.Context, cursor string) ([]*resourceTemplate, string, error) {
		var p page
		err := c.call(ctx, "resources/templates/list", params{Cursor: cursor}, &p)
		if answer := answered(err); answer != nil && answer.Code == methodNotFound {
			return nil, "", nil // a server may have resources and no templates
		}
		return present(p.Templates), p.NextCursor, err
	})
}

func (c *connection) listTools(ctx context.Context) ([]*toolSpec, bool, error) {
	if c.able.Tools == nil {
		return nil, false, nil
	}
	return c.tools.all(ctx, func(ctx context.Context, cursor string) ([]*toolSpec, string, error) {
		var p page
		err := c.call(ctx, "tools/list", params{Cursor: cursor}, &p)
		return present(p.Tools), p.NextCursor, err
	})
}

// present leaves out the nulls that a server may put into a list.
func present[T any](items []*T) []*T {
	all := items[:0]
	for _, item := range items {
		if item != nil {
			all = append(all, item)
		}
	}
	return all
}
