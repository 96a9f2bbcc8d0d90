package fs_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

// A file has one name, whatever folder one is in and however one writes it, and
// by that name it is found again. What one writes is still seen from where one is.
func TestAFileKeepsItsNameInAnotherFolder(t *testing.T) {
	p := newPlace(t, map[string]string{
		"a.md": "a", "sub/a.md": "sub a", "sub/only.md": "only", "sub/deep/x#y.md": "x", "log:10": "log", "d:e.md": "de",
		".ampersat/context/rules.md": "rules", ".ampersat/collections/ours/o.md": "o",
	})
	write(t, p.user, map[string]string{"context/mine.md": "mine", "collections/d/other.md": "other"})
	p.config.Root = p.dir
	p.config.Bundled = fstest.MapFS{"context/style.md": {Data: []byte("style")}}
	began := p.config.Dir
	p.config.NamesFrom = func() string { return began }
	for _, c := range []struct {
		dir  string
		m    mention.Mention
		text string
		name string
	}{
		{"", mention.File{Path: "a.md"}, "a", "a.md"},
		{"sub", mention.File{Path: "a.md"}, "sub a", "sub/a.md"},
		{"sub", mention.File{Path: "../a.md"}, "a", "a.md"},
		{"sub/deep", mention.File{Path: "x#y.md"}, "x", "sub/deep/x#y.md"},
		{"sub", mention.File{Path: "../log:10"}, "log", "log:10"},
		{"sub", mention.File{Path: "../d:e.md"}, "de", "d:e.md"},
		{"sub", mention.File{Path: "rules.md"}, "rules", ".ampersat/context/rules.md"},
		{"sub", mention.File{Path: "mine.md"}, "mine", "user:context/mine.md"},
		{"sub", mention.File{Path: "style.md"}, "style", "style.md"},
		{"sub", mention.File{Namespace: "d", Path: "other.md"}, "other", "d:other.md"},
		{"sub", mention.File{Namespace: "ours", Path: "o.md"}, "o", ".ampersat/collections/ours/o.md"},
		{"sub", mention.File{Path: filepath.Join(p.dir, "a.md")}, "a", filepath.ToSlash(filepath.Join(p.dir, "a.md"))},
		{"sub", mention.File{Path: "~/.ampersat/context/mine.md"}, "mine", "~/.ampersat/context/mine.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := p
			p.config.Dir = filepath.Join(p.dir, c.dir)
			got := p.load(t, c.m)
			if got.Text != c.text || got.Name != c.name {
				t.Fatalf("%v is %q, called %q; want %q, %q", c.m, got.Text, got.Name, c.text, c.name)
			}
			for _, dir := range []string{"", "sub", "sub/deep"} {
				p.config.Dir = filepath.Join(p.dir, dir)
				again, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: mention.File{Path: got.Name}, Asker: person, Named: true})
				if err != nil || again.ID != got.ID || again.Name != got.Name {
					t.Errorf("by its name, in %q: %q, called %q: %v", dir, again.ID, again.Name, err)
				}
			}
		})
	}
	// What is gone is not found elsewhere under another name.
	p.config.Dir = filepath.Join(p.dir, "sub")
	for _, name := range []string{"only.md", "mine.md", "deep/x#y.md", "e:a.md"} {
		c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: mention.File{Path: name}, Asker: person, Named: true})
		isMissing(t, c, err)
	}
	// The files of a pattern are written as from here, and called what they are called.
	c := p.load(t, mention.Glob{Pattern: "only*"})
	if got := c.Files[0]; got.Name != "sub/only.md" || got.Mention != (mention.File{Path: "only.md"}) {
		t.Errorf("%q, %v", got.Name, got.Mention)
	}
}

// Where names are seen from another project, nothing here has any of those, and
// what is here is called by where it is.
func TestNamesFromAnotherProjectAreOfNothingHere(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "a", "sub/b.md": "b"})
	write(t, p.user, map[string]string{"context/mine.md": "mine", "collections/d/other.md": "other"})
	other := t.TempDir()
	write(t, other, map[string]string{"a.md": "another a"})
	p.config.NamesFrom = func() string { return other }
	files := fs.New(p.config)
	named := func(name string) (ampersat.Content, error) {
		return files.Resolve(t.Context(), ampersat.Query{Mention: mention.File{Path: name}, Asker: person, Named: true})
	}
	for _, name := range []string{"a.md", "gone.md", "sub/b.md", "../a.md", "log:10"} {
		c, err := named(name)
		if denied, ok := access.IsDenied(err); !ok || denied.Reason != access.ReasonOutside {
			t.Errorf("%s is %q: %v", name, c.ID, err)
		}
	}
	for written, name := range map[string]string{
		"a.md": filepath.ToSlash(filepath.Join(p.dir, "a.md")), "sub/b.md": filepath.ToSlash(filepath.Join(p.dir, "sub", "b.md")), "mine.md": "user:context/mine.md",
	} {
		c := p.load(t, mention.File{Path: written})
		if again, err := named(c.Name); c.Name != name || err != nil || again.ID != c.ID || again.Name != name {
			t.Errorf("%s is called %q, want %q; by that it is %q, called %q: %v", written, c.Name, name, again.ID, again.Name, err)
		}
	}
	for _, name := range []string{"user:context/gone.md", "d:gone.md"} {
		c, err := named(name)
		isMissing(t, c, err)
	}
}

func isMissing(t *testing.T, c ampersat.Content, err error) {
	t.Helper()
	if miss, ok := err.(*ampersat.Miss); !ok || miss.Outcome != ampersat.Missing {
		t.Errorf("found %q: %v", c.ID, err)
	}
}

// A name that holds a token is not in what is said of a file, whoever it is said to.
func TestAttackTokenInANameThatIsTold(t *testing.T) {
	odd := "notes_" + aToken + ".md"
	for name, c := range map[string]struct {
		files  map[string]string
		links  map[string]string
		prompt string
		told   string // by the mention itself
	}{
		"among files that are read": {map[string]string{"a.md": "fine"}, map[string]string{odd: "/etc/passwd"}, "@./*.md", "partial"},
		"alone":                     {nil, map[string]string{odd: "/etc/passwd"}, "@./*.md", "blocked"},
		"a folder":                  {nil, map[string]string{odd: "."}, "@./*.md", "missing"},
		"where a link leads":        {nil, map[string]string{"a.md": "/nowhere/" + odd}, "@a.md", "blocked"},
		"where a link leads out":    {nil, map[string]string{"a.md": "../" + odd}, "@a.md", "blocked"},
		"a rule that ignores":       {map[string]string{"a.md": "fine", ".gitignore": "a.[m " + aToken + "]d\n"}, nil, "@a.md", "loaded"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, c.files)
			write(t, filepath.Dir(p.dir), map[string]string{odd: "outside"})
			for link, to := range c.links {
				must(t, os.Symlink(to, filepath.Join(p.dir, link)))
			}
			told, stack := p.prepare(t, c.prompt)
			if want := c.prompt + " " + c.told; len(told) == 0 || told[0] != want {
				t.Errorf("%q, want %q", told, want)
			}
			all, err := json.Marshal(stack)
			must(t, err)
			if strings.Contains(string(all), aToken) {
				t.Errorf("it is told: %s", all)
			}
		})
	}
}
