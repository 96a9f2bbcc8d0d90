package app

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// echoed opens a conversation with echo, under a profile.
func echoed(t *testing.T, w world, profile string, talk Talk) (*App, *Dialogue) {
	t.Helper()
	return talkTo(t, w, "echo", "echo", "", talk, config.Flag{Name: "--profile", Key: "profile", Value: profile})
}

// What a profile says about a conversation counts in it.
func TestAProfileShapesAConversation(t *testing.T) {
	w := newWorld(t, map[string]string{
		"~/.ampersat/profiles/mine.md": `---
profile: {name: mine, extends: "foundation:base"}
session: {orchestrator: basic, context: smart}
agents: [explorer]
tools: [read_file]
exclude: {tools: [search, fetch]}
context:
  config:
    placement: tool
    budget: 1234
    compact_threshold: 0.8
    compact_target: 0.4
    retention: {turns: 3, tool_results: 2, recent: 0.1, pinned: ["*.md"]}
---
Be mine.
`, "a.md": "alpha"})
	a, d := echoed(t, w, "mine", Talk{})
	merged, err := a.Library.Profile("mine")
	if err != nil {
		t.Fatal(err)
	}
	p, err := a.policy(merged, 1000)
	if err != nil || p.Strategy != session.Smart || p.Threshold != 0.8 || p.Target != 0.4 || p.Turns != 3 || p.ToolResults != 2 || p.Recent != 0.1 || len(p.Rules) != 1 || !p.Rules[0].Keep {
		t.Errorf("%+v", p)
	}
	if d.Place != ampersat.AsTool || d.Budget.Turn != 1234 || !d.AtOnce {
		t.Errorf("%+v", d)
	}
	answer, err := d.Turn(context.Background(), ampersat.Ask("@explorer and @reviewer"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Stack.Reports) != 1 || answer.Stack.Reports[0].Written != "@explorer" {
		t.Errorf("agents: %+v", answer.Stack.Reports)
	}
	text := message.Flatten(answer.Message.Content)
	if !strings.Contains(text, "Be mine.") || !strings.Contains(text, "Tools: read_file, list_files\n") {
		t.Error(text)
	}
}

func TestASessionOfAnotherProjectIsNamed(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "alpha", "sub/.ampersat/config.yaml": ""})
	_, d := echoed(t, w, "none", Talk{})
	if _, err := d.Turn(context.Background(), ampersat.Ask("hello"), nil); err != nil {
		t.Fatal(err)
	}
	var warned []string
	other := w
	other.project += "/sub"
	_, again := echoed(t, other, "none", Talk{Session: string(d.ID()), Alert: func(text string) { warned = append(warned, text) }})
	if again.ID() != d.ID() || len(warned) != 1 || !strings.Contains(warned[0], w.project) {
		t.Errorf("%v", warned)
	}
}

// One yes is enough: what a person lets a tool read is open for it.
func TestAYesOpensWhatItIsAbout(t *testing.T) {
	w := newWorld(t, map[string]string{"a.md": "alpha", "~/outside/b.md": "beta"})
	outside := strings.TrimSuffix(w.ampHome, "/.ampersat") + "/outside/b.md"
	a, err := New(Options{Dir: w.project})
	if err != nil {
		t.Fatal(err)
	}
	asked := 0
	p, err := a.permissions(Talk{Ask: func(context.Context, agent.Question) (agent.Decision, error) {
		asked++
		return agent.AllowOnce, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	read := agent.Action{Effect: agent.Reads, Subject: outside}
	fetch := agent.Action{Effect: agent.Fetches, Subject: "127.0.0.1:1", Detail: "http://127.0.0.1:1/page"}
	for range 2 {
		for _, action := range []agent.Action{read, fetch} {
			if err := p.Check(context.Background(), agent.Question{Tool: "tool", Action: action}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if asked != 2 {
		t.Errorf("asked %d times", asked)
	}
	stack, err := a.Pipeline.Prepare(context.Background(), ampersat.Ask("@"+outside))
	if err != nil || len(stack.Reports) != 1 || stack.Reports[0].Outcome != ampersat.Loaded {
		t.Errorf("%+v %v", stack.Reports, err)
	}
}

// What a person allows for good is not asked again in this project, as long as
// it is trusted as it is.
func TestAPermissionIsRememberedForTheProject(t *testing.T) {
	w := newWorld(t, map[string]string{".ampersat/config.yaml": "profile: dev\n"})
	action := agent.Action{Effect: agent.Runs, Subject: "go test ./...", Summary: "run go test ./..."}
	asked := 0
	check := func() error {
		t.Helper()
		a, err := New(Options{Dir: w.project})
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.permissions(Talk{Ask: func(context.Context, agent.Question) (agent.Decision, error) {
			asked++
			return agent.AllowForProject, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		return p.Check(context.Background(), agent.Question{Tool: "shell", Action: action})
	}
	if err := check(); err != nil || asked != 1 {
		t.Fatal(asked, err)
	}
	if err := check(); err != nil || asked != 2 { // the project is not trusted: nothing is kept
		t.Fatal(asked, err)
	}
	ground, err := Locate(w.project)
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := ground.Project.Snapshot()
	if err == nil {
		err = ground.Project.Agree(snapshot, time.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := check(); err != nil || asked != 3 {
			t.Fatal(asked, err)
		}
	}
}

// Who follows the log is told what is appended meanwhile.
func TestTheLogIsFollowed(t *testing.T) {
	w := newWorld(t, nil)
	a, d := echoed(t, w, "none", Talk{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	names := make(chan string, 64)
	ended := make(chan error, 1)
	go func() {
		ended <- a.Logs(ctx, LogQuery{Follow: true}, func(e LogEvent) error { names <- e.Name; return nil })
	}()
	for range 2 { // the second turn comes while somebody follows
		if _, err := d.Turn(context.Background(), ampersat.Ask("hello"), nil); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{LogUserMessage, LogRequest, LogResponse} {
			select {
			case have := <-names:
				if have != want {
					t.Fatalf("%s, want %s", have, want)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s does not come", want)
			}
		}
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestACallBringsNoMoreThanAQuarterOfTheWindow(t *testing.T) {
	for window, want := range map[int]int{0: 0, 8_000: 2_000, 128_000: 0, 127_000: 31_750, 1_000_000: 0} {
		if have := callBudget(window).Turn; have != want {
			t.Errorf("window %d: %d tokens, want %d", window, have, want)
		}
	}
}
