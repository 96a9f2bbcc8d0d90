package providertest

import (
	"context"
	"errors"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/google/go-cmp/cmp"
)

// Contract holds any provider to what [agent.Provider] promises about a stream that
// goes well or is cancelled. The request must be one that the provider answers with
// some text, always the same.
func Contract(t *testing.T, provider agent.Provider, request message.Request) {
	if provider.Name() == "" {
		t.Error("the provider has no name")
	}
	if card := provider.Model("a model that nobody knows"); card.Known || card.Provider != provider.Name() {
		t.Errorf("an unknown model of %q: %+v", provider.Name(), card)
	}
	before, err := message.EncodeRequest(request)
	if err != nil {
		t.Fatal(err)
	}
	var events []message.Event
	for event, err := range provider.Stream(t.Context(), request) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, event)
	}
	wellFormed(t, events)
	response, err := agent.Collect(provider.Stream(t.Context(), request))
	if err != nil {
		t.Fatal(err)
	}
	whole := message.Flatten(response.Content)
	if text := deltas(events); text != whole || whole == "" {
		t.Errorf("the deltas say %q, the end %q", text, whole)
	}
	if response.Usage == nil || response.FinishReason == "" {
		t.Errorf("usage %v, finish reason %q", response.Usage, response.FinishReason)
	}
	if after, err := message.EncodeRequest(request); err != nil || cmp.Diff(string(before), string(after)) != "" {
		t.Errorf("the request was changed (%v)", err)
	}

	t.Run("a cancelled context sends nothing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := agent.Collect(provider.Stream(ctx, request))
		if expect(t, err, message.ErrAborted); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	t.Run("cancelling keeps what came", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var shown string
		var last message.Event
		var failure error
		for event, err := range provider.Stream(ctx, request) {
			if delta, ok := event.(message.TextDelta); ok {
				shown += delta.Text
				cancel()
			}
			last, failure = event, err
		}
		expect(t, failure, message.ErrAborted)
		end, ok := last.(message.MessageEnd)
		if kept := message.Flatten(message.Of(end.Content...)); !ok || kept != shown || kept == whole {
			t.Errorf("shown %q, kept %q", shown, kept)
		}
	})
	t.Run("the loop can be left", func(t *testing.T) {
		for range provider.Stream(t.Context(), request) {
			break
		}
	})
}
