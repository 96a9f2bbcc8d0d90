package session

import (
	"context"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/google/go-cmp/cmp"
)

func TestWhatIsStagedIsWrittenWithTheRest(t *testing.T) {
	ctx := context.Background()
	store := new(Memory)
	said := func(text string) Entry {
		return Said{Message: message.Message{Role: message.User, Content: message.Say(text)}}
	}
	texts := func(v *View) (all []string) {
		for _, m := range v.Messages() {
			all = append(all, message.Flatten(m.Content))
		}
		return all
	}
	v, err := Begin(store, "s", NewPolicy(0))
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Stage(said("one")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"one"}, texts(v)); diff != "" || v.Head() != 1 {
		t.Errorf("head %d: %s", v.Head(), diff)
	}
	// The session is not there: nothing is written, and nothing is lost of the view.
	if _, err := v.Append(ctx, NoLease, said("two")); err == nil {
		t.Fatal("appended to a session that does not exist")
	}
	if _, err := store.Create(ctx, Meta{ID: "s"}); err != nil {
		t.Fatal(err)
	}
	if head, err := v.Append(ctx, NoLease, said("two")); err != nil || head != 2 {
		t.Fatal(head, err)
	}
	if at, _, _, err := v.LastPrepared(ctx); at != 0 || err != nil {
		t.Error(at, err)
	}
	if err := v.Stage(said("three")); err != nil {
		t.Fatal(err)
	}
	if err := v.Unstage(ctx); err != nil {
		t.Fatal(err)
	}
	opened, err := Open(ctx, store, "s", NewPolicy(0))
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]*View{"unstaged": v, "opened": opened} {
		if diff := cmp.Diff([]string{"one", "two"}, texts(v)); diff != "" || v.Head() != 2 {
			t.Errorf("%s: head %d: %s", name, v.Head(), diff)
		}
	}
	// A session that was never created is empty again.
	v, err = Begin(store, "never", NewPolicy(0))
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Stage(said("one")); err != nil {
		t.Fatal(err)
	}
	if err := v.Unstage(ctx); err != nil || len(v.Messages()) > 0 || v.Head() != 0 {
		t.Errorf("%v %v", texts(v), err)
	}
}
