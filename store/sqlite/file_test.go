package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
)

func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	folder := filepath.Join(t.TempDir(), "state", "ampersat")
	path := filepath.Join(folder, "sessions.db")
	wantModes := func() {
		t.Helper()
		for name, want := range map[string]fs.FileMode{folder: 0o700, filepath.Dir(folder): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600} {
			if info, err := os.Stat(name); err != nil {
				t.Error(err)
			} else if info.Mode().Perm() != want {
				t.Errorf("%s: have mode %v, want %v", name, info.Mode().Perm(), want)
			}
		}
	}
	store := opened(t, path, Options{})
	must[session.Meta](t)(store.Create(ctx, session.Meta{}))
	wantModes()

	// One that others could read becomes private; here while it is in use.
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(name, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opened(t, path, Options{})
	wantModes()
	must[session.Meta](t)(store.Create(ctx, session.Meta{}))
}

// What stands in a path must not be taken for a setting.
func TestPathsMayHaveAnyName(t *testing.T) {
	for _, name := range []string{"a b", "a?mode=memory", "a#b", "a%20b", "ä&_pragma=x", "file:a"} {
		path := filepath.Join(t.TempDir(), name)
		store := opened(t, path, Options{})
		must[session.Meta](t)(store.Create(ctx, session.Meta{}))
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%q: %v, %v", name, info, err)
		}
	}
}

func TestOpenRefusesWhatIsNoStore(t *testing.T) {
	folder := t.TempDir()
	text := filepath.Join(folder, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("this is no database\n", 400)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(folder, "other.db")
	change(t, other, `CREATE TABLE bookmark (url TEXT)`)
	for path, want := range map[string]string{
		folder: "it is a folder",
		text:   "no SQLite database",
		other:  "a database of another program",
	} {
		_, err := Open(ctx, path, Options{})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("have %v, want %q and the path", err, want)
		}
		if path != folder && !errors.Is(err, ErrForeign) {
			t.Errorf("%v is no ErrForeign", err)
		}
	}
}

// change runs a statement on a file from outside.
func change(t *testing.T, path, statement string, args ...any) {
	t.Helper()
	db, err := connect(path, 1, "_busy_timeout=5000")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, statement, args...); err != nil {
		t.Fatal(err)
	}
}

func TestNewerStoreCanBeReadOnly(t *testing.T) {
	path := file(t)
	store := must[*Store](t)(Open(ctx, path, Options{}))
	m := must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	must[session.Seq](t)(store.Append(ctx, m.ID, 0, session.NoLease, note("kept")))
	digest, err := store.Blobs().Put(ctx, []byte("kept"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(store.ReadOnly(), store.Close()); err != nil {
		t.Fatal(err)
	}
	change(t, path, `ALTER TABLE session ADD COLUMN color TEXT NOT NULL DEFAULT 'red'; PRAGMA user_version = 7`)

	store = opened(t, path, Options{})
	if err := store.ReadOnly(); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "update ampersat") {
		t.Errorf("ReadOnly: %v", err)
	}
	if log := records(t, store, "s"); len(log) != 1 {
		t.Errorf("have %d records", len(log))
	}
	if list := must[[]session.Meta](t)(store.List(ctx, session.Query{})); len(list) != 1 {
		t.Errorf("have %d sessions", len(list))
	}
	if _, err := store.Blobs().Get(ctx, digest); err != nil {
		t.Error(err)
	}
	for call, err := range map[string]error{
		"Create": second(store.Create(ctx, session.Meta{})), "Rename": store.Rename(ctx, "s", "new"),
		"Append": second(store.Append(ctx, "s", 1, session.NoLease, note("late"))),
		"Fork":   second(store.Fork(ctx, "s", 1, session.Meta{})), "Delete": store.Delete(ctx, "s"),
		"Lease": second(store.Lease(ctx, "s", "me", time.Minute)), "Renew": second(store.Renew(ctx, session.Lease{Session: "s"}, time.Minute)),
		"Release": store.Release(ctx, session.Lease{Session: "s"}), "Put": second(store.Blobs().Put(ctx, []byte("late"))),
	} {
		if !errors.Is(err, ErrNewer) {
			t.Errorf("%s: have %v, want an ErrNewer", call, err)
		}
	}
	if log := records(t, store, "s"); len(log) != 1 {
		t.Errorf("have %d records after writing was refused", len(log))
	}
}

// A program that is running when a newer one migrates the store stops writing.
func TestStoreMigratedWhileOpen(t *testing.T) {
	path := file(t)
	store := opened(t, path, Options{})
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	change(t, path, `ALTER TABLE entry ADD COLUMN color TEXT; PRAGMA user_version = 7`)
	if _, err := store.Append(ctx, "s", 0, session.NoLease, note("late")); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), path) {
		t.Errorf("have %v, want an ErrNewer", err)
	}
	if log := records(t, store, "s"); len(log) != 0 {
		t.Errorf("have %d records", len(log))
	}
}

// What was said in a deleted session is not left lying about in the file.
func TestDeletedSessionLeavesNothing(t *testing.T) {
	path := file(t)
	store := must[*Store](t)(Open(ctx, path, Options{}))
	for _, id := range []session.ID{"gone", "kept"} {
		must[session.Meta](t)(store.Create(ctx, session.Meta{ID: id, Title: "title " + string(id)}))
		must[session.Seq](t)(store.Append(ctx, id, 0, session.NoLease, note("small %s", id), note("%s", strings.Repeat("large "+string(id), 2000))))
	}
	if err := errors.Join(store.Delete(ctx, "gone"), store.Close()); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"title gone": false, "small gone": false, "large gone": false, "title kept": true, "small kept": true, "large kept": true,
	} {
		if strings.Contains(string(data), text) != want {
			t.Errorf("%q is in the file: %v, want %v", text, !want, want)
		}
	}
}

func TestNewerStoreMayRefuseOldReaders(t *testing.T) {
	for _, statement := range []string{`UPDATE store SET reader = 7`, `DROP TABLE store`} {
		path := file(t)
		if err := must[*Store](t)(Open(ctx, path, Options{})).Close(); err != nil {
			t.Fatal(err)
		}
		change(t, path, statement+`; PRAGMA user_version = 7`)
		if _, err := Open(ctx, path, Options{}); !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), path) {
			t.Errorf("after %s: have %v, want an ErrNewer", statement, err)
		}
	}
}

// Several programs may be the first at once.
func TestManyOpenANewStoreAtOnce(t *testing.T) {
	path := file(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			store, err := Open(ctx, path, Options{})
			if err != nil {
				t.Error(err)
				return
			}
			if _, err := store.Create(ctx, session.Meta{}); err != nil {
				t.Error(err)
			}
			if err := store.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if list := must[[]session.Meta](t)(opened(t, path, Options{}).List(ctx, session.Query{})); len(list) != 8 {
		t.Errorf("have %d sessions, want 8", len(list))
	}
}
