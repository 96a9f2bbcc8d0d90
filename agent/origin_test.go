package agent

import (
	"context"
	"errors"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/google/go-cmp/cmp"
)

// The profile of a session and its folder are noted with its first turn, and found
// again however the session went on.
func TestOrigin(t *testing.T) {
	ctx := context.Background()
	store := &session.Memory{}
	has := Profile{Name: "foundation:dev", Digest: blob.Of([]byte("dev"))}
	config := Config{
		Store: store, Provider: &scripted{window: 10_000}, Model: "m", Choice: "work/m", Profile: has, Dir: "sub", Pipeline: &ampersat.Pipeline{},
		System: func(context.Context) (ampersat.Stack, error) {
			return ampersat.Stack{Messages: []message.Message{{Role: message.System, Content: message.Say("be good")}}}, nil
		},
	}
	c, err := Start(config, session.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	config.Profile, config.Dir = Profile{Name: "other"}, "elsewhere"
	for range 2 {
		if _, err := c.Turn(ctx, ampersat.Ask("hi"), nil); err != nil {
			t.Fatal(err)
		}
		if c, err = Resume(ctx, config, c.ID()); err != nil {
			t.Fatal(err)
		}
	}
	fork, err := store.Fork(ctx, c.ID(), 2, session.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	bare, err := store.Fork(ctx, c.ID(), 1, session.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[session.ID]Begun{c.ID(): {Profile: has, Dir: "sub"}, fork.ID: {Profile: has, Dir: "sub"}, bare.ID: {}} {
		if have, err := Origin(ctx, store, id); err != nil || have.Profile != want.Profile || have.Dir != want.Dir {
			t.Errorf("%+v, want %+v; %v", have, want, err)
		}
	}
	if _, err := Origin(ctx, store, "nobody"); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
	last, err := store.Last(ctx, c.ID(), session.KindPrepared)
	if p, ok := last.Entry.(session.Prepared); !ok || err != nil || p.Choice != "work/m" {
		t.Errorf("%+v %v", last.Entry, err)
	}
}

// A session is new until something was said in it, whatever a front end has
// noted before.
func TestASessionWithANoteIsStillNew(t *testing.T) {
	has := Profile{Name: "foundation:dev"}
	w := newWorld(t, &scripted{}, func(c *Config) {
		c.Profile = has
		c.System = func(context.Context) (ampersat.Stack, error) {
			return ampersat.Stack{Messages: []message.Message{{Role: message.System, Content: message.Say("be good")}}}, nil
		}
	}).resumed()
	if _, err := w.store.Append(t.Context(), w.ID(), 0, session.NoLease, session.Note{Name: "bookmark"}); err != nil {
		t.Fatal(err)
	}
	w.ask("hi")
	w.ask("and again")
	if diff := cmp.Diff([]string{"note bookmark", "system: be good", "-", "user: hi", "prepared", "assistant: done", "-", "user: and again", "prepared", "assistant: done"}, w.log()); diff != "" {
		t.Error(diff)
	}
	if have, err := Origin(t.Context(), w.store, w.ID()); err != nil || have.Profile != has {
		t.Errorf("%+v %v", have, err)
	}
}
