package agent

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

func TestWhatAConfigLacksIsNamed(t *testing.T) {
	provider := &scripted{}
	for _, c := range []struct {
		config         Config
		starts, resume string
	}{
		{Config{}, "start a session: the config has no Provider, no Model", "resume session x: the config has no Store, no Provider, no Model"},
		{Config{Provider: provider}, "start a session: the config has no Model", "resume session x: the config has no Store, no Model"},
		{Config{Provider: provider, Model: "m"}, "", "resume session x: the config has no Store"},
		{Config{Provider: provider, Model: "m", Store: new(session.Memory), Tools: []Tool{probe{name: "look"}, nil}},
			"start a session: the config has a tool that is nil, at 1", "resume session x: the config has a tool that is nil, at 1"},
		{Config{Provider: provider, Model: "m", Store: new(session.Memory), Tools: []Tool{probe{name: "look"}, probe{}}},
			"start a session: the config has a tool without a name, at 1", "resume session x: the config has a tool without a name, at 1"},
		{Config{Provider: provider, Model: "m", Store: new(session.Memory), Tools: []Tool{probe{name: "look"}, probe{name: "see"}, probe{name: "look"}}},
			`start a session: the config has two tools called "look", at 0 and 2`, `resume session x: the config has two tools called "look", at 0 and 2`},
		{Config{Provider: provider, Model: "m", Store: new(session.Memory), Policy: session.Policy{Window: 5000}},
			"start a session: context policy: there is no strategy", "resume session x: context policy: there is no strategy"},
	} {
		_, err := Start(c.config, session.Meta{})
		if (err == nil) != (c.starts == "") || err != nil && !strings.HasPrefix(err.Error(), c.starts) {
			t.Errorf("start: have %v, want %s", err, c.starts)
		}
		if _, err = Resume(t.Context(), c.config, "x"); err == nil || !strings.HasPrefix(err.Error(), c.resume) {
			t.Errorf("resume: have %v, want %s", err, c.resume)
		}
	}
}

func TestAnIDThatIsNoneIsToldAtOnce(t *testing.T) {
	_, err := Start(Config{Provider: &scripted{}, Model: "m"}, session.Meta{ID: "a b"})
	if err == nil || !strings.Contains(err.Error(), `parse session id "a b"`) {
		t.Error(err)
	}
}

// Somebody to speak to is all that a conversation needs.
func TestAConversationWithNothingButAModel(t *testing.T) {
	c, err := Start(Config{Provider: &scripted{}, Model: "m"}, session.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		answer, err := c.Turn(t.Context(), ampersat.Ask("Explain @a.md to @alice"), nil)
		if err != nil || brief(answer.Message) != "done" || len(answer.Stack.Bad()) != 1 {
			t.Errorf("%+v %v", answer, err)
		}
	}
	if n := len(c.View().Messages); n != 4 {
		t.Errorf("%d messages", n)
	}
}

func TestAConversationThatWasNotBegun(t *testing.T) {
	var c Conversation
	if _, err := c.Turn(t.Context(), ampersat.Ask("hello"), nil); err == nil || !strings.Contains(err.Error(), "agent.Start") {
		t.Error(err)
	}
	if c.ID() != "" || len(c.View().Messages) != 0 {
		t.Error(c.ID(), c.View())
	}
}

func TestAProviderWithoutAStream(t *testing.T) {
	if _, err := Collect(nil); err == nil {
		t.Error("nothing was collected")
	}
	w := newWorld(t, &scripted{steps: []step{func(context.Context, message.Request) Stream { return nil }}}, nil)
	if _, err := w.Turn(t.Context(), ampersat.Ask("hello"), nil); !errors.Is(err, message.ErrStream) {
		t.Error(err)
	}
}
