package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/sessiontest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

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

func TestStore(t *testing.T) {
	sessiontest.Run(t, func(t testing.TB, now func() time.Time) session.Store {
		return opened(t, file(t), Options{Now: now})
	})
}
