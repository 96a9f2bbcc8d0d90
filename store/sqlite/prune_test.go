package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"pgregory.net/rapid"
)

// Whatever sessions were made, forked and deleted: what one that is left names is
// there, and nothing else.
func TestPruneLeavesWhatIsNamed(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		path := filepath.Join(t.TempDir(), "sessions.db")
		store := must[*Store](t)(Open(ctx, path, Options{}))
		defer store.Close()
		names := map[session.ID]map[string]bool{}
		put := map[string]blob.Digest{}
		id := rapid.SampledFrom([]session.ID{"a", "b", "c"})
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			s := id.Draw(r, "session")
			switch named, exists := names[s]; rapid.IntRange(0, 5).Draw(r, "step") {
			case 0:
				other := id.Draw(r, "fork")
				if exists && names[other] == nil {
					head := must[session.Meta](t)(store.Get(ctx, s)).Head
					must[session.Meta](t)(store.Fork(ctx, s, head, session.Meta{ID: other}))
					names[other] = map[string]bool{}
					for text := range named {
						names[other][text] = true
					}
				}
			case 1:
				if exists {
					if err := store.Delete(ctx, s); err != nil {
						r.Fatal(err)
					}
					delete(names, s)
				}
			case 2:
				text := "nobody says " + rapid.SampledFrom([]string{"x", "y"}).Draw(r, "unsaid")
				put[text] = must[blob.Digest](t)(store.Blobs().Put(ctx, []byte(text)))
			default:
				if !exists {
					must[session.Meta](t)(store.Create(ctx, session.Meta{ID: s}))
					names[s] = map[string]bool{}
				}
				text := "content " + rapid.SampledFrom([]string{"1", "2", "3", "4"}).Draw(r, "content")
				put[text] = must[blob.Digest](t)(store.Blobs().Put(ctx, []byte(text)))
				head := must[session.Meta](t)(store.Get(ctx, s)).Head
				must[session.Seq](t)(store.Append(ctx, s, head, session.NoLease, naming(put[text], rapid.IntRange(0, 2).Draw(r, "place"))))
				names[s][text] = true
			}
		}
		if err := store.Close(); err != nil {
			r.Fatal(err)
		}
		left := map[string]bool{}
		for _, named := range names {
			for text := range named {
				left[text] = true
			}
		}
		if removed, err := Prune(ctx, path); err != nil || removed != len(put)-len(left) {
			r.Fatalf("removed %d, %v; want %d", removed, err, len(put)-len(left))
		}
		data := must[[]byte](t)(os.ReadFile(path))
		if files := must[[]string](t)(filepath.Glob(path + "*")); len(files) != 1 {
			r.Fatalf("there are %q", files)
		}
		again := opened(t, path, Options{})
		for text, digest := range put {
			have, err := again.Blobs().Get(ctx, digest)
			if left[text] && string(have) != text || !left[text] && !errors.Is(err, blob.ErrNotFound) {
				r.Fatalf("%q is %q, %v", text, have, err)
			}
			if !left[text] && bytes.Contains(data, []byte(text)) {
				r.Fatalf("%q can still be read in the file", text)
			}
		}
		for s := range names {
			records(t, again, s)
		}
	})
}

// naming returns an entry that names a content, at different places.
func naming(digest blob.Digest, place int) session.Entry {
	switch place {
	case 0:
		return note("%s", digest)
	case 1:
		return session.Said{Message: message.Message{Role: message.User, Content: message.Of(message.Image{Source: message.Source{Type: message.SourceBlob, Digest: digest, MIME: "image/png"}})}}
	}
	return session.Said{Message: message.Message{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"a.md"}, Source: digest, Text: "x"})}}
}

// While somebody has the store open, what looks unnamed may be about to be named.
func TestPruneWantsTheStoreForItself(t *testing.T) {
	path := file(t)
	store := must[*Store](t)(Open(ctx, path, Options{}))
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	digest := must[blob.Digest](t)(store.Blobs().Put(ctx, []byte("about to be named")))
	if _, err := Prune(ctx, path); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), path) {
		t.Errorf("have %v, want an ErrBusy", err)
	}
	must[session.Seq](t)(store.Append(ctx, "s", 0, session.NoLease, note("%s", digest)))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}

	in, end, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	other, said := child(t, "hold", path, in)
	if !said.Scan() {
		t.Fatal("the other process does not begin")
	}
	if _, err := Prune(ctx, path); !errors.Is(err, ErrBusy) {
		t.Errorf("have %v, want an ErrBusy", err)
	}
	end.Close()
	if err := other.Wait(); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if removed, err := Prune(ctx, path); removed != 0 || err != nil {
		t.Errorf("removed %d, %v", removed, err)
	}
}

// hold has the store open until its standard input ends.
func hold(path string) error {
	store, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	fmt.Println("open")
	if _, err := os.Stdin.Read(make([]byte, 1)); err == nil {
		return errors.New("something was said")
	}
	return store.Close()
}

// What cannot be read may name something.
func TestPruneTakesNothingFromADamagedStore(t *testing.T) {
	for name, damage := range map[string]string{
		"an entry that was changed": `UPDATE entry SET body = replace(body, 'sha256:', 'sha257:')`,
		"an entry that is missing":  `DELETE FROM entry`,
	} {
		path := file(t)
		store := must[*Store](t)(Open(ctx, path, Options{}))
		must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
		digest := must[blob.Digest](t)(store.Blobs().Put(ctx, []byte("named")))
		must[session.Seq](t)(store.Append(ctx, "s", 0, session.NoLease, note("%s", digest)))
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		change(t, path, damage)
		if removed, err := Prune(ctx, path); removed != 0 || !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: removed %d, %v", name, removed, err)
		}
		if data, err := opened(t, path, Options{}).Blobs().Get(ctx, digest); string(data) != "named" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// An index that leads to the wrong row must not decide what is removed.
func TestPruneDoesNotTrustTheIndex(t *testing.T) {
	path := file(t)
	store := must[*Store](t)(Open(ctx, path, Options{}))
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	must[blob.Digest](t)(store.Blobs().Put(ctx, []byte("first")))
	named := must[blob.Digest](t)(store.Blobs().Put(ctx, []byte("named")))
	unnamed := must[blob.Digest](t)(store.Blobs().Put(ctx, []byte("unnamed")))
	must[session.Seq](t)(store.Append(ctx, "s", 0, session.NoLease, note("%s", named)))
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, func(data []byte) []byte {
		const page, leafOfIndex = 4096, 10
		for at := 0; at < len(data); at += page {
			if found := bytes.Index(data[at:at+page], []byte(unnamed)); found >= 0 && data[at] == leafOfIndex {
				data[at+found+len(unnamed)] = 2 // the row of what is named
				return data
			}
		}
		t.Fatal("there is no index")
		return nil
	})
	removed, err := Prune(ctx, path)
	if removed != 0 || !errors.Is(err, ErrDamaged) {
		t.Errorf("removed %d, %v", removed, err)
	}
	if data, getErr := opened(t, path, Options{}).Blobs().Get(ctx, named); string(data) != "named" {
		t.Errorf("%q, %v", data, getErr)
	}
}

func TestPruneOfWhatIsNoStoreOfThisVersion(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.db")
	if _, err := Prune(ctx, none); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("have %v", err)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("it was made")
	}
	path := file(t)
	if err := must[*Store](t)(Open(ctx, path, Options{})).Close(); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Prune(cancelled, path); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v", err)
	}
	change(t, path, `PRAGMA user_version = 99`)
	if _, err := Prune(ctx, path); !errors.Is(err, ErrNewer) {
		t.Errorf("have %v, want an ErrNewer", err)
	}
}
