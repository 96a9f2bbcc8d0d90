package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"
)

// What the model can see may be looked at while a turn runs; the race detector
// is the judge.
func TestTheViewCanBeLookedAtDuringATurn(t *testing.T) {
	w := newWorld(t, &scripted{steps: slices.Repeat([]step{call("look", `{}`, "change", `{}`)}, 20)}, nil)
	var looking sync.WaitGroup
	stop := make(chan struct{})
	looking.Go(func() {
		seen := 0
		for {
			messages := w.View().Messages
			_ = render(message.Request{Messages: messages})
			if len(messages) < seen {
				t.Errorf("%d messages after %d", len(messages), seen)
			}
			seen = len(messages)
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	w.ask("go")
	close(stop)
	looking.Wait()
	if n := len(w.View().Messages); n != 42 {
		t.Errorf("%d messages", n)
	}
}

// A message that was not said is not seen, at no time.
func TestTheViewHasNothingThatIsNotInTheLog(t *testing.T) {
	w := newWorld(t, &scripted{}, nil)
	look := func(want int) func(Event) {
		return func(e Event) {
			if n := len(w.View().Messages); e.Type() == TypeResolved && n != want {
				t.Errorf("%d messages, want %d", n, want)
			}
		}
	}
	for want := range 2 {
		if _, err := w.Turn(t.Context(), ampersat.Ask("hello"), look(2*want)); err != nil {
			t.Fatal(err)
		}
	}
}

// What a tool shows after its end comes too late: an end is the last event of a
// call, and that of the turn the last of all.
func TestOutputAfterTheEndIsNotTold(t *testing.T) {
	var late []func(string)
	w := newWorld(t, &scripted{steps: []step{call("look", `{}`)}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "look", effect: Reads, run: func(_ context.Context, call Call) (Result, error) {
			call.Output("in time")
			late = append(late, call.Output)
			return Result{}, nil
		}}}
	})
	var types []string
	_, err := w.Turn(t.Context(), ampersat.Ask("go"), func(e Event) {
		if _, ok := e.(Streamed); !ok {
			types = append(types, e.Type())
		}
		if e.Type() == TypeRequested {
			for _, output := range late {
				go output("too late") // whoever watches is not called by itself
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	late[0]("far too late")
	want := []string{TypeResolved, TypeRequested, TypeToolStarted, TypeToolOutput, TypeToolEnded, TypeRequested, TypeEnded}
	if !slices.Equal(types, want) {
		t.Errorf("%q", types)
	}
}

// A turn that does not begin has no events, and disturbs the one that runs in
// nothing.
func TestATurnThatDoesNotBeginHasNoEvents(t *testing.T) {
	w := newWorld(t, &scripted{}, nil)
	tell := func(e Event) { t.Errorf("it is told of %s", e.Type()) }
	_, err := w.Turn(t.Context(), ampersat.Ask("hello"), func(Event) {
		if _, err := w.Turn(t.Context(), ampersat.Ask("me too"), tell); err != ErrBusy {
			t.Errorf("%v", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := new(Conversation).Turn(t.Context(), ampersat.Ask("hello"), tell); err == nil {
		t.Error("no error")
	}
}

// Whatever whoever watches does with an event, what is logged and sent is what
// was said.
func TestEventsAreTheWatchersOwn(t *testing.T) {
	thinking := func(ctx context.Context, request message.Request) Stream {
		cost := decimal.NewFromInt(1)
		return func(yield func(message.Event, error) bool) {
			yield(message.MessageEnd{FinishReason: FinishToolCalls, Usage: &message.Usage{InputTokens: 1, CostUSD: &cost}, Content: []message.Part{
				message.Thinking{Thinking: "hm", Content: []jsontext.Value{jsontext.Value(`"first"`)}},
				message.Reasoning{Content: []jsontext.Value{jsontext.Value(`"second"`)}, Summary: []jsontext.Value{jsontext.Value(`"third"`)}},
				message.ToolCall{ID: "call_1", Name: "change", Input: jsontext.Value(`{"path":"a"}`)},
			}}, nil)
		}
	}
	w := newWorld(t, &scripted{steps: []step{thinking}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "change", effect: Writes, run: func(context.Context, Call) (Result, error) {
			return Result{Parts: []message.Part{message.Text{Text: "changed"}}, Changes: []Change{{Path: "/project/a"}}}, nil
		}}}
		c.Pipeline = &ampersat.Pipeline{Resolver: ampersat.ResolverFunc(func(context.Context, ampersat.Query) (ampersat.Content, error) {
			picture := []byte("a picture")
			return ampersat.Content{
				Name: "a.png", ID: "/a.png", Text: "a picture", Source: blob.Of(picture), MIME: "image/png", Size: int64(len(picture)),
				Parts: []message.Part{message.Image{Source: message.InBlob("image/png", blob.Of(picture))}}, Blobs: map[blob.Digest][]byte{blob.Of(picture): picture},
			}, nil
		})}
		c.Admit = func(stack ampersat.Stack) error {
			spoil(stack)
			return nil
		}
	})
	said := ampersat.Ask("Explain")
	drawn := message.Ref{Mention: mention.Custom{Scheme: "drawing", Arg: "a"}, Written: "@drawing:a"}
	said.Message.Content.Parts = append(said.Message.Content.Parts, drawn)
	said.Message.Instructions = []message.Instruction{message.Intermediate{}}
	answer, err := w.Turn(t.Context(), said, func(e Event) {
		switch e := e.(type) {
		case Resolved:
			spoil(e.Stack)
		case Streamed:
			if end, ok := e.Event.(message.MessageEnd); ok {
				spoilParts(end.Content)
				end.Usage.InputTokens = 1_000_000
				if end.Usage.CostUSD != nil {
					*end.Usage.CostUSD = decimal.NewFromInt(1_000_000)
				}
			}
		case ToolEnded:
			e.Changes[0].Path = "/spoiled"
		case Ended:
			spoil(e.Answer.Stack)
			spoilParts(e.Answer.Message.Content.Parts)
			*e.Answer.Usage.CostUSD = decimal.NewFromInt(1_000_000)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Usage.InputTokens > 1000 || answer.Usage.CostUSD.String() != "1" || brief(answer.Message) != "done" || answer.Stack.Reports[0].Written == "spoiled" {
		t.Errorf("%+v", answer)
	}
	for _, m := range answer.Stack.All() {
		if text, err := message.Encode(m); err != nil || strings.Contains(string(text), "spoiled") {
			t.Errorf("it is in the answer: %s %v", text, err)
		}
	}
	spoil(answer.Stack)
	spoilParts(answer.Message.Content.Parts)
	for record, err := range w.store.Read(t.Context(), w.ID(), 1) {
		if err != nil {
			t.Fatal(err)
		}
		if text := logged(t, record); strings.Contains(text, "spoiled") {
			t.Errorf("it is in the log: %s", text)
		}
	}
	for _, m := range w.View().Messages {
		if text, err := message.Encode(m); err != nil || strings.Contains(string(text), "spoiled") {
			t.Errorf("it is seen: %s %v", text, err)
		}
	}
}

// logged is a record as it is stored.
func logged(t *testing.T, record session.Record) string {
	t.Helper()
	text, err := session.Encode(record.Entry)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// spoil changes all that can be reached of a stack.
func spoil(stack ampersat.Stack) {
	for _, messages := range [][]message.Message{stack.Top, stack.Messages} {
		for i, m := range messages {
			spoilParts(m.Content.Parts)
			for j := range m.Instructions {
				m.Instructions[j] = message.DelegateReasoning{AgentPrompt: "spoiled"}
			}
			messages[i] = message.Message{Role: message.User, Content: message.Say("spoiled")}
		}
	}
	for i := range stack.Reports {
		stack.Reports[i].Written = "spoiled"
	}
	stack.Notes = append(stack.Notes, "spoiled")
	clear(stack.Blobs)
}

func spoilParts(parts []message.Part) {
	for i, part := range parts {
		switch part := part.(type) {
		case message.Context:
			fill(part.Names, "spoiled")
			fill(part.IDs, "spoiled")
			spoilParts(part.Parts)
		case message.Thinking:
			fill(part.Content, jsontext.Value(`"spoiled"`))
		case message.Reasoning:
			fill(part.Content, jsontext.Value(`"spoiled"`))
			fill(part.Summary, jsontext.Value(`"spoiled"`))
		}
		parts[i] = message.Text{Text: "spoiled"}
	}
}

func fill[T any](list []T, with T) {
	for i := range list {
		list[i] = with
	}
}

// Conversations share a store, a provider, a pipeline and what it keeps; the race
// detector is the judge.
func TestManyConversationsAtOnce(t *testing.T) {
	shared := newWorld(t, &scripted{}, func(c *Config) {
		c.Late = &blob.Late{Under: c.Store.Blobs()}
		c.Pipeline.Blobs = c.Late
	})
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			c, err := Start(shared.config, session.Meta{})
			if err != nil {
				t.Error(err)
				return
			}
			for turn := range 3 {
				answer, err := c.Turn(t.Context(), ampersat.Ask(fmt.Sprintf("look at @%d.md and @same.md", 10*i+turn)), func(Event) {})
				if err != nil || brief(answer.Message) != "done" || answer.Unflushed != nil {
					t.Errorf("%+v %v", answer, err)
				}
				content := fmt.Appendf(nil, "content of %d.md", 10*i+turn)
				if _, err := shared.store.Blobs().Get(t.Context(), blob.Of(content)); err != nil {
					t.Errorf("the turn has ended, and what it read is not kept: %v", err)
				}
			}
		})
	}
	all.Wait()
}
