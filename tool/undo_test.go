package tool_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/tool"
)

// remove takes something of the project away.
func (p *place) remove(t failer, name string) {
	t.Helper()
	must(t, os.RemoveAll(filepath.Join(p.dir, filepath.FromSlash(name))))
}

// Where a file that was written is reached through a link by now, the file that it
// leads to is another. It is left alone, and so is the link, also by force.
func TestUndoFollowsNoLinks(t *testing.T) {
	create := func(path string) args { return args{"path": path, "content": "by the model\n"} }
	for name, c := range map[string]struct {
		tool   string
		call   args
		person func(t *testing.T, p *place)
		reason string
	}{
		"a new file is a link": {"write_file", create("new.txt"), func(t *testing.T, p *place) {
			p.remove(t, "new.txt")
			p.link(t, "mine.txt", "new.txt")
		}, "mine.txt"},
		"a link to what the turn wrote elsewhere": {"write_file", create("new.txt"), func(t *testing.T, p *place) {
			must(t, os.Rename(filepath.Join(p.dir, "new.txt"), filepath.Join(p.dir, "kept.txt")))
			p.link(t, "kept.txt", "new.txt")
		}, "kept.txt"},
		"an edited file is a link": {"edit_file", args{"path": "old/f.txt", "old": "old", "new": "new"}, func(t *testing.T, p *place) {
			p.remove(t, "old/f.txt")
			p.link(t, "../mine.txt", "old/f.txt")
		}, "mine.txt"},
		"a link to what it was": {"edit_file", args{"path": "old/f.txt", "old": "old", "new": "new"}, func(t *testing.T, p *place) {
			p.remove(t, "old/f.txt")
			p.write(t, map[string]string{"copy.txt": "old\n"})
			p.link(t, "../copy.txt", "old/f.txt")
		}, "copy.txt"},
		"its folder is a link": {"edit_file", args{"path": "old/f.txt", "old": "old", "new": "new"}, func(t *testing.T, p *place) {
			p.remove(t, "old")
			p.link(t, "other", "old")
		}, "other/f.txt"},
		"the folder of a new file is a link": {"write_file", create("new/er/f.txt"), func(t *testing.T, p *place) {
			p.remove(t, "new")
			p.write(t, map[string]string{"empty/er/": ""})
			p.link(t, "empty", "new")
		}, "empty/er/f.txt"},
		"a link that leads nowhere": {"write_file", create("new.txt"), func(t *testing.T, p *place) {
			p.remove(t, "new.txt")
			p.link(t, "gone.txt", "new.txt")
		}, "leads nowhere"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"mine.txt": "my own work\n", "old/f.txt": "old\n", "other/f.txt": "another\n"})
			result, err := p.call(t, c.tool, c.call)
			must(t, err)
			c.person(t, p)
			tree, mine, other := p.tree(t), p.content(t, "mine.txt"), p.content(t, "other/f.txt")
			for _, force := range []bool{false, true} {
				report, err := tool.Undo(t.Context(), p.config.Roots, result.Changes, &p.blobs, force)
				must(t, err)
				if len(report) != 1 || !report[0].Outside || report[0].Already || !strings.Contains(report[0].Reason, filepath.FromSlash(c.reason)) || !strings.Contains(report[0].Reason, "link") {
					t.Errorf("force %v: %+v", force, report)
				}
				if !slices.Equal(p.tree(t), tree) || p.content(t, "mine.txt") != mine || p.content(t, "other/f.txt") != other {
					t.Errorf("force %v: %q, was %q", force, p.tree(t), tree)
				}
			}
		})
	}
}

// Who takes the link away, as the reason says, can undo what is left.
func TestUndoWhenTheLinkIsGone(t *testing.T) {
	p := newPlace(t, map[string]string{"mine.txt": "my own work\n", "f.txt": "old\n"})
	result, err := p.call(t, "edit_file", args{"path": "f.txt", "old": "old", "new": "new"})
	must(t, err)
	p.remove(t, "f.txt")
	p.link(t, "mine.txt", "f.txt")
	p.remove(t, "f.txt")
	report, err := tool.Undo(t.Context(), p.config.Roots, result.Changes, &p.blobs, true)
	if err != nil || len(report) != 1 || report[0].Reason != "" || p.content(t, "f.txt") != "old\n" || p.content(t, "mine.txt") != "my own work\n" {
		t.Errorf("%+v %v", report, err)
	}
}

// A project that is itself reached through a link is no other project, and a file
// that was written through a link is undone where it is.
func TestUndoInAProjectBehindALink(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/f.txt": "old\n"})
	p.link(t, "sub/f.txt", "link.txt")
	p.link(t, p.dir, "../here")
	here := filepath.Join(filepath.Dir(p.dir), "here")
	roots, err := access.NewRoots(access.Root{Path: here, Place: access.Project})
	must(t, err)
	p.config.Dir, p.config.Roots = here, roots
	p.tools = tool.New(p.config)
	var changes []agent.Change
	for _, c := range []struct {
		tool string
		call args
	}{
		{"edit_file", args{"path": "link.txt", "old": "old", "new": "new"}},
		{"write_file", args{"path": "deep/er/g.txt", "content": "new\n"}},
	} {
		result, err := p.call(t, c.tool, c.call)
		must(t, err)
		changes = append(changes, result.Changes...)
	}
	report, err := tool.Undo(t.Context(), roots, changes, &p.blobs, false)
	if err != nil || len(report) != 2 || report[0].Reason != "" || report[1].Reason != "" || p.content(t, "sub/f.txt") != "old\n" {
		t.Errorf("%+v %v", report, err)
	}
	if have := p.tree(t); !slices.Equal(have, []string{"link.txt", "sub", "sub/f.txt"}) {
		t.Errorf("%q", have)
	}
}
