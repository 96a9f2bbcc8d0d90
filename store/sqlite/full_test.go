package sqlite

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/session"
)

// A disk that is full fails the append as a whole, with an error that says so;
// and when there is room again, the same store goes on.
func TestFullDisk(t *testing.T) {
	path := file(t)
	store := opened(t, path, Options{})
	m := must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	limit := func(pages int) {
		t.Helper()
		if _, err := store.writer.ExecContext(ctx, fmt.Sprintf(`PRAGMA max_page_count = %d`, pages)); err != nil {
			t.Fatal(err)
		}
	}
	// Three at once: the disk is full after the first or second of them.
	add := func(after session.Seq) (session.Seq, error) {
		body := strings.Repeat("x", 3000)
		return store.Append(ctx, m.ID, after, session.NoLease, note("%d %s", after+1, body), note("%d %s", after+2, body), note("%d %s", after+3, body))
	}
	wantWhole := func(head session.Seq) {
		t.Helper()
		log := records(t, store, m.ID)
		if len(log) != int(head) || must[session.Meta](t)(store.Get(ctx, m.ID)).Head != head {
			t.Fatalf("have %d records, want %d", len(log), head)
		}
		for i, r := range log {
			if !strings.HasPrefix(r.Entry.(session.Note).Name, fmt.Sprintf("%d x", i+1)) {
				t.Fatalf("record %d is %.20q", i+1, r.Entry.(session.Note).Name)
			}
		}
		integrity(t, store)
	}

	limit(40)
	var head session.Seq
	var err error
	for err == nil && head < 300 {
		var next session.Seq
		if next, err = add(head); err == nil {
			head = next
		}
	}
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "make room") {
		t.Fatalf("after %d entries: %v, want an ErrFull with the path and what to do", head, err)
	}
	if head == 0 {
		t.Fatal("nothing fits")
	}
	wantWhole(head)
	if _, err := store.Blobs().Put(ctx, make([]byte, 1<<20)); !errors.Is(err, ErrFull) {
		t.Errorf("Put: %v, want an ErrFull", err)
	}
	if _, err := store.Fork(ctx, m.ID, head, session.Meta{ID: "fork"}); !errors.Is(err, ErrFull) {
		t.Errorf("Fork: %v, want an ErrFull", err)
	}
	if list := must[[]session.Meta](t)(store.List(ctx, session.Query{})); len(list) != 1 {
		t.Errorf("a fork that found no room is listed: %+v", list)
	}

	limit(1 << 30)
	for range 3 {
		if head, err = add(head); err != nil {
			t.Fatal(err)
		}
	}
	wantWhole(head)
}

// integrity lets SQLite check the whole file.
func integrity(t *testing.T, store *Store) {
	t.Helper()
	var verdict string
	if err := store.reader.QueryRowContext(ctx, `PRAGMA integrity_check`).Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("the file is damaged: %s, %v", verdict, err)
	}
}
