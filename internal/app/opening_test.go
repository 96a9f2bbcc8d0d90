package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/sessiontest"
)

// A store that is being opened is a store like any other.
func TestOpeningIsAStore(t *testing.T) {
	sessiontest.Run(t, func(_ testing.TB, now func() time.Time) session.Store {
		o := &opening{done: make(chan struct{}), store: &session.Memory{Now: now}}
		close(o.done)
		return o
	})
}

func TestAStoreThatCannotBeOpened(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, map[string]string{"~/.ampersat/sessions.db/in-the-way": "a folder"})
	a, err := New(Options{Dir: w.project})
	if err != nil {
		t.Fatal(err)
	}
	o := a.openLater(ctx)
	for name, err := range map[string]error{
		"create": second(o.Create(ctx, session.Meta{})), "get": second(o.Get(ctx, "s")), "list": second(o.List(ctx, session.Query{})),
		"rename": o.Rename(ctx, "s", ""), "append": second(o.Append(ctx, "s", 0, 0)), "last": second(o.Last(ctx, "s", session.KindSaid)),
		"fork": second(o.Fork(ctx, "s", 0, session.Meta{})), "delete": o.Delete(ctx, "s"), "lease": second(o.Lease(ctx, "s", "me", 1)),
		"renew": second(o.Renew(ctx, session.Lease{}, 1)), "release": o.Release(ctx, session.Lease{}), "put": second(o.Blobs().Put(ctx, nil)), "blob": second(o.Blobs().Get(ctx, "")),
	} {
		if err == nil || !strings.Contains(err.Error(), "folder") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, err := range o.Read(ctx, "s", 1) {
		if err == nil {
			t.Error("it reads")
		}
	}
	if _, err := os.Stat(filepath.Join(w.ampHome, "sessions.db", "in-the-way")); errors.Is(err, os.ErrNotExist) {
		t.Error("what was there is gone")
	}
}

func second[T any](_ T, err error) error { return err }
