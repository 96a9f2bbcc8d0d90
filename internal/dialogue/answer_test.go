package dialogue

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestAnswerInPieces(t *testing.T) {
	var a Answer
	var events []message.Event
	add := func(more []message.Event) { events = append(events, more...) }
	add(a.Think("0", "hm"))
	add(a.Text("1", ""))
	add(a.Text("1", "Hel"))
	add(a.Think("0", "!"))
	a.Sign("0", "si")
	a.Sign("0", "gn")
	a.Put("r", message.RedactedThinking{Data: "x"})
	add(a.Text("1", "lo"))
	add(a.Call("2", "call_1", "look", nil))
	add(a.Arguments("2", `{"a"`))
	add(a.Call("3", "call_2", "list", jsontext.Value(`{"mine":1}`)))
	add(a.Arguments("2", `:1}`))
	if parts := a.Parts(); len(parts) != 3 {
		t.Errorf("calls that have not ended are in %v", parts)
	}
	add(a.EndCall("2"))
	add(a.EndCall("2"))
	add(a.Arguments("2", "too late"))
	add(a.EndCalls())
	wantParts := []message.Part{
		message.Thinking{Thinking: "hm!", Signature: "sign"},
		message.Text{Text: "Hello"},
		message.RedactedThinking{Data: "x"},
		message.ToolCall{ID: "call_1", Name: "look", Input: jsontext.Value(`{"a":1}`)},
		message.ToolCall{ID: "call_2", Name: "list", Input: jsontext.Value(`{}`), Extra: jsontext.Value(`{"mine":1}`)},
	}
	if diff := cmp.Diff(wantParts, a.Parts()); diff != "" {
		t.Errorf("parts (-want +have):\n%s", diff)
	}
	wantEvents := []message.Event{
		message.ThinkingDelta{Text: "hm"}, message.TextDelta{Text: "Hel"}, message.ThinkingDelta{Text: "!"}, message.TextDelta{Text: "lo"},
		message.ToolCallStart{ID: "call_1", Name: "look"}, message.ToolCallDelta{ID: "call_1", ArgumentsFragment: `{"a"`},
		message.ToolCallStart{ID: "call_2", Name: "list"}, message.ToolCallDelta{ID: "call_1", ArgumentsFragment: `:1}`},
		message.ToolCallEnd{ID: "call_1", Name: "look", Arguments: jsontext.Value(`{"a":1}`)},
		message.ToolCallEnd{ID: "call_2", Name: "list", Arguments: jsontext.Value(`{}`)},
	}
	if diff := cmp.Diff(wantEvents, events); diff != "" {
		t.Errorf("events (-want +have):\n%s", diff)
	}
	if !a.Calls() || a.Err() != nil {
		t.Errorf("calls %v, error %v", a.Calls(), a.Err())
	}
}

func TestAnswerOfThinkingThatOnlyTheProviderReads(t *testing.T) {
	var a Answer
	value := jsontext.Value(`"encrypted"`)
	a.Attach("0", value)
	value[1] = 'X' // what was attached is ours
	a.Sign("1", "only signed")
	a.Think("2", "")
	want := []message.Part{message.Thinking{Content: []jsontext.Value{jsontext.Value(`"encrypted"`)}}, message.Thinking{Signature: "only signed"}}
	if diff := cmp.Diff(want, a.Parts()); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

// A provider that uses a key for two things loses neither.
func TestAnswerOfAConfusedProvider(t *testing.T) {
	var a Answer
	a.Text("0", "text")
	a.Think("0", "thinking")
	a.Call("0", "call_1", "look", nil)
	a.Arguments("0", "{}")
	a.Text("0", "!")
	a.Call("0", "call_2", "look", nil)
	a.Put("0", message.RedactedThinking{Data: "x"})
	a.Arguments("nobody", "{}")
	a.EndCall("nobody")
	a.EndCalls()
	a.Put("1", message.Text{Text: "a", Extra: jsontext.Value(`{"mine":1}`)})
	a.Text("1", "b")
	want := []message.Part{
		message.Text{Text: "text!"}, message.Thinking{Thinking: "thinking"},
		message.ToolCall{ID: "call_1", Name: "look", Input: jsontext.Value(`{}`)}, message.ToolCall{ID: "call_2", Name: "look", Input: jsontext.Value(`{}`)},
		message.RedactedThinking{Data: "x"}, message.Text{Text: "ab", Extra: jsontext.Value(`{"mine":1}`)},
	}
	if diff := cmp.Diff(want, a.Parts()); diff != "" {
		t.Errorf("(-want +have):\n%s", diff)
	}
}

func TestArgumentsThatAreNoObject(t *testing.T) {
	for _, raw := range []string{`{`, `[1]`, `"x"`, `{"a":}`, `{} {}`, `nonsense`, `{"a":1,"a":2}`, `{"a":{"b":1,"b":1}}`} {
		var a Answer
		a.Call("0", "call_1", "look", jsontext.Value(`{"mine":1}`))
		a.Arguments("0", Delta(raw))
		events := a.EndCall("0")
		end, ok := events[0].(message.ToolCallEnd)
		if !ok || string(end.Arguments) != "{}" {
			t.Errorf("%s: %+v", raw, events)
		}
		var failure *message.Error
		if err := a.Err(); !errors.As(err, &failure) || failure.RawArguments != raw || failure.Tool != "look" || failure.Kind != message.ErrInvalidToolCall {
			t.Errorf("%s: %v", raw, err)
		}
		quoted, _ := jsontext.AppendQuote(nil, raw)
		if extra := string(a.Parts()[0].(message.ToolCall).Extra); extra != fmt.Sprintf(`{"mine":1,"raw_arguments":%s}`, quoted) {
			t.Errorf("%s: extra %s", raw, extra)
		}
	}
	var a Answer
	a.Call("0", "call_1", "look", nil)
	a.Call("1", "call_2", "look", nil)
	a.Arguments("0", "x")
	a.Arguments("1", "y")
	a.EndCalls()
	if err := a.Err(); !errors.Is(err, message.ErrInvalidToolCall) {
		t.Errorf("two of them: %v", err)
	}
}

// What is wrong is told as it is, since the model can mend it.
func TestWhatIsWrongWithArguments(t *testing.T) {
	for raw, want := range map[string]string{
		`{"a":`:         `the arguments are not a JSON object: "{\"a\":"`,
		`[{"a":1}]`:     `the arguments are not a JSON object: "[{\"a\":1}]"`,
		`{"a":1,"a":2}`: `the arguments have a name twice: "{\"a\":1,\"a\":2}"`,
	} {
		var a Answer
		a.Call("0", "call_1", "look", nil)
		a.Arguments("0", Delta(raw))
		a.EndCalls()
		if err := a.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
}

// However a text is cut, it comes out whole, and the events add up to it.
func TestAnswerAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a Answer
		want := map[string]string{}
		shown := ""
		for range rapid.IntRange(0, 20).Draw(t, "pieces") {
			key := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key")
			delta := rapid.SampledFrom([]string{"", "x", "\xc3", "\xa9", "long"}).Draw(t, "delta")
			want[key] += delta
			for _, event := range a.Text(key, Delta(delta)) {
				shown += event.(message.TextDelta).Text
			}
		}
		total := 0
		for _, part := range a.Parts() {
			text := part.(message.Text).Text
			total += len(text)
			if text != want["a"] && text != want["b"] && text != want["c"] {
				t.Fatalf("%q is none of %q", text, want)
			}
		}
		if total != len(shown) || total != len(want["a"])+len(want["b"])+len(want["c"]) {
			t.Fatalf("%d bytes, %d shown", total, len(shown))
		}
	})
}
