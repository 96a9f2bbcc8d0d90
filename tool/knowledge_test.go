package tool_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/tool"
	"github.com/aymanbagabas/go-udiff"
	"pgregory.net/rapid"
)

// memory is a model that remembers the files that it was shown, and what it has
// made of them. It judges what the view says that the model knows.
type memory map[string]string

// told takes in a result of reading, when the file on disk is as given.
func (m memory) told(t *rapid.T, result agent.Result, disk string) {
	for _, part := range result.Parts {
		c, ok := part.(message.Context)
		if !ok {
			continue
		}
		for _, name := range c.Names {
			switch {
			case c.Base != "":
				if blob.Of([]byte(m[name])) != c.Base || c.Text != udiff.Unified("a/"+name, "b/"+name, m[name], disk) {
					t.Fatalf("a difference to what the model does not have:\n%s", c.Text)
				}
				m[name] = disk
			case c.Shown == "":
				m[name] = c.Text
			case strings.HasPrefix(c.Text, "[the same as "):
				other, _, _ := strings.Cut(strings.TrimPrefix(c.Text, "[the same as "), ",")
				m[name] = m[other]
			}
		}
	}
}

// Whatever is read and written in whatever order, the view says that the model
// knows exactly what it can know; no write is based on anything else; what
// others wrote is never lost; and everything can be undone.
func TestPropertyTheModelKnowsWhatItWrites(t *testing.T) {
	base := t.TempDir()
	run := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		p := placeIn(t, filepath.Join(base, fmt.Sprint(run)), nil)
		names := []string{"a.txt", "b.txt"}
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"one\n", "two\n", "three\n", "four\n"}), 0, 30)
		if rapid.Bool().Draw(t, "narrow") {
			// Where there are few texts, somebody writes what the model once wrote.
			names, lines = names[:1], rapid.SampledFrom([][]string{{"one\n"}, {"two\n"}})
		}
		known := memory{}
		// made is what the disk must hold: nothing but what was written by
		// somebody who knew what was there.
		made := map[string]string{}
		var changes []agent.Change
		first := map[string]string{}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			_, exists := made[name]
			text := strings.Join(lines.Draw(t, "text"), "")
			switch step := rapid.SampledFrom([]string{"read", "edit", "write", "somebody"}).Draw(t, "step"); step {
			case "read":
				result, err := p.call(t, "read_file", args{"path": name})
				if (err == nil) != exists {
					t.Fatalf("%v", err)
				}
				known.told(t, result, made[name])
			case "edit":
				old := rapid.SampledFrom([]string{"one\n", "two\n", "three\n"}).Draw(t, "old")
				result, err := p.call(t, "edit_file", args{"path": name, "old": old, "new": text, "all": true})
				have, knows := known[name]
				_, seen := p.view.Seen()[name]
				if err == nil {
					if seen && have != made[name] {
						t.Fatalf("an edit of %q, which the model takes for %q", made[name], have)
					}
					made[name] = strings.ReplaceAll(made[name], old, text)
					if knows && seen {
						known[name] = made[name]
					}
					changes = append(changes, result.Changes...)
				} else if exists && strings.Contains(made[name], old) && old != text && (!seen || have == made[name]) {
					t.Fatalf("%v", err)
				}
			case "write":
				result, err := p.call(t, "write_file", args{"path": name, "content": text})
				if err == nil {
					if exists && known[name] != made[name] {
						t.Fatalf("%q was overwritten, which the model takes for %q", made[name], known[name])
					}
					made[name], known[name] = text, text
					changes = append(changes, result.Changes...)
				} else if !exists || made[name] != text && known[name] == made[name] && p.view.Seen()[name] == blob.Of([]byte(made[name])) {
					t.Fatalf("%v", err)
				}
			case "somebody":
				p.write(t, map[string]string{name: text})
				made[name] = text
				// From here on it can be undone.
				changes, first = nil, maps.Clone(made)
			}
			for name, digest := range p.view.Seen() {
				if blob.Of([]byte(known[name])) != digest {
					t.Fatalf("the view says that the model knows %s in another version than %q", name, known[name])
				}
			}
			for _, name := range names {
				data, err := os.ReadFile(filepath.Join(p.dir, name))
				if text, exists := made[name]; exists != (err == nil) || string(data) != text {
					t.Fatalf("%s is %q, %v; want %q", name, data, err, text)
				}
			}
		}
		report, err := tool.Undo(t.Context(), p.config.Roots, changes, &p.blobs, false)
		must(t, err)
		for _, undone := range report {
			if undone.Reason != "" {
				t.Fatalf("%+v", undone)
			}
		}
		for _, name := range names {
			data, err := os.ReadFile(filepath.Join(p.dir, name))
			if text, exists := first[name]; exists != (err == nil) || string(data) != text {
				t.Fatalf("after all was undone %s is %q, %v; want %q", name, data, err, text)
			}
		}
	})
}
