//go:build unix

package sqlite

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/session"
)

// Where the files cannot be made that processes share, as on a disk that is read-only,
// a store is salvaged all the same, unless some of it is in its -wal: then the error
// says what to do.
func TestSalvageWhereNothingCanBeWritten(t *testing.T) {
	path := file(t)
	store := opened(t, path, Options{})
	m := must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	must[session.Seq](t)(store.Append(ctx, m.ID, 0, session.NoLease, note("one"), note("two")))
	log, err := os.ReadFile(path + "-wal")
	if err != nil || len(log) == 0 {
		t.Fatalf("%d bytes, %v", len(log), err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", path+"-shm"); err != nil { // SQLite follows no link
		t.Fatal(err)
	}
	if store, err := Open(ctx, path, Options{}); err == nil {
		t.Error("it can be opened", store.Close())
	}
	for _, empty := range []bool{false, true} {
		if empty {
			if err := os.WriteFile(path+"-wal", nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, result := salvage(t, path); result != (Salvaged{Sessions: 1, Entries: 2}) {
			t.Errorf("with an empty log %v: have %+v", empty, result)
		}
	}
	if err := os.WriteFile(path+"-wal", log, 0o600); err != nil {
		t.Fatal(err)
	}
	if result, err := Salvage(ctx, path, new(bytes.Buffer)); err == nil || !strings.Contains(err.Error(), "copy the folder and use the copy") {
		t.Errorf("have %+v, %v", result, err)
	}
}
