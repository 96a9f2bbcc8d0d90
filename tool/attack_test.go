package tool_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/tool"
)

// untouched fails if a file outside has changed.
func untouched(t *testing.T, path, content string) {
	t.Helper()
	if data, err := os.ReadFile(path); err != nil || string(data) != content {
		t.Errorf("%s is %q, %v", path, data, err)
	}
}

func TestAttackDotDot(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/a.txt": "a\n"})
	victim := filepath.Join(p.home, "victim.txt")
	must(t, os.WriteFile(victim, []byte("victim\n"), 0o644))
	for _, path := range []string{"../home/victim.txt", "sub/../../home/victim.txt", victim, "~/victim.txt"} {
		p.refused(t, "read_file", args{"path": path}, "outside the project")
		p.refused(t, "search", args{"pattern": "victim", "path": path}, "outside the project")
		p.refused(t, "edit_file", args{"path": path, "old": "victim", "new": "x"}, "it is outside the project")
		p.refused(t, "write_file", args{"path": path, "content": "x"}, "it is outside the project")
	}
	p.refused(t, "list_files", args{"path": "../home"}, "outside the project")
	p.refused(t, "shell", args{"command": "touch ran", "dir": "../home"}, "outside the project")
	p.refused(t, "write_file", args{"path": "../new.txt", "content": "x"}, "it is outside the project")
	untouched(t, victim, "victim\n")
}

// What a person allowed to be read is not allowed to be written, nor is the
// user's own folder.
func TestAttackWritingWhatMayOnlyBeRead(t *testing.T) {
	p := newPlace(t, nil)
	allowed := filepath.Join(p.home, "allowed.txt")
	must(t, os.WriteFile(allowed, []byte("allowed\n"), 0o644))
	must(t, p.consent.Allow(access.Path{Path: allowed}))
	contains(t, p.ok(t, "read_file", args{"path": allowed}), "allowed")
	p.refused(t, "edit_file", args{"path": allowed, "old": "allowed", "new": "x"}, "only files of the project are written")
	p.refused(t, "write_file", args{"path": allowed, "content": "x"}, "only files of the project are written")
	p.refused(t, "write_file", args{"path": "~/.ampersat/config.yaml", "content": "x"}, "only files of the project are written")
	p.refused(t, "shell", args{"command": "touch ran", "dir": "~/.ampersat"}, "outside the project")
	untouched(t, allowed, "allowed\n")
}

// The user's folder stays the user's where the home is the project.
func TestAttackLinkToTheUsersFolder(t *testing.T) {
	p := newPlace(t, map[string]string{".ampersat/config.yaml": "a: b\n"})
	roots, err := access.NewRoots(access.Root{Path: p.dir, Place: access.Project}, access.Root{Path: filepath.Join(p.dir, ".ampersat"), Place: access.User})
	must(t, err)
	p.config.Roots = roots
	p.tools = tool.New(p.config)
	p.link(t, ".ampersat", "innocent")
	for _, path := range []string{".ampersat/config.yaml", "innocent/config.yaml"} {
		p.refused(t, "edit_file", args{"path": path, "old": "a: b", "new": "a: c"}, "")
		p.refused(t, "write_file", args{"path": filepath.Dir(path) + "/new.yaml", "content": "x"}, "")
	}
	if p.content(t, ".ampersat/config.yaml") != "a: b\n" {
		t.Error("it was written")
	}
}

// What is asked about is what is read, wherever the project is spelled.
func TestAttackReadingThroughALink(t *testing.T) {
	p := newPlace(t, map[string]string{"docs/a.md": "a\n"})
	must(t, os.WriteFile(filepath.Join(p.home, ".ampersat/notes.md"), []byte("private\n"), 0o644))
	p.link(t, filepath.Join(p.home, ".ampersat/notes.md"), "notes.md")
	p.link(t, filepath.Join(p.home, ".ampersat"), "folder")
	p.link(t, "docs/a.md", "b.md")
	spelled := filepath.Join(filepath.Dir(p.dir), "spelled")
	must(t, os.Symlink(p.dir, spelled))
	for _, c := range []struct {
		tool    string
		call    args
		subject string
	}{
		{"read_file", args{"path": "notes.md"}, filepath.Join(p.home, ".ampersat/notes.md")},
		{"list_files", args{"path": "folder"}, filepath.Join(p.home, ".ampersat") + "/"},
		{"search", args{"pattern": "a", "path": "folder"}, filepath.Join(p.home, ".ampersat") + "/"},
		{"read_file", args{"path": "b.md"}, "docs/a.md"},
		{"read_file", args{"path": "nothing.md"}, "nothing.md"},
		{"search", args{"pattern": "a"}, "/"},
	} {
		for _, dir := range []string{p.dir, spelled} {
			roots, err := access.NewRoots(access.Root{Path: dir, Place: access.Project}, access.Root{Path: filepath.Join(p.home, ".ampersat"), Place: access.User})
			must(t, err)
			p.config.Roots, p.config.Dir = roots, dir
			p.tools = tool.New(p.config)
			action, err := p.tool(c.tool).Plan(encode(t, c.call))
			must(t, err)
			want := c.subject
			if !strings.HasPrefix(want, p.home) {
				want = dir + "/" + strings.TrimPrefix(want, "/")
			}
			if action.Subject != want {
				t.Errorf("%s %v in %s: %s, want %s", c.tool, c.call, dir, action.Subject, want)
			}
		}
	}
}

func TestAttackLinkOutOfTheProject(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/": ""})
	victim := filepath.Join(p.home, "victim.txt")
	must(t, os.WriteFile(victim, []byte("victim\n"), 0o644))
	p.link(t, victim, "absolute.txt")
	p.link(t, "../home/victim.txt", "relative.txt")
	p.link(t, p.home, "sub/home")
	p.link(t, filepath.Join(p.home, "nothing.txt"), "dangling.txt")
	p.link(t, "loop.txt", "loop.txt")
	for _, path := range []string{"absolute.txt", "relative.txt", "sub/home/victim.txt"} {
		p.refused(t, "read_file", args{"path": path}, "symbolic link")
		p.refused(t, "search", args{"pattern": "victim", "path": path}, "symbolic link")
		p.refused(t, "edit_file", args{"path": path, "old": "victim", "new": "x"}, "a symbolic link leads to "+p.home)
		p.refused(t, "write_file", args{"path": path, "content": "x"}, "a symbolic link leads to "+p.home)
	}
	p.refused(t, "write_file", args{"path": "sub/home/new.txt", "content": "x"}, "a symbolic link leads to "+p.home)
	p.refused(t, "write_file", args{"path": "dangling.txt", "content": "x"}, "a symbolic link that leads nowhere")
	p.refused(t, "write_file", args{"path": "loop.txt", "content": "x"}, "")
	p.refused(t, "shell", args{"command": "touch ran", "dir": "sub/home"}, "symbolic link")
	contains(t, p.ok(t, "search", args{"pattern": "victim"}), "no line matches")
	untouched(t, victim, "victim\n")
	if _, err := os.Stat(filepath.Join(p.home, "nothing.txt")); err == nil {
		t.Error("a file was made outside")
	}
}

// Inside the project a link is followed, and what it leads to is what is asked
// about and written: the link stays one.
func TestEditThroughALink(t *testing.T) {
	p := newPlace(t, map[string]string{"docs/real.md": "alpha\n"})
	p.link(t, "docs/real.md", "link.md")
	p.link(t, "docs", "also")
	for _, path := range []string{"link.md", "also/real.md", filepath.Join(p.dir, "link.md")} {
		action, err := p.tool("edit_file").Plan(encode(t, args{"path": path, "old": "a\n", "new": "b\n"}))
		must(t, err)
		if action.Subject != filepath.Join(p.dir, "docs/real.md") || action.Summary != "edit docs/real.md" {
			t.Errorf("%+v", action)
		}
	}
	p.ok(t, "read_file", args{"path": "link.md"})
	result, err := p.call(t, "edit_file", args{"path": "link.md", "old": "alpha", "new": "beta"})
	must(t, err)
	if result.Changes[0].Path != filepath.Join(p.dir, "docs/real.md") || p.content(t, "docs/real.md") != "beta\n" {
		t.Errorf("%+v %q", result.Changes, p.content(t, "docs/real.md"))
	}
	if info, err := os.Lstat(filepath.Join(p.dir, "link.md")); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is none any more")
	}
	p.ok(t, "write_file", args{"path": "also/new.md", "content": "new\n"})
	if p.content(t, "docs/new.md") != "new\n" {
		t.Error("it went elsewhere")
	}
}

// Version control runs what is written there.
func TestAttackHooks(t *testing.T) {
	p := newPlace(t, map[string]string{".git/config": "[core]\n", "sub/.hg/hgrc": "[ui]\n"})
	p.link(t, ".git", "innocent")
	for _, path := range []string{".git/hooks/pre-commit", ".GIT/hooks/pre-commit", "innocent/hooks/pre-commit", "sub/.hg/new", ".git"} {
		p.refused(t, "write_file", args{"path": path, "content": "#!/bin/sh\n"}, "")
	}
	p.refused(t, "edit_file", args{"path": ".git/config", "old": "[core]", "new": "[core]\n\tfsmonitor = x"}, "version control")
	if _, err := os.Stat(filepath.Join(p.dir, ".git/hooks")); err == nil {
		t.Error("a hook was written")
	}
}

func TestAttackSecretsByEditing(t *testing.T) {
	key := "ghp_" + "x7Gk2mQ9vB4nR8sT1wY6zA3cE5fH0jL7pD2u"
	p := newPlace(t, map[string]string{"conf.txt": "a = 1\ntoken = " + key + "\n"})
	p.refused(t, "edit_file", args{"path": "conf.txt", "old": "a = 1", "new": "a = 2"}, "it holds secrets")
	_, err := p.tool("edit_file").Plan(encode(t, args{"path": "conf.txt", "old": "tokem = ", "new": "x"}))
	if err == nil || strings.Contains(err.Error(), key) {
		t.Errorf("%v", err)
	}
	// Allowed once is allowed from the plan to the end of the call.
	must(t, p.consent.Allow(access.Secret{Name: filepath.Join(p.dir, "conf.txt"), Once: true}))
	p.ok(t, "edit_file", args{"path": "conf.txt", "old": "a = 1", "new": "a = 2"})
	p.refused(t, "edit_file", args{"path": "conf.txt", "old": "a = 2", "new": "a = 3"}, "it holds secrets")
}

// What an edit says of a file that it does not fit is no way to read it.
func TestAttackReadingByEditing(t *testing.T) {
	p := newPlace(t, map[string]string{"f.txt": "the colour is teal\nthe colour is red\n"})
	for _, old := range []string{"the colour is", "the colour is blue", "  the colour is teal"} {
		_, err := p.tool("edit_file").Plan(encode(t, args{"path": "f.txt", "old": old, "new": "x"}))
		if err == nil || strings.Contains(err.Error(), "teal") || strings.Contains(err.Error(), "red") {
			t.Errorf("%q: %v", old, err)
		}
	}
}

func TestAttackHugeAndEndless(t *testing.T) {
	p := newPlace(t, nil)
	huge, err := os.Create(filepath.Join(p.dir, "huge.txt"))
	must(t, err)
	must(t, huge.Truncate(10<<30))
	must(t, huge.Close())
	p.refused(t, "edit_file", args{"path": "huge.txt", "old": "a", "new": "b"}, "it has 10,737,418,240 bytes; files of up to 16,777,216 are written")
	p.refused(t, "write_file", args{"path": "huge.txt", "content": "b"}, "it has 10,737,418,240 bytes")
	p.refused(t, "write_file", args{"path": "long.txt", "content": strings.Repeat("x", 17<<20)}, "the content has")
	contains(t, p.ok(t, "search", args{"pattern": "a"}), "no line matches")
	contains(t, p.ok(t, "read_file", args{"path": "huge.txt"}), "not text")
}

// Many writers of one file: each edit is whole, none is lost without its model
// being told.
func TestAttackAtTheSameTime(t *testing.T) {
	p := newPlace(t, map[string]string{"f.txt": "start\n"})
	var wait sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range 8 {
		wait.Go(func() {
			for range 5 {
				result, err := p.tool("edit_file").Run(t.Context(), agent.Call{Input: encode(t, args{"path": "f.txt", "old": "start\n", "new": "start\nx\n"})})
				if err == nil && len(result.Changes) == 1 {
					mu.Lock()
					done++
					mu.Unlock()
				}
			}
		})
	}
	wait.Wait()
	if text := p.content(t, "f.txt"); !strings.HasPrefix(text, "start\n") || strings.Count(text, "x\n") != done || done == 0 {
		t.Errorf("%d edits were done, and there are %q", done, text)
	}
	entries, err := os.ReadDir(p.dir)
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("%v", entries)
	}
}

// Cancelled at any moment, a write is done or not, and nothing is left behind.
func TestCancelledAtAnyMoment(t *testing.T) {
	p := newPlace(t, map[string]string{"f.txt": "a\n"})
	for i := range 60 {
		ctx := &countdown{Context: t.Context(), left: i / 2}
		before := p.content(t, "f.txt")
		other := map[string]string{"a\n": "b\n", "b\n": "a\n"}[before]
		result, err := p.tool("edit_file").Run(ctx, agent.Call{Input: encode(t, args{"path": "f.txt", "old": before, "new": other})})
		after := p.content(t, "f.txt")
		if (err == nil) != (after == other) || (err == nil) != (len(result.Changes) == 1) {
			t.Fatalf("%v, and the file is %q", err, after)
		}
	}
	entries, err := os.ReadDir(p.dir)
	must(t, err)
	if len(entries) != 1 {
		t.Errorf("%v", entries)
	}
}

// countdown is a context that is cancelled when it has been asked often enough.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}
