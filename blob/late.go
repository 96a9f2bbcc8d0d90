package blob

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
)

// Late is a [Store] that keeps what it is given in memory until [Late.Flush], so
// that nobody waits for a disk where there is no hurry. What was not flushed when
// the program ends is lost. It is safe for concurrent use.
//
// It may be shared. A flush then writes what waits of all who share it, and the
// others wait for it; where nobody is to wait for somebody else's contents, each
// has one of its own over the same store.
type Late struct {
	// Under is the store that lasts. Without it nothing does, and Flush fails.
	Under Store

	mu      sync.Mutex
	waiting map[Digest][]byte
	// flushing is what the one who flushes holds.
	flushing chan struct{}
}

// Put implements [Store].
func (l *Late) Put(ctx context.Context, data []byte) (Digest, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	digest := Of(data)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		l.waiting = map[Digest][]byte{}
	}
	if _, ok := l.waiting[digest]; !ok {
		l.waiting[digest] = append([]byte{}, data...)
	}
	return digest, nil
}

// Get implements [Store].
func (l *Late) Get(ctx context.Context, digest Digest) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	l.mu.Lock()
	data, ok := l.waiting[digest]
	l.mu.Unlock()
	if ok {
		return append([]byte{}, data...), nil
	}
	if l.Under == nil {
		return nil, fmt.Errorf("get %s: %w", digest, ErrNotFound)
	}
	return l.Under.Get(ctx, digest)
}

// Flush puts what waits into the store that lasts. When it has returned nil, all
// is there that was put before it was called, by this flush or by another that
// was at it already: what waits is put once. What it could not put waits on.
func (l *Late) Flush(ctx context.Context) error {
	flushing := l.turn()
	select {
	case flushing <- struct{}{}:
		defer func() { <-flushing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	l.mu.Lock()
	waiting := maps.Clone(l.waiting)
	l.mu.Unlock()
	if len(waiting) > 0 && l.Under == nil {
		return errors.New("keep what is new: there is no store under blob.Late")
	}
	for digest, data := range waiting {
		if _, err := l.Under.Put(ctx, data); err != nil {
			return err
		}
		l.mu.Lock()
		delete(l.waiting, digest)
		l.mu.Unlock()
	}
	return nil
}

func (l *Late) turn() chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.flushing == nil {
		l.flushing = make(chan struct{}, 1)
	}
	return l.flushing
}
