package tool_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/tool"
)

// Whoever made a file read-only meant it, although a file could be put in its
// place.
func TestReadOnlyFilesAreLeftAlone(t *testing.T) {
	p := newPlace(t, map[string]string{"r.txt": "a\n"})
	path := filepath.Join(p.dir, "r.txt")
	must(t, os.Chmod(path, 0o444))
	p.ok(t, "read_file", args{"path": "r.txt"})
	reason := "it is read-only; the person can change that: chmod u+w '" + path + "'"
	p.refused(t, "edit_file", args{"path": "r.txt", "old": "a", "new": "b"}, reason)
	p.refused(t, "write_file", args{"path": "r.txt", "content": "b\n"}, reason)
	// Before anybody is asked about it.
	if _, err := p.tool("edit_file").Plan(encode(t, args{"path": "r.txt", "old": "a", "new": "b"})); err == nil {
		t.Error("it is planned")
	}
	if p.content(t, "r.txt") != "a\n" {
		t.Error("it was written")
	}
}

// A file with two names is one file afterwards, too, and after it was undone.
func TestHardLinksStayOne(t *testing.T) {
	for name, after := range map[string]string{"shorter": "b", "longer": "bbbbbbbbbb"} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"one.txt": "aaaaa\n"})
			must(t, os.Link(filepath.Join(p.dir, "one.txt"), filepath.Join(p.dir, "two.txt")))
			result, err := p.call(t, "edit_file", args{"path": "one.txt", "old": "aaaaa", "new": after})
			must(t, err)
			checkChanges(t, p, result, map[string][2]string{"one.txt": {"aaaaa\n", after + "\n"}})
			if have := p.content(t, "two.txt"); have != after+"\n" {
				t.Errorf("the other name has %q", have)
			}
			_, err = tool.Undo(t.Context(), p.config.Roots, result.Changes, &p.blobs, false)
			must(t, err)
			if one, two := p.content(t, "one.txt"), p.content(t, "two.txt"); one != "aaaaa\n" || two != "aaaaa\n" {
				t.Errorf("%q %q", one, two)
			}
		})
	}
}

// Other names of a file may be anywhere, so that whoever is asked is told of them.
func TestAFileWithSeveralNamesSaysSo(t *testing.T) {
	p := newPlace(t, map[string]string{"one.txt": "aaa\n", "single.txt": "aaa\n"})
	elsewhere := t.TempDir()
	for _, name := range []string{"two.txt", "three.txt"} {
		must(t, os.Link(filepath.Join(p.dir, "one.txt"), filepath.Join(elsewhere, name)))
	}
	for _, c := range []struct {
		tool   string
		change args
	}{
		{"edit_file", args{"old": "aaa", "new": "b"}},
		{"write_file", args{"content": "b\n"}},
	} {
		for path, want := range map[string]string{"one.txt": "it has 3 names, all of which change\n--- a/", "single.txt": "--- a/"} {
			c.change["path"] = path
			action, err := p.tool(c.tool).Plan(encode(t, c.change))
			must(t, err)
			if !strings.HasPrefix(action.Detail, want) {
				t.Errorf("%s %s: %q", c.tool, path, action.Detail)
			}
		}
	}
}

// What a file was is kept before it is written, and where it cannot be kept it is
// not written.
func TestWhatAFileWasIsKeptBeforeItIsWritten(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "old\n"})
	p.ok(t, "read_file", args{"path": "a.txt"})
	full := errors.New("the disk is full")
	for name, input := range map[string]args{
		"edit_file": {"path": "a.txt", "old": "old", "new": "new"}, "write_file": {"path": "a.txt", "content": "new\n"},
	} {
		action, err := p.tool(name).Plan(encode(t, input))
		must(t, err)
		if !action.Undoable {
			t.Errorf("%s does not say that it can be undone", name)
		}
		var told []agent.Change
		result, err := p.tool(name).Run(t.Context(), agent.Call{Input: encode(t, input), View: p.view,
			Changing: func(_ context.Context, changes []agent.Change, blobs map[blob.Digest][]byte) error {
				told = changes
				if p.content(t, "a.txt") != "old\n" || string(blobs[changes[0].Before]) != "old\n" || string(blobs[changes[0].After]) != "new\n" {
					t.Errorf("%s: %q %v", name, p.content(t, "a.txt"), changes)
				}
				return full
			}})
		if !errors.Is(err, full) || len(result.Changes) > 0 || len(told) != 1 || p.content(t, "a.txt") != "old\n" {
			t.Errorf("%s: %v %v %v %q", name, err, result.Changes, told, p.content(t, "a.txt"))
		}
	}
}

// Folders that were made for a file go when it goes, unless there is something
// else in them by then.
func TestUndoTakesAwayTheFoldersThatWereMade(t *testing.T) {
	for name, c := range map[string]struct {
		with  string
		stays []string
	}{
		"all of them":           {"", nil},
		"but for what is used":  {"deep/mine.txt", []string{"deep", "deep/mine.txt"}},
		"but for what is there": {"deep/er/mine.txt", []string{"deep", "deep/er", "deep/er/mine.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"old/": ""})
			var changes []agent.Change
			for _, path := range []string{"deep/er/one.txt", "deep/er/two.txt", "old/three.txt"} {
				result, err := p.call(t, "write_file", args{"path": path, "content": "x\n"})
				must(t, err)
				changes = append(changes, result.Changes...)
			}
			if c.with != "" {
				p.write(t, map[string]string{c.with: "mine\n"})
			}
			_, err := tool.Undo(t.Context(), p.config.Roots, changes, &p.blobs, false)
			must(t, err)
			if have := p.tree(t); !slices.Equal(have, append(c.stays, "old")) {
				t.Errorf("%q", have)
			}
		})
	}
	// Nobody is told to take away more than what is above the file, and in the
	// project.
	p := newPlace(t, map[string]string{"a/b/": ""})
	_, err := tool.Undo(t.Context(), p.config.Roots, []agent.Change{{Path: filepath.Join(p.dir, "a/b/c.txt"), Folders: 1 << 40}}, &p.blobs, true)
	must(t, err)
	if have := p.tree(t); len(have) != 0 {
		t.Errorf("%q", have)
	}
}

// tree is what is in the project, in order.
func (p *place) tree(t failer) (names []string) {
	t.Helper()
	must(t, filepath.WalkDir(p.dir, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(p.dir, path); rel != "." {
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	}))
	return names
}

// Nothing is left of a write that does not come to anything.
func TestAWriteThatFailsLeavesNoFolders(t *testing.T) {
	p := newPlace(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := p.tool("write_file").Run(ctx, agent.Call{Input: encode(t, args{"path": "new/er/a.txt", "content": "x"}),
		Changing: func(context.Context, []agent.Change, map[blob.Digest][]byte) error {
			cancel()
			return nil
		}})
	if have := p.tree(t); !errors.Is(err, context.Canceled) || len(have) != 0 {
		t.Errorf("%v %q", err, have)
	}
}

// What was written beside a file when the program was killed goes when the change
// is undone, and nothing else does.
func TestUndoTakesAwayWhatWasWrittenBeside(t *testing.T) {
	p := newPlace(t, map[string]string{"a.txt": "old\n"})
	var told agent.Change
	result, err := p.tool("edit_file").Run(t.Context(), agent.Call{Input: encode(t, args{"path": "a.txt", "old": "old", "new": "new"}),
		Changing: func(_ context.Context, changes []agent.Change, blobs map[blob.Digest][]byte) error {
			told = changes[0]
			_, err := p.blobs.Put(t.Context(), blobs[told.Before])
			return err
		}})
	must(t, err)
	if told.Beside == "" || result.Changes[0].Beside != "" {
		t.Errorf("%q, then %q", told.Beside, result.Changes[0].Beside)
	}
	p.write(t, map[string]string{told.Beside: "ne", "mine.txt": "mine\n", "sub/.ampersat-mine": "mine\n"})
	for _, beside := range []string{told.Beside, "mine.txt", "sub/.ampersat-mine", "./mine.txt", "..", "."} {
		told.Beside = beside
		report, err := tool.Undo(t.Context(), p.config.Roots, []agent.Change{told}, &p.blobs, false)
		if err != nil || len(report) != 1 || report[0].Reason != "" {
			t.Errorf("%q: %+v %v", beside, report, err)
		}
	}
	if have := p.tree(t); !slices.Equal(have, []string{"a.txt", "mine.txt", "sub", "sub/.ampersat-mine"}) || p.content(t, "a.txt") != "old\n" {
		t.Errorf("%q", have)
	}
}
