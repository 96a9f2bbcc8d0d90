package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"github.com/ampersat/ampersat/session"
)

// A store of the first format finds its requests and compactions after it was
// brought up to date.
func TestMigrateFindsLandmarks(t *testing.T) {
	path := file(t)
	if err := makePrivate(path); err != nil {
		t.Fatal(err)
	}
	db := must[*sql.DB](t)(connect(path, 1, common("rw")...))
	script := must[[]byte](t)(migrations.ReadFile("migrations/0001_sessions.sql"))
	insert := func(key, seq int64, body string) string {
		return fmt.Sprintf(`INSERT INTO entry (place, time, sum, body) VALUES (%d, 0, %d, '%s');`, key<<32+seq, checksum([]byte(body)), body)
	}
	old := string(script) + `INSERT INTO session (id, title, dir, parent, fork_of, fork_at, created, updated, head)
		VALUES ('a', '', '', '', '', 0, 0, 0, 4), ('b', '', '', '', '', 0, 0, 0, 1), ('c', '', '', '', '', 0, 0, 0, 0);` +
		insert(1, 1, `{"kind":"compacted","epoch":1}`) + insert(1, 2, `{ "kind" : "\u0063ompacted","epoch":2}`) + insert(1, 3, `{"kind":"note","name":"n"}`) +
		insert(1, 4, `{"kind":"said","message":{"role":"user","content":"kind prepared"}}`) + insert(2, 1, `{"kind":"note","name":"compacted"}`) +
		fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = 1`, application)
	if _, err := db.Exec(old); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	store := opened(t, path, Options{})
	last := must[session.Record](t)(store.Last(ctx, "a", session.KindCompacted))
	if c, is := last.Entry.(session.Compacted); last.Seq != 2 || !is || c.Epoch != 2 {
		t.Errorf("have %+v", last)
	}
	for id, kind := range map[session.ID]session.Kind{"a": session.KindPrepared, "b": session.KindCompacted, "c": session.KindCompacted} {
		if r, err := store.Last(ctx, id, kind); !errors.Is(err, session.ErrNoEntry) {
			t.Errorf("the last %s of %s is %+v, %v", kind, id, r, err)
		}
	}
	if n := len(records(t, store, "a")); n != 4 {
		t.Errorf("have %d records", n)
	}
}

// Leaving a loop in whatever state of its reading ahead ends the reading.
func TestReadCanBeLeftAnywhere(t *testing.T) {
	store := opened(t, file(t), Options{})
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	const n = firstEntries + 2*pageEntries + 10
	var entries []session.Entry
	for i := range n {
		entries = append(entries, note("%d", i+1))
	}
	must[session.Seq](t)(store.Append(ctx, "s", 0, session.NoLease, entries...))
	for _, left := range []int{1, firstEntries, firstEntries + 1, firstEntries + pageEntries, firstEntries + pageEntries + 1, n - 1, n} {
		seen := 0
		for r, err := range store.Read(ctx, "s", 1) {
			if err != nil {
				t.Fatal(err)
			}
			seen++
			if want := fmt.Sprint(seen); int(r.Seq) != seen || r.Entry.(session.Note).Name != want {
				t.Fatalf("record %d is %+v", seen, r)
			}
			if seen == left {
				break
			}
		}
	}
	if have := len(records(t, store, "s")); have != n {
		t.Errorf("have %d records, want %d", have, n)
	}
}
