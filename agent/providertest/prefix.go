package providertest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// prefix holds the encoder to the rule that lets provider caches hit: what was
// sent is the beginning of what is sent next, as long as a session only grows.
//
// A request is sent, an answer comes, more is said, another request is sent. So
// the requests of a session are its messages up to any answer, and those of each
// must be a prefix of those of the next.
func prefix(t *testing.T, s Subject) {
	rapid.Check(t, func(t *rapid.T) {
		messages := Session().Draw(t, "session")
		request := withTools(messages...)
		request.Model = s.Model
		request.Blobs = blobs
		whole, err := Segments(s, request)
		if err != nil {
			return // there is nothing to send in it
		}
		for i := len(messages) - 1; i > 0; i-- {
			if messages[i].Role != message.Assistant {
				continue
			}
			request.Messages = messages[:i]
			sent, err := Segments(s, request)
			if err != nil {
				return
			}
			if len(sent) > len(whole) {
				t.Fatalf("%d segments before message %d, %d with it", len(sent), i, len(whole))
			}
			for j := range sent {
				if !bytes.Equal(sent[j], whole[j]) {
					t.Fatalf("segment %d is not the same once message %d is there:\n%s\n%s", j, i, sent[j], whole[j])
				}
			}
			whole = sent
		}
	})
}

// lawful checks the bodies of random sessions with the subject's rules.
func lawful(t *testing.T, s Subject) {
	if s.Check == nil {
		t.Fatal("the subject has no rules to check bodies with")
	}
	rapid.Check(t, func(t *rapid.T) {
		request := withTools(Session().Draw(t, "session")...)
		request.Model = s.Model
		request.Blobs = blobs
		for i, schema := range rapid.SliceOfN(rapid.SampledFrom(schemas), 0, 3).Draw(t, "schemas") {
			request.Tools = append(request.Tools, message.ToolSpec{Name: fmt.Sprint("tool_", i), Parameters: jsontext.Value(schema)})
		}
		request.ReasoningEffort = rapid.SampledFrom([]string{"", "none", "low", "high"}).Draw(t, "effort")
		request.MaxOutputTokens = rapid.SampledFrom([]int{0, -5, 4000, 500_000}).Draw(t, "output")
		body, degradations, err := s.Encode(request)
		if err != nil {
			return
		}
		if err := s.Check(body); err != nil {
			t.Fatalf("the API would refuse it: %v\n%s", err, body)
		}
		for _, d := range degradations {
			if d.Requested == "" || d.Actual == "" || d.Reason == "" {
				t.Fatalf("a degradation that does not say everything: %+v", d)
			}
		}
	})
}

// Segments returns what a provider's cache sees of a request, in order.
func Segments(s Subject, request message.Request) (segments []jsontext.Value, err error) {
	body, _, err := s.Encode(request)
	if err != nil {
		return nil, err
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(body, &members, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	for _, name := range s.Segments {
		value, has := members[name]
		if !has {
			continue
		}
		var list []jsontext.Value
		if value.Kind() != '[' {
			list = []jsontext.Value{value}
		} else if err := json.Unmarshal(value, &list, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
			return nil, fmt.Errorf("body: %s: %w", name, err)
		}
		for _, element := range list {
			plain, err := without(element, s.Markers)
			if err != nil {
				return nil, fmt.Errorf("body: %s: %w", name, err)
			}
			segments = append(segments, plain)
		}
	}
	return segments, nil
}

// without returns value without the members of these names, at any depth.
func without(value jsontext.Value, names []string) (jsontext.Value, error) {
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	in := jsontext.NewDecoder(bytes.NewReader(value), lenient...)
	var b bytes.Buffer
	out := jsontext.NewEncoder(&b, lenient...)
	for {
		// Within an object an even number of tokens was read when a name comes.
		kind, length := in.StackIndex(in.StackDepth())
		if kind == '{' && length%2 == 0 && in.PeekKind() == '"' {
			name, err := in.ReadToken()
			if err != nil {
				return nil, err
			}
			if slices.Contains(names, name.String()) {
				if err := in.SkipValue(); err != nil {
					return nil, err
				}
				continue
			}
			if err := out.WriteToken(name); err != nil {
				return nil, err
			}
			continue
		}
		token, err := in.ReadToken()
		if err != nil {
			return nil, err
		}
		if err := out.WriteToken(token); err != nil {
			return nil, err
		}
		if in.StackDepth() == 0 {
			return bytes.TrimSpace(b.Bytes()), nil
		}
	}
}
