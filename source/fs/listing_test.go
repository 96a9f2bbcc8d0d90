package fs_test

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

func TestListing(t *testing.T) {
	p := newPlace(t, map[string]string{
		"b.md": "", "a.txt": "", "a/x.go": "", "a/deep/er/y.go": "", "Z.md": "", ".hidden": "", ".github/ci.yml": "",
		".git/config": "", "ignored.log": "", ".gitignore": "*.log\n",
	})
	want := `.github/
  ci.yml
.gitignore
.hidden
Z.md
a/
  deep/
    er/
      y.go
  x.go
a.txt
b.md
`
	c := p.load(t, folder("."))
	if diff := cmp.Diff(want, c.Text); diff != "" {
		t.Error(diff)
	}
	if c.Name != "./" || c.ID != p.dir || c.Tree != "" || c.Shown != "" || string(c.Source) != sha(want) {
		t.Errorf("%+v", c)
	}
	if c := p.load(t, folder("a/deep")); c.Name != "a/deep/" || c.Text != "er/\n  y.go\n" {
		t.Errorf("%+v", c)
	}
	write(t, p.dir, map[string]string{".ampersat/": ""})
	if c := p.load(t, mention.Directory{Namespace: "project", Path: "."}); c.Text != "[empty]\n" {
		t.Errorf("%+v", c)
	}
}

// The rules of a real repository count, by git itself.
func TestListingInARepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	p := newPlace(t, map[string]string{".gitignore": "*.log\nout/\n", "kept.log": "k", "b.log": "b", "a.go": "a", "sub/c.go": "c", "out/d": "d"})
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "kept.log"}} {
		command := exec.Command("git", args...)
		command.Dir = p.dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if c := p.load(t, folder(".")); c.Text != ".gitignore\na.go\nkept.log\nsub/\n  c.go\n" {
		t.Errorf("%s", c.Text)
	}
	// What git tracks it does not ignore, whatever the rules say.
	if c := p.load(t, file("kept.log")); c.Note != "" {
		t.Errorf("%+v", c)
	}
	if c := p.load(t, file("b.log")); c.Note != "ignored by .gitignore:1:*.log" {
		t.Errorf("%+v", c)
	}
	// Rules above the working directory hold in it.
	write(t, p.dir, map[string]string{"sub/e.log": "e"})
	p.config.Dir, p.config.Root = filepath.Join(p.dir, "sub"), p.dir
	if c := p.load(t, folder(".")); c.Text != "c.go\n" {
		t.Errorf("%s", c.Text)
	}
	if c := p.load(t, file("e.log")); c.Note != "ignored by .gitignore:1:*.log" {
		t.Errorf("%+v", c)
	}
}

func TestListingIsCapped(t *testing.T) {
	tree := fstest.MapFS{}
	for i := range 20 {
		tree[fmt.Sprintf("folder/f%02d", i)] = &fstest.MapFile{}
		tree[fmt.Sprintf("top%02d", i)] = &fstest.MapFile{}
	}
	tree["a/b/c/d"] = &fstest.MapFile{}
	r := fs.New(fs.Config{FS: tree, Limits: fs.Limits{Entries: 25, Depth: 3}})
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: folder("."), Asker: person})
	must(t, err)
	if c.Shown != "25 of 45 entries" || strings.Count(c.Text, "\n") != 25 || strings.Count(c.Text, "top") != 20 || c.Source != "" {
		t.Errorf("%q\n%s", c.Shown, c.Text)
	}
	c, err = r.Resolve(t.Context(), ampersat.Query{Mention: folder("a"), Asker: person})
	if err != nil || c.Shown != "" || c.Text != "b/\n  c/\n    d\n" {
		t.Errorf("%q, %q, %v", c.Shown, c.Text, err)
	}
	r = fs.New(fs.Config{FS: tree, Limits: fs.Limits{Depth: 2}})
	c, err = r.Resolve(t.Context(), ampersat.Query{Mention: folder("a"), Asker: person})
	if err != nil || c.Shown != "2 of 3 entries" || c.Text != "b/\n  c/\n" {
		t.Errorf("%q, %q, %v", c.Shown, c.Text, err)
	}
}

func names(c ampersat.Content) (all []string) {
	for _, f := range c.Files {
		all = append(all, f.Name)
	}
	return all
}

func TestPatterns(t *testing.T) {
	p := newPlace(t, map[string]string{
		"a.go": "a", "b.go": "b", "c.md": "c", "sub/d.go": "d", "sub/deep/e.go": "e", "sub/f.txt": "f", "x[1].md": "x",
		".ampersat/context/style.css":       "style",
		".ampersat/collections/base/one.md": "project one",
	})
	write(t, p.user, map[string]string{"collections/base/one.md": "user one", "collections/base/two.md": "user two", "n.md": "n"})
	p.config.Bundled = fstest.MapFS{"collections/base/sub/three.md": {Data: []byte("three")}}
	for _, test := range []struct {
		m    mention.Glob
		want []string
	}{
		{mention.Glob{Pattern: "*.go"}, []string{"a.go", "b.go"}},
		{mention.Glob{Pattern: "**/*.go"}, []string{"a.go", "b.go", "sub/d.go", "sub/deep/e.go"}},
		{mention.Glob{Pattern: "sub/**"}, []string{"sub/d.go", "sub/deep/e.go", "sub/f.txt"}},
		{mention.Glob{Pattern: "./sub/*"}, []string{"sub/d.go", "sub/f.txt"}},
		{mention.Glob{Pattern: "*.{go,md}"}, []string{"a.go", "b.go", "c.md", "x[1].md"}},
		{mention.Glob{Pattern: "[ac].*"}, []string{"a.go", "c.md"}},
		{mention.Glob{Pattern: "x\\[?\\].md"}, []string{"x[1].md"}},
		{mention.Glob{Pattern: "*.css"}, []string{".ampersat/context/style.css"}},
		{mention.Glob{Pattern: filepath.ToSlash(p.dir) + "/*.md"}, []string{filepath.ToSlash(p.dir) + "/c.md", filepath.ToSlash(p.dir) + "/x[1].md"}},
		{mention.Glob{Namespace: "user", Pattern: "*.md"}, []string{"user:n.md"}},
		{mention.Glob{Namespace: "base", Pattern: "**/*.md"}, []string{".ampersat/collections/base/one.md", "base:two.md", "base:sub/three.md"}},
	} {
		c := p.load(t, test.m)
		if diff := cmp.Diff(test.want, names(c)); diff != "" {
			t.Errorf("%v: %s", test.m, diff)
		}
		for _, f := range c.Files {
			if m, ok := f.Mention.(mention.File); !ok || f.ID == "" || f.Source == "" || (f.Tree != "") != (filepath.Ext(f.Name) == ".md" || filepath.Ext(f.Name) == ".txt") {
				t.Errorf("%v: %+v", m, f)
			}
			// What a file is called mentions it.
			if again := p.load(t, f.Mention); again.ID != f.ID {
				t.Errorf("%v is %s, want %s", f.Mention, again.ID, f.ID)
			}
		}
	}
	for _, test := range []struct {
		pattern string
		outcome ampersat.Outcome
		reason  string
	}{
		{"*.none", ampersat.Missing, "no file matches"},
		{"none/**", ampersat.Missing, "no file matches"},
		{"a.go/*", ampersat.Missing, "no file matches"},
		{"[a-", ampersat.Failed, "the pattern is not well formed"},
		{"{a,b", ampersat.Failed, "the pattern is not well formed"},
		{"*/../*.go", ampersat.Failed, "a pattern cannot go up again after a wildcard"},
	} {
		c, err := p.ask(t, mention.Glob{Pattern: test.pattern})
		if miss := missing(t, c, err, test.outcome); miss.Reason != test.reason {
			t.Errorf("%s: %q, want %q", test.pattern, miss.Reason, test.reason)
		}
	}
}

func TestPatternsAreCapped(t *testing.T) {
	tree := fstest.MapFS{}
	for i := range 312 {
		tree[fmt.Sprintf("f%03d.md", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("x", 100))}
	}
	q := ampersat.Query{Mention: mention.Glob{Pattern: "*.md"}, Asker: person}
	for _, test := range []struct {
		limit, files int
		shown        string
		want         int
	}{
		{0, 0, "", 312},
		{0, 40, "40 of 312 files", 40},
		{1000, 0, "10 of 312 files", 10},
		{50, 0, "1 of 312 files", 1},
	} {
		q.Limit = test.limit
		c, err := fs.New(fs.Config{FS: tree, Limits: fs.Limits{Files: test.files}}).Resolve(t.Context(), q)
		if err != nil || c.Shown != test.shown || len(c.Files) != test.want || c.Files[0].Name != "f000.md" {
			t.Errorf("limit %d, %d files: %q, %d, %v", test.limit, test.files, c.Shown, len(c.Files), err)
		}
	}
}

// fragile is a file system that panics when a file is opened.
type fragile struct{ fstest.MapFS }

func (f fragile) Open(name string) (iofs.File, error) {
	if name == "b.txt" {
		panic("broken")
	}
	return f.MapFS.Open(name)
}

// The files of a pattern are read beside each other. What panics there cannot be
// caught by who asked for the pattern: it costs that file, not the program.
func TestAttackFileOfAPatternThatPanics(t *testing.T) {
	tree := fragile{fstest.MapFS{"a.txt": {Data: []byte("a")}, "b.txt": {Data: []byte("b")}, "c.txt": {Data: []byte("c")}}}
	ask := func(pattern string) (ampersat.Content, error) {
		return fs.Over(tree).Resolve(t.Context(), ampersat.Query{Mention: mention.Glob{Pattern: pattern}, Asker: person})
	}
	c, err := ask("*.txt")
	if err != nil || len(c.Files) != 2 || c.Note != "1 file could not be read: b.txt" {
		t.Errorf("%d files, %q, %v", len(c.Files), c.Note, err)
	}
	c, err = ask("b.*")
	if miss := missing(t, c, err, ampersat.Failed); miss.Reason != "reading it panicked: broken" {
		t.Errorf("alone: %q", miss.Reason)
	}
}

// halfListed is a tree whose folders give what is in them and then an error.
type halfListed struct{ fstest.MapFS }

func (h halfListed) ReadDir(name string) ([]iofs.DirEntry, error) {
	entries, err := h.MapFS.ReadDir(name)
	if name == "half" {
		err = errors.New("the connection is gone")
	}
	return entries, err
}

// A listing that lacks something is not all there is, and says so.
func TestFolderThatIsListedInPart(t *testing.T) {
	r := fs.Over(halfListed{fstest.MapFS{"half/a.md": {}, "whole/b.md": {}}})
	for dir, want := range map[string]struct{ text, shown string }{
		"half":  {"[cannot be listed: the connection is gone]\na.md\n", "what of it could be listed: the connection is gone"},
		".":     {"half/\n  [cannot be listed: the connection is gone]\n  a.md\nwhole/\n  b.md\n", "without 1 folder that could not be listed: half"},
		"whole": {"b.md\n", ""},
	} {
		c, err := r.Resolve(t.Context(), ampersat.Query{Mention: folder(dir), Asker: person})
		if err != nil || c.Text != want.text || c.Shown != want.shown || (c.Source == "") != (want.shown != "") {
			t.Errorf("%s: %q, %q, %v", dir, c.Text, c.Shown, err)
		}
	}
	var mux ampersat.Mux
	mux.Handle(r, fs.Kinds()...)
	stack, err := (&ampersat.Pipeline{Resolver: &mux}).Prepare(t.Context(), ampersat.Ask("@half/ @*/*.md"))
	must(t, err)
	for _, report := range stack.Reports {
		if report.Parent < 0 && report.Outcome != ampersat.Partial {
			t.Errorf("%s is %s: %s", report.Written, report.Outcome, report.Shown)
		}
	}
}

// Rules that cannot be read hide nothing, and nothing is missing for want of them.
func TestFolderWhoseRulesCannotBeRead(t *testing.T) {
	p := newPlace(t, map[string]string{"d/a.md": "a", "d/.ignore": ""})
	must(t, os.Truncate(filepath.Join(p.dir, "d/.ignore"), 10<<30))
	c := p.load(t, folder("d"))
	if c.Text != ".ignore\na.md\n" || c.Shown != "" || !strings.Contains(c.Note, "read rules: read d/.ignore: more than") {
		t.Errorf("%q, shown %q, note %q", c.Text, c.Shown, c.Note)
	}
}

// Nothing more is opened when nobody waits for it any longer.
func TestSlowFileSystemIsLeftAtTheDeadline(t *testing.T) {
	tree := fstest.MapFS{"d/a.md": {}, "d/e/b.md": {}, "d/f/c.md": {}, ".gitignore": {}, "d/.ignore": {}}
	for _, m := range []mention.Mention{folder("d"), mention.Glob{Pattern: "d/**/*.md"}, file("d/a.md"), lines("d/a.md", 1, 1)} {
		synctest.Test(t, func(t *testing.T) {
			const each = 300 * time.Millisecond
			r := fs.Over(opens(func(name string) (iofs.File, error) {
				time.Sleep(each)
				return tree.Open(name)
			}))
			ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
			defer cancel()
			begin := time.Now()
			_, err := r.Resolve(ctx, ampersat.Query{Mention: m, Asker: person})
			if took := time.Since(begin); took > 2*each || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v: %v after %v", m, err, took)
			}
		})
	}
}
