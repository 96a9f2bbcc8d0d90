package agent

import (
	"errors"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func streamOf(failure error, events ...message.Event) Stream {
	return func(yield func(message.Event, error) bool) {
		for i, event := range events {
			var err error
			if i == len(events)-1 {
				err = failure
			}
			if !yield(event, err) {
				return
			}
		}
		if len(events) == 0 && failure != nil {
			yield(nil, failure)
		}
	}
}

func TestCollect(t *testing.T) {
	call := message.ToolCall{ID: "call_1", Name: "look", Input: jsontext.Value(`{}`)}
	end := message.MessageEnd{
		Content: []message.Part{message.Text{Text: "Hello."}, call}, Usage: &message.Usage{InputTokens: 1},
		Degradations: []message.Degradation{{Requested: "a", Actual: "b", Reason: "c"}}, FinishReason: FinishToolCalls,
	}
	end.Extra = jsontext.Value(`{"id":"msg_1"}`)
	whole := message.Response{Content: message.Of(message.Text{Text: "Hello."}, call), ToolCalls: []message.ToolCall{call}, Usage: end.Usage,
		Degradations: end.Degradations, FinishReason: FinishToolCalls, Metadata: jsontext.Value(`{"id":"msg_1"}`)}
	broken := &message.Error{Kind: message.ErrStream}
	for _, c := range []struct {
		name   string
		stream Stream
		want   message.Response
		err    error
	}{
		{"a whole answer", streamOf(nil, message.MessageStart{}, message.TextDelta{Text: "Hello."}, end), whole, nil},
		{"what came before an error", streamOf(broken, message.MessageStart{}, message.TextDelta{Text: "Hello."}, end), whole, broken},
		{"nothing but an error", streamOf(broken), message.Response{}, broken},
		{"nothing", streamOf(nil), message.Response{}, nil},
	} {
		have, err := Collect(c.stream)
		if diff := cmp.Diff(c.want, have); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%s: %v (-want +have):\n%s", c.name, err, diff)
		}
	}
}
