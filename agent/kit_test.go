package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// step is what a scripted model does with a request.
type step func(ctx context.Context, request message.Request) Stream

// scripted is a provider that goes through its steps, and answers "done" when
// there are none left.
type scripted struct {
	window int
	// output and usual are how much it can say, and is asked for if nobody says.
	output, usual int
	steps         []step

	mu   sync.Mutex
	seen []message.Request
}

func (*scripted) Name() string { return "scripted" }

func (s *scripted) Model(name string) model.Card {
	return model.Card{Provider: "scripted", Name: name, Window: s.window, MaxOutput: s.output, DefaultOutput: s.usual, Tools: true}
}

func (s *scripted) Stream(ctx context.Context, request message.Request) Stream {
	s.mu.Lock()
	n := len(s.seen)
	s.seen = append(s.seen, request)
	s.mu.Unlock()
	if n < len(s.steps) {
		return s.steps[n](ctx, request)
	}
	return say("done")(ctx, request)
}

// say answers with a text, in two pieces.
func say(text string) step {
	return func(ctx context.Context, request message.Request) Stream {
		return answering(ctx, request, text, nil, nil)
	}
}

// call answers with calls: name, then arguments as JSON, in turn.
func call(namesAndInputs ...string) step {
	return func(ctx context.Context, request message.Request) Stream {
		var calls []message.ToolCall
		for i := 0; i < len(namesAndInputs); i += 2 {
			calls = append(calls, message.ToolCall{
				ID: fmt.Sprintf("call_%d_%d", len(request.Messages), i/2), Name: namesAndInputs[i], Input: jsontext.Value(namesAndInputs[i+1]),
			})
		}
		return answering(ctx, request, "let me see", calls, nil)
	}
}

// fail breaks off after a text, which may be empty.
func fail(text string, err error) step {
	return func(ctx context.Context, request message.Request) Stream {
		return answering(ctx, request, text, nil, err)
	}
}

func answering(ctx context.Context, request message.Request, text string, calls []message.ToolCall, failure error) Stream {
	return func(yield func(message.Event, error) bool) {
		if text == "" && failure != nil {
			yield(nil, failure)
			return
		}
		input := len(render(request)) / 4
		end := message.MessageEnd{Content: []message.Part{message.Text{Text: text}}, FinishReason: FinishStop,
			Usage: &message.Usage{InputTokens: input, OutputTokens: 10, TotalTokens: input + 10}}
		events := []message.Event{message.MessageStart{}, message.TextDelta{Text: text[:len(text)/2]}, message.TextDelta{Text: text[len(text)/2:]}}
		for _, c := range calls {
			end.Content = append(end.Content, c)
			end.FinishReason = FinishToolCalls
			events = append(events, message.ToolCallStart{ID: c.ID, Name: c.Name}, message.ToolCallEnd{ID: c.ID, Name: c.Name, Arguments: c.Input})
		}
		for i, event := range events {
			if ctx.Err() != nil {
				// What had come until then: the text, and none of the calls.
				var partial []message.Part
				if i > 1 {
					partial = []message.Part{message.Text{Text: text[:len(text)/2]}}
				}
				yield(message.MessageEnd{Content: partial, FinishReason: FinishError}, &message.Error{Kind: message.ErrAborted, Provider: "scripted", Err: context.Cause(ctx)})
				return
			}
			if !yield(event, nil) {
				return
			}
		}
		if failure != nil {
			end.FinishReason = FinishError
		}
		yield(end, failure)
	}
}

// probe is a tool that says what it was called with.
type probe struct {
	name   string
	effect Effect
	// undoable says that it tells what it writes before it does.
	undoable bool
	run      func(ctx context.Context, call Call) (Result, error)
}

func (p probe) Spec() message.ToolSpec {
	return message.ToolSpec{Name: p.name, Description: "a probe", Parameters: jsontext.Value(`{"type":"object"}`)}
}

func (p probe) Plan(input jsontext.Value) (Action, error) {
	var arguments struct {
		Path string `json:"path"`
	}
	if err := json.Unmarshal(input, &arguments); err != nil {
		return Action{}, fmt.Errorf("arguments: %w", err)
	}
	if arguments.Path == "bad" {
		return Action{}, errors.New("path: there is nothing like it")
	}
	return Action{Effect: p.effect, Subject: "/project/" + arguments.Path, Summary: p.name + " " + arguments.Path, Undoable: p.undoable}, nil
}

func (p probe) Run(ctx context.Context, call Call) (Result, error) {
	if p.run != nil {
		return p.run(ctx, call)
	}
	if call.Output != nil {
		call.Output("working")
	}
	return Result{Parts: []message.Part{message.Text{Text: p.name + string(call.Input)}}}, nil
}

// world is a conversation with a scripted model.
type world struct {
	t        *testing.T
	store    *session.Memory
	provider *scripted
	config   Config
	*Conversation

	mu     sync.Mutex
	events []Event
}

func newWorld(t *testing.T, provider *scripted, change func(*Config)) *world {
	t.Helper()
	w := &world{t: t, store: new(session.Memory), provider: provider}
	files := ampersat.ResolverFunc(func(_ context.Context, q ampersat.Query) (ampersat.Content, error) {
		file, ok := q.Mention.(mention.File)
		if !ok {
			return ampersat.Content{}, &ampersat.Miss{Mention: q.Mention, Outcome: ampersat.Missing, Reason: "not here"}
		}
		text := "content of " + file.Path
		if strings.HasPrefix(file.Path, "long") {
			text += strings.Repeat(" and more of it", 500)
		}
		return ampersat.Content{Name: file.Path, ID: "/" + file.Path, Text: text, Source: blob.Of([]byte(text)), Size: int64(len(text))}, nil
	})
	w.config = Config{
		Store: w.store, Provider: provider, Model: "m", Pipeline: &ampersat.Pipeline{Resolver: files},
		Permissions: &Permissions{Mode: ModeAll},
		Tools:       []Tool{probe{name: "look", effect: Reads}, probe{name: "change", effect: Writes}},
	}
	if change != nil {
		change(&w.config)
	}
	var err error
	if w.Conversation, err = Start(w.config, session.Meta{}); err != nil {
		t.Fatal(err)
	}
	return w
}

// resumed goes on with a session that is there already.
func (w *world) resumed() *world {
	w.t.Helper()
	meta, err := w.store.Create(context.Background(), session.Meta{})
	if err != nil {
		w.t.Fatal(err)
	}
	if w.Conversation, err = Resume(context.Background(), w.config, meta.ID); err != nil {
		w.t.Fatal(err)
	}
	return w
}

func (w *world) watch(e Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, e)
}

// ask runs a turn that must succeed.
func (w *world) ask(text string) Answer {
	w.t.Helper()
	answer, err := w.Turn(context.Background(), ampersat.Ask(text), w.watch)
	if err != nil {
		w.t.Fatal(err)
	}
	return answer
}

// log is the entries in short.
func (w *world) log() []string {
	w.t.Helper()
	var lines []string
	for record, err := range w.store.Read(context.Background(), w.ID(), 1) {
		if err != nil {
			w.t.Fatal(err)
		}
		switch e := record.Entry.(type) {
		case session.Said:
			line := string(e.Message.Role) + ": " + brief(e.Message)
			if e.Interrupted != "" {
				line += " (interrupted)"
			}
			lines = append(lines, line)
		case session.Note:
			if e.Name == NoteTurn {
				lines = append(lines, "-")
			} else {
				lines = append(lines, "note "+e.Name)
			}
		default:
			lines = append(lines, string(e.Kind()))
		}
	}
	return lines
}

// render is a request in short.
func render(r message.Request) string {
	var all strings.Builder
	for _, m := range r.Messages {
		all.WriteString(brief(m))
	}
	return all.String()
}

// brief is a message on one line.
func brief(m message.Message) string {
	var pieces []string
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case message.Text:
			pieces = append(pieces, part.Text)
		case message.Ref:
			pieces = append(pieces, part.Written)
		case message.Context:
			pieces = append(pieces, "<"+part.Text+">")
		case message.ToolCall:
			pieces = append(pieces, part.Name+string(part.Input))
		case message.ToolResult:
			var texts []string
			for _, p := range part.Parts() {
				if text, ok := p.(message.Text); ok {
					texts = append(texts, text.Text)
				}
			}
			pieces = append(pieces, "="+strings.Join(texts, "+"))
		}
	}
	return strings.Join(pieces, " ")
}

// paired fails if a call in a request has no result right after it, or a result
// no call.
func paired(t *testing.T, messages []message.Message) {
	t.Helper()
	var open []string
	for i, m := range messages {
		if m.Role != message.Tool && len(open) > 0 {
			t.Fatalf("message %d comes before the results of %v", i, open)
		}
		for _, part := range m.Content.Parts {
			switch part := part.(type) {
			case message.ToolCall:
				open = append(open, part.ID)
			case message.ToolResult:
				at := slices.Index(open, part.ToolCallID)
				if at < 0 {
					t.Fatalf("message %d has a result of %s, which nobody called", i, part.ToolCallID)
				}
				open = slices.Delete(open, at, at+1)
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("%v have no result", open)
	}
}
