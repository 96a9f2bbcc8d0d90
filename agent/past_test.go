package agent

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/google/go-cmp/cmp"
)

// What a program needs to pin an answer and to undo a turn is in what it gets.
func TestAnAnswerSaysWhereItIs(t *testing.T) {
	change := Change{Path: "/project/a"}
	w := newWorld(t, &scripted{steps: []step{say("one"), call("change", `{}`), say("two")}}, func(c *Config) {
		c.Tools = []Tool{probe{name: "change", effect: Writes, run: func(context.Context, Call) (Result, error) {
			return Result{Changes: []Change{change}}, nil
		}}}
	})
	first, second := w.ask("first"), w.ask("second")
	for _, answer := range []Answer{first, second} {
		said, ok := w.entry(answer.At).(session.Said)
		if !ok || brief(said.Message) != brief(answer.Message) {
			t.Errorf("entry %d is %+v", answer.At, said)
		}
	}
	undo := func(want Past) {
		t.Helper()
		past, err := LastTurn(w.store.Read(t.Context(), w.ID(), 1))
		if err != nil {
			t.Fatal(err)
		}
		want.Begins, want.Head = past.Begins, past.Head
		if diff := cmp.Diff(want, past); diff != "" || past.Begins == 0 {
			t.Error(past.Begins, diff)
		}
		if _, err := w.store.Append(t.Context(), w.ID(), past.Head, session.NoLease, session.Undo(past.Begins-1)); err != nil {
			t.Fatal(err)
		}
	}
	undo(Past{ID: second.Turn, Changes: []Change{change}})
	third := w.ask("third")
	if last := render(w.provider.seen[len(w.provider.seen)-1]); last != "firstonethird" {
		t.Errorf("the model reads %q", last)
	}
	undo(Past{ID: third.Turn})
	undo(Past{ID: first.Turn})
	past, err := LastTurn(w.store.Read(t.Context(), w.ID(), 1))
	if err != nil || past.Begins != 0 {
		t.Errorf("%+v %v", past, err)
	}
}

// entry is one of the log.
func (w *world) entry(at session.Seq) session.Entry {
	w.t.Helper()
	for record, err := range w.store.Read(context.Background(), w.ID(), at) {
		if err != nil {
			w.t.Fatal(err)
		}
		return record.Entry
	}
	w.t.Fatalf("there is no entry %d", at)
	return nil
}

// Older versions noted what calls wrote, and nothing of what else they did. The
// calls themselves are in the log.
func TestLastTurnOfAnOlderVersion(t *testing.T) {
	say := func(parts ...message.Part) session.Entry {
		return session.Said{Message: message.Message{Role: message.Assistant, Content: message.Of(parts...)}}
	}
	note := func(name, value string) session.Entry { return session.Note{Name: name, Value: []byte(value)} }
	calls := say(
		message.ToolCall{ID: "1", Name: "write_file", Input: []byte(`{"path":"a"}`)},
		message.ToolCall{ID: "2", Name: "shell", Input: []byte(`{"command":"echo ran"}`)},
		message.ToolCall{ID: "3", Name: "docs__put", Input: []byte(`{"text":"` + strings.Repeat("é", 200) + `"}`)},
		message.ToolCall{ID: "4", Name: "stop"})
	results := say(message.TextResult("1", "written"), message.TextResult("2", "ran"), message.TextResult("3", "put"))
	changed := note(NoteChanged, `{"call":"1","changes":[{"path":"/project/a"}]}`)
	unnoted := []Left{
		{Acting: Acting{Call: "2", Tool: "shell", Summary: `shell {"command":"echo ran"}`}, Ended: true},
		{Acting: Acting{Call: "3", Tool: "docs__put", Summary: `docs__put {"text":"` + strings.Repeat("é", 100) + "…"}, Ended: true},
		{Acting: Acting{Call: "4", Tool: "stop", Summary: "stop"}},
	}
	for name, c := range map[string]struct {
		entries []session.Entry
		want    []Left
	}{
		"an older version":    {[]session.Entry{note(NoteTurn, `{"id":"x"}`), calls, results, changed}, unnoted},
		"somebody else":       {[]session.Entry{note(NoteTurn, `[]`), calls, results, changed}, unnoted},
		"what is run is told": {[]session.Entry{note(NoteTurn, `{"id":"x","notes":true}`), calls, results, changed}, nil},
		"one that was told":   {[]session.Entry{note(NoteTurn, `{"id":"x"}`), calls, note(NoteChanging, `{"call":"1","changes":[{"path":"/project/a"}]}`), results, changed}, nil},
		"the turn before":     {[]session.Entry{note(NoteTurn, `{"id":"w"}`), calls, results, note(NoteTurn, `{"id":"x"}`), say(message.Text{Text: "hello"}), changed}, nil},
	} {
		past, err := LastTurn(func(yield func(session.Record, error) bool) {
			for i, entry := range c.entries {
				if !yield(session.Record{Seq: session.Seq(i + 1), Entry: entry}, nil) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, past.Unnoted); diff != "" || len(past.Changes) != 1 || len(past.Left) > 0 {
			t.Errorf("%s: %+v %s", name, past, diff)
		}
	}
}

func TestLastTurnOfALogThatCannotBeRead(t *testing.T) {
	broken := errors.New("broken")
	for want, record := range map[string]session.Record{
		"broken":       {},
		"read entry 7": {Seq: 7, Entry: session.Note{Name: NoteChanged, Value: []byte(`[]`)}},
	} {
		_, err := LastTurn(func(yield func(session.Record, error) bool) {
			if record.Seq == 0 {
				yield(record, broken)
				return
			}
			yield(record, nil)
		})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A turn of which nothing was kept has no place in the log.
func TestAnAnswerThatDidNotComeIsNowhere(t *testing.T) {
	w := newWorld(t, &scripted{steps: []step{fail("", &message.Error{Kind: message.ErrUnavailable})}}, nil)
	answer, err := w.Turn(t.Context(), ampersat.Ask("hello"), nil)
	if err == nil || answer.At != 0 || answer.Turn == "" {
		t.Errorf("%+v %v", answer, err)
	}
}

// A person may want the model to see less although there is room.
func TestCompactByHand(t *testing.T) {
	w := newWorld(t, &scripted{window: 100_000}, nil)
	if _, smaller, err := w.Compact(t.Context()); smaller || err != nil {
		t.Errorf("nothing was said: %v %v", smaller, err)
	}
	for range 12 {
		w.ask("tell me about @long.md and " + strings.Repeat("much more ", 400))
	}
	before := w.view.Tokens()
	entry, smaller, err := w.Compact(t.Context())
	if err != nil || !smaller {
		t.Fatal(smaller, err)
	}
	if entry.TokensAfter >= before || w.view.Tokens() != entry.TokensAfter || entry.TokensAfter < w.config.Policy.Overhead {
		t.Errorf("%d tokens, %d before", entry.TokensAfter, before)
	}
	if log := w.log(); log[len(log)-1] != string(session.KindCompacted) {
		t.Errorf("%q", log)
	}
	w.ask("go on")

	if _, _, err := new(Conversation).Compact(t.Context()); err == nil {
		t.Error("a conversation that was not begun")
	}
	lease, err := w.store.Lease(t.Context(), w.ID(), "somebody", session.HoldTime)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.Compact(t.Context()); !errors.Is(err, session.ErrHeld) {
		t.Error(err)
	}
	if err := w.store.Release(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	_, err = w.Turn(t.Context(), ampersat.Ask("hello"), func(Event) {
		if _, _, err := w.Compact(t.Context()); err != ErrBusy {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A session goes on with a model whose window is smaller than what another has
// counted, if what was said is short.
func TestASmallerModelGoesOn(t *testing.T) {
	large := func(ctx context.Context, request message.Request) Stream {
		return func(yield func(message.Event, error) bool) {
			yield(message.MessageEnd{Content: []message.Part{message.Text{Text: "hi"}}, FinishReason: FinishStop, Usage: &message.Usage{InputTokens: 50_000, OutputTokens: 10}}, nil)
		}
	}
	w := newWorld(t, &scripted{window: 200_000, steps: []step{large, large}}, nil)
	w.ask("x")
	w.ask("y")
	w.config.Model, w.config.Provider = "small", &scripted{window: 32_768}
	var err error
	if w.Conversation, err = Resume(t.Context(), w.config, w.ID()); err != nil {
		t.Fatal(err)
	}
	if answer := w.ask("z"); brief(answer.Message) != "done" {
		t.Errorf("%+v", answer)
	}
}
