package blob

import (
	"context"
	"errors"
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
