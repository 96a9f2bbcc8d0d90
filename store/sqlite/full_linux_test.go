package sqlite

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/ampersat/ampersat/session"
)

// noRoom names the store that a child reads while it cannot make any file longer.
const noRoom = "AMPERSAT_TEST_NO_ROOM"

// Where there is no room for the file that processes share, a store is read all the
// same, what was not yet moved out of its log included, and says why it cannot be
// written to. When there is room again, it is as it was.
func TestAStoreIsReadWhereThereIsNoRoom(t *testing.T) {
	if path := os.Getenv(noRoom); path != "" {
		readWithoutRoom(t, path)
		return
	}
	path := file(t)
	store := opened(t, path, Options{})
	m := must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	must[session.Seq](t)(store.Append(ctx, m.ID, 0, session.NoLease, note("one"), note("two")))
	// A copy while it is open has a log, as after a kill, and no file that is shared.
	copied := file(t)
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + end)
		if err != nil || len(data) == 0 {
			t.Fatalf("%s%s: %d bytes, %v", path, end, len(data), err)
		}
		if err := os.WriteFile(copied+end, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self, "-test.run=^"+t.Name()+"$", "-test.v")
	child.Env = append(os.Environ(), noRoom+"="+copied)
	if out, err := child.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Fatalf("%v\n%s", err, out)
	}
	again := opened(t, copied, Options{})
	if err := again.ReadOnly(); err != nil {
		t.Error(err)
	}
	must[session.Seq](t)(again.Append(ctx, m.ID, 2, session.NoLease, note("three")))
	if log := records(t, again, m.ID); len(log) != 3 {
		t.Errorf("have %d records", len(log))
	}
}

func readWithoutRoom(t *testing.T, path string) {
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}); err != nil {
		t.Fatal(err)
	}
	store, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	list, err := store.List(ctx, session.Query{})
	if err != nil || len(list) != 1 || list[0].Head != 2 {
		t.Errorf("listed %+v, %v", list, err)
	}
	for r, err := range store.Read(ctx, "s", 1) {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Get(ctx, "s"); err != nil { // in the loop
			t.Fatalf("entry %d: %v", r.Seq, err)
		}
	}
	_, err = store.Append(ctx, "s", 2, session.NoLease, note("three"))
	if !errors.Is(err, ErrFull) || !errors.Is(store.ReadOnly(), ErrFull) || !strings.Contains(err.Error(), "make room") {
		t.Errorf("have %v, want an ErrFull", err)
	}
}
