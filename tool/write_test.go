package tool_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/tool"
)

func TestEditFile(t *testing.T) {
	for _, c := range []struct {
		name, before string
		call         args
		after        string // empty: refused
		reason       string
	}{
		{"one line", "a\nb\nc\n", args{"old": "b", "new": "B"}, "a\nB\nc\n", ""},
		{"deleted", "a\nb\nc\n", args{"old": "b\n", "new": ""}, "a\nc\n", ""},
		{"without a newline at the end", "a\nb", args{"old": "a\nb", "new": "c"}, "c", ""},
		{"all of several", "x y x\nx\n", args{"old": "x", "new": "z", "all": true}, "z y z\nz\n", ""},
		{"several", "x\ny\nx x\n", args{"old": "x", "new": "z"}, "", "old stands in it 3 times, in lines 1, 3, 3; give more"},
		{"many", strings.Repeat("x\n", 2000), args{"old": "x", "new": "z"}, "", "2,000 times, in lines 1, 2, 3, 4, 5, and more"},
		{"not there", "alpha\nbeta\n", args{"old": "omega", "new": "z"}, "", "old does not stand in it; nothing in it is like it"},
		{"almost there", "alpha\nfunc main(a int) {\n", args{"old": "func main(b int) {", "new": "z"}, "", "most like it is line 2: read the lines there"},
		{"other white space", "alpha\n\tfunc main() {\n", args{"old": "\n    func  main() {", "new": "z"}, "", "text that begins like it stands at line 1, with other white space"},
		{"white space only", "alpha\n", args{"old": "   ", "new": "z"}, "", "nothing but white space"},
		{"empty", "alpha\n", args{"old": "", "new": "z"}, "", "old is empty"},
		{"the same", "alpha\n", args{"old": "alpha", "new": "alpha"}, "", "old and new are the same"},
		{"line ends stay", "a\r\nb\r\nc\r\n", args{"old": "a\nb\n", "new": "x\ny\nz\n"}, "x\r\ny\r\nz\r\nc\r\n", ""},
		{"line ends in one line", "a\r\nb\r\n", args{"old": "b", "new": "b\nc"}, "a\r\nb\r\nc\r\n", ""},
		{"line ends as they are given", "a\r\nb\r\n", args{"old": "a\r\nb", "new": "x\r\ny"}, "x\r\ny\r\n", ""},
		{"both sorts of line ends", "a\nb\r\nc\n", args{"old": "b\nc", "new": "x\ny"}, "a\nx\r\ny\n", ""},
		{"both sorts, as given", "a\nb\nc\r\n", args{"old": "a\nb", "new": "x\ny"}, "x\ny\nc\r\n", ""},
		{"byte order mark", "\xEF\xBB\xBFa\nb\n", args{"old": "a\n", "new": "x\n"}, "\xEF\xBB\xBFx\nb\n", ""},
		{"an empty result", "a", args{"old": "a", "new": ""}, "\x00empty", ""},
		{"binary", "a\x00b", args{"old": "a", "new": "c"}, "", "it is not text in UTF-8"},
		{"not UTF-8", "caf\xe9", args{"old": "caf", "new": "c"}, "", "it is not text in UTF-8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"f.txt": c.before})
			must(t, os.Chmod(filepath.Join(p.dir, "f.txt"), 0o751))
			c.call["path"] = "f.txt"
			if c.after == "" {
				p.refused(t, "edit_file", c.call, c.reason)
				if p.content(t, "f.txt") != c.before {
					t.Errorf("%q", p.content(t, "f.txt"))
				}
				return
			}
			result, err := p.call(t, "edit_file", c.call)
			must(t, err)
			if have := p.content(t, "f.txt"); have != strings.TrimPrefix(c.after, "\x00empty") {
				t.Errorf("have %q, want %q", have, c.after)
			}
			info, err := os.Stat(filepath.Join(p.dir, "f.txt"))
			must(t, err)
			if info.Mode().Perm() != 0o751 {
				t.Errorf("the permissions are %v", info.Mode())
			}
			checkChanges(t, p, result, map[string][2]string{"f.txt": {c.before, p.content(t, "f.txt")}})
			entries, err := os.ReadDir(p.dir)
			must(t, err)
			if len(entries) != 1 {
				t.Errorf("something was left behind: %v", entries)
			}
		})
	}
}

// checkChanges looks whether everything can be undone that was done.
func checkChanges(t testing.TB, p *place, result agent.Result, want map[string][2]string) {
	t.Helper()
	if len(result.Changes) != len(want) {
		t.Errorf("%d changes, want %d", len(result.Changes), len(want))
	}
	for _, c := range result.Changes {
		rel, err := filepath.Rel(p.dir, c.Path)
		must(t, err)
		texts, ok := want[rel]
		if !ok || string(result.Blobs[c.Before]) != texts[0] || !bytes.Equal(result.Blobs[c.After], []byte(texts[1])) {
			t.Errorf("%+v with %q", c, result.Blobs)
		}
	}
}

func TestEditIsPlanned(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/f.txt": "a\nb\n"})
	action, err := p.tool("edit_file").Plan(encode(t, args{"path": "sub/f.txt", "old": "b", "new": "c"}))
	must(t, err)
	if action.Effect != agent.Writes || action.Subject != filepath.Join(p.dir, "sub/f.txt") || action.Summary != "edit sub/f.txt" {
		t.Errorf("%+v", action)
	}
	if want := "--- a/sub/f.txt\n+++ b/sub/f.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"; action.Detail != want {
		t.Errorf("%q", action.Detail)
	}
	if p.content(t, "sub/f.txt") != "a\nb\n" {
		t.Error("planning has changed it")
	}
	for call, summary := range map[string]string{"new.txt": "create new.txt", "sub/f.txt": "overwrite sub/f.txt"} {
		action, err := p.tool("write_file").Plan(encode(t, args{"path": call, "content": "z\n"}))
		must(t, err)
		if action.Summary != summary || !strings.Contains(action.Detail, "+z\n") {
			t.Errorf("%+v", action)
		}
	}
}

func TestWriteFile(t *testing.T) {
	p := newPlace(t, map[string]string{"old.txt": "old\n"})
	result, err := p.call(t, "write_file", args{"path": "deep/er/new.txt", "content": "new\n"})
	must(t, err)
	checkChanges(t, p, result, map[string][2]string{"deep/er/new.txt": {"", "new\n"}})
	if p.content(t, "deep/er/new.txt") != "new\n" || result.Changes[0].Before != "" || result.Changes[0].Mode != 0 {
		t.Errorf("%+v", result.Changes)
	}
	contains(t, rendered(result), "[created with 4 bytes, as you gave it]")

	p.refused(t, "write_file", args{"path": "old.txt", "content": "x"}, "you have not seen all of it as it is now; read it first")
	p.ok(t, "read_file", args{"path": "old.txt", "first": 1, "last": 1})
	p.refused(t, "write_file", args{"path": "old.txt", "content": "x"}, "you have not seen all of it")
	p.ok(t, "read_file", args{"path": "old.txt"})
	p.write(t, map[string]string{"old.txt": "older\n"})
	p.refused(t, "write_file", args{"path": "old.txt", "content": "x"}, "it has changed since you saw it; read it again")
	p.ok(t, "read_file", args{"path": "old.txt"})
	contains(t, p.ok(t, "write_file", args{"path": "old.txt", "content": "newer\n"}), "[overwritten with 6 bytes")
	// What it wrote itself it has seen.
	p.ok(t, "write_file", args{"path": "old.txt", "content": "newest\n"})
	p.ok(t, "edit_file", args{"path": "old.txt", "old": "newest", "new": "final"})
	contains(t, p.ok(t, "read_file", args{"path": "old.txt"}), "[unchanged since turn")
	p.refused(t, "write_file", args{"path": "old.txt", "content": "final\n"}, "this is what the file holds already")
	p.refused(t, "write_file", args{"path": "deep", "content": "x"}, "it is a folder")
	p.refused(t, "write_file", args{"path": "deep2/", "content": "x"}, "it is the name of a folder")
	p.refused(t, "write_file", args{"path": "old.txt/x", "content": "x"}, "not a directory")
	p.refused(t, "write_file", args{"path": ".", "content": "x"}, "it is a folder")
}

// A model may ask for several edits in one breath. The view is then that of
// before the first of them.
func TestEditsInOneMessage(t *testing.T) {
	p := newPlace(t, map[string]string{"f.txt": "a\nb\nc\n"})
	p.ok(t, "read_file", args{"path": "f.txt"})
	before := p.view
	for _, letter := range []string{"a", "b", "c"} {
		_, err := p.tool("edit_file").Run(t.Context(), agent.Call{View: before, Input: encode(t, args{"path": "f.txt", "old": letter, "new": letter + letter})})
		must(t, err)
	}
	_, err := p.tool("write_file").Run(t.Context(), agent.Call{View: before, Input: encode(t, args{"path": "f.txt", "content": "z\n"})})
	must(t, err)
	// Somebody else's change is still seen as one.
	p.write(t, map[string]string{"f.txt": "a and more\n"})
	_, err = p.tool("edit_file").Run(t.Context(), agent.Call{View: before, Input: encode(t, args{"path": "f.txt", "old": "more", "new": "less"})})
	if err == nil || !strings.Contains(err.Error(), "it has changed since you saw it") {
		t.Error(err)
	}
	// So it is if it is what the tools wrote before.
	p.write(t, map[string]string{"f.txt": "aa\nb\nc\n"})
	_, err = p.tool("edit_file").Run(t.Context(), agent.Call{View: before, Input: encode(t, args{"path": "f.txt", "old": "aa", "new": "x"})})
	if err == nil || !strings.Contains(err.Error(), "it has changed since you saw it") {
		t.Error(err)
	}
}

// What the model has seen in another project is no file here, whatever it is called.
func TestWritingInAnotherProject(t *testing.T) {
	p := newPlace(t, map[string]string{"f.txt": "a\n"})
	p.ok(t, "read_file", args{"path": "f.txt"})
	p.config.Elsewhere = true
	p.tools = tool.New(p.config)
	p.refused(t, "write_file", args{"path": "f.txt", "content": "b\n"}, "read it first")
	own := filepath.ToSlash(filepath.Join(p.dir, "new.txt"))
	contains(t, p.ok(t, "write_file", args{"path": "new.txt", "content": "a\n"}), `paths="`+own+`"`)
	contains(t, p.ok(t, "edit_file", args{"path": "new.txt", "old": "a", "new": "b"}), `paths="`+own+`"`)
}

// A new file that the model made may be changed by it in the same message, and
// by nobody else meanwhile.
func TestWritingWhatWasJustCreated(t *testing.T) {
	p := newPlace(t, nil)
	write := func(content string) error {
		_, err := p.tool("write_file").Run(t.Context(), agent.Call{Input: encode(t, args{"path": "f.txt", "content": content})})
		return err
	}
	must(t, write("one"))
	must(t, write("two"))
	p.write(t, map[string]string{"f.txt": "mine"})
	if err := write("three"); err == nil {
		t.Error("somebody's file was overwritten")
	}
}

// What changes in the middle of a write is not overwritten, and nothing is left
// behind.
func TestCancelledWrites(t *testing.T) {
	p := newPlace(t, map[string]string{"f.txt": "a\n"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, call := range map[string]args{
		"edit_file": {"path": "f.txt", "old": "a", "new": "b"}, "write_file": {"path": "new/g.txt", "content": "x"},
		"read_file": {"path": "f.txt"}, "list_files": {"path": "."}, "search": {"pattern": "a"}, "shell": {"command": "touch ran"}, "fetch": {"url": "https://example.com"},
	} {
		result, err := p.tool(name).Run(ctx, agent.Call{Input: encode(t, call)})
		if err == nil || ctx.Err() != nil && !strings.Contains(err.Error(), context.Canceled.Error()) || len(result.Changes) > 0 {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	entries, err := os.ReadDir(p.dir)
	must(t, err)
	if len(entries) != 1 || p.content(t, "f.txt") != "a\n" {
		t.Errorf("%v %q", entries, p.content(t, "f.txt"))
	}
}

func TestUndo(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "one\n", "b.txt": "keep\n"})
	must(t, os.Chmod(filepath.Join(p.dir, "a.txt"), 0o700))
	var changes []agent.Change
	do := func(name string, a args) {
		t.Helper()
		result, err := p.call(t, name, a)
		must(t, err)
		changes = append(changes, result.Changes...)
	}
	do("edit_file", args{"path": "a.txt", "old": "one", "new": "two"})
	do("edit_file", args{"path": "a.txt", "old": "two", "new": "three"})
	do("write_file", args{"path": "new/c.txt", "content": "c\n"})
	do("edit_file", args{"path": "b.txt", "old": "keep", "new": "kept"})
	p.write(t, map[string]string{"b.txt": "mine\n"})

	report, err := tool.Undo(t.Context(), p.config.Roots, changes, &p.blobs, false)
	must(t, err)
	if len(report) != 1 || report[0].Reason != "it has changed since" || report[0].Change.Path != filepath.Join(p.dir, "b.txt") {
		t.Errorf("%+v", report)
	}
	// All or nothing.
	if p.content(t, "a.txt") != "three\n" || p.content(t, "b.txt") != "mine\n" || p.content(t, "new/c.txt") != "c\n" {
		t.Errorf("%q %q", p.content(t, "a.txt"), p.content(t, "b.txt"))
	}
	report, err = tool.Undo(t.Context(), p.config.Roots, changes[:3], &p.blobs, false)
	must(t, err)
	if len(report) != 3 || report[0].Reason != "" || report[1].Reason != "" || report[2].Reason != "" || p.content(t, "a.txt") != "one\n" {
		t.Errorf("%+v %q", report, p.content(t, "a.txt"))
	}
	if _, err := os.Stat(filepath.Join(p.dir, "new/c.txt")); !os.IsNotExist(err) {
		t.Error("the new file is still there")
	}
	if info, err := os.Stat(filepath.Join(p.dir, "a.txt")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}

	// Again there is nothing to do, and by force all of it is done.
	report, err = tool.Undo(t.Context(), p.config.Roots, changes[2:], &p.blobs, true)
	must(t, err)
	if len(report) != 2 || report[0].Reason != "" || report[0].Already || !report[1].Already || p.content(t, "b.txt") != "keep\n" {
		t.Errorf("%+v %q", report, p.content(t, "b.txt"))
	}
	must(t, os.Remove(filepath.Join(p.dir, "b.txt")))
	if report, err = tool.Undo(t.Context(), p.config.Roots, changes[3:], &p.blobs, false); err != nil || report[0].Reason != "it is gone" {
		t.Errorf("%+v %v", report, err)
	}
	if report, err = tool.Undo(t.Context(), p.config.Roots, changes[3:], &p.blobs, true); err != nil || report[0].Reason != "" || p.content(t, "b.txt") != "keep\n" {
		t.Errorf("%+v %v", report, err)
	}
	p.write(t, map[string]string{"a.txt": "two\n"})
	if report, err = tool.Undo(t.Context(), p.config.Roots, changes[:1], new(blob.Memory), true); err != nil || report[0].Reason != "what it was before is not kept any more" {
		t.Errorf("%+v %v", report, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if report, err = tool.Undo(ctx, p.config.Roots, changes, &p.blobs, true); err == nil || len(report) != 0 {
		t.Errorf("%+v %v", report, err)
	}
}

// A session that came from elsewhere may say that anything was changed.
func TestAttackUndoOutsideOfTheProject(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "a"})
	outside := filepath.Join(p.home, "victim.txt")
	must(t, os.WriteFile(outside, []byte("victim"), 0o644))
	p.link(t, outside, "link.txt")
	planted, err := p.blobs.Put(t.Context(), []byte("planted"))
	must(t, err)
	for _, path := range []string{outside, filepath.Join(p.dir, "link.txt"), filepath.Join(p.dir, "../home/victim.txt"), "a.txt", "",
		filepath.Join(p.dir, ".git/hooks/pre-commit"), filepath.Join(p.home, ".ampersat/config.yaml"), filepath.Join(p.dir, "x\x00y")} {
		for _, change := range []agent.Change{{Path: path, Before: planted, After: blob.Of([]byte("victim"))}, {Path: path, After: blob.Of([]byte("victim"))}} {
			report, err := tool.Undo(t.Context(), p.config.Roots, []agent.Change{change}, &p.blobs, true)
			if err != nil || len(report) != 1 || report[0].Reason == "" {
				t.Errorf("%q: %+v %v", path, report, err)
			}
		}
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "victim" {
		t.Errorf("%q %v", data, err)
	}
}
