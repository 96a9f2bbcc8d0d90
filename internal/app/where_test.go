package app

import (
	"context"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// Mentions work wherever a text can have them, and everywhere through the same
// pipeline: a test for each place. In all of them the content stands before the
// text, the mention stays where it was, a nested mention is followed from the
// folder of its file, and what is not there is told.

// app returns the program in this world.
func (w world) app(trusted bool) *App {
	w.t.Helper()
	a, err := New(Options{Dir: w.project, Trusted: func() bool { return trusted }})
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// guide is a project in which docs/guide.md mentions a file beside it.
func guide(t *testing.T, more map[string]string) world {
	files := map[string]string{"docs/guide.md": "See @detail.md", "docs/detail.md": "Detail."}
	for name, text := range more {
		files[name] = text
	}
	return newWorld(t, files)
}

// told checks what became of the mentions.
func told(t *testing.T, stack ampersat.Stack) {
	t.Helper()
	var have []string
	for _, r := range stack.Reports {
		have = append(have, r.Written+" "+string(r.Outcome))
	}
	want := []string{"@docs/guide.md loaded", "@detail.md loaded", "@gone.md missing"}
	if len(have) != len(want) || have[0] != want[0] || have[1] != want[1] || have[2] != want[2] {
		t.Errorf("have %q, want %q", have, want)
	}
}

const guided = "Follow @docs/guide.md and @gone.md."

func TestMentionsWorkInProfileBodies(t *testing.T) {
	w := guide(t, map[string]string{".ampersat/profiles/dev.md": "---\nprofile: {name: dev}\n---\n" + guided})
	stack, m, err := w.app(true).System(context.Background(), "dev")
	if err != nil {
		t.Fatal(err)
	}
	told(t, stack)
	w.reads(stack, "system: "+block("docs/guide.md", "See @detail.md"), "system: "+block("docs/detail.md", "Detail."), "system: "+guided)
	if m.Lines(stack.Reports[0].Start).String() != ".ampersat/profiles/dev.md:4:8" {
		t.Errorf("%v", m.Lines(stack.Reports[0].Start))
	}
}

func TestMentionsWorkInUserInput(t *testing.T) {
	w := guide(t, nil)
	stack := w.prepare(ampersat.Ask(guided))
	told(t, stack)
	w.reads(stack, "developer: "+block("docs/guide.md", "See @detail.md"), "developer: "+block("docs/detail.md", "Detail."), "user: "+guided)
}

func TestMentionsWorkInSystemMessages(t *testing.T) {
	w := guide(t, nil)
	stack := w.prepare(ampersat.Turn{
		Message: message.Message{Role: message.System, Content: message.Say(guided)}, Place: ampersat.InSystem,
	})
	told(t, stack)
	w.reads(stack, "system: "+block("docs/guide.md", "See @detail.md"), "system: "+block("docs/detail.md", "Detail."), "system: "+guided)
}

func TestMentionsWorkInMessagesOfAConversation(t *testing.T) {
	w := guide(t, nil)
	earlier := []message.Message{
		{Role: message.System, Content: message.Say("Be kind.")},
		{Role: message.User, Content: message.Say("Hello")},
		{Role: message.Assistant, Content: message.Say("Hello. Do not expand @docs/guide.md for me.")},
	}
	turn := ampersat.Ask(guided)
	turn.View.Messages = earlier
	stack := w.prepare(turn)
	told(t, stack)
	w.reads(stack, "developer: "+block("docs/guide.md", "See @detail.md"), "developer: "+block("docs/detail.md", "Detail."), "user: "+guided)
	// In the next message of the same conversation it is there already.
	turn.View.Messages = append(earlier, stack.All()...)
	if again := w.prepare(turn); again.Reports[0].Outcome != ampersat.Unchanged || again.Reports[1].Outcome != ampersat.Unchanged {
		t.Errorf("%+v", again.Reports)
	}
}

func TestMentionsWorkInAgentInstructions(t *testing.T) {
	w := guide(t, map[string]string{".ampersat/agents/scout.md": "---\nmeta: {name: scout}\n---\n" + guided})
	stack, agent, err := w.app(true).Agent(context.Background(), "scout")
	if err != nil {
		t.Fatal(err)
	}
	told(t, stack)
	w.reads(stack, "system: "+block("docs/guide.md", "See @detail.md"), "system: "+block("docs/detail.md", "Detail."), "system: "+guided)
	if agent.Lines(stack.Reports[0].Start).String() != ".ampersat/agents/scout.md:4:8" {
		t.Errorf("%v", agent.Lines(stack.Reports[0].Start))
	}
}

func TestMentionsWorkInDelegatedPrompts(t *testing.T) {
	w := guide(t, map[string]string{
		".ampersat/agents/scout.md": "Look around.", ".ampersat/agents/hidden.md": "---\ncallers: [model]\n---\nNot for people.",
	})
	a := w.app(true)
	// What a person hands over is a mention itself; those in it belong to it.
	stack, err := a.Pipeline.Prepare(context.Background(), ampersat.Ask("@task:scout("+guided+")"))
	if err != nil {
		t.Fatal(err)
	}
	if len(stack.Reports) != 1 || stack.Reports[0].Outcome != ampersat.Delegated {
		t.Fatalf("%+v", stack.Reports)
	}
	task := stack.Reports[0].Mention.(mention.Subtask)
	stack, err = a.Delegate(context.Background(), task.Agent, task.Prompt)
	if err != nil {
		t.Fatal(err)
	}
	told(t, stack)
	if _, err := a.Delegate(context.Background(), "hidden", "x"); err == nil || !strings.Contains(err.Error(), "its callers do not include a person") {
		t.Errorf("%v", err)
	}
	w.reads(stack, "system: Look around.", "developer: "+block("docs/guide.md", "See @detail.md"), "developer: "+block("docs/detail.md", "Detail."), "user: "+guided)
}
