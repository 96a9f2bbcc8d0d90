package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
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
			result, err := toolCalled(t, a, again, "read_file").Run(context.Background(), agent.Call{Input: jsontext.Value(`{"path":"` + c.call + `"}`)})
			if err != nil || len(result.Parts) != 1 {
				t.Fatalf("read %s: %v", c.call, err)
			}
			if got := result.Parts[0].(message.Context); got.Text != c.reads || got.Names[0] != c.call {
				t.Errorf("read %s: %q, called %q", c.call, got.Text, got.Names[0])
			}
		})
	}
}

// A session that goes on in another project says nothing of the files of the first,
// and takes no file for another that is called the same there; nor when it is back.
func TestASessionGoesOnInAnotherProject(t *testing.T) {
	long := strings.Repeat("a line that stays as it is\n", 40)
	w := newWorld(t, map[string]string{".ampersat/config.yaml": "", "a.md": "one\n" + long, "only.md": "only\n", "log:10": "log\n", "sub/b.md": "b\n", "~/.ampersat/context/mine.md": "mine\n"})
	for began, up := range map[string]string{"": "", "sub": "../"} {
		base := t.TempDir()
		first, second, mine := w, w, filepath.Join(w.ampHome, "context", "mine.md")
		first.project, second.project = filepath.Join(w.project, began), filepath.Join(base, "second")
		for name, text := range map[string]string{".ampersat/config.yaml": "", "a.md": "two\n" + long, "sub/b.md": "b\n"} {
			path := filepath.Join(second.project, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(mine, []byte("mine\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		id := ""
		own := filepath.ToSlash(filepath.Join(second.project, "a.md"))
		for i, step := range []struct {
			in       world
			ask      string
			outcomes []ampersat.Outcome
			names    []string
			notes    string
			then     func() error
		}{
			{first, "@" + up + "a.md @" + up + "only.md @\"" + up + "log:10\" @user:context/mine.md", []ampersat.Outcome{"loaded", "loaded", "loaded", "loaded"}, []string{up + "a.md", up + "only.md", up + "log:10", "user:context/mine.md"}, "", nil},
			{second, "hello", nil, nil, "", nil},
			{second, "@a.md @user:context/mine.md", []ampersat.Outcome{"loaded", "unchanged"}, []string{own, "user:context/mine.md"}, "", nil},
			{second, "@./a.*", []ampersat.Outcome{"loaded", "unchanged"}, []string{"a.*", own}, "", nil},
			{second, "@" + own, []ampersat.Outcome{"unchanged"}, []string{own}, "", func() error {
				return errors.Join(os.WriteFile(own, []byte("other\n"), 0o644), os.WriteFile(mine, []byte("other\n"), 0o644))
			}},
			{second, "hello", nil, nil, "user:context/mine.md: changed since turn 1; the new version has not been sent\n" + own + ": changed since turn 3; the new version has not been sent", nil},
			{first, "@" + up + "a.md", []ampersat.Outcome{"unchanged"}, []string{up + "a.md"}, "", nil},
		} {
			_, d := echoed(t, step.in, "none", Talk{Session: id, Alert: func(string) {}})
			answer, err := d.Turn(context.Background(), ampersat.Ask(step.ask), nil)
			if err != nil {
				t.Fatal(err)
			}
			id = string(d.ID())
			var outcomes []ampersat.Outcome
			var names []string
			for _, r := range answer.Stack.Reports {
				outcomes, names = append(outcomes, r.Outcome), append(names, r.Name)
			}
			if !slices.Equal(outcomes, step.outcomes) || !slices.Equal(names, step.names) {
				t.Errorf("began in %q, step %d, %s: %v %q; want %v %q", began, i, step.ask, outcomes, names, step.outcomes, step.names)
			}
			if notes := strings.Join(answer.Stack.Notes, "\n"); notes != step.notes {
				t.Errorf("began in %q, step %d, %s: noted %q", began, i, step.ask, notes)
			}
			if step.then != nil {
				if err := step.then(); err != nil {
					t.Fatal(err)
				}
			}
		}
		a, d := echoed(t, second, "none", Talk{Session: id, Alert: func(string) {}})
		got, err := toolCalled(t, a, d, "write_file").Run(context.Background(), agent.Call{Input: jsontext.Value(`{"path":"new.md","content":"new\n"}`)})
		if err != nil {
			t.Fatal(err)
		}
		if names := got.Parts[0].(message.Context).Names; !slices.Equal(names, []string{filepath.ToSlash(filepath.Join(second.project, "new.md"))}) {
			t.Errorf("began in %q: what is written is called %q", began, names)
		}
	}
}

// What a log says of where it began is believed as far as it can be in the project.
// Names of contents and tools are seen from the same folder.
func TestALogThatBeganNowhere(t *testing.T) {
	w := newWorld(t, map[string]string{".ampersat/config.yaml": "", "sub/a.md": "", "file": ""})
	if err := os.Symlink(t.TempDir(), filepath.Join(w.project, "out")); err != nil {
		t.Fatal(err)
	}
	a, err := New(Options{Dir: w.project})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, c := range []struct {
		about string // the project of the session
		dir   string
		want  string
		warns bool
	}{
		{about: a.Root, dir: "sub", want: "sub"},
		{about: a.Root, dir: ""}, // and not where the one before it began
		{about: a.Root, dir: "."},
		{about: a.Root, dir: "sub/.."},
		{about: a.Root, dir: "../elsewhere"},
		{about: a.Root, dir: "/etc"},
		{about: a.Root, dir: "gone", want: "gone", warns: true},
		{about: a.Root, dir: "file", want: "file", warns: true},
		{about: a.Root, dir: "out", want: "out", warns: true},
		{about: filepath.Join(a.sessionDir(), "sub"), dir: ".", want: "sub"},
		{about: filepath.Join(a.sessionDir(), "sub"), dir: "gone", want: "sub/gone", warns: true},
		{about: "/another/project", dir: "sub", want: "sub"},
		{about: "/another/project", dir: "gone"},
		{about: "/another/project", dir: "out"},
		{about: "", dir: "gone"},
	} {
		warned := false
		a.settleIn(session.Meta{Dir: c.about}, c.dir, func(string) { warned = true })
		if got := a.workplace(); got != filepath.Join(w.project, c.want) || warned != c.warns {
			t.Errorf("%q of %q: tools work in %s, warned %v", c.dir, c.about, got, warned)
		}
		stack, err := a.Pipeline.Prepare(context.Background(), ampersat.Ask("@sub/a.md"))
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(c.want, "sub/a.md")
		if got := stack.Reports[0].Name; err != nil || got != filepath.ToSlash(name) {
			t.Errorf("%q of %q: a file is called %q, want %q, %v", c.dir, c.about, got, name, err)
		}
	}
}

// The folder that a session began in is gone. A file elsewhere is not taken for the
// one that had its name there, and tools find it by the name that the model has.
func TestAModelStaysInAFolderThatIsGone(t *testing.T) {
	w := newWorld(t, map[string]string{".ampersat/config.yaml": "", "a.md": "root\n", "sub/a.md": "sub\n"})
	sub := w
	sub.project = filepath.Join(w.project, "sub")
	_, d := echoed(t, sub, "none", Talk{})
	if _, err := d.Turn(context.Background(), ampersat.Ask("@a.md"), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(sub.project, filepath.Join(t.TempDir(), "away")); err != nil {
		t.Fatal(err)
	}
	var warned []string
	a, again := echoed(t, w, "none", Talk{Session: string(d.ID()), Alert: func(text string) { warned = append(warned, text) }})
	if len(warned) != 1 || !strings.Contains(warned[0], sub.project+", which is no folder of this project any more") {
		t.Errorf("%q", warned)
	}
	answer, err := again.Turn(context.Background(), ampersat.Ask("@a.md"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r := answer.Stack.Reports[0]; r.Outcome != ampersat.Loaded || r.Name != "../a.md" {
		t.Errorf("%s, called %q", r.Outcome, r.Name)
	}
	if notes := answer.Stack.Notes; len(notes) != 1 || notes[0] != "a.md: removed since turn 1" {
		t.Errorf("%q", notes)
	}
	call := func(name, input string) (agent.Result, error) {
		return toolCalled(t, a, again, name).Run(context.Background(), agent.Call{Input: jsontext.Value(input)})
	}
	if got, err := call("read_file", `{"path":"../a.md"}`); err != nil || len(got.Parts) != 1 || got.Parts[0].(message.Context).Text != "root\n" {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := call("edit_file", `{"path":"a.md","old":"root","new":"other"}`); err == nil {
		t.Errorf("it is gone: %+v", got)
	}
	if got, err := call("shell", `{"command":"pwd"}`); err == nil || !strings.Contains(err.Error(), "there is no such folder; name another in dir") {
		t.Errorf("a command in a folder that is gone: %+v %v", got, err)
	}
	if got, err := call("shell", `{"command":"pwd","dir":".."}`); err != nil || !strings.Contains(message.Flatten(message.Of(got.Parts...)), a.sessionDir()+"\n") {
		t.Errorf("%+v %v", got, err)
	}
}

// toolCalled is a tool of a conversation.
func toolCalled(t *testing.T, a *App, d *Dialogue, name string) agent.Tool {
	t.Helper()
	conf, err := a.conversation(Talk{}, "", profile.Merged{}, d.Chosen, new(session.Memory))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(conf.Tools, func(tool agent.Tool) bool { return tool.Spec().Name == name })
	if i < 0 {
		t.Fatalf("there is no %s", name)
	}
	return conf.Tools[i]
}
