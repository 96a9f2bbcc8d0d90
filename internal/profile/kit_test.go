package profile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
)

// world is a project, a user's folder and a bundle with files in them.
type world struct {
	t       *testing.T
	base    string
	trusted bool
	bundled fs.FS
}

// newWorld writes files whose names begin with project/, user/ or bundled/.
func newWorld(t *testing.T, files map[string]string) *world {
	w := &world{t: t, base: t.TempDir()}
	bundle := fstest.MapFS{}
	for _, folder := range []string{"project", "user"} {
		if err := os.MkdirAll(filepath.Join(w.base, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		if rest, ok := strings.CutPrefix(name, "bundled/"); ok {
			bundle[rest] = &fstest.MapFile{Data: []byte(text)}
			continue
		}
		path := filepath.Join(w.base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	w.bundled = bundle
	return w
}

func (w *world) library() *Library {
	project, user := filepath.Join(w.base, "project"), filepath.Join(w.base, "user")
	roots, err := access.NewRoots(access.Root{Path: project, Place: access.Project}, access.Root{Path: user, Place: access.User})
	if err != nil {
		w.t.Fatal(err)
	}
	return New(Config{
		Project: project, User: user, Roots: roots, Bundled: w.bundled, Trusted: func(string, blob.Digest) bool { return w.trusted },
		Shown: func(path string) string {
			rel, err := filepath.Rel(w.base, path)
			if err != nil {
				w.t.Fatal(err)
			}
			return filepath.ToSlash(rel)
		},
	})
}

// profile loads one that must be right.
func (w *world) profile(name string) Merged {
	w.t.Helper()
	m, err := w.library().Profile(name)
	if err != nil {
		w.t.Fatalf("%s: %v", name, err)
	}
	return m
}

// fails loads one that must be wrong, and say so.
func (w *world) fails(name string, want ...string) {
	w.t.Helper()
	_, err := w.library().Profile(name)
	if err == nil {
		w.t.Fatalf("%s: no error, want %q", name, want)
	}
	if have := err.Error(); have != strings.Join(want, "\n") {
		w.t.Errorf("%s:\nhave %s\nwant %s", name, have, strings.Join(want, "\n"))
	}
}

func ids(modules []Module) string {
	var all []string
	for _, m := range modules {
		all = append(all, m.ID)
	}
	return strings.Join(all, " ")
}

func files(chain []Source) string {
	var all []string
	for _, s := range chain {
		all = append(all, s.File)
	}
	return strings.Join(all, " ")
}
