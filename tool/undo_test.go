package tool_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/tool"
	"pgregory.net/rapid"
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

// done is what became of some changes, in a word each.
func done(report []tool.Undone) (words []string) {
	for _, u := range report {
		switch {
		case u.Reason != "":
			words = append(words, u.Reason)
		case u.Already:
			words = append(words, "already")
		default:
			words = append(words, "undone")
		}
	}
	return words
}

// A file may be anything that it was in the course of the turn: undoing goes on from
// there.
func TestUndoGoesOnFromWhatAFileIs(t *testing.T) {
	const gone = "\x00"
	const changed = "it has changed since"
	for name, c := range map[string]struct {
		was   string
		texts []string // what it is made one after the other; after a ! by a person
		is    string
		want  []string // of the changes, the last first
		left  string   // in the end
	}{
		"as the turn left it":              {"a", []string{"b", "c"}, "c", []string{"undone", "undone"}, "a"},
		"as it was":                        {"a", []string{"b", "c"}, "a", []string{"already", "already"}, "a"},
		"in between":                       {"a", []string{"b", "c", "d"}, "b", []string{"already", "already", "undone"}, "a"},
		"something else":                   {"a", []string{"b", "c"}, "x", []string{changed}, "x"},
		"new, and gone":                    {gone, []string{"b", "c"}, gone, []string{"already", "already"}, gone},
		"new, and in between":              {gone, []string{"b", "c"}, "b", []string{"already", "undone"}, gone},
		"gone":                             {"a", []string{"b", "c"}, gone, []string{"it is gone"}, gone},
		"there and back":                   {"a", []string{"b", "a"}, "a", []string{"already", "already"}, "a"},
		"there and back, and in between":   {"a", []string{"b", "a", "c"}, "b", []string{"already", "already", "undone"}, "a"},
		"a person came between":            {"a", []string{"b", "!x", "c"}, "c", []string{changed}, "c"},
		"a person came between, to x":      {"a", []string{"b", "!x", "c"}, "x", []string{changed}, "x"},
		"a person came between, to b":      {"a", []string{"b", "!x", "c"}, "b", []string{"already", "undone"}, "a"},
		"a person came between, as it was": {"a", []string{"b", "!x", "c"}, "a", []string{"already", "already"}, "a"},
		"a person had put it back":         {"a", []string{"b", "!a", "c"}, "c", []string{"undone", "already"}, "a"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"other.txt": "other\n"})
			put := func(text string) {
				if text == gone {
					p.remove(t, "f.txt")
					return
				}
				p.write(t, map[string]string{"f.txt": text})
			}
			put(c.was)
			var changes []agent.Change
			for _, text := range c.texts {
				if by, ok := strings.CutPrefix(text, "!"); ok {
					put(by)
					continue
				}
				if _, err := os.Stat(filepath.Join(p.dir, "f.txt")); err == nil {
					p.ok(t, "read_file", args{"path": "f.txt"})
				}
				result, err := p.call(t, "write_file", args{"path": "f.txt", "content": text})
				must(t, err)
				changes = append(changes, result.Changes...)
			}
			put(c.is)
			have := func() string {
				data, err := os.ReadFile(filepath.Join(p.dir, "f.txt"))
				if os.IsNotExist(err) {
					return gone
				}
				must(t, err)
				return string(data)
			}
			report, err := tool.Undo(t.Context(), p.config.Roots, changes, &p.blobs, false)
			if err != nil || !slices.Equal(done(report), c.want) || have() != c.left {
				t.Errorf("%q %v %q", done(report), err, have())
			}
			// By force it is what it was, and then there is nothing to do, for which
			// nothing need be kept.
			report, err = tool.Undo(t.Context(), p.config.Roots, changes, &p.blobs, true)
			if err != nil || have() != c.was || slices.ContainsFunc(report, func(u tool.Undone) bool { return u.Reason != "" }) {
				t.Errorf("%+v %v %q", report, err, have())
			}
			report, err = tool.Undo(t.Context(), p.config.Roots, changes, nil, false)
			if err != nil || have() != c.was || slices.ContainsFunc(report, func(u tool.Undone) bool { return !u.Already || u.Reason != "" }) {
				t.Errorf("%+v %v %q", report, err, have())
			}
		})
	}
}

// Whatever tools and people write in turn: what is refused changes nothing, and is
// refused because of a person; what is not is as it was before the turn, and so is
// it by force; and where all is as it was, nothing is refused.
func TestPropertyUndo(t *testing.T) {
	base := t.TempDir()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		p := placeIn(t, filepath.Join(base, fmt.Sprint(run)), map[string]string{"a.txt": "one\n", "d/b.txt": "two\n"})
		// first is what each file was before a tool wrote it, and none if there was none.
		const none = "\x00"
		first := map[string]string{}
		texts := rapid.SampledFrom([]string{"one\n", "two\n", "three\n"})
		var changes []agent.Change
		person := false
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			name := rapid.SampledFrom([]string{"a.txt", "d/b.txt", "x/y/n.txt"}).Draw(t, "name")
			switch rapid.SampledFrom([]string{"tool", "tool", "person", "remove"}).Draw(t, "who") {
			case "tool":
				_, _ = p.call(t, "read_file", args{"path": name}) // it need not be there
				was, exists := p.contents(t)[name]
				if !exists {
					was = none
				}
				result, err := p.call(t, "write_file", args{"path": name, "content": texts.Draw(t, "text")})
				if err != nil && !strings.Contains(err.Error(), "holds already") {
					t.Fatalf("%v", err)
				}
				if _, known := first[name]; !known && err == nil {
					first[name] = was
				}
				changes = append(changes, result.Changes...)
			case "person":
				person = true
				p.write(t, map[string]string{name: texts.Draw(t, "text")})
			case "remove":
				person = true
				p.remove(t, name)
			}
		}
		now := p.contents(t)
		isAsItWas := func(have map[string]string) bool {
			for name, was := range first {
				if is, exists := have[name]; exists != (was != none) || exists && is != was {
					return false
				}
			}
			return true
		}
		report, err := tool.Undo(t.Context(), p.config.Roots, changes, &p.blobs, false)
		must(t, err)
		if slices.ContainsFunc(report, func(u tool.Undone) bool { return u.Reason != "" }) {
			if !person || isAsItWas(now) || !maps.Equal(now, p.contents(t)) {
				t.Fatalf("refused: %q, with %q, then %q", done(report), now, p.contents(t))
			}
			report, err = tool.Undo(t.Context(), p.config.Roots, changes, &p.blobs, true)
			must(t, err)
		}
		if have := p.contents(t); !isAsItWas(have) || len(report) != len(changes) || slices.ContainsFunc(report, func(u tool.Undone) bool { return u.Reason != "" }) {
			t.Fatalf("%q, with %q, want %q", done(report), have, first)
		}
	})
}

// contents are those of the files of the project.
func (p *place) contents(t failer) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range p.tree(t) {
		if info, err := os.Stat(filepath.Join(p.dir, name)); err == nil && !info.IsDir() {
			all[name] = p.content(t, name)
		}
	}
	return all
}

// without are some blobs but for those of some texts.
type without struct {
	blob.Store
	texts []string
	err   error
}

func (w without) Get(ctx context.Context, digest blob.Digest) ([]byte, error) {
	if slices.ContainsFunc(w.texts, func(text string) bool { return blob.Of([]byte(text)) == digest }) {
		return nil, fmt.Errorf("get %s: %w", digest.Short(), w.err)
	}
	return w.Store.Get(ctx, digest)
}

// If what one file was before is not kept any more, nothing is undone. By force that
// one is left, and the others are undone.
func TestUndoOfWhatIsNotKept(t *testing.T) {
	const lost = "what it was before is not kept any more"
	is := map[string]string{"a.txt": "a3\n", "b.txt": "b2\n", "new/c.txt": "c\n"}
	for name, c := range map[string]struct {
		gone   []string
		person map[string]string // what a person writes afterwards
		want   []string          // of what is refused; nil if it is undone at once
		forced []string          // of the changes, the last first
		left   map[string]string // in the end
	}{
		"the one that is put back last": {
			gone: []string{"a1\n"}, want: []string{lost}, forced: []string{"undone", "undone", lost, lost}, left: map[string]string{"a.txt": "a3\n", "b.txt": "b1\n"},
		},
		"the one that is put back first": {
			gone: []string{"b1\n"}, want: []string{lost}, forced: []string{"undone", lost, "undone", "undone"}, left: map[string]string{"a.txt": "a1\n", "b.txt": "b2\n"},
		},
		"both": {
			gone: []string{"a1\n", "b1\n"}, want: []string{lost, lost}, forced: []string{"undone", lost, lost, lost}, left: map[string]string{"a.txt": "a3\n", "b.txt": "b2\n"},
		},
		"only what it was in between, which nobody needs": {
			gone: []string{"a2\n"}, forced: []string{"already", "already", "already", "already"}, left: map[string]string{"a.txt": "a1\n", "b.txt": "b1\n"},
		},
		"of a file that is what it was": {
			gone: []string{"a1\n"}, person: map[string]string{"a.txt": "a1\n"}, forced: []string{"already", "already", "already", "already"}, left: map[string]string{"a.txt": "a1\n", "b.txt": "b1\n"},
		},
		"of a file that has changed since": {
			gone: []string{"a1\n"}, person: map[string]string{"a.txt": "mine\n"}, want: []string{lost}, forced: []string{"undone", "undone", lost, lost}, left: map[string]string{"a.txt": "mine\n", "b.txt": "b1\n"},
		},
		"and another has changed since": {
			gone: []string{"a1\n"}, person: map[string]string{"b.txt": "mine\n"}, want: []string{"it has changed since", lost}, forced: []string{"undone", "undone", lost, lost}, left: map[string]string{"a.txt": "a3\n", "b.txt": "b1\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, map[string]string{"a.txt": "a1\n", "b.txt": "b1\n"})
			var changes []agent.Change
			for _, call := range []struct {
				tool string
				args args
			}{
				{"edit_file", args{"path": "a.txt", "old": "a1", "new": "a2"}},
				{"edit_file", args{"path": "a.txt", "old": "a2", "new": "a3"}},
				{"edit_file", args{"path": "b.txt", "old": "b1", "new": "b2"}},
				{"write_file", args{"path": "new/c.txt", "content": "c\n"}},
			} {
				result, err := p.call(t, call.tool, call.args)
				must(t, err)
				changes = append(changes, result.Changes...)
			}
			p.write(t, c.person)
			now := maps.Clone(is)
			maps.Copy(now, c.person)
			// A store that fails may have it all the same: then force does nothing either.
			failing := errors.New("the disk is on fire")
			for _, force := range []bool{false, true} {
				if c.want == nil {
					break
				}
				report, err := tool.Undo(t.Context(), p.config.Roots, changes, without{&p.blobs, c.gone, failing}, force)
				if !errors.Is(err, failing) || len(report) > 0 || !maps.Equal(p.contents(t), now) {
					t.Errorf("force %v: %v %q %q", force, err, done(report), p.contents(t))
				}
			}
			kept := without{&p.blobs, c.gone, blob.ErrNotFound}
			report, err := tool.Undo(t.Context(), p.config.Roots, changes, kept, false)
			must(t, err)
			if c.want != nil && (!slices.Equal(done(report), c.want) || !maps.Equal(p.contents(t), now)) {
				t.Errorf("%q %q", done(report), p.contents(t))
			}
			report, err = tool.Undo(t.Context(), p.config.Roots, changes, kept, true)
			if err != nil || !slices.Equal(done(report), c.forced) || !maps.Equal(p.contents(t), c.left) {
				t.Errorf("by force: %v %q %q", err, done(report), p.contents(t))
			}
			for _, u := range report {
				if u.Lost != (u.Reason == lost) || u.Outside {
					t.Errorf("%+v", u)
				}
			}
		})
	}
}

// Where there is something else in the place of a file, force does not help either.
func TestUndoOfAFileThatIsAFolder(t *testing.T) {
	p := newPlace(t, map[string]string{"f.txt": "old\n"})
	result, err := p.call(t, "edit_file", args{"path": "f.txt", "old": "old", "new": "new"})
	must(t, err)
	p.remove(t, "f.txt")
	p.write(t, map[string]string{"f.txt/mine.txt": "mine\n"})
	for _, force := range []bool{false, true} {
		report, err := tool.Undo(t.Context(), p.config.Roots, result.Changes, &p.blobs, force)
		if err != nil || !slices.Equal(done(report), []string{"it is a folder"}) || !report[0].Outside || p.content(t, "f.txt/mine.txt") != "mine\n" {
			t.Errorf("%+v %v", report, err)
		}
	}
}
