package fs_test

import (
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

func TestTextFileIsItsBytes(t *testing.T) {
	p := newPlace(t, map[string]string{"docs/a.md": "one\r\ntwo\n"})
	have := p.load(t, file("docs/a.md"))
	want := ampersat.Content{
		Name: "docs/a.md", ID: filepath.Join(p.dir, "docs/a.md"), Text: "one\r\ntwo\n", Size: 9,
		Source: blob.Digest(sha("one\r\ntwo\n")), Tree: p.dir, Folder: filepath.Join(p.dir, "docs"),
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v\nwant %+v", have, want)
	}
}

// The first place that has it wins, and the places are tried in this order.
func TestPlainPathsAreLookedForInOrder(t *testing.T) {
	p := newPlace(t, nil)
	base := filepath.Join(p.dir, "docs")
	p.config.Bundled = fstest.MapFS{"context/style.md": {Data: []byte("bundled")}}
	inOrder := []struct{ path, name string }{
		{"project/docs/style.md", "docs/style.md"},
		{"project/style.md", "style.md"},
		{"project/.ampersat/context/style.md", ".ampersat/context/style.md"},
		{"home/.ampersat/context/style.md", "user:context/style.md"},
	}
	q := ampersat.Query{Mention: file("style.md"), Base: base, Asker: person}
	for i := len(inOrder); i >= 0; i-- {
		want, name := "bundled", "style.md"
		if i < len(inOrder) {
			want, name = inOrder[i].path, inOrder[i].name
			write(t, filepath.Dir(p.dir), map[string]string{want: want})
		}
		c, err := fs.New(p.config).Resolve(t.Context(), q)
		if err != nil || c.Text != want || c.Name != name {
			t.Errorf("have %q called %q, %v; want %q called %q", c.Text, c.Name, err, want, name)
		}
	}
}

func TestMissNamesThePlacesInOrder(t *testing.T) {
	p := newPlace(t, nil)
	p.config.Bundled = fstest.MapFS{}
	c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file("no.md"), Base: filepath.Join(p.dir, "docs"), Asker: person})
	miss := missing(t, c, err, ampersat.Missing)
	want := []string{"docs", p.dir, ".ampersat/context", "~/.ampersat/context", "the bundled context"}
	if !slices.Equal(miss.Looked, want) {
		t.Errorf("looked in %q, want %q", miss.Looked, want)
	}
}

func TestNamespaces(t *testing.T) {
	p := newPlace(t, map[string]string{
		".ampersat/notes.md":                      "project notes",
		".ampersat/collections/base/both.md":      "project both",
		".ampersat/collections/base/context/p.md": "project p",
	})
	write(t, p.user, map[string]string{
		"notes.md":                 "user notes",
		"collections/base/both.md": "user both",
		"collections/base/u.md":    "user u",
	})
	p.config.Bundled = fstest.MapFS{
		"collections/base/both.md": {Data: []byte("bundled both")},
		"collections/base/u.md":    {Data: []byte("bundled u")},
		"collections/base/b.md":    {Data: []byte("bundled b")},
	}
	for _, test := range []struct{ namespace, path, text, name, tree string }{
		{"user", "notes.md", "user notes", "user:notes.md", p.user},
		{"project", "notes.md", "project notes", ".ampersat/notes.md", p.dir},
		{"base", "both.md", "project both", ".ampersat/collections/base/both.md", filepath.Join(p.dir, ".ampersat/collections/base")},
		{"base", "context/p.md", "project p", ".ampersat/collections/base/context/p.md", filepath.Join(p.dir, ".ampersat/collections/base")},
		{"base", "u.md", "user u", "base:u.md", filepath.Join(p.user, "collections/base")},
		{"base", "b.md", "bundled b", "base:b.md", "bundled:collections/base"},
	} {
		c := p.load(t, mention.File{Namespace: test.namespace, Path: test.path})
		if c.Text != test.text || c.Name != test.name || c.Tree != test.tree {
			t.Errorf("%s:%s is %q called %q in %q, want %q called %q in %q",
				test.namespace, test.path, c.Text, c.Name, c.Tree, test.text, test.name, test.tree)
		}
	}
	for _, test := range []struct{ namespace, path, reason string }{
		{"base", "no.md", "nothing there"},
		{"none", "no.md", "there is no collection called none"},
		{"user", "../x.md", "it leads out of user:"},
		{"base", "../../../x.md", "it leads out of base:"},
		{"..", "x.md", "that is no name of a collection"},
		{"a/b", "x.md", "that is no name of a collection"},
	} {
		c, err := p.ask(t, mention.File{Namespace: test.namespace, Path: test.path})
		if miss := missing(t, c, err, ampersat.Missing); miss.Reason != test.reason {
			t.Errorf("%s:%s: %q, want %q", test.namespace, test.path, miss.Reason, test.reason)
		}
	}
	c, err := p.ask(t, mention.File{Namespace: "none", Path: "x.md"})
	want := []string{".ampersat/collections/none", "~/.ampersat/collections/none", "the bundled collections/none"}
	if miss := missing(t, c, err, ampersat.Missing); !slices.Equal(miss.Looked, want) {
		t.Errorf("looked in %q, want %q", miss.Looked, want)
	}
}

func TestExplicitPaths(t *testing.T) {
	p := newPlace(t, map[string]string{"a b.md": "ab", "sub/x.md": "x"})
	write(t, p.home, map[string]string{"notes.md": "notes"})
	var err error
	p.config.Roots, err = p.config.Roots.With(access.Root{Path: filepath.Join(p.home, "notes.md"), Place: access.Allowed})
	must(t, err)
	for path, name := range map[string]string{
		"a b.md":                               "a b.md",
		"sub/../a b.md":                        "a b.md",
		filepath.Join(p.dir, "sub/x.md"):       filepath.ToSlash(filepath.Join(p.dir, "sub/x.md")),
		"~/notes.md":                           "~/notes.md",
		filepath.Join(p.home, "notes.md"):      filepath.ToSlash(filepath.Join(p.home, "notes.md")),
		"sub//x.md":                            "sub/x.md",
		"../project/a b.md":                    "a b.md",
		filepath.Join(p.dir, "/sub/../a b.md"): filepath.ToSlash(filepath.Join(p.dir, "a b.md")),
	} {
		if c := p.load(t, file(path)); c.Name != name {
			t.Errorf("%s is called %q, want %q", path, c.Name, name)
		}
	}
	if runtime.GOOS != "windows" {
		c, err := p.ask(t, file(`C:\x.md`))
		if miss := missing(t, c, err, ampersat.Missing); !strings.Contains(miss.Reason, "Windows") {
			t.Error(miss)
		}
	}
	for _, path := range []string{"", "x\x00y", "a b.md/x", strings.Repeat("long", 200), "sub/x.md/..../y"} {
		c, err := p.ask(t, file(path))
		missing(t, c, err, ampersat.Missing)
	}
}

// Two mentions of the same file by different ways have the same ID.
func TestSameFileHasOneID(t *testing.T) {
	p := newPlace(t, map[string]string{"docs/a.md": "a"})
	link(t, "docs", filepath.Join(p.dir, "linked"))
	link(t, "docs/a.md", filepath.Join(p.dir, "b.md"))
	want := p.load(t, file("docs/a.md"))
	for _, path := range []string{"linked/a.md", "b.md", filepath.Join(p.dir, "docs/a.md")} {
		if c := p.load(t, file(path)); c.ID != want.ID || c.Folder != want.Folder {
			t.Errorf("%s is %s in %s, want %s in %s", path, c.ID, c.Folder, want.ID, want.Folder)
		}
	}
}

// A shell says where it is by the way it came, links included; grants are
// spelled the same way.
func TestWorkingDirectoryMayBeSpelledWithLinks(t *testing.T) {
	p := newPlace(t, map[string]string{"docs/a.md": "a"})
	alias := filepath.Join(p.home, "alias")
	link(t, p.dir, alias)
	roots, err := access.NewRoots(access.Root{Path: alias, Place: access.Project})
	must(t, err)
	p.config.Dir, p.config.Roots = alias, roots
	c := p.load(t, file("docs/a.md"))
	if c.ID != filepath.Join(alias, "docs/a.md") || c.Name != "docs/a.md" || c.Tree != alias {
		t.Errorf("%+v", c)
	}
}

func TestFolderNamedAsFile(t *testing.T) {
	p := newPlace(t, map[string]string{"src/a.go": "package a"})
	c := p.load(t, file("src"))
	if c.Mention != (mention.Directory{Path: "src"}) || c.Text != "a.go\n" || c.Name != "src/" {
		t.Errorf("%+v", c)
	}
	c = p.load(t, folder("src/a.go"))
	if c.Mention != (mention.File{Path: "src/a.go"}) || c.Text != "package a" {
		t.Errorf("%+v", c)
	}
}

func TestProjectAroundTheWorkingDirectory(t *testing.T) {
	p := newPlace(t, map[string]string{"top.md": "top", "sub/x.md": "x", ".ampersat/context/c.md": "c"})
	p.config.Root, p.config.Dir = p.dir, filepath.Join(p.dir, "sub")
	for path, name := range map[string]string{"x.md": "x.md", "../top.md": "../top.md", "c.md": "../.ampersat/context/c.md"} {
		if c := p.load(t, file(path)); c.Name != name || c.Tree != p.dir {
			t.Errorf("%s is called %q in %s", path, c.Name, c.Tree)
		}
	}
}

func TestOtherKindsAreNotFiles(t *testing.T) {
	p := newPlace(t, nil)
	c, err := p.ask(t, mention.URL{URL: "https://go.dev"})
	missing(t, c, err, ampersat.Failed)
}

// Any file system can stand for the project, and links lead nowhere in it for
// those who may not go everywhere.
func TestOverAnyFileSystem(t *testing.T) {
	tree := fstest.MapFS{
		"docs/a.md":                       {Data: []byte("see @b.md")},
		"docs/b.md":                       {Data: []byte("b")},
		"top.md":                          {Data: []byte("top")},
		".ampersat/collections/base/c.md": {Data: []byte("c")},
		".ampersat/collections/base/d.md": {Data: []byte("d")},
		".ampersat/context/style.md":      {Data: []byte("style")},
		".gitignore":                      {Data: []byte("*.log\n")},
		"build.log":                       {Data: []byte("log")},
	}
	r := fs.Over(tree)
	resolve := func(q ampersat.Query) (ampersat.Content, error) { return r.Resolve(t.Context(), q) }
	for path, want := range map[string]string{"docs/a.md": "see @b.md", "style.md": "style", "docs/../top.md": "top"} {
		if c, err := resolve(ampersat.Query{Mention: file(path), Asker: person}); err != nil || c.Text != want || c.Tree != "." {
			t.Errorf("%s: %+v, %v", path, c, err)
		}
	}
	c, err := resolve(ampersat.Query{Mention: file("b.md"), Base: "docs", Asker: inFile(".")})
	if err != nil || c.ID != "docs/b.md" || c.Name != "docs/b.md" || c.Folder != "docs" {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = resolve(ampersat.Query{Mention: mention.File{Namespace: "base", Path: "c.md"}, Asker: person})
	if err != nil || c.Tree != ".ampersat/collections/base" {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = resolve(ampersat.Query{Mention: file("d.md"), Base: c.Folder, Asker: inFile(c.Tree)})
	if err != nil || c.Text != "d" {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = resolve(ampersat.Query{Mention: file("build.log"), Asker: person})
	if err != nil || c.Note != "ignored by .gitignore:1:*.log" {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = resolve(ampersat.Query{Mention: file("../../../top.md"), Base: ".ampersat/collections/base", Asker: inFile(".ampersat/collections/base")})
	denied(t, c, err, access.ReasonOutside)
	c, err = resolve(ampersat.Query{Mention: file("../x"), Asker: person})
	denied(t, c, err, access.ReasonOutside)
	for _, path := range []string{"/top.md", "~/top.md", "no.md"} {
		c, err = resolve(ampersat.Query{Mention: file(path), Asker: person})
		missing(t, c, err, ampersat.Missing)
	}
}

// Of several places that may not even be looked at, the refusal names the one that
// is meant first: that beside the file.
func TestTheFirstHiddenPlaceIsNamed(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "a", ".ampersat/collections/ours/sub/b.md": "b"})
	ours := filepath.Join(p.dir, ".ampersat/collections/ours")
	c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file("../../x.md"), Asker: inFile(ours), Base: filepath.Join(ours, "sub")})
	if have := denied(t, c, err, access.ReasonOutside).What; have != filepath.Join(filepath.Dir(ours), "x.md") {
		t.Errorf("%s", have)
	}
}

// A resolver whose folder is no absolute path says so, whoever asks it for what.
func TestAFolderThatIsNotAbsolute(t *testing.T) {
	for _, config := range []fs.Config{{Dir: "rel"}, {Dir: t.TempDir(), Root: "rel"}} {
		for _, q := range []ampersat.Query{
			{Mention: file("a.md"), Asker: person}, {Mention: file("a.md"), Asker: inFile("rel")},
			{Mention: folder("d/"), Asker: inFile("rel")}, {Mention: lines("a.md", 1, 2), Asker: inFile("rel")},
			{Mention: mention.Glob{Pattern: "*.md"}, Asker: person},
		} {
			c, err := fs.New(config).Resolve(t.Context(), q)
			if miss := missing(t, c, err, ampersat.Failed); !strings.HasSuffix(miss.Reason, `needs a resolver whose folder is an absolute path, and "rel" is not`) {
				t.Errorf("%s", miss.Reason)
			}
		}
	}
	// The folders of a file system are.
	c, err := fs.New(fs.Config{FS: fstest.MapFS{"rel/a.md": {Data: []byte("a")}}, Dir: "rel"}).Resolve(t.Context(), ampersat.Query{Mention: file("a.md"), Asker: person})
	if err != nil || c.Text != "a" {
		t.Errorf("%q, %v", c.Text, err)
	}
}
