package tool_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
)

// What a person writes is not overwritten unseen, also where the tools have once
// written the same.
func TestWhatAPersonWritesLikeTheToolsOnceDid(t *testing.T) {
	const on, off = "flag: true\n", "flag: false\n"
	flip := []args{{"path": "f.txt", "old": "false", "new": "true"}, {"path": "f.txt", "old": "true", "new": "false"}}
	write := args{"path": "f.txt", "content": off + "more: 1\n"}

	t.Run("each call in a message", func(t *testing.T) {
		p := newPlace(t, map[string]string{"f.txt": off})
		p.ok(t, "read_file", args{"path": "f.txt"})
		for _, edit := range flip {
			p.ok(t, "edit_file", edit)
		}
		p.write(t, map[string]string{"f.txt": on})
		p.refused(t, "write_file", write, "it has changed since you saw it")
		p.refused(t, "edit_file", flip[1], "it has changed since you saw it")
		p.ok(t, "read_file", args{"path": "f.txt"})
		p.ok(t, "write_file", write)
	})
	t.Run("after it was read again", func(t *testing.T) {
		p := newPlace(t, map[string]string{"f.txt": off})
		p.ok(t, "read_file", args{"path": "f.txt"})
		p.ok(t, "edit_file", flip[0])
		p.write(t, map[string]string{"f.txt": off})
		p.ok(t, "read_file", args{"path": "f.txt"})
		p.write(t, map[string]string{"f.txt": on})
		p.refused(t, "write_file", write, "it has changed since you saw it")
	})
	t.Run("all calls in one message", func(t *testing.T) {
		p := newPlace(t, map[string]string{"f.txt": off})
		p.ok(t, "read_file", args{"path": "f.txt"})
		before := p.view
		for _, edit := range flip {
			p.view = before
			p.ok(t, "edit_file", edit)
		}
		p.write(t, map[string]string{"f.txt": on})
		p.view = before
		p.refused(t, "write_file", write, "it has changed since you saw it")
		// There and back is no change.
		p.write(t, map[string]string{"f.txt": off})
		for _, edit := range flip {
			p.view = before
			p.ok(t, "edit_file", edit)
		}
		p.view = before
		p.ok(t, "edit_file", flip[0])
		p.view = before
		p.ok(t, "write_file", write)
	})
	t.Run("a file of the model's own", func(t *testing.T) {
		p := newPlace(t, nil)
		run := func(name string, a args) error {
			_, err := p.tool(name).Run(t.Context(), agent.Call{View: ampersat.View{}, Input: encode(t, a)})
			return err
		}
		must(t, run("write_file", args{"path": "f.txt", "content": off}))
		for _, edit := range flip {
			must(t, run("edit_file", edit))
		}
		p.write(t, map[string]string{"f.txt": on})
		if err := run("write_file", write); err == nil {
			t.Error("a person's change was overwritten")
		}
		p.write(t, map[string]string{"f.txt": off})
		must(t, run("write_file", write))
		// It is its own again if it makes it again.
		must(t, os.Remove(filepath.Join(p.dir, "f.txt")))
		must(t, run("write_file", args{"path": "f.txt", "content": on}))
		must(t, run("write_file", write))
		// One that it has changed without having seen it is not.
		p.write(t, map[string]string{"f.txt": "mine\n" + off})
		must(t, run("edit_file", flip[0]))
		if err := run("write_file", write); err == nil {
			t.Error("a person's file was overwritten")
		}
	})
}
