package providertest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
)

// FuzzStream sends the provider whatever may come as a stream, and holds what it
// makes of it to the contract of [agent.Stream].
func FuzzStream(f *testing.F, s Subject) {
	for _, reply := range []Reply{said, thought} {
		whole := strings.Join(s.Wire(reply), "")
		f.Add([]byte(whole), 1)
		f.Add([]byte(whole[:len(whole)/2]), 7)
	}
	if s.WireError != nil {
		f.Add([]byte(s.Wire(said)[0]+s.WireError(message.ErrUnavailable, "overloaded")), 100)
	}
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		size = max(1, size)
		split := stream()
		split.chunks = nil
		for len(data) > 0 {
			n := min(size, len(data))
			split.chunks = append(split.chunks, chunk{data: data[:n]})
			data = data[n:]
		}
		// A stream that could not be read is asked for again after a pause. There is
		// no time for that: when the first is closed, everything is.
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		server := &server{replies: []reply{split}, closed: cancel}
		events, end, err := s.ask(ctx, server)
		if server.open() > 0 {
			t.Error("a connection was left open")
		}
		var failure *message.Error
		if err != nil && !errors.As(err, &failure) {
			t.Fatalf("an error of another type: %v", err)
		}
		if err != nil {
			expect(t, err, failure.Kind)
		}
		if len(events) == 0 {
			if err == nil {
				t.Error("neither events nor an error")
			}
			return
		}
		if events[0].Type() != message.TypeMessageStart || events[len(events)-1].Type() != message.TypeMessageEnd {
			t.Errorf("it begins with %s and ends with %s", events[0].Type(), events[len(events)-1].Type())
		}
		if shown, kept := deltas(events), textOf(end.Content); len(shown) != len(kept) {
			t.Errorf("shown %q, kept %q", shown, kept)
		}
		if _, err := message.EncodeEvent(end); err != nil {
			t.Errorf("the end cannot be written: %v", err)
		}
	})
}

// textOf is all text of an answer.
func textOf(parts []message.Part) (text string) {
	for _, part := range parts {
		if said, ok := part.(message.Text); ok {
			text += said.Text
		}
	}
	return text
}
