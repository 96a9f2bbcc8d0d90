package providertest

import (
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/token"
	"github.com/go-json-experiment/json/jsontext"
)

// leastShare is how much of what a long session sends must come from a cache.
const leastShare = 0.95

// cachedShare computes, for a session of fifty turns, how many of the tokens that
// are sent a provider has seen at the same place in the request before.
func cachedShare(t *testing.T, s Subject) {
	request := long(50)
	request.Model = s.Model
	messages := request.Messages
	var before []jsontext.Value
	var sent, cached int
	for i, m := range messages {
		// A request leaves when the user or the tools have spoken and the model is
		// to answer.
		if i+1 < len(messages) && messages[i+1].Role != message.Assistant || m.Role == message.System {
			continue
		}
		request.Messages = messages[:i+1]
		segments, err := Segments(s, request)
		if err != nil {
			t.Fatal(err)
		}
		same := true
		for j, segment := range segments {
			tokens := token.Estimate(string(segment))
			sent += tokens
			same = same && j < len(before) && string(before[j]) == string(segment)
			if same {
				cached += tokens
			}
		}
		before = segments
	}
	share := float64(cached) / float64(sent)
	t.Logf("%.1f %% of %d tokens", 100*share, sent)
	if share < leastShare {
		t.Errorf("%.1f %% of the tokens were sent before, want %.0f %%", 100*share, 100*leastShare)
	}
}
