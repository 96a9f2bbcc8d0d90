package fs

import (
	"context"
	"runtime/debug"
	"sync"
)

// room is the memory that decoded images may take together. Those that find
// none wait for it, in the order in which they came, so that a large one is not
// overtaken for ever.
type room struct {
	mu      sync.Mutex
	most    int64
	taken   int64
	waiting []waiting
}

// waiting is one that waits for its bytes. Ready is closed when it has them.
type waiting struct {
	bytes int64
	ready chan struct{}
}

// take waits until there are so many bytes, which are no more than there are in
// all, and returns what gives them back.
func (r *room) take(ctx context.Context, bytes int64) (giveBack func(), err error) {
	giveBack = sync.OnceFunc(func() {
		if bytes >= muchMemory {
			// It is free only when it was collected, and something small may be
			// in its place by then: the next one would be decoded beside it.
			debug.FreeOSMemory()
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.taken -= bytes
		r.admit()
	})
	w := waiting{bytes, make(chan struct{})}
	r.mu.Lock()
	r.waiting = append(r.waiting, w)
	r.admit()
	r.mu.Unlock()
	select {
	case <-w.ready:
		return giveBack, nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	for i, other := range r.waiting {
		if other.ready == w.ready {
			r.waiting = append(r.waiting[:i], r.waiting[i+1:]...)
			r.admit()
			r.mu.Unlock()
			return nil, ctx.Err()
		}
	}
	r.mu.Unlock()
	giveBack() // it had its turn at the same moment
	return nil, ctx.Err()
}

// muchMemory is what is worth a collection.
const muchMemory = 32 << 20

// admit lets in who is first for as long as there is room.
func (r *room) admit() {
	for len(r.waiting) > 0 && r.taken+r.waiting[0].bytes <= r.most {
		r.taken += r.waiting[0].bytes
		close(r.waiting[0].ready)
		r.waiting = r.waiting[1:]
	}
}
