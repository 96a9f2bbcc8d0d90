package sqlite

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/sessiontest"
)

// role tells a child, which is this same program, what to do.
const role = "AMPERSAT_SQLITE_TEST_ROLE"

func TestMain(m *testing.M) {
	roles := map[string]func(path string) error{"append": appendUntilKilled, "fight": fightForLease, "fill": appendUntilFull, "fight on": fightUntilKilled, "hold": hold}
	if name := os.Getenv(role); name != "" {
		if err := roles[name](os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if err := flag.Set("rapid.checks", checks); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

var ctx = context.Background()

// opened returns a store that is closed at the end of the test.
func opened(t testing.TB, path string, options Options) *Store {
	t.Helper()
	store, err := Open(ctx, path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func file(t testing.TB) string { return filepath.Join(t.TempDir(), "sessions.db") }

// must returns what a call returned that must not fail.
func must[T any](t testing.TB) func(T, error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// records reads a whole log.
func records(t testing.TB, store *Store, id session.ID) (all []session.Record) {
	t.Helper()
	for r, err := range store.Read(ctx, id, 1) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

func note(format string, args ...any) session.Note {
	return session.Note{Name: fmt.Sprintf(format, args...)}
}

func TestStore(t *testing.T) {
	sessiontest.Run(t, func(t testing.TB, now func() time.Time) session.Store {
		return opened(t, file(t), Options{Now: now})
	})
}
