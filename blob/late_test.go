package blob

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// closed is a store that takes nothing.
type closed struct{ Memory }

func (*closed) Put(context.Context, []byte) (Digest, error) { return "", errors.New("closed") }

func TestLate(t *testing.T) {
	ctx := context.Background()
	under := new(Memory)
	late := &Late{Under: under}
	digest, err := late.Put(ctx, []byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := under.Get(ctx, digest); !errors.Is(err, ErrNotFound) {
		t.Errorf("it did not wait: %v", err)
	}
	if data, err := late.Get(ctx, digest); err != nil || string(data) != "a" {
		t.Errorf("%q %v", data, err)
	}
	if err := late.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	for _, store := range []Store{under, late} {
		if data, err := store.Get(ctx, digest); err != nil || string(data) != "a" {
			t.Errorf("after the flush: %q %v", data, err)
		}
	}
	if _, err := late.Get(ctx, Of([]byte("b"))); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}

	// What cannot be put is not lost.
	late = &Late{Under: new(closed)}
	if digest, err = late.Put(ctx, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := late.Flush(ctx); err == nil {
		t.Error("no error")
	}
	if data, err := late.Get(ctx, digest); err != nil || string(data) != "a" {
		t.Errorf("%q %v", data, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := late.Put(cancelled, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := late.Get(cancelled, digest); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// slow is a store that counts what is put, and lets nobody by before it is told.
type slow struct {
	Memory
	mu   sync.Mutex
	puts int
	gate chan struct{}
}

func (s *slow) Put(ctx context.Context, data []byte) (Digest, error) {
	select {
	case <-s.gate:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	s.mu.Lock()
	s.puts++
	s.mu.Unlock()
	return s.Memory.Put(ctx, data)
}

// Several may put and flush at the same time. When a flush has returned, all is
// kept that was put before, and everything is put once.
func TestFlushesDoNotRepeatEachOther(t *testing.T) {
	under := &slow{gate: make(chan struct{})}
	late := &Late{Under: under}
	const writers, each = 20, 10
	var all, ready sync.WaitGroup
	for w := range writers {
		ready.Add(1)
		all.Go(func() {
			var mine []Digest
			for i := range each {
				digest, err := late.Put(t.Context(), fmt.Appendf(nil, "%d of %d", i, w))
				if err != nil {
					t.Error(err)
				}
				mine = append(mine, digest)
			}
			ready.Done()
			if err := late.Flush(t.Context()); err != nil {
				t.Error(err)
			}
			for _, digest := range mine {
				if _, err := under.Get(t.Context(), digest); err != nil {
					t.Error(err)
				}
			}
		})
	}
	ready.Wait()
	close(under.gate)
	all.Wait()
	if under.puts != writers*each {
		t.Errorf("%d contents were put %d times", writers*each, under.puts)
	}
	if err := late.Flush(t.Context()); err != nil || under.puts != writers*each {
		t.Errorf("%d after one more flush, %v", under.puts, err)
	}
}

// Who waits for another flush waits no longer than it wants, and nothing is
// lost by it.
func TestAFlushThatWaitsCanBeCancelled(t *testing.T) {
	under := &slow{gate: make(chan struct{})}
	late := &Late{Under: under}
	digest, err := late.Put(t.Context(), []byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	first, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- late.Flush(first) }()
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := late.Flush(cancelled); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(under.gate)
	if err := late.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := under.Get(t.Context(), digest); err != nil {
		t.Error(err)
	}
}
