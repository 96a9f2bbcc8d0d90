package tool_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/tool"
)

// However a model writes a path, what is asked about is what is read: with an @
// in front, and in the user's folder by its name.
func TestWhatIsAskedAboutIsWhatIsRead(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "alpha\n", "@b.md": "literal\n", "b.md": "beta\n", "@scope/c.md": "scoped\n"})
	outside, notes := filepath.Join(p.home, "outside"), filepath.Join(p.home, ".ampersat", "notes.md")
	must(t, os.Mkdir(outside, 0o755))
	must(t, os.WriteFile(filepath.Join(outside, "d.md"), []byte("delta\n"), 0o644))
	must(t, os.WriteFile(notes, []byte("private\n"), 0o644))
	must(t, p.consent.Allow(access.Path{Path: outside})) // it is open, to whom it may be
	p.link(t, outside, "link")
	for _, c := range []struct{ path, subject, text string }{
		{"@a.md", filepath.Join(p.dir, "a.md"), "alpha"},
		{"@b.md", filepath.Join(p.dir, "@b.md"), "literal"},
		{"@scope/c.md", filepath.Join(p.dir, "@scope/c.md"), "scoped"},
		{"@" + outside + "/d.md", outside + "/d.md", "delta"},
		{"@~/outside/d.md", outside + "/d.md", "delta"},
		{"@../home/outside/d.md", outside + "/d.md", "delta"},
		{"@link/d.md", outside + "/d.md", "delta"},
		{"@" + p.dir + "/link/d.md", outside + "/d.md", "delta"},
		{"user:notes.md", notes, "private"},
		{"@user:notes.md", notes, "private"},
		{"@", filepath.Join(p.dir, "@"), ""},
	} {
		action, err := p.tool("read_file").Plan(encode(t, args{"path": c.path}))
		must(t, err)
		if action.Subject != c.subject {
			t.Errorf("%s: %s is asked about, want %s", c.path, action.Subject, c.subject)
		}
		p.view = ampersat.View{}
		if c.text == "" {
			p.refused(t, "read_file", args{"path": c.path}, "nothing there")
			continue
		}
		contains(t, p.ok(t, "read_file", args{"path": c.path}), "\n"+c.text+"\n")
		p.view = ampersat.View{}
		contains(t, p.ok(t, "read_file", args{"path": c.path, "first": 1, "last": 1}), "\n"+c.text+"\n")
	}
	for path, subject := range map[string]string{
		"@" + outside: outside, "@~/outside": outside, "@link": outside, "@scope": filepath.Join(p.dir, "@scope"), "user:": filepath.Dir(notes), "user:.": filepath.Dir(notes),
	} {
		action, err := p.tool("list_files").Plan(encode(t, args{"path": path}))
		must(t, err)
		if action.Subject != subject+"/" {
			t.Errorf("%s: %s is asked about, want %s/", path, action.Subject, subject)
		}
		p.ok(t, "list_files", args{"path": path})
		// What read_file shows of a folder is a list.
		if read, err := p.tool("read_file").Plan(encode(t, args{"path": path})); err != nil || read != action || read.Effect != agent.Lists {
			t.Errorf("%s: %+v, %v", path, read, err)
		}
	}
}

// What is found where nobody was asked about, since it is looked for in several
// places, is read only where it needs no yes.
func TestWhatNobodyWasAskedAboutIsNotRead(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/a.md": "alpha\n"})
	outside := filepath.Join(filepath.Dir(p.dir), "b.md")
	must(t, os.WriteFile(outside, []byte("beta\n"), 0o644))
	must(t, p.consent.Allow(access.Path{Path: outside}))
	collection := filepath.Join(p.home, ".ampersat/collections/base")
	must(t, os.MkdirAll(collection, 0o755))
	must(t, os.WriteFile(filepath.Join(collection, "c.md"), []byte("gamma\n"), 0o644))
	must(t, os.Symlink(outside, filepath.Join(collection, "link.md")))
	contains(t, p.ok(t, "read_file", args{"path": "@base:c.md"}), "gamma")
	p.ok(t, "read_file", args{"path": "base:c.md"})
	p.refused(t, "read_file", args{"path": "base:link.md"}, "read base:link.md: it is "+outside+", which nobody was asked about; ask for it by that path")
	// A project may have a collection with a link to the user's own files.
	notes := filepath.Join(p.home, ".ampersat/notes.md")
	must(t, os.WriteFile(notes, []byte("private\n"), 0o644))
	p.write(t, map[string]string{".ampersat/collections/theirs/": ""})
	p.link(t, notes, ".ampersat/collections/theirs/notes.md")
	p.refused(t, "read_file", args{"path": "theirs:notes.md"}, "it is "+notes+", which nobody was asked about")
	// The model is in a folder of the project, and the person further up.
	p.config.Dir = filepath.Join(p.dir, "sub")
	p.tools = tool.New(p.config)
	p.refused(t, "read_file", args{"path": "../b.md"}, "ask for it by that path")
	contains(t, p.ok(t, "read_file", args{"path": outside}), "beta")
}

// A tool that reads files runs no command and calls no server, though what it is
// given is called like one of theirs.
func TestReadingFilesIsNoOtherMention(t *testing.T) {
	p := newPlace(t, map[string]string{"odd:name.md": "odd\n"})
	mux := p.config.Pipeline.Resolver.(*ampersat.Mux)
	mux.Handle(ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		t.Errorf("%s was run", q.Mention)
		return ampersat.Content{Name: "ran", Text: "ran\n"}, nil
	}), mention.KindCustom)
	for _, name := range []string{"jira", "odd"} {
		must(t, mux.Name(ampersat.Namespace{Name: name, What: "a custom scheme", Mention: func(rest string) mention.Mention {
			return mention.Custom{Scheme: name, Arg: rest}
		}}))
	}
	for _, path := range []string{"jira:ABC-1", "@jira:ABC-1", "@odd:other.md"} {
		p.refused(t, "read_file", args{"path": path}, "")
		p.refused(t, "read_file", args{"path": path, "first": 1, "last": 2}, "")
		p.refused(t, "list_files", args{"path": path}, "")
	}
	contains(t, p.ok(t, "read_file", args{"path": "odd:name.md"}), "odd\n")
}
