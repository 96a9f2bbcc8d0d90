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
	t.Run("the clock is put back", func(t *testing.T) {
		// What a lease says is then in the future, for hours, by each clock that
		// there is; who is gone renews nothing, and is waited for no longer than ever.
		for name, where := range map[string]func(*Memory) Store{
			"a store":                         func(m *Memory) Store { return m },
			"a store that has its own errors": func(m *Memory) Store { return plainly{m} },
		} {
			synctest.Test(t, func(t *testing.T) {
				ahead := time.Hour
				memory := &Memory{Now: func() time.Time { return time.Now().Add(ahead) }}
				store := where(memory)
				id := begin(t, memory)
				if _, err := store.Lease(t.Context(), id, "killed", HoldTime); err != nil {
					t.Fatal(err)
				}
				ahead = 0
				begun, asked := time.Now(), 0
				h, err := Hold(t.Context(), store, id, "me", func(holder string) bool { asked++; return holder == "killed" })
				if waited := time.Since(begun); waited < HoldTime || waited > HoldTime+time.Second {
					t.Errorf("%s: waited for %v", name, waited)
				}
				if asked != 1 {
					t.Errorf("%s: asked %d times whether the holder is gone", name, asked)
				}
				if name != "a store" {
					if !errors.Is(err, ErrHeld) {
						t.Errorf("%s: %v", name, err)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := h.Release(); err != nil {
					t.Error(err)
				}
			})
		}
	})
	t.Run("not gone after all", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ahead := time.Hour
			store := &Memory{Now: func() time.Time { return time.Now().Add(ahead) }}
			id := begin(t, store)
			working, err := Hold(t.Context(), store, id, "working", nil)
			if err != nil {
				t.Fatal(err)
			}
			ahead = 0
			ctx, cancel := context.WithTimeout(t.Context(), 10*HoldTime)
			defer cancel()
			if _, err := Hold(ctx, store, id, "me", func(string) bool { return true }); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("who renews is at work: %v", err)
			}
			if err := working.Context().Err(); err != nil {
				t.Errorf("who is at work: %v", err)
			}
			if err := working.Release(); err != nil {
				t.Error(err)
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

// plainly is a store that does not go by [Lease.Held].
type plainly struct{ *Memory }

func (p plainly) Lease(ctx context.Context, id ID, holder string, ttl time.Duration) (Lease, error) {
	lease, err := p.Memory.Lease(ctx, id, holder, ttl)
	if held, ok := errors.AsType[*HeldError](err); ok {
		return lease, &HeldError{ID: held.ID, Holder: held.Holder, Until: held.Until}
	}
	return lease, err
}
