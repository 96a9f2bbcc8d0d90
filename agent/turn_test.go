package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/token"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func wantLog(t *testing.T, w *world, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, w.log()); diff != "" {
		t.Errorf("-want +have\n%s", diff)
	}
}

func TestATurn(t *testing.T) {
	w := newWorld(t, &scripted{steps: []step{say("hello")}}, func(c *Config) {
		c.System = func(context.Context) (ampersat.Stack, error) {
			return ampersat.Stack{Messages: []message.Message{{Role: message.System, Content: message.Say("be kind")}}}, nil
		}
	})
	answer := w.ask("Explain @a.md")
	if brief(answer.Message) != "hello" || answer.Steps != 1 || answer.Usage.OutputTokens != 10 || answer.FinishReason != FinishStop {
		t.Errorf("%+v", answer)
	}
	wantLog(t, w, "system: be kind", "-", "developer: <content of a.md>", "user: Explain  @a.md", "prepared", "assistant: hello")
	w.ask("and now?")
	wantLog(t, w, "system: be kind", "-", "developer: <content of a.md>", "user: Explain  @a.md", "prepared", "assistant: hello", "-", "user: and now?", "prepared", "assistant: done")
	var types []string
	for _, e := range w.events[:8] {
		types = append(types, e.Type())
	}
	if diff := cmp.Diff([]string{"mentions", "request", "message.start", "text.delta", "text.delta", "message.end", "turn.end", "mentions"}, types); diff != "" {
		t.Errorf("events: -want +have\n%s", diff)
	}
}

// Every request can be sent again as it was, also by another process, and takes
// no more room in the log than what is new in it.
func TestEveryRequestIsInTheLogBeforeItLeaves(t *testing.T) {
	provider := &scripted{steps: []step{call("look", `{"path":"a"}`), say("one"), call("look", `{"path":"b"}`, "look", `{"path":"c"}`), say("two")}}
	w := newWorld(t, provider, nil)
	w.ask("first @a.md")
	again, err := Resume(context.Background(), w.config, w.ID())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Turn(context.Background(), ampersat.Ask("second @a.md"), nil); err != nil {
		t.Fatal(err)
	}
	n := 0
	for record := range w.store.Read(context.Background(), w.ID(), 1) {
		prepared, ok := record.Entry.(session.Prepared)
		if !ok {
			continue
		}
		sent, err := session.Sent(context.Background(), w.store, w.ID(), record.Seq)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := message.EncodeRequest(provider.seen[n])
		have, _ := message.EncodeRequest(sent)
		if string(want) != string(have) {
			t.Errorf("request %d:\n%s\n%s", n, want, have)
		}
		if n > 0 && (prepared.Base == 0 || !prepared.SameTools || len(prepared.Request.Messages) > 3) {
			t.Errorf("request %d repeats what is in the log: %+v", n, prepared)
		}
		n++
	}
	if n != 4 || len(provider.seen) != 4 {
		t.Errorf("%d requests in the log, %d sent", n, len(provider.seen))
	}
	// Of a message that was seen already, the second turn sends a reference.
	if text := render(provider.seen[3]); strings.Count(text, "content of a.md") != 1 || strings.Count(text, "[unchanged since turn 1") != 1 {
		t.Error(text)
	}
}

func TestToolsAreRunUntilTheModelIsDone(t *testing.T) {
	w := newWorld(t, &scripted{steps: []step{
		call("look", `{"path":"a"}`, "look", `{"path":"b"}`), call("change", `{"path":"c"}`), say("finished"),
	}}, nil)
	answer := w.ask("go")
	if answer.Steps != 3 || answer.Usage.OutputTokens != 30 || brief(answer.Message) != "finished" {
		t.Errorf("%+v", answer)
	}
	wantLog(t, w, "-", "user: go", "prepared", `assistant: let me see look{"path":"a"} look{"path":"b"}`, `tool: =look{"path":"a"} =look{"path":"b"}`,
		"prepared", `assistant: let me see change{"path":"c"}`, "note acting", `tool: =change{"path":"c"}`, "prepared", "assistant: finished")
	for _, r := range w.provider.seen {
		paired(t, r.Messages)
		if len(r.Tools) != 2 {
			t.Errorf("%d tools", len(r.Tools))
		}
	}
}

func TestWhatReadsRunsAtTheSameTimeAndWhatWritesWaits(t *testing.T) {
	var mu sync.Mutex
	var order []string
	note := func(what string) { mu.Lock(); defer mu.Unlock(); order = append(order, what) }
	together := make(chan struct{}, 2)
	both := make(chan struct{})
	look := probe{name: "look", effect: Reads, run: func(ctx context.Context, _ Call) (Result, error) {
		together <- struct{}{}
		if len(together) == cap(together) {
			close(both)
		}
		<-both // each waits for the other
		note("look")
		return Result{}, nil
	}}
	change := probe{name: "change", effect: Writes, run: func(context.Context, Call) (Result, error) {
		note("change")
		return Result{Parts: []message.Part{message.Text{Text: "changed"}}}, nil
	}}
	w := newWorld(t, &scripted{steps: []step{call("look", `{}`, "look", `{}`, "change", `{"path":"1"}`, "change", `{"path":"2"}`)}}, func(c *Config) {
		c.Tools = []Tool{look, change}
	})
	w.ask("go")
	if diff := cmp.Diff([]string{"look", "look", "change", "change"}, order); diff != "" {
		t.Errorf("-want +have\n%s", diff)
	}
	wantLog(t, w, "-", "user: go", "prepared", `assistant: let me see look{} look{} change{"path":"1"} change{"path":"2"}`,
		"note acting", "note acting", "tool: =(no output) =(no output) =changed =changed", "prepared", "assistant: done")
}

// What reads is given what the calls before it have shown. What writes is judged by
// what the model had seen when it called.
func TestTheViewOfTheCallsOfOneMessage(t *testing.T) {
	var mu sync.Mutex
	views := map[string][]string{}
	given := func(name string) func(context.Context, Call) (Result, error) {
		return func(_ context.Context, c Call) (Result, error) {
			paired(t, c.View.Messages)
			mu.Lock()
			defer mu.Unlock()
			for _, m := range c.View.Messages {
				if m.Role == message.Tool {
					views[c.ID] = append(views[c.ID], brief(m))
				}
			}
			// It is a list of the call's own, whatever is in it.
			_ = append(c.View.Messages, message.Message{Role: message.Tool, Content: message.Of(message.TextResult("nobody", "spoilt"))})
			return Result{Parts: []message.Part{message.Text{Text: name + " " + c.ID[len(c.ID)-1:]}}}, nil
		}
	}
	calls := []string{"look", `{}`, "look", `{}`, "change", `{}`, "nothing", `{}`, "look", `{}`, "change", `{}`, "change", `{}`, "look", `{}`}
	w := newWorld(t, &scripted{steps: []step{call(calls...)}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "look", effect: Reads, run: given("look")}, probe{name: "change", effect: Writes, run: given("change")}}
	})
	w.ask("go")
	first := []string{"=look 0 =look 1", "=change 2"}
	missing := `there is no tool called "nothing"; there are look, change`
	want := map[string][]string{
		"call_1_4": first,
		"call_1_7": append(slices.Clip(first), "=error: "+missing+" =look 4", "=change 5", "=change 6"),
	}
	if diff := cmp.Diff(want, views); diff != "" {
		t.Errorf("-want +have\n%s", diff)
	}
	if shown := w.View().Messages; len(shown) != 4 {
		t.Errorf("the conversation has %d messages", len(shown))
	}
}

func TestCallsThatCannotBeRun(t *testing.T) {
	broken := func(raw string) step {
		quoted, _ := jsontext.AppendQuote(nil, raw)
		return func(ctx context.Context, _ message.Request) Stream {
			return func(yield func(message.Event, error) bool) {
				c := message.ToolCall{ID: "x", Name: "look", Input: jsontext.Value(`{}`), Extra: jsontext.Value(`{"raw_arguments":` + string(quoted) + `}`)}
				yield(message.MessageEnd{Content: []message.Part{c}, FinishReason: FinishToolCalls}, &message.Error{Kind: message.ErrInvalidToolCall, Tool: "look"})
			}
		}
	}
	for _, c := range []struct {
		name   string
		step   step
		change func(*Config)
		want   string
	}{
		{"a tool that is not there", call("dance", `{}`), nil, `error: there is no tool called "dance"; there are look, change`},
		{"arguments that make no sense", call("look", `{"path":"bad"}`), nil, "error: path: there is nothing like it"},
		{"arguments that are none", broken("path=a"), nil, "error: the arguments are not a JSON object: path=a; call it again with one"},
		{"arguments that say two things", broken(`{"path":"a","path":"b"}`), nil,
			`error: the arguments have a name twice: {"path":"a","path":"b"}; call it again with each name once`},
		{"not allowed", call("change", `{"path":"x"}`), func(c *Config) { c.Permissions = nil },
			"error: change: not allowed: change x: there is nobody to ask here"},
		{"a tool that fails", call("fail", `{}`), func(c *Config) {
			c.Tools = append(c.Tools, probe{name: "fail", effect: Runs, run: func(context.Context, Call) (Result, error) {
				return Result{Parts: []message.Part{message.Text{Text: "half"}}}, errors.New("it broke")
			}})
		}, "half+\nerror: it broke"},
	} {
		w := newWorld(t, &scripted{steps: []step{c.step}}, c.change)
		w.ask("go")
		result := w.provider.seen[1].Messages[2].Content.Parts[0].(message.ToolResult)
		if have := brief(message.Message{Content: message.Of(result)}); have != "="+c.want || string(result.Extra) != `{"is_error":true}` {
			t.Errorf("%s: %s %s", c.name, have, result.Extra)
		}
	}
}

// Of a call that cannot even be told the provider says only that there was one.
func TestAnAnswerWhoseCallCannotBeTold(t *testing.T) {
	unreadable := &message.Error{Kind: message.ErrInvalidToolCall, Provider: "scripted", Message: "the model wrote a call that cannot be read"}
	for text, kept := range map[string]string{"": "", "I will look.": "assistant: I will look. (interrupted)"} {
		w := newWorld(t, &scripted{steps: []step{func(context.Context, message.Request) Stream {
			return func(yield func(message.Event, error) bool) {
				end := message.MessageEnd{FinishReason: FinishError}
				if text != "" {
					end.Content = []message.Part{message.Text{Text: text}}
				}
				yield(end, unreadable)
			}
		}}}, nil)
		if _, err := w.Turn(context.Background(), ampersat.Ask("go"), nil); !errors.Is(err, message.ErrInvalidToolCall) {
			t.Errorf("%q: %v", text, err)
		}
		w.ask("again")
		want := []string{"-", "user: go", "prepared", kept, "-", "user: again", "prepared", "assistant: done"}
		wantLog(t, w, slices.DeleteFunc(want, func(line string) bool { return line == "" })...)
	}
}

// What a tool of the program's own knows needs no permission; files do.
func TestWithoutPermissionsNothingIsDoneButReading(t *testing.T) {
	for subject, want := range map[string]string{"": "=the answer", "/project/a": "=error: know: not allowed: know: there is nobody to ask here"} {
		w := newWorld(t, &scripted{steps: []step{call("know", `{}`)}}, func(c *Config) {
			c.Tools, c.Permissions = []Tool{knowing{subject}}, nil
		})
		w.ask("go")
		if have := brief(w.provider.seen[1].Messages[2]); have != want {
			t.Errorf("%q: %s", subject, have)
		}
	}
}

// knowing is a tool that reads what the program knows.
type knowing struct{ subject string }

func (knowing) Spec() message.ToolSpec { return message.ToolSpec{Name: "know"} }

func (k knowing) Plan(jsontext.Value) (Action, error) {
	return Action{Effect: Reads, Subject: k.subject, Summary: "know"}, nil
}

func (knowing) Run(context.Context, Call) (Result, error) {
	return Result{Parts: []message.Part{message.Text{Text: "the answer"}}}, nil
}

func TestALongResultIsCutInTheMiddle(t *testing.T) {
	w := newWorld(t, &scripted{steps: []step{call("long", `{}`)}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "long", effect: Reads, run: func(context.Context, Call) (Result, error) {
			return Result{Parts: []message.Part{message.Text{Text: "head" + strings.Repeat("é", 131_072) + "tail"}}}, nil
		}}}
	})
	w.ask("go")
	text := brief(w.provider.seen[1].Messages[2])
	if len(text) > 131_172 || !strings.HasPrefix(text, "=head") || !strings.HasSuffix(text, "tail") || !strings.Contains(text, "bytes are not shown]") || strings.ContainsRune(text, '\ufffd') {
		t.Errorf("%d bytes: %.40s…%s", len(text), text, text[len(text)-40:])
	}
}

func TestATurnHasAnEnd(t *testing.T) {
	var steps []step
	for range 10 {
		steps = append(steps, call("look", `{}`))
	}
	w := newWorld(t, &scripted{steps: steps}, func(c *Config) { c.MaxSteps = 3 })
	_, err := w.Turn(context.Background(), ampersat.Ask("go"), nil)
	if !errors.Is(err, ErrSteps) || len(w.provider.seen) != 3 {
		t.Fatalf("%v after %d requests", err, len(w.provider.seen))
	}
	w.provider.steps = nil
	w.ask("go on")
	paired(t, w.provider.seen[3].Messages)
}

func TestAPausedAnswerIsAskedToGoOn(t *testing.T) {
	paused := func(ctx context.Context, _ message.Request) Stream {
		return func(yield func(message.Event, error) bool) {
			yield(message.MessageEnd{Content: []message.Part{message.Text{Text: "wait"}}, FinishReason: FinishPause}, nil)
		}
	}
	w := newWorld(t, &scripted{steps: []step{paused, say("now")}}, nil)
	if answer := w.ask("go"); answer.Steps != 2 || brief(answer.Message) != "now" {
		t.Errorf("%+v", answer)
	}
}

func TestAnAnswerThatBreaksOffIsKept(t *testing.T) {
	w := newWorld(t, &scripted{steps: []step{fail("half an answer", &message.Error{Kind: message.ErrStream}), fail("", &message.Error{Kind: message.ErrUnavailable})}}, nil)
	if _, err := w.Turn(context.Background(), ampersat.Ask("go"), nil); !errors.Is(err, message.ErrStream) {
		t.Fatal(err)
	}
	if _, err := w.Turn(context.Background(), ampersat.Ask("again"), nil); !errors.Is(err, message.ErrUnavailable) {
		t.Fatal(err)
	}
	w.ask("and again")
	wantLog(t, w, "-", "user: go", "prepared", "assistant: half an answer (interrupted)", "-", "user: again", "prepared", "-", "user: and again", "prepared", "assistant: done")
}

func overflow() error { return &message.Error{Kind: message.ErrContextLength, Provider: "scripted"} }

func TestATooLongRequestIsCompactedOnce(t *testing.T) {
	provider := &scripted{window: 100_000}
	w := newWorld(t, provider, nil)
	for i := range 10 {
		w.ask(fmt.Sprintf("turn %d with @long%d.md", i, i))
	}
	provider.steps = append(make([]step, 10), fail("", overflow()), say("it fits"))
	if answer := w.ask("one more"); brief(answer.Message) != "it fits" {
		t.Errorf("%+v", answer)
	}
	if log := w.log(); !slices.Contains(log, "compacted") {
		t.Errorf("nothing was compacted: %v", log)
	}
	if a, b := provider.seen[10], provider.seen[11]; len(render(a)) <= len(render(b)) {
		t.Errorf("the second request is not shorter: %d, %d", len(render(a)), len(render(b)))
	}
	provider.steps = append(make([]step, 12), fail("", overflow()), fail("", overflow()), fail("", overflow()))
	if _, err := w.Turn(context.Background(), ampersat.Ask("too much"), nil); !errors.Is(err, message.ErrContextLength) || len(provider.seen) > 14 {
		t.Errorf("%v after %d requests", err, len(provider.seen)-12)
	}
}

func TestATooLongRequestThatCannotBeCompacted(t *testing.T) {
	w := newWorld(t, &scripted{window: 100_000, steps: []step{fail("", overflow())}}, nil)
	_, err := w.Turn(context.Background(), ampersat.Ask("far too much"), nil)
	if !errors.Is(err, message.ErrContextLength) || !strings.Contains(err.Error(), "nothing in the session can be left out") {
		t.Error(err)
	}
}

// The person may stop at any time. Whatever has come is in the log, every call
// has its result, and the next turn goes on.
func TestATurnIsCancelledAtEveryEvent(t *testing.T) {
	slow := probe{name: "slow", effect: Runs, run: func(ctx context.Context, call Call) (Result, error) {
		call.Output("began")
		return Result{Parts: []message.Part{message.Text{Text: "ran"}}}, ctx.Err()
	}}
	script := func() []step {
		return []step{call("look", `{"path":"a"}`, "slow", `{}`, "change", `{"path":"b"}`), call("slow", `{}`), say("a whole answer")}
	}
	for at := 0; ; at++ {
		provider := &scripted{steps: script()}
		w := newWorld(t, provider, func(c *Config) { c.Tools = append(c.Tools, slow) })
		ctx, cancel := context.WithCancel(context.Background())
		n, cut := 0, false
		_, err := w.Turn(ctx, ampersat.Ask("go @a.md"), func(e Event) {
			if n == at {
				cut = true
				cancel()
			}
			n++
		})
		cancel()
		if !cut {
			if err != nil || at < 20 {
				t.Fatalf("%v after %d events", err, n)
			}
			return
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled at event %d: %v", at, err)
		}
		provider.steps = nil
		w.ask("go on")
		last := provider.seen[len(provider.seen)-1].Messages
		paired(t, last)
		if brief(last[len(last)-1]) != "go on" {
			t.Fatalf("cancelled at event %d: %v", at, w.log())
		}
		for record, err := range w.store.Read(context.Background(), w.ID(), 1) {
			if _, ok := record.Entry.(session.Prepared); !ok || err != nil {
				continue
			}
			if _, err := session.Sent(context.Background(), w.store, w.ID(), record.Seq); err != nil {
				t.Fatalf("cancelled at event %d: %v", at, err)
			}
		}
	}
}

// A process that was killed between a call and its result leaves the call
// open. Who goes on does not send it so.
func TestASessionThatWasKilledInTheMiddleOfATurnGoesOn(t *testing.T) {
	w := newWorld(t, &scripted{}, nil).resumed()
	c := message.ToolCall{ID: "call_1", Name: "look", Input: jsontext.Value(`{}`)}
	if _, err := w.store.Append(context.Background(), w.ID(), 0, session.NoLease,
		session.Said{Message: message.Message{Role: message.User, Content: message.Say("go")}},
		session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(c)}}); err != nil {
		t.Fatal(err)
	}
	w.ask("go on")
	paired(t, w.provider.seen[0].Messages)
	if text := render(w.provider.seen[0]); !strings.Contains(text, "look{}") || !strings.Contains(text, "go on") {
		t.Error(text)
	}
}

func TestTwoDoNotWorkOnOneSession(t *testing.T) {
	w := newWorld(t, &scripted{}, nil).resumed()
	lease, err := w.store.Lease(context.Background(), w.ID(), "somebody else", session.HoldTime)
	if err != nil {
		t.Fatal(err)
	}
	var held *session.HeldError
	if _, err := w.Turn(context.Background(), ampersat.Ask("go"), nil); !errors.As(err, &held) || held.Holder != "somebody else" {
		t.Error(err)
	}
	if err := w.store.Release(context.Background(), lease); err != nil {
		t.Fatal(err)
	}
	w.ask("go")
	// The lease was given back.
	if _, err := w.store.Lease(context.Background(), w.ID(), "me", session.HoldTime); err != nil {
		t.Error(err)
	}
}

func TestTheLeaseOfAKilledProcessIsWaitedFor(t *testing.T) {
	w := newWorld(t, &scripted{}, func(c *Config) { c.Gone = func(holder string) bool { return holder == "the dead" } }).resumed()
	if _, err := w.store.Lease(context.Background(), w.ID(), "the dead", 50*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	w.ask("go")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := w.store.Lease(context.Background(), w.ID(), "the dead", time.Hour); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Turn(ctx, ampersat.Ask("again"), nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestATurnAtATime(t *testing.T) {
	var w *world
	w = newWorld(t, &scripted{steps: []step{func(ctx context.Context, r message.Request) Stream {
		if _, err := w.Turn(ctx, ampersat.Ask("me too"), nil); !errors.Is(err, ErrBusy) {
			t.Error(err)
		}
		return say("done")(ctx, r)
	}}}, nil)
	w.ask("go")
}

func TestWhatToolsChangedCanBeUndone(t *testing.T) {
	before, after := []byte("old"), []byte("new")
	change := Change{Path: "/project/a", Before: blob.Of(before), After: blob.Of(after), Mode: 0o644}
	w := newWorld(t, &scripted{steps: []step{call("edit", `{}`)}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "edit", effect: Writes, run: func(context.Context, Call) (Result, error) {
			return Result{Changes: []Change{change}, Blobs: map[blob.Digest][]byte{change.Before: before, change.After: after}}, nil
		}}}
	})
	w.ask("go")
	for record := range w.store.Read(context.Background(), w.ID(), 1) {
		note, ok := record.Entry.(session.Note)
		if !ok || note.Name == NoteTurn || note.Name == NoteActing {
			continue
		}
		var changed Changed
		if err := json.Unmarshal(note.Value, &changed); err != nil || note.Name != NoteChanged {
			t.Fatal(note.Name, err)
		}
		if diff := cmp.Diff([]Change{change}, changed.Changes); diff != "" {
			t.Error(diff)
		}
		if data, err := w.store.Blobs().Get(context.Background(), change.Before); err != nil || string(data) != "old" {
			t.Error(string(data), err)
		}
		return
	}
	t.Error("no note")
}

func TestPlacesInAConversation(t *testing.T) {
	system := func(context.Context) (ampersat.Stack, error) {
		return ampersat.Stack{Messages: []message.Message{{Role: message.System, Content: message.Say("be kind")}}}, nil
	}
	for place, want := range map[ampersat.Placement]string{
		ampersat.Before:   "system:be kind|user:hello|assistant:done|developer:<content of a.md>|user:see  @a.md",
		ampersat.InSystem: "system:<content of a.md> be kind|user:hello|assistant:done|user:see  @a.md",
		ampersat.Top:      "developer:<content of a.md>|system:be kind|user:hello|assistant:done|user:see  @a.md",
	} {
		w := newWorld(t, &scripted{}, func(c *Config) { c.System = system })
		w.ask("hello")
		turn := ampersat.Ask("see @a.md")
		turn.Place = place
		if _, err := w.Turn(context.Background(), turn, nil); err != nil {
			t.Fatal(err)
		}
		var have []string
		for _, m := range w.provider.seen[1].Messages {
			have = append(have, string(m.Role)+":"+brief(m))
		}
		if text := strings.Join(have, "|"); text != want {
			t.Errorf("%s: %s", place, text)
		}
	}
}

func TestAMessageThatIsNotAdmittedIsNotSaid(t *testing.T) {
	no := errors.New("no")
	w := newWorld(t, &scripted{}, func(c *Config) {
		c.Admit = func(stack ampersat.Stack) error {
			if len(stack.Bad()) > 0 {
				return no
			}
			return nil
		}
	})
	if _, err := w.Turn(context.Background(), ampersat.Ask("see @diff"), nil); !errors.Is(err, no) || len(w.provider.seen) > 0 {
		t.Error(err)
	}
	if _, err := w.store.Get(context.Background(), w.ID()); !errors.Is(err, session.ErrNotFound) {
		t.Errorf("an empty session was kept: %v", err)
	}
	w.ask("see @a.md")
}

// What is mentioned is cut to what there is room for before it is sent, however
// small the window and large the budget: it is not taken out again by a
// compaction while the person is told that it was read.
func TestWhatWasJustMentionedIsNotTakenOut(t *testing.T) {
	for name, c := range map[string]struct{ window, budget int }{
		"by default": {2000, 0}, "a large budget": {4000, 3900}, "beyond the window": {3000, 100_000}, "hardly any room": {700, 0},
	} {
		t.Run(name, func(t *testing.T) {
			provider := &scripted{window: c.window}
			w := newWorld(t, provider, func(config *Config) {
				config.System = func(context.Context) (ampersat.Stack, error) {
					return ampersat.Stack{Messages: []message.Message{{Role: message.System, Content: message.Say(strings.Repeat("be kind, ", 150))}}}, nil
				}
			})
			for range 3 { // also when compaction has to make room
				turn := ampersat.Ask("Compare @long1.md and @long2.md with what you know")
				turn.Budget.Turn = c.budget
				answer, err := w.Turn(context.Background(), turn, nil)
				if err != nil {
					t.Fatal(err)
				}
				sent, reported := 0, 0
				for _, m := range provider.seen[len(provider.seen)-1].Messages {
					for _, part := range m.Content.Parts {
						if c, is := part.(message.Context); is {
							sent += token.Estimate(c.Text)
						}
					}
				}
				for _, r := range answer.Stack.Reports {
					if r.Outcome != ampersat.Unchanged {
						reported += r.Tokens
					}
				}
				const tags = 100 // about what stands around the contents, at the most
				if sent < reported-tags {
					t.Fatalf("%d tokens of contents are sent, %d reported", sent, reported)
				}
			}
		})
	}
}

// A result that does not fit the window is cut to the room there is. It was taken
// out before the model had seen it, and the model was told to call again.
func TestTheModelSeesWhatItCalledFor(t *testing.T) {
	var numbers strings.Builder
	for i := range 8000 {
		fmt.Fprintf(&numbers, "%d\n", i+1)
	}
	count := probe{name: "count", effect: Reads, run: func(context.Context, Call) (Result, error) {
		return Result{Parts: []message.Part{message.Text{Text: numbers.String()}}}, nil
	}}
	for name, steps := range map[string][]step{
		"in an empty window":          {call("count", `{}`)},
		"twice":                       {call("count", `{}`, "count", `{}`)},
		"again":                       {call("count", `{}`), call("count", `{}`)},
		"where it is found too long":  {call("count", `{}`), fail("", overflow())},
		"in a window that is full":    {say(strings.Repeat("word ", 6000)), call("count", `{}`)},
		"with what the turn mentions": {say("I see."), call("count", `{}`)},
	} {
		t.Run(name, func(t *testing.T) {
			provider := &scripted{window: 8000, steps: steps}
			w := newWorld(t, provider, func(c *Config) { c.Tools = append(c.Tools, count) })
			w.ask("hello")
			if !strings.HasPrefix(name, "in an") && len(provider.seen) == 1 {
				w.ask("and @long.md")
			}
			last := provider.seen[len(provider.seen)-1]
			paired(t, last.Messages)
			text := render(last)
			at := strings.LastIndex(text, "=1\n2\n3\n")
			if at < 0 || !strings.Contains(text[at:], "\n[cut: ") || !strings.Contains(text[at:], "\n7999\n8000\n") || strings.Contains(text[at:], "call it again") {
				t.Errorf("it sees %.300q", text)
			}
			if tokens := w.view.Tokens(); tokens > 8000 {
				t.Errorf("%d tokens", tokens)
			}
		})
	}
}

// A result that is longer than one may be, in a window that has even less room, is
// cut once: the model is told how much of the whole it reads.
func TestAResultIsCutOnce(t *testing.T) {
	w := newWorld(t, &scripted{window: 8_000, steps: []step{call("look", `{}`)}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "look", effect: Reads, run: func(context.Context, Call) (Result, error) {
			return Result{Parts: []message.Part{message.Text{Text: strings.Repeat("a line\n", 25_000)}}}, errors.New("there is more")
		}}}
	})
	w.ask("go")
	seen := w.provider.seen[len(w.provider.seen)-1].Messages
	read := brief(seen[len(seen)-1])
	if strings.Count(read, "[cut: ") != 1 || !strings.Contains(read, " of 175000 bytes are not shown]") || !strings.HasSuffix(read, "error: there is more") {
		t.Errorf("%d bytes: %.20q … %q", len(read), read, read[max(0, len(read)-100):])
	}
	for _, e := range w.events {
		if end, ok := e.(ToolEnded); ok && (len(end.Result.Output) > 175_000 || !strings.Contains(string(end.Result.Output), " of 175000 bytes are not shown]")) {
			t.Errorf("%d bytes are told", len(end.Result.Output))
		}
	}
}
