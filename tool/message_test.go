package tool_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/session"
)

// caller is a model that makes some calls, all those of a step in one message,
// and reads what came of them.
type caller struct {
	steps   [][]message.ToolCall
	results map[string]string
}

func (*caller) Name() string { return "caller" }

func (*caller) Model(name string) model.Card {
	return model.Card{Provider: "caller", Name: name, Tools: true}
}

func (c *caller) Stream(_ context.Context, request message.Request) agent.Stream {
	for _, m := range request.Messages {
		for _, part := range m.Content.Parts {
			if result, is := part.(message.ToolResult); is {
				c.results[result.ToolCallID] = message.Flatten(message.Of(result.Parts()...).Rendered())
			}
		}
	}
	end := message.MessageEnd{Content: []message.Part{message.Text{Text: "done"}}, FinishReason: agent.FinishStop}
	if len(c.steps) > 0 {
		end.FinishReason = agent.FinishToolCalls
		for _, call := range c.steps[0] {
			end.Content = append(end.Content, call)
		}
		c.steps = c.steps[1:]
	}
	return func(yield func(message.Event, error) bool) { yield(end, nil) }
}

// talk is a conversation about a place.
type talk struct {
	failer
	*place
	*agent.Conversation
	model *caller
	calls int
}

func talkAbout(t failer, p *place) *talk {
	t.Helper()
	store := new(session.Memory)
	p.config.Pipeline.Blobs = store.Blobs()
	provider := &caller{results: map[string]string{}}
	c, err := agent.Start(agent.Config{
		Store: store, Provider: provider, Model: "m", Pipeline: p.config.Pipeline, Tools: p.tools, Permissions: &agent.Permissions{Mode: agent.ModeAll},
	}, session.Meta{})
	must(t, err)
	return &talk{failer: t, place: p, Conversation: c, model: provider}
}

// call is one in a message of the model.
func (w *talk) call(name string, a args) message.ToolCall {
	w.calls++
	return message.ToolCall{ID: fmt.Sprint("call_", w.calls), Name: name, Input: encode(w, a)}
}

// turn has the model make calls, one message of them after the other, and returns
// what it reads of each.
func (w *talk) turn(said string, messages ...[]message.ToolCall) []string {
	w.Helper()
	w.model.steps = slices.Clone(messages)
	_, err := w.Turn(context.Background(), ampersat.Ask(said), nil)
	must(w, err)
	var results []string
	for _, calls := range messages {
		for _, call := range calls {
			results = append(results, w.model.results[call.ID])
		}
	}
	return results
}

const longFile = 40

func version(last string) string {
	return strings.Repeat("a line that stays\n", longFile) + last + "\n"
}

// What is read after an edit in the same message is known from the edit.
func TestAnEditAndAReadInOneMessage(t *testing.T) {
	w := talkAbout(t, newPlace(t, map[string]string{"a.txt": version("one")}))
	read := func() message.ToolCall { return w.call("read_file", args{"path": "a.txt"}) }
	results := w.turn("go",
		[]message.ToolCall{read()},
		[]message.ToolCall{w.call("edit_file", args{"path": "a.txt", "old": "one", "new": "two"}), read()},
		[]message.ToolCall{w.call("write_file", args{"path": "a.txt", "content": "short\n"})})
	if !strings.Contains(results[1], "+two") || !strings.Contains(results[2], "[unchanged since turn 1") {
		t.Errorf("the edit says\n%s\nand the read\n%s", results[1], results[2])
	}
	if w.content(t, "a.txt") != "short\n" || w.View().Seen()["a.txt"] != blob.Of([]byte("short\n")) {
		t.Errorf("the write says %s", results[3])
	}
}

// What has become of a file between two calls of one message is told by the
// second, and known in the next turn.
func TestReadsOfOneMessageTellTheLastVersion(t *testing.T) {
	w := talkAbout(t, newPlace(t, map[string]string{"a.txt": version("one"), "1.txt": version("one"), "2.txt": version("two")}))
	read := func() message.ToolCall { return w.call("read_file", args{"path": "a.txt"}) }
	become := func(file string) message.ToolCall { return w.call("shell", args{"command": "cp " + file + " a.txt"}) }
	results := w.turn("go", []message.ToolCall{read()}, []message.ToolCall{become("2.txt"), read(), become("1.txt"), read()})
	if !strings.Contains(results[2], "+two") || !strings.Contains(results[4], "+one") {
		t.Errorf("the reads say\n%s\n%s", results[2], results[4])
	}
	if w.View().Seen()["a.txt"] != blob.Of([]byte(version("one"))) {
		t.Error("the view does not have the last version")
	}
	w.write(t, map[string]string{"a.txt": version("two")})
	stack, err := w.config.Pipeline.Prepare(t.Context(), ampersat.Turn{Message: message.Message{Role: message.User, Content: message.Say("go on")}, View: w.View()})
	must(t, err)
	if len(stack.Messages) != 2 || !strings.Contains(message.Flatten(stack.Messages[0].Content.Rendered()), "changed since turn 1") {
		t.Errorf("a change is not told: %v", stack.Messages)
	}
	turn := ampersat.Ask("see @a.txt")
	turn.View = w.View()
	stack, err = w.config.Pipeline.Prepare(t.Context(), turn)
	must(t, err)
	if stack.Reports[0].Outcome != ampersat.Changed {
		t.Errorf("the file is %s", stack.Reports[0].Outcome)
	}
}

// A model that asks to read a file and to overwrite it in one message has not seen
// what it overwrites.
func TestWhatIsReadInTheSameMessageWasNotSeen(t *testing.T) {
	w := talkAbout(t, newPlace(t, map[string]string{"a.txt": version("one"), "b.txt": version("one")}))
	w.turn("go", []message.ToolCall{w.call("read_file", args{"path": "b.txt"})})
	w.write(t, map[string]string{"b.txt": version("one") + "and more\n"})
	results := w.turn("on", []message.ToolCall{
		w.call("read_file", args{"path": "a.txt"}), w.call("write_file", args{"path": "a.txt", "content": "short\n"}),
		w.call("read_file", args{"path": "b.txt"}), w.call("edit_file", args{"path": "b.txt", "old": "one", "new": "two"}),
	})
	if !strings.Contains(results[1], "you have not seen all of it") || !strings.Contains(results[3], "it has changed since you saw it") {
		t.Errorf("the write says %s, the edit %s", results[1], results[3])
	}
	if w.content(t, "a.txt") != version("one") || w.content(t, "b.txt") != version("one")+"and more\n" {
		t.Error("they were done")
	}
}
