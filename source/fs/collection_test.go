package fs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

// named reads a manifest of one line.
func named(manifest []byte) string {
	name, _ := bytes.CutPrefix(bytes.TrimSpace(manifest), []byte("name: "))
	return string(name)
}

// A collection is called what its manifest says, and found by its folder too.
func TestACollectionIsCalledWhatItsManifestSays(t *testing.T) {
	p := newPlace(t, map[string]string{
		".ampersat/collections/ours/collection.yaml": "name: company",
		".ampersat/collections/ours/both.md":         "project both",
		".ampersat/collections/.hidden/a.md":         "no collection",
		".ampersat/collections/a-file.md":            "no collection",
	})
	write(t, p.user, map[string]string{
		"collections/company/both.md":         "user both",
		"collections/company/u.md":            "user u",
		"collections/mine/collection.yaml":    "name: company",
		"collections/mine/u.md":               "of another folder",
		"collections/mine/m.md":               "user m",
		"collections/endless/collection.yaml": "name: company" + strings.Repeat(" ", 100_000),
		"collections/endless/e.md":            "not called so",
	})
	p.config.Bundled = fstest.MapFS{"collections/other/collection.yaml": {Data: []byte("name: company")}, "collections/other/o.md": {Data: []byte("bundled")}}
	p.config.CollectionName = named
	for _, test := range []struct{ namespace, path, text, name string }{
		{"company", "both.md", "project both", ".ampersat/collections/ours/both.md"},
		{"company", "u.md", "user u", "company:u.md"},
		{"company", "m.md", "user m", "company:m.md"},
		{"ours", "both.md", "project both", ".ampersat/collections/ours/both.md"},
		{"mine", "m.md", "user m", "mine:m.md"},
	} {
		if c := p.load(t, mention.File{Namespace: test.namespace, Path: test.path}); c.Text != test.text || c.Name != test.name {
			t.Errorf("%s:%s is %q called %q, want %q called %q", test.namespace, test.path, c.Text, c.Name, test.text, test.name)
		}
	}
	var files []string
	for _, f := range p.load(t, mention.Glob{Namespace: "company", Pattern: "*.md"}).Files {
		files = append(files, f.Text)
	}
	if want := []string{"project both", "user u", "user m"}; !slices.Equal(files, want) {
		t.Errorf("@company:*.md is %q, want %q", files, want)
	}
	for _, path := range []string{"e.md", "o.md"} {
		c, err := p.ask(t, mention.File{Namespace: "company", Path: path})
		if miss := missing(t, c, err, ampersat.Missing); miss.Reason != "nothing there" {
			t.Errorf("%s: %s", path, miss.Reason)
		}
	}
	c, err := p.ask(t, mention.File{Namespace: "company", Path: "../../x.md"})
	if miss := missing(t, c, err, ampersat.Missing); miss.Reason != "it leads out of company:" {
		t.Error(miss.Reason)
	}

	// A file of one collection does not learn what others are called.
	inside := access.Asker{Origin: access.FromFile, Tree: filepath.Join(p.user, "collections/mine")}
	q := ampersat.Query{Mention: mention.File{Namespace: "company", Path: "both.md"}, Asker: inside, Base: filepath.Join(p.user, "collections/mine")}
	if c, err := fs.New(p.config).Resolve(t.Context(), q); err == nil {
		t.Errorf("a file of a collection reads another: %+v", c)
	}

	p.config.CollectionName = nil
	c, err = p.ask(t, mention.File{Namespace: "company", Path: "m.md"})
	missing(t, c, err, ampersat.Missing)
}

// What is in a folder's place is found before any manifest is read.
func TestManifestsAreReadOnlyIfTheyMatter(t *testing.T) {
	p := newPlace(t, map[string]string{
		".ampersat/collections/base/a.md":            "a",
		".ampersat/collections/ours/collection.yaml": "name: company",
	})
	read := 0
	p.config.CollectionName = func(manifest []byte) string { read++; return named(manifest) }
	p.load(t, mention.File{Namespace: "base", Path: "a.md"})
	if read != 0 {
		t.Errorf("%d manifests were read", read)
	}
}

// Text that somebody pasted has many words before colons, and few of them are
// collections. Manifests are read once for all of them, and again a while later.
func TestManyWordsBeforeColonsReadManifestsOnce(t *testing.T) {
	const folders = 40
	files := make(map[string]string)
	for i := range folders {
		files[fmt.Sprintf(".ampersat/collections/folder%d/collection.yaml", i)] = fmt.Sprintf("name: called%d", i)
	}
	p := newPlace(t, files)
	read := 0
	p.config.CollectionName = func(manifest []byte) string { read++; return named(manifest) }
	synctest.Test(t, func(t *testing.T) {
		r := fs.New(p.config)
		resolve := func(asker access.Asker, m mention.Mention) (ampersat.Content, error) {
			return r.Resolve(t.Context(), ampersat.Query{Mention: m, Asker: asker})
		}
		for i := range 200 {
			c, err := resolve(person, mention.File{Namespace: fmt.Sprintf("word%d", i), Path: "thing"})
			if miss := missing(t, c, err, ampersat.Missing); miss.Reason != fmt.Sprintf("there is no collection called word%d", i) {
				t.Fatal(miss.Reason)
			}
			c, err = resolve(person, mention.Glob{Namespace: "called7", Pattern: "*.md"})
			if miss := missing(t, c, err, ampersat.Missing); miss.Reason != "no file matches" {
				t.Fatal(miss.Reason)
			}
		}
		if read != folders {
			t.Errorf("%d manifests were read, want %d", read, folders)
		}

		// A file of a collection does not see the others. A person who asks right
		// after it does.
		time.Sleep(3 * time.Second)
		inside := inFile(filepath.Join(p.dir, ".ampersat/collections/folder1"))
		if c, err := resolve(inside, mention.File{Namespace: "called7", Path: "collection.yaml"}); err == nil {
			t.Errorf("a file of a collection reads another: %+v", c)
		}
		if c, err := resolve(person, mention.File{Namespace: "called7", Path: "collection.yaml"}); err != nil {
			t.Errorf("%+v, %v", c, err)
		}

		write(t, p.dir, map[string]string{".ampersat/collections/late/collection.yaml": "name: word1", ".ampersat/collections/late/thing": "it"})
		time.Sleep(3 * time.Second)
		if c, err := resolve(person, mention.File{Namespace: "word1", Path: "thing"}); err != nil || c.Text != "it" {
			t.Errorf("a new collection is not seen: %+v, %v", c, err)
		}
	})
}

// Who no longer waits for an answer does not wait for manifests either, and the
// next one is told nothing that was read by half.
func TestManifestsAreNotReadForNobody(t *testing.T) {
	p := newPlace(t, map[string]string{
		".ampersat/collections/a/collection.yaml": "name: first",
		".ampersat/collections/b/collection.yaml": "name: second",
		".ampersat/collections/c/collection.yaml": "name: third",
		".ampersat/collections/c/c.md":            "c",
	})
	for _, m := range []mention.Mention{mention.File{Namespace: "third", Path: "c.md"}, mention.Glob{Namespace: "third", Pattern: "*.md"}} {
		ctx, cancel := context.WithCancel(t.Context())
		read := 0
		p.config.CollectionName = func(manifest []byte) string { read++; cancel(); return named(manifest) }
		r := fs.New(p.config)
		if c, err := r.Resolve(ctx, ampersat.Query{Mention: m, Asker: person}); !errors.Is(err, context.Canceled) || read != 1 {
			t.Errorf("%v: %+v, %v after %d manifests", m, c, err, read)
		}
		if c, err := r.Resolve(t.Context(), ampersat.Query{Mention: m, Asker: person}); err != nil {
			t.Errorf("%v: %+v, %v", m, c, err)
		}
	}
}
