package gemini

import (
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/sse"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
)

// read gives the events to a decoder.
func read(events ...string) (d *decoder, said []message.Event, err error) {
	d = &decoder{by: origin{Model: "gemini-3.5-flash"}}
	for _, event := range events {
		more, err := d.Decode(sse.Event{Data: []byte(event)})
		said = append(said, more...)
		if err != nil {
			return d, said, err
		}
	}
	return d, said, nil
}

// saying is an event with these parts.
func saying(parts string) string { return `{"candidates":[{"content":{"parts":[` + parts + `]}}]}` }

func TestPartsOfAnAnswer(t *testing.T) {
	const stamp = `"model":"gemini-3.5-flash"`
	for _, c := range []struct {
		name   string
		events []string
		want   string
	}{
		{"pieces of a text are one text", []string{saying(`{"text":"a"}`), saying(`{"text":""},{"text":"b"}`)}, `[{"type":"text","text":"ab"}]`},
		{"pieces of a thought are one thought", []string{saying(`{"text":"a","thought":true}`), saying(`{"text":"b","thought":true},{"text":"c"}`)},
			`[{"type":"thinking","thinking":"ab",` + stamp + `},{"type":"text","text":"c"}]`},
		{"a signed text is apart", []string{saying(`{"text":"a"},{"text":"b","thoughtSignature":"c2ln"},{"text":"c"}`)},
			`[{"type":"text","text":"a"},{"type":"text","text":"b",` + stamp + `,"thought_signature":"c2ln"},{"type":"text","text":"c"}]`},
		{"a signature without a text is kept", []string{saying(`{"text":"a"}`), saying(`{"text":"","thoughtSignature":"c2ln"}`)},
			`[{"type":"text","text":"a"},{"type":"thinking","thinking":"","signature":"c2ln",` + stamp + `,"said":true}]`},
		{"a signature without even an empty text is kept", []string{saying(`{"thoughtSignature":"c2ln"}`)},
			`[{"type":"thinking","thinking":"","signature":"c2ln",` + stamp + `,"said":true}]`},
		{"a signed call keeps its signature and its id", []string{saying(`{"functionCall":{"id":"x","name":"look","args":{"a":1}},"thoughtSignature":"c2ln"}`)},
			`[{"type":"tool_call","id":"x","name":"look","input":{"a":1},` + stamp + `,"thought_signature":"c2ln","call_id":"x"}]`},
		{"a call without an id is given one", []string{`{"responseId":"r"}`, saying(`{"functionCall":{"name":"look"}},{"functionCall":{"name":"look","args":null}}`)},
			`[{"type":"tool_call","id":"call_r_1","name":"look","input":{},` + stamp + `},{"type":"tool_call","id":"call_r_2","name":"look","input":{},` + stamp + `}]`},
		{"arguments in a string are read", []string{saying(`{"functionCall":{"id":"x","name":"look","args":"{\"a\":1}"}}`)},
			`[{"type":"tool_call","id":"x","name":"look","input":{"a":1},` + stamp + `,"call_id":"x"}]`},
		{"an image is an image, and sound is a document", []string{saying(`{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"inlineData":{"mimeType":"audio/wav","data":"AAAA"}}`)},
			`[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"},` + stamp + `},{"type":"document","source":{"type":"base64","media_type":"audio/wav","data":"AAAA"},` + stamp + `}]`},
		{"what only the API knows is kept", []string{saying(`{"executableCode":{"language":"PYTHON","code":"1"}}`)},
			`[{"type":"gemini_part","part":{"executableCode":{"language":"PYTHON","code":"1"}}}]`},
		{"even if strict readers would not read it", []string{saying(`{"executableCode":{"code":"1","code":"2"},"thoughtSignature":"c2ln"}`)},
			`[{"type":"gemini_part","part":{"executableCode":{"code":"2"}},"thought_signature":"c2ln"}]`},
		{"of several answers the first counts", []string{`{"candidates":[{"index":1,"content":{"parts":[{"text":"b"}]}},{"content":{"parts":[{"text":"a"}]}}]}`}, `[{"type":"text","text":"a"}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _, err := read(c.events...)
			if err != nil {
				t.Fatal(err)
			}
			end, complete, err := d.End()
			if err != nil || complete {
				t.Errorf("%v, complete %v", err, complete)
			}
			var have []string
			for _, p := range end.Content {
				raw, err := message.EncodePart(p)
				if err != nil {
					t.Fatal(err)
				}
				have = append(have, string(raw))
			}
			if all := "[" + strings.Join(have, ",") + "]"; all != c.want {
				t.Errorf("have %s\nwant %s", all, c.want)
			}
		})
	}
}

func TestCallsWithoutAnIDDifferBetweenAnswers(t *testing.T) {
	seen := map[string]bool{}
	for range 3 {
		d, _, err := read(saying(`{"functionCall":{"name":"look"}}`))
		if err != nil {
			t.Fatal(err)
		}
		end, _, _ := d.End()
		id := end.Content[0].(message.ToolCall).ID
		if seen[id] || id == "" {
			t.Errorf("id %q again", id)
		}
		seen[id] = true
	}
}

func TestFinish(t *testing.T) {
	for reason, want := range map[string]string{
		"STOP": agent.FinishStop, "MAX_TOKENS": agent.FinishLength, "SAFETY": agent.FinishFilter, "RECITATION": agent.FinishFilter,
		"PROHIBITED_CONTENT": agent.FinishFilter, "SPII": agent.FinishFilter, "BLOCKLIST": agent.FinishFilter, "OTHER": "OTHER", "SOMETHING_NEW": "SOMETHING_NEW",
	} {
		d, _, err := read(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"` + reason + `","finishMessage":"because"}],"modelVersion":"v"}`)
		if err != nil {
			t.Fatal(err)
		}
		end, complete, err := d.End()
		if end.FinishReason != want || !complete || err != nil {
			t.Errorf("%s: %s, complete %v, %v", reason, end.FinishReason, complete, err)
		}
		if said := string(end.Extra); said != `{"model":"v","provider_finish_reason":"`+reason+`","finish_message":"because"}` {
			t.Errorf("besides: %s", said)
		}
	}
}

// The model may write a call that even the API cannot read. Then there is no call,
// and the error has what the model wrote.
func TestMalformedCall(t *testing.T) {
	d, _, err := read(`{"candidates":[{"content":{"parts":[{"text":"a"}]},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"Malformed function call: look("}]}`)
	if err != nil {
		t.Fatal(err)
	}
	end, complete, err := d.End()
	var failure *message.Error
	if !errors.As(err, &failure) || failure.Kind != message.ErrInvalidToolCall || !strings.Contains(failure.RawArguments, "look(") {
		t.Errorf("the error: %v", err)
	}
	if !complete || end.FinishReason != agent.FinishError || message.Flatten(message.Of(end.Content...)) != "a" {
		t.Errorf("complete %v, %+v", complete, end)
	}
}

func TestBlockedPrompt(t *testing.T) {
	_, _, err := read(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":7,"totalTokenCount":7}}`)
	var failure *message.Error
	if !errors.As(err, &failure) || failure.Kind != message.ErrContentFilter || failure.Retryable || !strings.Contains(err.Error(), "PROHIBITED_CONTENT") {
		t.Errorf("the error: %v", err)
	}
}

func TestUsage(t *testing.T) {
	d, _, err := read(
		`{"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":80,"totalTokenCount":100}}`,
		`{"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":5,"thoughtsTokenCount":20,"toolUsePromptTokenCount":3,"totalTokenCount":128}}`)
	if err != nil {
		t.Fatal(err)
	}
	end, _, _ := d.End()
	want := message.Usage{InputTokens: 103, OutputTokens: 25, TotalTokens: 128, ReasoningTokens: 20, CacheReadTokens: 80}
	if have, _ := json.Marshal(end.Usage); string(have) != string(must(json.Marshal(want))) {
		t.Errorf("usage %s", have)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// Whatever an event says, it is read or refused, and what was read can be written,
// and what was shown is what is kept.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(saying(`{"text":"a","thought":true,"thoughtSignature":"c2ln"},{"text":"b"}`)))
	f.Add([]byte(saying(`{"functionCall":{"name":"look","args":"{"}},{"executableCode":{}}`)))
	f.Add([]byte(`{"error":{"code":429,"details":[{"retryDelay":"3s"}]}}`))
	f.Add([]byte(`{"candidates":[{"finishReason":"STOP","citationMetadata":{"a":1,"a":2},"groundingMetadata":{"b":"` + "\xff" + `"}}]}`))
	f.Add([]byte(`{"promptFeedback":{"blockReason":"SAFETY"}}`))
	f.Add([]byte(`{"candidates":[{"content":{"parts":[{"inlineData":{"mimeType":"image/png"}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":-1}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, events, err := read(string(data), string(data))
		if err != nil {
			return
		}
		end, _, _ := d.End()
		written, err := message.EncodeEvent(end)
		if err != nil {
			t.Fatalf("%v", err)
		}
		again, err := message.DecodeEvent(written)
		if err != nil {
			t.Fatalf("%v: %s", err, written)
		}
		var shown string
		for _, event := range events {
			if delta, is := event.(message.TextDelta); is {
				shown += delta.Text
			}
		}
		if kept := message.Flatten(message.Of(again.(message.MessageEnd).Content...)); kept != strings.ToValidUTF8(shown, "\uFFFD") {
			t.Fatalf("shown %q, kept %q", shown, kept)
		}
		if _, _, err := encode(message.Request{Model: "gemini-3.5-flash", Messages: []message.Message{user("a"), answer(end.Content...)}}); err != nil {
			t.Fatalf("%v", err)
		}
	})
}
