package gemini

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What the API said goes back as it came: the same parts, in the same order, each
// with its signature and its id, even after it was stored. Only texts that are not
// signed are joined, as the API itself cuts them anywhere.
func TestAnswersGoBackAsTheyCame(t *testing.T) {
	const model = "gemini-2.5-flash"
	rapid.Check(t, func(t *rapid.T) {
		came := rapid.SliceOfN(rapid.Custom(randomPart), 1, 8).Draw(t, "parts")
		d := &decoder{by: origin{Model: model, Provider: Name}}
		for rest := came; len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "parts in this event")
			parts, err := json.Marshal(rest[:n])
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.Decode(sse.Event{Data: []byte(`{"candidates":[{"content":{"parts":` + string(parts) + `}}]}`)}); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		end, _, err := d.End()
		if err != nil {
			t.Fatal(err)
		}
		stored, err := message.Encode(message.Message{Role: message.Assistant, Content: message.Of(end.Content...)})
		if err != nil {
			t.Fatal(err)
		}
		answer, err := message.Decode(stored)
		if err != nil {
			t.Fatal(err)
		}
		body, degradations, err := encode(message.Request{Model: model, Messages: []message.Message{
			{Role: message.User, Content: message.Say("Hello")}, answer}})
		if err != nil || len(degradations) > 0 && !calls(came) {
			t.Fatalf("%v, degradations %+v", err, degradations)
		}
		var sent struct {
			Contents []struct {
				Parts []jsontext.Value `json:"parts"`
			} `json:"contents"`
		}
		if err := json.Unmarshal(body, &sent); err != nil {
			t.Fatal(err)
		}
		var have []string
		if len(sent.Contents) > 1 {
			for _, p := range sent.Contents[1].Parts {
				have = append(have, string(p))
			}
		}
		if diff := cmp.Diff(expected(t, came), have); diff != "" {
			t.Fatalf("(-came +sent):\n%s", diff)
		}
	})
}

func randomPart(t *rapid.T) (p part) {
	if rapid.Bool().Draw(t, "signed") {
		p.ThoughtSignature = base64.StdEncoding.EncodeToString(rapid.SliceOfN(rapid.Byte(), 1, 9).Draw(t, "signature"))
	}
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		p.InlineData = &inlineData{MIMEType: "image/png", Data: "AAAA"}
	case 1:
		p.FunctionCall = &functionCall{
			ID:   rapid.SampledFrom([]string{"", fmt.Sprint(rapid.Uint32().Draw(t, "id"))}).Draw(t, "has id"),
			Name: "read_file", Args: jsontext.Value(rapid.SampledFrom([]string{`{}`, `{"path":"ä","n":1.50}`}).Draw(t, "args"))}
	default:
		text := rapid.SampledFrom([]string{"", " ", "é", "word", "a\n"}).Draw(t, "text")
		p.Text = &text
		p.Thought = rapid.Bool().Draw(t, "thought")
	}
	return p
}

func calls(parts []part) bool {
	for _, p := range parts {
		if p.FunctionCall != nil {
			return true // which nobody answers here
		}
	}
	return false
}

// expected says what is to be sent back.
func expected(t *rapid.T, came []part) (want []string) {
	var joined []part
	add := func(p part) {
		if last := len(joined) - 1; last >= 0 && p.Text != nil && p.ThoughtSignature == "" && joined[last].Text != nil &&
			joined[last].ThoughtSignature == "" && joined[last].Thought == p.Thought {
			text := *joined[last].Text + *p.Text
			joined[last].Text = &text
			return
		}
		joined = append(joined, p)
	}
	for _, p := range came {
		switch {
		case p.Text == nil || p.Thought || p.ThoughtSignature == "" || strings.TrimSpace(*p.Text) != "":
			if p.Text == nil || *p.Text != "" || p.ThoughtSignature != "" {
				add(p)
			}
		default:
			// A signature that comes with a text without words: the text is joined
			// to the others, and the signature stands alone.
			if *p.Text != "" {
				add(part{Text: p.Text})
			}
			add(part{Text: new(string), ThoughtSignature: p.ThoughtSignature})
		}
	}
	for _, p := range joined {
		if p.Text != nil && !p.Thought && p.ThoughtSignature == "" && strings.TrimSpace(*p.Text) == "" {
			continue // nobody sends a text without words
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(text))
	}
	return want
}
