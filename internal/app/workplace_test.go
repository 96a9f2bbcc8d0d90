package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

// A session that goes on in another folder of its project goes on with the names
// that its model knows, in contents and in calls of tools.
func TestAModelStaysInTheFolderWhereItsSessionBegan(t *testing.T) {
	long := strings.Repeat("a line that stays as it is\n", 40)
	w := newWorld(t, map[string]string{".ampersat/config.yaml": "", "a.md": "root\n" + long, "sub/a.md": "sub\n" + long, "sub/b.md": "b\n", "deep/er/c.md": "c\n"})
	for _, c := range []struct {
		name, began, then string
		first, second     string // what is mentioned
		outcome           ampersat.Outcome
		called            string // the second, by the model
		call, reads       string // a path that the model gives, and what it gets
	}{
		{"another file of the name", "", "sub", "@a.md", "@a.md", ampersat.Loaded, "sub/a.md", "sub/b.md", "b\n"},
		{"the same file, from below", "", "sub", "@a.md", "@../a.md", ampersat.Unchanged, "a.md", "sub/b.md", "b\n"},
		{"the same file, from above", "sub", "", "@a.md", "@sub/a.md", ampersat.Unchanged, "a.md", "b.md", "b\n"},
		{"another, from above", "sub", "", "@a.md", "@a.md", ampersat.Loaded, "../a.md", "../deep/er/c.md", "c\n"},
		{"from one branch to another", "deep/er", "sub", "@c.md", "@a.md", ampersat.Loaded, "../../sub/a.md", "c.md", "c\n"},
		{"where it began", "sub", "sub", "@a.md", "@a.md", ampersat.Unchanged, "a.md", "b.md", "b\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := func(dir string) world { other := w; other.project = filepath.Join(w.project, dir); return other }
			_, d := echoed(t, in(c.began), "none", Talk{})
			if _, err := d.Turn(context.Background(), ampersat.Ask(c.first), nil); err != nil {
				t.Fatal(err)
			}
			seer, err := New(Options{Dir: in(c.then).project})
			if err != nil {
				t.Fatal(err)
			}
			defer seer.Close()
			seen, err := seer.Seen(context.Background(), string(d.ID()), func(warning string) { t.Error(warning) })
			if err != nil {
				t.Fatal(err)
			}
			quiet := ampersat.Ask("hello")
			quiet.View = seen.View
			stack, err := seer.Pipeline.Prepare(context.Background(), quiet)
			if err != nil || len(stack.Notes) > 0 {
				t.Errorf("nothing has changed: %q, %v", stack.Notes, err)
			}

			a, again := echoed(t, in(c.then), "none", Talk{Session: string(d.ID())})
			answer, err := again.Turn(context.Background(), ampersat.Ask(c.second), nil)
			if err != nil {
				t.Fatal(err)
			}
			if r := answer.Stack.Reports[0]; r.Outcome != c.outcome || r.Name != c.called || len(answer.Stack.Notes) > 0 {
				t.Errorf("%s is %s, called %q, %q; want %s, %q", c.second, r.Outcome, r.Name, answer.Stack.Notes, c.outcome, c.called)
			}
			conf, err := a.conversation(Talk{}, "", profile.Merged{}, again.Chosen, new(session.Memory))
			if err != nil {
				t.Fatal(err)
			}
			ran := false
			for _, tool := range conf.Tools {
				if tool.Spec().Name != "read_file" {
					continue
				}
				ran = true
				result, err := tool.Run(context.Background(), agent.Call{Input: jsontext.Value(`{"path":"` + c.call + `"}`)})
				if err != nil || len(result.Parts) != 1 {
					t.Fatalf("read %s: %v", c.call, err)
				}
				if got := result.Parts[0].(message.Context); got.Text != c.reads || got.Names[0] != c.call {
					t.Errorf("read %s: %q, called %q", c.call, got.Text, got.Names[0])
				}
			}
			if !ran {
				t.Error("there is no read_file")
			}
		})
	}
}

// What a log says of where it began is believed as far as it is in the project.
func TestALogThatBeganNowhere(t *testing.T) {
	w := newWorld(t, map[string]string{".ampersat/config.yaml": "", "sub/a.md": "", "file": ""})
	if err := os.Symlink(t.TempDir(), filepath.Join(w.project, "out")); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"": "", "sub": "sub", ".": "", "../elsewhere": "", "/etc": "", "gone": "", "file": "", "out": "", "sub/..": ""} {
		a, err := New(Options{Dir: w.project})
		if err != nil {
			t.Fatal(err)
		}
		a.settleIn(session.Meta{Dir: a.Root}, dir)
		if got := a.workplace(); got != filepath.Join(w.project, want) {
			t.Errorf("%q: works in %s", dir, got)
		}
		a.settleIn(session.Meta{Dir: filepath.Join(a.sessionDir(), "sub")}, ".")
		if got := a.workplace(); got != filepath.Join(w.project, "sub") {
			t.Errorf("a session of a part of the project works in %s", got)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
