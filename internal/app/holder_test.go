//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/session"
)

// A process that was killed holds nobody up: neither who wants to see less of the
// session nor who takes back its last turn. One that runs does.
func TestASessionOfADeadProcessIsFree(t *testing.T) {
	ctx := context.Background()
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	dead := fmt.Sprintf("process %d on %s", ended.Process.Pid, machine())
	alive := fmt.Sprintf("process %d on %s", os.Getppid(), machine())
	for name, do := range map[string]func(*App, session.ID) error{
		"compact": func(a *App, id session.ID) error { _, _, err := a.Compact(ctx, id, nil); return err },
		"pin":     func(a *App, id session.ID) error { _, err := a.Pin(ctx, id, 1, false); return err },
		"remove":  func(a *App, id session.ID) error { return a.Remove(ctx, id) },
		"undo":    func(a *App, id session.ID) error { _, err := a.Undo(ctx, id, false); return err },
	} {
		t.Run(name, func(t *testing.T) {
			a, d := echoed(t, newWorld(t, nil), "none", Talk{})
			if _, err := d.Turn(ctx, ampersat.Ask("hello"), nil); err != nil {
				t.Fatal(err)
			}
			store, err := a.Store(ctx)
			if err != nil {
				t.Fatal(err)
			}
			held, err := store.Lease(ctx, d.ID(), alive, time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			if err := do(a, d.ID()); !errors.Is(err, session.ErrHeld) {
				t.Errorf("somebody is at work: %v", err)
			}
			if err := store.Release(ctx, held); err != nil {
				t.Fatal(err)
			}
			if _, err := store.Lease(ctx, d.ID(), dead, 200*time.Millisecond); err != nil {
				t.Fatal(err)
			}
			waited := ""
			a.Waiting = func(holder string) { waited = holder }
			if err := do(a, d.ID()); err != nil || waited != dead {
				t.Errorf("waited for %q: %v", waited, err)
			}
		})
	}
}

// Who is interrupted keeps a session no longer, and who is killed a few seconds.
func TestWorkOnASessionHoldsItShortly(t *testing.T) {
	a, d := echoed(t, newWorld(t, nil), "none", Talk{})
	if _, err := d.Turn(t.Context(), ampersat.Ask("hello"), nil); err != nil {
		t.Fatal(err)
	}
	store, err := a.Store(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = a.hold(ctx, store, d.ID(), func(ctx context.Context, _ session.Token) error {
		_, err := store.Lease(t.Context(), d.ID(), "another", time.Second)
		var held *session.HeldError
		if !errors.As(err, &held) || time.Until(held.Until) > session.HoldTime {
			t.Errorf("another who wants it: %v", err)
		}
		cancel()
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if _, err := store.Lease(t.Context(), d.ID(), "another", time.Second); err != nil {
		t.Errorf("when the work is over: %v", err)
	}
}
