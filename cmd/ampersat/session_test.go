package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
	"github.com/ampersat/ampersat/store/sqlite"
	"github.com/go-json-experiment/json/jsontext"
)

// TestSessionRemoveAsks answers as a person at a terminal would. Whatever is no
// yes removes nothing, and says so.
func TestSessionRemoveAsks(t *testing.T) {
	project := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AMPERSAT_HOME", "")
	ampersat := func(answer string, args ...string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		code = run(context.Background(), append(args, "-C", project), streams{
			in: strings.NewReader(answer), out: &stdout, err: &stderr, inTerminal: true,
		})
		return code, stdout.String(), stderr.String()
	}
	if code, _, errs := ampersat("", "ask", "--provider", "echo", "--profile", "none", "a question"); code != exitDone {
		t.Fatalf("code %d: %s", code, errs)
	}
	for _, answer := range []string{"n\n", "\n", "no way\n"} {
		code, _, errs := ampersat(answer, "session", "rm", "last")
		if code != exitFailed || !strings.Contains(errs, "remove 1 session for good? [y/N] ") || !strings.HasSuffix(errs, "ampersat: session rm: nothing was removed\n") {
			t.Errorf("%q: code %d: %s", answer, code, errs)
		}
	}
	if _, out, errs := ampersat("", "session", "list"); !strings.Contains(out, "a question") {
		t.Errorf("it is gone: %s%s", out, errs)
	}
	if code, _, errs := ampersat("y\n", "session", "rm", "last"); code != exitDone {
		t.Errorf("code %d: %s", code, errs)
	}
	if _, _, errs := ampersat("", "session", "list"); !strings.Contains(errs, "no sessions yet") {
		t.Errorf("it is still there: %s", errs)
	}
}

// One that cannot be removed is named and keeps no other, and one that is named
// twice is removed once. What was mentioned goes all the same.
func TestSessionRemoveGoesOn(t *testing.T) {
	ctx, home := context.Background(), t.TempDir()
	t.Setenv("AMPERSAT_HOME", home)
	path := filepath.Join(home, "sessions.db")
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []session.ID{"first", "busy", "third"} {
		meta, err := store.Create(ctx, session.Meta{ID: id})
		if err == nil {
			_, err = store.Append(ctx, meta.ID, 0, session.NoLease, session.Note{Name: "n"})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	unnamed, err := store.Blobs().Put(ctx, []byte("no session names this"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Lease(ctx, "busy", "somebody", time.Hour); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := run(ctx, []string{"session", "rm", "--yes", "first", "first", "busy", "third"}, streams{in: strings.NewReader(""), out: &out, err: &errs})
	if code != exitFailed || !strings.HasPrefix(errs.String(), "ampersat: remove session busy: another ampersat is at work on session busy (somebody)") || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("code %d: %s", code, errs.String())
	}
	if store, err = sqlite.Open(ctx, path, sqlite.Options{}); err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if left, err := store.List(ctx, session.Query{}); err != nil || len(left) != 1 || left[0].ID != "busy" {
		t.Errorf("left: %+v %v", left, err)
	}
	if _, err := store.Blobs().Get(ctx, unnamed); err == nil {
		t.Error("what no session names is still there")
	}
}

func TestNotesAreReadable(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"turn", `{"id":"x"}`, "a turn begins"},
		{"turn", `{"id":"x","profile":{"name":"foundation:dev"}}`, "a turn begins; the profile of the session is foundation:dev"},
		{"changed", `{"call":"c","changes":[{"path":"/p/a.md"},{"path":"/p/b.md"}]}`, "a tool wrote /p/a.md, /p/b.md"},
		{"changing", `{"call":"c","changes":[{"path":"/p/a.md"}]}`, "a tool is about to write /p/a.md"},
		{"changed", `{"call":"c","changes":[]}`, "a tool wrote nothing"},
		{"acting", `{"call":"c","tool":"shell","effect":"run","summary":"run make"}`, "a tool begins: run make"},
		{export.LostNote, `{"reason":"it is not in the export"}`, "this entry is lost: it is not in the export"},
		{"pin", `{"seq":7}`, `note pin {"seq":7}`},
		{"turn", `[]`, `note turn []`},
		{"bookmark", ``, "note bookmark"},
	} {
		if have := noteText(session.Note{Name: c.name, Value: jsontext.Value(c.value)}); have != c.want {
			t.Errorf("%s %s: %s, want %s", c.name, c.value, have, c.want)
		}
	}
}
