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
