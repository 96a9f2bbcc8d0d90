package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// Whoever calls a turn can tell its errors apart, and whether to say it again.
func TestTheErrorsOfATurn(t *testing.T) {
	bored := errors.New("bored")
	stopped := func(ctx context.Context, cause error) context.Context {
		ctx, stop := context.WithCancelCause(ctx)
		stop(cause)
		return ctx
	}
	late, done := context.WithDeadline(t.Context(), time.Now().Add(-time.Hour))
	defer done()
	for name, c := range map[string]struct {
		ctx   context.Context
		steps []step
		// spoil does something to the world before its second turn.
		spoil func(*world)
		want  []error
		kept  bool
	}{
		"cancelled":              {ctx: stopped(t.Context(), nil), want: []error{context.Canceled}},
		"cancelled for a reason": {ctx: stopped(t.Context(), bored), want: []error{context.Canceled, bored}},
		"too late":               {ctx: late, want: []error{context.DeadlineExceeded}},
		"the provider says no":   {steps: []step{fail("", &message.Error{Kind: message.ErrQuota})}, want: []error{message.ErrQuota}, kept: true},
		"somebody has it": {spoil: func(w *world) {
			if _, err := w.store.Lease(t.Context(), w.ID(), "somebody", time.Hour); err != nil {
				t.Fatal(err)
			}
		}, want: []error{session.ErrHeld}},
		"it was deleted": {spoil: func(w *world) {
			if err := w.store.Delete(t.Context(), w.ID()); err != nil {
				t.Fatal(err)
			}
		}, want: []error{session.ErrNotFound}},
		"somebody wrote without a lease": {spoil: func(w *world) {
			w.config.Store = moving{w.store}
			var err error
			if w.Conversation, err = Resume(t.Context(), w.config, w.ID()); err != nil {
				t.Fatal(err)
			}
		}, want: []error{session.ErrConflict}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, &scripted{steps: append([]step{say("first")}, c.steps...)}, nil)
			w.ask("hello")
			if c.spoil != nil {
				c.spoil(w)
			}
			if c.ctx == nil {
				c.ctx = t.Context()
			}
			answer, err := w.Turn(c.ctx, ampersat.Ask("and now"), nil)
			for _, want := range c.want {
				if !errors.Is(err, want) {
					t.Errorf("%v is no %v", err, want)
				}
			}
			if (answer.Said != 0) != c.kept {
				t.Errorf("kept at %d", answer.Said)
			}
		})
	}

	// A cause that comes while a model answers.
	ctx, stop := context.WithCancelCause(t.Context())
	interrupted := newWorld(t, &scripted{steps: []step{func(ctx context.Context, r message.Request) Stream {
		stop(bored)
		return say("never")(ctx, r)
	}}}, nil)
	answer, err := interrupted.Turn(ctx, ampersat.Ask("hello"), nil)
	if !errors.Is(err, bored) || !errors.Is(err, context.Canceled) || !errors.Is(err, message.ErrAborted) || answer.Said == 0 {
		t.Errorf("%d %v", answer.Said, err)
	}

	// Who gives a session an id that is taken, and who says more than fits.
	w := newWorld(t, &scripted{window: 3000}, nil)
	w.ask("hello")
	again, err := Start(w.config, session.Meta{ID: w.ID()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := again.Turn(t.Context(), ampersat.Ask("hello"), nil); !errors.Is(err, session.ErrExists) {
		t.Error(err)
	}
	if _, err := w.store.Get(t.Context(), w.ID()); err != nil {
		t.Errorf("the session of that id is gone: %v", err)
	}
	answer, err = w.Turn(t.Context(), ampersat.Ask(strings.Repeat("much too long ", 10_000)), nil)
	if _, ok := errors.AsType[*session.TooLargeError](err); !ok || answer.Said != 0 {
		t.Errorf("%d %v", answer.Said, err)
	}
}

// moving is a store in which others write whenever somebody does.
type moving struct{ *session.Memory }

func (m moving) Append(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
	return m.Memory.Append(ctx, id, after+1, token, entries...)
}

// A message was said if the answer names its entry, and whoever watches knows it
// by the first request, or by the compaction that made room for it.
func TestWhetherAMessageWasKept(t *testing.T) {
	for at := range 40 {
		for _, new := range []bool{true, false} {
			t.Run(fmt.Sprint(at, new), func(t *testing.T) {
				w := newWorld(t, &scripted{window: 3000, steps: []step{call("look", `{}`)}}, nil)
				if !new {
					w = w.resumed()
					for range 5 {
						w.ask(strings.Repeat("words to be compacted ", 30))
					}
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				told, seen := false, 0
				answer, err := w.Turn(ctx, ampersat.Ask("the message and @long.md"), func(e Event) {
					switch e.(type) {
					case Requested, Compacted:
						told = true
					}
					if seen++; seen > at {
						cancel()
					}
				})
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				kept := session.Seq(0)
				if err := w.find(func(r session.Record) {
					if said, ok := r.Entry.(session.Said); ok && said.Message.Role == message.User && strings.HasPrefix(brief(said.Message), "the message") {
						kept = r.Seq
					}
				}); err != nil && !errors.Is(err, session.ErrNotFound) {
					t.Fatal(err)
				}
				if answer.Said != kept || told != (kept != 0) {
					t.Errorf("it is at %d; the answer says %d, whoever watches was told %v", kept, answer.Said, told)
				}
			})
		}
	}
}

// find looks at all records of the log.
func (w *world) find(look func(session.Record)) error {
	for record, err := range w.store.Read(context.Background(), w.ID(), 1) {
		if err != nil {
			return err
		}
		look(record)
	}
	return nil
}

// Wherever contents are placed, the entry of the message is the message.
func TestTheEntryOfAMessage(t *testing.T) {
	for _, place := range ampersat.Placements {
		w := newWorld(t, &scripted{}, func(c *Config) {
			c.System = func(context.Context) (ampersat.Stack, error) {
				return ampersat.Stack{Messages: []message.Message{{Role: message.System, Content: message.Say("be good")}}}, nil
			}
			c.Pipeline.Tools = func(_ mention.Mention, name string) (string, any, bool) {
				return "look", map[string]string{"path": name}, true
			}
		})
		for i := range 2 {
			turn := ampersat.Ask(fmt.Sprintf("look at @%d.md", i))
			turn.Place = place
			answer, err := w.Turn(t.Context(), turn, nil)
			if err != nil {
				t.Fatal(err)
			}
			said, ok := w.entry(answer.Said).(session.Said)
			if !ok || said.Message.Role != message.User || !strings.HasPrefix(brief(said.Message), "look at") {
				t.Errorf("%s: entry %d is %+v", place, answer.Said, said.Message)
			}
		}
	}
}
