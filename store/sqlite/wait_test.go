package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
)

// blocked returns a store to which another connection writes, and has not
// committed yet.
func blocked(t *testing.T, options Options) (store *Store, free func()) {
	t.Helper()
	path := file(t)
	store = opened(t, path, options)
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	other := opened(t, path, Options{})
	tx, err := other.writer.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	return store, func() {
		t.Helper()
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

func TestWriterWaitsForOthers(t *testing.T) {
	store, free := blocked(t, Options{})
	appended := make(chan error)
	go func() { appended <- second(store.Append(ctx, "s", 0, session.NoLease, note("late"))) }()
	select {
	case err := <-appended:
		t.Errorf("it did not wait: %v", err)
	case <-time.After(3 * patience):
	}
	// Readers do not.
	if log := records(t, store, "s"); len(log) != 0 {
		t.Errorf("have %d records", len(log))
	}
	free()
	if err := <-appended; err != nil {
		t.Error(err)
	}
	if log := records(t, store, "s"); len(log) != 1 {
		t.Errorf("have %d records", len(log))
	}
}

func TestWaitingEnds(t *testing.T) {
	store, free := blocked(t, Options{Wait: 2 * patience})
	_, err := store.Append(ctx, "s", 0, session.NoLease, note("late"))
	if !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), store.path) {
		t.Errorf("have %v, want an ErrBusy with the path", err)
	}
	free()
	must[session.Seq](t)(store.Append(ctx, "s", 0, session.NoLease, note("again")))
}

func TestWaitingCanBeCancelled(t *testing.T) {
	store, free := blocked(t, Options{Wait: time.Hour})
	defer free()
	soon, cancel := context.WithTimeout(ctx, patience/2)
	defer cancel()
	begun := time.Now()
	if _, err := store.Append(soon, "s", 0, session.NoLease, note("late")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("have %v, want the context's error", err)
	}
	if took := time.Since(begun); took > 20*patience {
		t.Errorf("it took %v to notice", took)
	}
	if log := records(t, store, "s"); len(log) != 0 {
		t.Errorf("have %d records after the append was cancelled", len(log))
	}
}

// A killed process does not show whether what it wrote was on the disk or only
// on its way there. So the settings that see to it are looked at.
func TestWritesReachTheDisk(t *testing.T) {
	store := opened(t, file(t), Options{})
	for setting, want := range map[string]string{"journal_mode": "wal", "synchronous": "2"} {
		var have string
		if err := store.writer.QueryRowContext(ctx, "PRAGMA "+setting).Scan(&have); err != nil || have != want {
			t.Errorf("%s is %s, %v, want %s", setting, have, err, want)
		}
	}
	if _, err := store.reader.ExecContext(ctx, `DELETE FROM session`); err == nil {
		t.Error("a reading connection can write")
	}
}

// A loop over a log that is deleted ends with an error. It does not go on in
// another session that has got the same id.
func TestLogDeletedWhileRead(t *testing.T) {
	for _, again := range []bool{false, true} {
		store := opened(t, file(t), Options{})
		fill := func(name string) {
			t.Helper()
			must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
			var entries []session.Entry
			for n := range 2 * pageEntries {
				entries = append(entries, note("%s %d", name, n))
			}
			must[session.Seq](t)(store.Append(ctx, "s", 0, session.NoLease, entries...))
		}
		fill("first")
		var last error
		n := 0
		for r, err := range store.Read(ctx, "s", 1) {
			if last = err; err != nil {
				break
			}
			if want := fmt.Sprintf("first %d", n); r.Entry.(session.Note).Name != want {
				t.Fatalf("have %q, want %q", r.Entry.(session.Note).Name, want)
			}
			if n++; n == 1 {
				if err := store.Delete(ctx, "s"); err != nil {
					t.Fatal(err)
				}
				if again {
					fill("second")
				}
			}
		}
		if !errors.Is(last, session.ErrNotFound) {
			t.Errorf("after %d records: %v, want an ErrNotFound", n, last)
		}
	}
}

func TestClosedStoreSaysSo(t *testing.T) {
	store := must[*Store](t)(Open(ctx, file(t), Options{}))
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	for call, err := range map[string]error{
		"Get": second(store.Get(ctx, "s")), "Append": second(store.Append(ctx, "s", 0, session.NoLease, note("late"))),
	} {
		if err == nil || !strings.Contains(err.Error(), "closed") {
			t.Errorf("%s: have %v", call, err)
		}
	}
	if err := store.Close(); err != nil {
		t.Errorf("the second Close: %v", err)
	}
}
