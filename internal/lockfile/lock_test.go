package lockfile_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ampersat/ampersat/internal/lockfile"
)

func folder(t *testing.T) *os.Root {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func TestOneAtATime(t *testing.T) {
	root := folder(t)
	var inside, most atomic.Int32
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			release, err := lockfile.Take(t.Context(), root, ".lock", time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			if n := inside.Add(1); n > most.Load() {
				most.Store(n)
			}
			inside.Add(-1)
			release()
		})
	}
	wait.Wait()
	if _, err := root.Stat(".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock lies around: %v", err)
	}
	if most.Load() != 1 {
		t.Errorf("%d held it at once", most.Load())
	}
}

func TestWaitingEnds(t *testing.T) {
	root := folder(t)
	release, err := lockfile.Take(t.Context(), root, ".lock", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockfile.Take(t.Context(), root, ".lock", 0); !errors.Is(err, lockfile.ErrHeld) {
		t.Errorf("held: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := lockfile.Take(ctx, root, ".lock", time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	release()
	release, err = lockfile.Take(t.Context(), root, ".lock", 0)
	if err != nil {
		t.Fatal(err)
	}
	release()
}
