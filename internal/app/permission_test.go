package app

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/process"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/tool"
	"github.com/go-json-experiment/json"
)

// caller calls tools as an agent does, and answers questions by how they begin.
type caller struct {
	t     *testing.T
	app   *App
	by    *agent.Permissions
	yes   []string
	asked []string
	// decision is what a yes is.
	decision agent.Decision
}

func newCaller(t *testing.T, dir string) *caller {
	t.Helper()
	a, err := New(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	c := &caller{t: t, app: a, decision: agent.AllowOnce}
	c.by, err = a.permissions(Talk{Ask: func(_ context.Context, q agent.Question) (agent.Decision, error) {
		c.asked = append(c.asked, q.Summary)
		for _, begin := range c.yes {
			if strings.HasPrefix(q.Summary, begin) {
				return c.decision, nil
			}
		}
		return agent.Refuse, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// call returns what the model reads, or the error, and what was asked.
func (c *caller) call(name string, arguments map[string]any) (text, asked string) {
	c.t.Helper()
	input, err := json.Marshal(arguments)
	if err != nil {
		c.t.Fatal(err)
	}
	a := c.app
	c.asked = nil
	for _, each := range tool.New(tool.Config{Pipeline: a.Pipeline, Roots: a.roots, Consent: a.Consent, Dir: a.workplace(), Home: a.home}) {
		if each.Spec().Name != name {
			continue
		}
		action, err := each.Plan(input)
		if err == nil {
			err = c.by.Check(context.Background(), agent.Question{Tool: name, Action: action})
		}
		if err != nil {
			return err.Error(), strings.Join(c.asked, ", ")
		}
		result, err := each.Run(context.Background(), agent.Call{Input: input})
		if err != nil {
			return err.Error(), strings.Join(c.asked, ", ")
		}
		return message.Flatten(message.Of(result.Parts...).Rendered()), strings.Join(c.asked, ", ")
	}
	c.t.Fatalf("there is no tool %s", name)
	return "", ""
}

// A yes to a list is one to names, and to nothing that is in the files: neither
// another tool nor a mention gets at them, whatever they are called.
func TestAYesToAListOpensNoFile(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "alpha", "~/outside/b.md": "beta", "~/outside/sub/c.md": "gamma"})
	outside := filepath.Join(filepath.Dir(w.ampHome), "outside")
	c := newCaller(t, w.project)
	c.yes = []string{"list " + outside}
	for range 2 {
		text, asked := c.call("list_files", map[string]any{"path": outside})
		if !strings.Contains(text, "b.md\n") || asked != "" && asked != "list "+outside {
			t.Errorf("asked %q:\n%s", asked, text)
		}
	}
	if text, asked := c.call("list_files", map[string]any{"path": "@~/outside"}); !strings.Contains(text, "b.md\n") || asked != "" {
		t.Errorf("asked %q:\n%s", asked, text)
	}
	if _, asked := c.call("list_files", map[string]any{"path": outside + "/sub"}); asked != "list "+outside+"/sub" {
		t.Errorf("asked %q", asked)
	}
	for _, path := range []string{outside + "/b.md", "@" + outside + "/b.md", "@~/outside/b.md", "~/outside/b.md"} {
		if text, asked := c.call("read_file", map[string]any{"path": path}); asked != "read "+outside+"/b.md" || !strings.Contains(text, "the person said no") {
			t.Errorf("%s: asked %q:\n%s", path, asked, text)
		}
	}
	if text, asked := c.call("search", map[string]any{"path": outside, "pattern": "."}); asked != "search "+outside+" for ." || !strings.Contains(text, "the person said no") {
		t.Errorf("asked %q:\n%s", asked, text)
	}
	for mentioned, want := range map[string]ampersat.Outcome{"@" + outside + "/": ampersat.Loaded, "@" + outside + "/b.md": ampersat.Blocked, "@" + outside + "/*.md": ampersat.Blocked} {
		stack, err := c.app.Pipeline.Prepare(context.Background(), ampersat.Ask(mentioned))
		if err != nil || len(stack.Reports) != 1 || stack.Reports[0].Outcome != want {
			t.Errorf("%s: %+v %v", mentioned, stack.Reports, err)
		}
	}
}

// A yes to a search is one to what it shows: its files, line by line, and their
// names, as often as it is made. To read a file is another question.
func TestAYesToASearchOpensWhatItReads(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "alpha", "~/outside/b.md": "beta"})
	outside := filepath.Join(filepath.Dir(w.ampHome), "outside")
	c := newCaller(t, w.project)
	c.yes = []string{"search"}
	for i, want := range []string{"search " + outside + " for .", ""} {
		text, asked := c.call("search", map[string]any{"path": outside, "pattern": "."})
		if !strings.Contains(text, "b.md:1: beta") || asked != want {
			t.Errorf("%d: asked %q:\n%s", i, asked, text)
		}
	}
	if text, asked := c.call("list_files", map[string]any{"path": outside}); !strings.Contains(text, "b.md\n") || asked != "" {
		t.Errorf("asked %q:\n%s", asked, text)
	}
	for _, path := range []string{outside + "/b.md", "@~/outside/b.md"} {
		if text, asked := c.call("read_file", map[string]any{"path": path}); asked != "read "+outside+"/b.md" || strings.Contains(text, "beta") {
			t.Errorf("asked %q:\n%s", asked, text)
		}
	}
}

// A command that is allowed for the project is allowed where it was run, wherever
// the next session begins.
func TestACommandIsAllowedWhereItWasRun(t *testing.T) {
	w := newWorld(t, map[string]string{".git/HEAD": "x", "sub/a.md": "alpha", "other/b.md": "beta"})
	run := func(dir string, arguments map[string]any) string {
		t.Helper()
		c := newCaller(t, dir)
		c.yes = []string{"run"}
		c.decision = agent.AllowForProject
		text, asked := c.call("shell", arguments)
		if !strings.Contains(text, "ran in ") {
			t.Errorf("%v in %s: %s", arguments, dir, text)
		}
		return asked
	}
	command := `echo "ran in $PWD"`
	for _, c := range []struct{ dir, in, asked string }{
		{".", "", "run " + command},
		{".", "", ""},
		{"sub", "", "run cd " + process.Word(w.project+"/sub") + " && " + command}, // not in another folder
		{"sub", "", ""},
		{".", "sub", ""}, // the same folder
		{"other", "../sub", ""},
		{"other", "..", ""},
		{"other", ".", "run cd " + process.Word(w.project+"/other") + " && " + command},
		{"sub", "../other", ""},
	} {
		if asked := run(filepath.Join(w.project, c.dir), map[string]any{"command": command, "dir": c.in}); asked != c.asked {
			t.Errorf("%+v: asked %q", c, asked)
		}
	}
}

// A refusal advises the narrowest thing that lifts it, and that does lift it when
// it is typed.
func TestARefusalAdvisesAsLittleAsCanBe(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "alpha", "~/out side/b.md": "beta"})
	outside := filepath.Join(filepath.Dir(w.ampHome), "out side", "b.md")
	check := func(o Options, action agent.Action) error {
		o.Dir = w.project
		a, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.permissions(Talk{})
		if err != nil {
			t.Fatal(err)
		}
		return p.Check(context.Background(), agent.Question{Tool: "tool", Action: action})
	}
	mode := func(value string) config.Flag {
		return config.Flag{Name: "--permissions", Key: "permissions.mode", Value: value}
	}
	for _, test := range []struct {
		action agent.Action
		advice string
		typed  Options
	}{
		{agent.Action{Effect: agent.Reads, Subject: outside}, "--allow '" + outside + "'", Options{Allow: []string{outside}}},
		{agent.Action{Effect: agent.Reads, Subject: filepath.Dir(outside) + "/"}, "--allow '" + filepath.Dir(outside) + "'", Options{Allow: []string{filepath.Dir(outside)}}},
		{agent.Action{Effect: agent.Reads, Subject: filepath.Join(w.project, "a.md")}, "--permissions auto-read", Options{Flags: []config.Flag{mode("auto-read")}}},
		{agent.Action{Effect: agent.Reads, Subject: "a table"}, "--permissions all", Options{Flags: []config.Flag{mode("all")}}},
		{agent.Action{Effect: agent.Fetches, Subject: "a.example:8443", Detail: "https://a.example:8443/b?c"}, "--allow https://a.example:8443/", Options{Allow: []string{"https://a.example:8443/"}}},
		{agent.Action{Effect: agent.Writes, Subject: filepath.Join(w.project, "a.md")}, "--permissions all", Options{Flags: []config.Flag{mode("all")}}},
		{agent.Action{Effect: agent.Runs, Subject: "true", Detail: "true"}, "--permissions all", Options{Flags: []config.Flag{mode("all")}}},
	} {
		err := check(Options{Flags: []config.Flag{mode("ask")}}, test.action)
		if err == nil || !strings.HasSuffix(err.Error(), "(to allow it: "+test.advice+")") {
			t.Errorf("%+v: %v, want %s", test.action, err, test.advice)
		}
		if test.typed.Flags == nil {
			test.typed.Flags = []config.Flag{mode("ask")}
		}
		if err := check(test.typed, test.action); err != nil {
			t.Errorf("the advice does not help: %v", err)
		}
	}
}
