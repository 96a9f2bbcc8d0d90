package session_test

import (
	"errors"
	"iter"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTurns(t *testing.T) {
	say := func(role message.Role) session.Entry {
		return session.Said{Message: message.Message{Role: role, Content: message.Say("x")}}
	}
	user, assistant, tool, context, system := say(message.User), say(message.Assistant), say(message.Tool), say(message.Developer), say(message.System)
	for name, c := range map[string]struct {
		log  []session.Entry
		want []session.Turn
	}{
		"nothing":               {nil, nil},
		"a question":            {[]session.Entry{system, user, assistant}, []session.Turn{{Said: []session.Seq{2, 3}}}},
		"contents before":       {[]session.Entry{context, user, assistant, context, user}, []session.Turn{{Said: []session.Seq{1, 2, 3}}, {Said: []session.Seq{4, 5}}}},
		"contents within":       {[]session.Entry{user, assistant, tool, context, assistant}, []session.Turn{{Said: []session.Seq{1, 2, 3, 4, 5}}}},
		"what is not said":      {[]session.Entry{session.Note{Name: "turn"}, user, session.Prepared{}, assistant}, []session.Turn{{Said: []session.Seq{2, 4}}}},
		"an answer to nobody":   {[]session.Entry{assistant, user}, []session.Turn{{Said: []session.Seq{2}}}},
		"undone":                {[]session.Entry{user, assistant, user, assistant, session.Undo(2), user}, []session.Turn{{Said: []session.Seq{1, 2}}, {}, {Said: []session.Seq{6}}}},
		"undone in part":        {[]session.Entry{user, assistant, tool, session.Undo(2)}, []session.Turn{{Said: []session.Seq{1, 2}}}},
		"contents were undone":  {[]session.Entry{context, session.Undo(0), user}, []session.Turn{{Said: []session.Seq{3}}}},
		"pinned":                {[]session.Entry{user, assistant, session.Pin(2), session.Pin(1)}, []session.Turn{{Said: []session.Seq{1, 2}, Pinned: []session.Seq{1, 2}}}},
		"pinned and not":        {[]session.Entry{user, assistant, session.Pin(2), session.Pin(1), session.Unpin(2)}, []session.Turn{{Said: []session.Seq{1, 2}, Pinned: []session.Seq{1}}}},
		"pinned what is no one": {[]session.Entry{user, session.Pin(99)}, []session.Turn{{Said: []session.Seq{1}}}},
		"pinned and undone":     {[]session.Entry{user, session.Pin(1), session.Undo(0)}, []session.Turn{{}}},
	} {
		t.Run(name, func(t *testing.T) {
			have, err := session.Turns(records(c.log))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, have, cmpopts.EquateEmpty()); diff != "" {
				t.Error(diff)
			}
		})
	}
	broken := errors.New("broken")
	if _, err := session.Turns(func(yield func(session.Record, error) bool) { yield(session.Record{}, broken) }); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// records are entries as a store returns them.
func records(entries []session.Entry) iter.Seq2[session.Record, error] {
	return func(yield func(session.Record, error) bool) {
		for i, e := range entries {
			if !yield(session.Record{Seq: session.Seq(i + 1), Entry: e}, nil) {
				return
			}
		}
	}
}
