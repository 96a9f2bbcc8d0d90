package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A session is held for as long as the work takes, is free a few seconds after
// its holder is gone, and at once when it is released, be the work cancelled.
func TestHold(t *testing.T) {
	begin := func(t *testing.T, store *Memory) ID {
		t.Helper()
		m, err := store.Create(t.Context(), Meta{})
		if err != nil {
			t.Fatal(err)
		}
		return m.ID
	}
	t.Run("released", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(Memory)
			id := begin(t, store)
			ctx, cancel := context.WithCancel(t.Context())
			h, err := Hold(ctx, store, id, "me", nil)
			if err != nil {
				t.Fatal(err)
			}
			cancel()
			time.Sleep(10 * HoldTime)
			if _, err := store.Lease(t.Context(), id, "another", time.Second); !errors.Is(err, ErrHeld) {
				t.Errorf("while it is held: %v", err)
			}
			if err := errors.Join(h.Release(), h.Release()); err != nil {
				t.Error(err)
			}
			if _, err := store.Lease(t.Context(), id, "another", time.Second); err != nil {
				t.Errorf("when it is released: %v", err)
			}
		})
	})
	t.Run("gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := new(Memory)
			id := begin(t, store)
			h, err := Hold(t.Context(), store, id, "me", nil)
			if err != nil {
				t.Fatal(err)
			}
			// Whoever is killed renews nothing.
			if until := time.Until(h.Lease.Until); until > HoldTime {
				t.Errorf("others wait for %v", until)
			}
			if err := store.Release(t.Context(), h.Lease); err != nil {
				t.Fatal(err)
			}
			select {
			case <-h.Context().Done():
				if cause := context.Cause(h.Context()); !errors.Is(cause, ErrLost) {
					t.Errorf("the work ends with %v", cause)
				}
			case <-time.After(HoldTime):
				t.Error("the lease is lost, and the work goes on")
			}
			if err := h.Release(); err != nil {
				t.Error(err)
			}
		})
	})
}
