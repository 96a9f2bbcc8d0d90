package app

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/session"
)

// What a fork has copied happened once, and is told once: sums over the log are
// right. It is not lost with the session where it happened.
func TestACopyIsNotToldAgain(t *testing.T) {
	ctx := context.Background()
	a, d := echoed(t, newWorld(t, nil), "none", Talk{})
	for range 2 {
		if _, err := d.Turn(ctx, ampersat.Ask("hello"), nil); err != nil {
			t.Fatal(err)
		}
	}
	store, err := a.Store(ctx)
	if err != nil {
		t.Fatal(err)
	}
	first, err := store.Get(ctx, d.ID())
	if err != nil {
		t.Fatal(err)
	}
	fork := func(of session.ID, at session.Seq) session.ID {
		t.Helper()
		meta, err := store.Fork(ctx, of, at, session.Meta{})
		if err == nil {
			_, err = store.Append(ctx, meta.ID, at, session.NoLease, session.Note{Name: "own"})
		}
		if err != nil {
			t.Fatal(err)
		}
		return meta.ID
	}
	whole, half := fork(first.ID, first.Head), fork(first.ID, first.Head/2)
	nested := fork(whole, first.Head)
	told := func(q LogQuery) map[session.ID]string {
		t.Helper()
		events := map[session.ID][]string{}
		if err := a.Logs(ctx, q, func(e LogEvent) error { events[e.Session] = append(events[e.Session], e.Name); return nil }); err != nil {
			t.Fatal(err)
		}
		counts := map[session.ID]string{}
		for id, names := range events {
			requests := len(names) - len(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == LogRequest }))
			notes := len(names) - len(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == LogNote }))
			counts[id] = fmt.Sprint(requests, " requests, ", notes, " notes")
		}
		return counts
	}
	check := func(when string, q LogQuery, want map[session.ID]string) {
		t.Helper()
		if have := told(q); fmt.Sprint(have) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", when, have, want)
		}
	}
	own := "0 requests, 1 notes"
	check("all", LogQuery{}, map[session.ID]string{first.ID: "2 requests, 0 notes", whole: own, half: own, nested: own})
	check("one", LogQuery{Session: whole}, map[session.ID]string{whole: "2 requests, 1 notes"})
	if err := store.Delete(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	check("the first is gone", LogQuery{}, map[session.ID]string{whole: "2 requests, 1 notes", half: own, nested: own})
	if err := store.Delete(ctx, whole); err != nil {
		t.Fatal(err)
	}
	check("the one in between is gone", LogQuery{}, map[session.ID]string{half: "1 requests, 1 notes", nested: "1 requests, 1 notes"})
	check("one of those", LogQuery{Session: nested}, map[session.ID]string{nested: "2 requests, 1 notes"})
}
