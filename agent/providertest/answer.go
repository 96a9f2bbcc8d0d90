package providertest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/google/go-cmp/cmp"
)

// said is an answer with characters of every length, in pieces.
var said = Reply{
	Text:   []string{"Grüße, ", "日本 ", "𝄞", " and\nmore."},
	Finish: agent.FinishStop, Input: 100, Cached: 900, Output: 20,
}

const saidText = "Grüße, 日本 𝄞 and\nmore."

// thought is an answer that thinks and calls two tools.
var thought = Reply{
	Thinking: "Let me see: é.", Signature: "c2lnbmF0dXJl",
	Text: []string{"I look."},
	Calls: []Call{
		{ID: "call_a", Name: "read_file", Arguments: []string{`{"path":`, `"ä.go"`, `}`}},
		{ID: "call_b", Name: "list_files"},
	},
	Finish: agent.FinishToolCalls, Input: 50, Output: 30,
}

// request is what is asked for in all of this.
func (s Subject) request() message.Request {
	r := withTools(system("Be brief."), user("Hello"))
	r.Model = s.Model
	return r
}

// ask sends a request to a server and returns everything that came.
func (s Subject) ask(ctx context.Context, server *server) (events []message.Event, end message.MessageEnd, err error) {
	for event, failure := range s.Open("https://provider.example", server).Stream(ctx, s.request()) {
		if err != nil {
			panic("an event after the error")
		}
		if event != nil {
			events = append(events, event)
		}
		if last, ok := event.(message.MessageEnd); ok {
			end = last
		}
		err = failure
	}
	return events, end, err
}

func answers(t *testing.T, s Subject) {
	t.Run("text comes in order and as a whole", func(t *testing.T) {
		events, end, err := s.ask(t.Context(), &server{replies: []reply{stream(s.Wire(said)...)}})
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, events)
		if text := deltas(events); text != saidText {
			t.Errorf("deltas: %q", text)
		}
		if text := message.Flatten(message.Of(end.Content...)); text != saidText {
			t.Errorf("content: %q", text)
		}
		if end.FinishReason != agent.FinishStop {
			t.Errorf("finish reason %q", end.FinishReason)
		}
		if u := end.Usage; u == nil || u.InputTokens != 1000 || u.CacheReadTokens != 900 || u.OutputTokens != 20 {
			t.Errorf("usage %+v", u)
		}
		card := s.Open("https://provider.example", nil).Model(s.Model)
		want, priced := card.Cost(*end.Usage)
		if have := end.Usage.CostUSD; priced && (have == nil || !have.Equal(want)) {
			t.Errorf("cost %v, want %v", have, want)
		}
	})
	t.Run("thinking and calls come back", func(t *testing.T) {
		events, end, err := s.ask(t.Context(), &server{replies: []reply{stream(s.Wire(thought)...)}})
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, events)
		response := agent.Respond(end)
		var called []string
		for _, c := range response.ToolCalls {
			called = append(called, c.Name+string(c.Input))
		}
		if diff := cmp.Diff([]string{`read_file{"path":"ä.go"}`, `list_files{}`}, called); diff != "" {
			t.Errorf("calls (-want +have):\n%s", diff)
		}
		if end.FinishReason != agent.FinishToolCalls {
			t.Errorf("finish reason %q", end.FinishReason)
		}
		if thinking := thoughts(events); thinking != "" && thinking != thought.Thinking {
			t.Errorf("thinking %q", thinking)
		}
		// What came goes back: the next request is accepted and loses nothing.
		next := s.request()
		next.Messages = append(next.Messages, message.Message{Role: message.Assistant, Content: response.Content})
		for _, c := range response.ToolCalls {
			next.Messages = append(next.Messages, results(message.TextResult(c.ID, "done")))
		}
		body, degradations, err := s.Encode(next)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Check(body); err != nil {
			t.Errorf("sent back, the API would refuse it: %v\n%s", err, body)
		}
		if len(degradations) > 0 {
			t.Errorf("sent back, it is degraded: %+v", degradations)
		}
	})
	t.Run("a tool is called by its own name, whatever it is sent under", func(t *testing.T) {
		for _, name := range []string{"mcp.server.read", "2 read", strings.Repeat("long", 40)} {
			request := s.request()
			request.Tools = append(request.Tools, message.ToolSpec{Name: name})
			_, degradations, err := s.Encode(request)
			if err != nil {
				t.Fatal(err)
			}
			sent := name
			for _, d := range degradations {
				if strings.Contains(d.Requested, name) {
					sent = d.Actual
				}
			}
			called := thought
			called.Calls = []Call{{ID: "call_a", Name: sent, Arguments: []string{"{}"}}}
			server := &server{replies: []reply{stream(s.Wire(called)...)}}
			response, err := agent.Collect(s.Open("https://provider.example", server).Stream(t.Context(), request))
			if err != nil || len(response.ToolCalls) != 1 || response.ToolCalls[0].Name != name {
				t.Errorf("%q, sent as %q: %+v, error %v", name, sent, response.ToolCalls, err)
			}
		}
	})
	t.Run("characters that are cut in two are put together", func(t *testing.T) {
		cut := Reply{Text: []string{"a FIRST", "SECOND b", " FIRST", "c"}, Calls: []Call{{ID: "call_a", Name: "read_file", Arguments: []string{`{"path":"FIRST`, `SECOND"}`}}},
			Finish: agent.FinishToolCalls, Input: 1, Output: 1}
		wire := strings.NewReplacer("FIRST", `\ud83d`, "SECOND", `\uDE00`).Replace(strings.Join(s.Wire(cut), ""))
		events, end, err := s.ask(t.Context(), &server{replies: []reply{stream(wire)}})
		if err != nil {
			t.Fatal(err)
		}
		wellFormed(t, events)
		response := agent.Respond(end)
		want := "a 😀 b \uFFFDc"
		if whole := message.Flatten(message.Of(end.Content...)); deltas(events) != want || whole != want {
			t.Errorf("deltas %q, content %q", deltas(events), whole)
		}
		if calls := response.ToolCalls; len(calls) != 1 || !strings.Contains(string(calls[0].Input), "😀") && !strings.Contains(string(calls[0].Input), `\ud83d\uDE00`) {
			t.Errorf("calls %+v", calls)
		}
	})
	t.Run("it does not matter where packets end", func(t *testing.T) {
		for _, r := range []Reply{said, thought} {
			_, want, err := s.ask(t.Context(), &server{replies: []reply{stream(s.Wire(r)...)}})
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range []int{1, 2, 3, 7} {
				split := stream()
				split.chunks = nil
				for data := []byte(strings.Join(s.Wire(r), "")); len(data) > 0; {
					n := min(size, len(data))
					split.chunks = append(split.chunks, chunk{data: data[:n]})
					data = data[n:]
				}
				_, have, err := s.ask(t.Context(), &server{replies: []reply{split}})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(encode(t, want), encode(t, have)); diff != "" {
					t.Errorf("in packets of %d bytes (-whole +split):\n%s", size, diff)
				}
			}
		}
	})
	t.Run("comments, other line ends and unknown events change nothing", func(t *testing.T) {
		_, want, _ := s.ask(t.Context(), &server{replies: []reply{stream(s.Wire(said)...)}})
		noisy := []string{"\uFEFF: hello\n\n"}
		for _, event := range s.Wire(said) {
			noisy = append(noisy, ": ping\r\n\r\n", "retry: 3000\n\n", strings.ReplaceAll(event, "\n", "\r\n"))
		}
		_, have, err := s.ask(t.Context(), &server{replies: []reply{stream(noisy...)}})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(encode(t, want), encode(t, have)); diff != "" {
			t.Errorf("(-plain +noisy):\n%s", diff)
		}
	})
	t.Run("arguments that cannot be read are told, and kept", func(t *testing.T) {
		for _, raw := range []string{`{"path":`, `{"path":"a.md","path":"big.md"}`} {
			broken := thought
			broken.Calls = []Call{{ID: "call_a", Name: "read_file", Arguments: []string{raw}}}
			events, end, err := s.ask(t.Context(), &server{replies: []reply{stream(s.Wire(broken)...)}})
			failure := expect(t, err, message.ErrInvalidToolCall)
			if failure.Tool != "read_file" || failure.RawArguments != raw {
				t.Errorf("the error tells of %q and %q", failure.Tool, failure.RawArguments)
			}
			response := agent.Respond(end)
			if len(response.ToolCalls) != 1 || !strings.Contains(string(response.ToolCalls[0].Extra), "raw_arguments") {
				t.Errorf("the calls: %+v", response.ToolCalls)
			}
			for _, event := range events {
				encode(t, event) // else no log would take the answer
			}
		}
	})
	t.Run("every finish reason is known", func(t *testing.T) {
		for _, reason := range []string{agent.FinishStop, agent.FinishLength, agent.FinishFilter} {
			r := said
			r.Finish = reason
			if _, end, err := s.ask(t.Context(), &server{replies: []reply{stream(s.Wire(r)...)}}); err != nil || end.FinishReason != reason {
				t.Errorf("%s: have %q, %v", reason, end.FinishReason, err)
			} else if reason == agent.FinishLength && !strings.Contains(string(end.Extra), `"provider_finish_reason":"`) {
				t.Errorf("%s: the provider's own word is not kept: %s", reason, end.Extra)
			}
		}
	})
	t.Run("degradations are told at the end", func(t *testing.T) {
		server := &server{replies: []reply{stream(s.Wire(said)...)}}
		request := s.request()
		request.Messages = append(request.Messages, message.Message{Role: message.User, Content: message.Of(
			message.Text{Text: "Listen."}, message.Unknown{Name: "audio", Raw: []byte(`{"type":"audio"}`)})})
		response, err := agent.Collect(s.Open("https://provider.example", server).Stream(t.Context(), request))
		if err != nil || len(response.Degradations) == 0 {
			t.Errorf("degradations %v, error %v", response.Degradations, err)
		}
	})
	t.Run("streams of one provider do not disturb each other", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			provider := s.Open("https://provider.example", &server{replies: []reply{stream(s.Wire(said)...)}})
			done := make(chan error)
			for range 8 {
				go func() {
					response, err := agent.Collect(provider.Stream(t.Context(), s.request()))
					if err == nil && message.Flatten(response.Content) != saidText {
						err = errors.New("another text")
					}
					done <- err
				}()
			}
			for range 8 {
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		})
	})
}

// wellFormed holds the order of events.
func wellFormed(t *testing.T, events []message.Event) {
	t.Helper()
	open := map[string]bool{}
	for i, event := range events {
		_, starts := event.(message.MessageStart)
		_, ends := event.(message.MessageEnd)
		if starts != (i == 0) || ends != (i == len(events)-1) {
			t.Errorf("event %d of %d is a %s", i, len(events), event.Type())
		}
		switch event := event.(type) {
		case message.ToolCallStart:
			if event.ID == "" || event.Name == "" || open[event.ID] {
				t.Errorf("event %d: a call begins: %+v", i, event)
			}
			open[event.ID] = true
		case message.ToolCallDelta:
			if !open[event.ID] {
				t.Errorf("event %d: a piece of a call that did not begin", i)
			}
		case message.ToolCallEnd:
			if !open[event.ID] || event.Arguments.Kind() != '{' {
				t.Errorf("event %d: a call ends: %+v", i, event)
			}
			delete(open, event.ID)
		}
	}
	if len(open) > 0 {
		t.Errorf("calls that did not end: %v", open)
	}
}

func deltas(events []message.Event) (text string) {
	for _, event := range events {
		if delta, ok := event.(message.TextDelta); ok {
			text += delta.Text
		}
	}
	return text
}

func thoughts(events []message.Event) (text string) {
	for _, event := range events {
		if delta, ok := event.(message.ThinkingDelta); ok {
			text += delta.Text
		}
	}
	return text
}

func encode(t *testing.T, event message.Event) string {
	t.Helper()
	out, err := message.EncodeEvent(event)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// expect holds an error to its kind and to the rules for all errors.
func expect(t *testing.T, err error, kind message.ErrorKind) *message.Error {
	t.Helper()
	var failure *message.Error
	if !errors.As(err, &failure) {
		t.Fatalf("want a message.Error of kind %s, have %v", string(kind), err)
	}
	if failure.Kind != kind {
		t.Fatalf("want kind %s, have %s: %v", string(kind), string(failure.Kind), err)
	}
	text := err.Error()
	if strings.ContainsAny(text, "\n\r") {
		t.Errorf("an error is one line, have:\n%s", text)
	}
	if strings.Contains(text, Key) {
		t.Errorf("the key is in the error: %s", text)
	}
	if failure.Provider == "" || failure.Model == "" {
		t.Errorf("the error does not say whose it is: %s", text)
	}
	return failure
}
