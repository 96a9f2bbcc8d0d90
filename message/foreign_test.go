package message

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestThreeShapesOfAToolCallAreReadAsOne(t *testing.T) {
	want := Of(Text{Text: "Let me look."}, ToolCall{ID: "c1", Name: "read_file", Input: jsontext.Value(`{"path":"a.md"}`)})
	for name, data := range map[string]string{
		"content":                 `{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_call","id":"c1","name":"read_file","input":{"path":"a.md"}}]}`,
		"tool and arguments":      `{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"c1","tool":"read_file","arguments":{"path":"a.md"}}]}`,
		"function":                `{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a.md\"}"}}]}`,
		"both content and member": `{"role":"assistant","content":[{"type":"text","text":"Let me look."},{"type":"tool_call","id":"c1","name":"read_file","input":{"path":"a.md"}}],"tool_calls":[{"id":"c1","tool":"read_file","arguments":{"path":"a.md"}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			m, problems, err := ReadForeign(jsontext.Value(data))
			if err != nil || problems != nil {
				t.Fatal(err, problems)
			}
			if diff := cmp.Diff(Message{Role: Assistant, Content: want}, m); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestForeignShapes(t *testing.T) {
	result := func(output string) Content {
		return Of(ToolResult{ToolCallID: "c1", Output: jsontext.Value(output)})
	}
	call := func(id, name, input, extra string) Content {
		c := ToolCall{ID: id, Name: name, Input: jsontext.Value(input)}
		if extra != "" {
			c.Extra = jsontext.Value(extra)
		}
		return Of(c)
	}
	for name, test := range map[string]struct {
		data string
		want Message
	}{
		"null content": {`{"role":"assistant","content":null,"tool_calls":[{"id":"1","tool":"f","arguments":{}}]}`,
			Message{Role: Assistant, Content: call("1", "f", "{}", "")}},
		"no content": {`{"role":"assistant","tool_calls":[{"id":"1","function":{"name":"f","arguments":""}}]}`,
			Message{Role: Assistant, Content: call("1", "f", "{}", "")}},
		"empty content": {`{"role":"assistant","content":"","tool_calls":[{"id":"1","function":{"name":"f","arguments":"null"}}]}`,
			Message{Role: Assistant, Content: call("1", "f", "{}", "")}},
		"nothing at all":     {`{"role":"assistant","content":null}`, Message{Role: Assistant}},
		"no calls":           {`{"role":"assistant","content":"hi","tool_calls":[]}`, Message{Role: Assistant, Content: Say("hi")}},
		"calls are null":     {`{"role":"assistant","content":"hi","tool_calls":null,"x":1}`, Message{Role: Assistant, Content: Say("hi"), Extra: jsontext.Value(`{"x":1}`)}},
		"unknown members":    {`{"role":"assistant","content":null,"tool_calls":[{"id":"1","index":0,"type":"function","function":{"name":"f","arguments":"{}","strict":true}}]}`, Message{Role: Assistant, Content: call("1", "f", "{}", `{"index":0,"function":{"strict":true}}`)}},
		"function_call":      {`{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{ \"a\": 1 }"}}`, Message{Role: Assistant, Content: call("f", "f", `{ "a": 1 }`, "")}},
		"tool result":        {`{"role":"tool","tool_call_id":"c1","content":"done"}`, Message{Role: Tool, ToolCallID: "c1", Content: result(`"done"`)}},
		"function result":    {`{"role":"function","tool_call_id":"c1","name":"f","content":"done"}`, Message{Role: Function, Name: "f", ToolCallID: "c1", Content: result(`"done"`)}},
		"older result":       {`{"role":"function","name":"c1","content":"done"}`, Message{Role: Function, Name: "c1", Content: result(`"done"`)}},
		"result in blocks":   {`{"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"done"}]}`, Message{Role: Tool, ToolCallID: "c1", Content: result(`[{"type":"text","text":"done"}]`)}},
		"result as it is":    {`{"role":"tool","tool_call_id":"c1","content":[{"type":"tool_result","tool_call_id":"c1","output":"done"}]}`, Message{Role: Tool, ToolCallID: "c1", Content: result(`"done"`)}},
		"lone surrogate":     {`{"role":"user","content":"a\udcffb","x":"\ud800"}`, Message{Role: User, Content: Say("a\uFFFDb"), Extra: jsontext.Value(`{"x":"` + "\uFFFD" + `"}`)}},
		"invalid UTF-8":      {"{\"role\":\"user\",\"content\":\"a\xffb\"}", Message{Role: User, Content: Say("a\uFFFDb")}},
		"user with an id":    {`{"role":"user","tool_call_id":"c1","content":"hi"}`, Message{Role: User, ToolCallID: "c1", Content: Say("hi")}},
		"nothing to answer":  {`{"role":"tool","content":"hi"}`, Message{Role: Tool, Content: Say("hi")}},
		"two calls, one new": {`{"role":"assistant","content":[{"type":"tool_call","id":"1","name":"f","input":{}}],"tool_calls":[{"id":"1","tool":"f"},{"id":"2","tool":"g"}]}`, Message{Role: Assistant, Content: Of(ToolCall{ID: "1", Name: "f", Input: jsontext.Value("{}")}, ToolCall{ID: "2", Name: "g", Input: jsontext.Value("{}")})}},
	} {
		t.Run(name, func(t *testing.T) {
			m, problems, err := ReadForeign(jsontext.Value(test.data))
			if err != nil || problems != nil {
				t.Fatal(err, problems)
			}
			if diff := cmp.Diff(test.want, m); diff != "" {
				t.Error(diff)
			}
			again, problems := Adopt(m)
			if problems != nil || !cmp.Equal(m, again) {
				t.Errorf("adopting twice: %v %s", problems, cmp.Diff(m, again))
			}
		})
	}
}

func TestBadArgumentsAreReportedAndKept(t *testing.T) {
	for _, raw := range []string{`{"path":`, `[1]`, `5`, `{} {}`, `{"a":1,"a":2}`, "\"", "plain words"} {
		data := `{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":` + jsonString(raw, false) + `}},{"id":"2","tool":"g","arguments":{}}]}`
		m, problems, err := ReadForeign(jsontext.Value(data))
		if err != nil {
			t.Fatal(err)
		}
		var e *Error
		if !errors.Is(problems, ErrInvalidToolCall) || !errors.As(problems, &e) || e.Tool != "f" || e.RawArguments != raw {
			t.Errorf("%s: have %v", raw, problems)
		}
		if len(m.Content.Parts) != 2 {
			t.Fatalf("%s: have %v", raw, m.Content.Parts)
		}
		call := m.Content.Parts[0].(ToolCall)
		if want := `{"raw_arguments":` + jsonString(raw, false) + `}`; string(call.Extra) != want || call.Input != nil {
			t.Errorf("have %s, want %s", call.Extra, want)
		}
		if _, err := Encode(m); err != nil {
			t.Error(err)
		}
	}
	for _, calls := range []string{`5`, `{"id":"1"}`, `["f"]`, `"x"`} {
		m, problems, err := ReadForeign(jsontext.Value(`{"role":"assistant","content":"hi","tool_calls":` + calls + `}`))
		if err != nil || !errors.Is(problems, ErrInvalidToolCall) {
			t.Errorf("%s: have %v, %v", calls, problems, err)
		}
		if !strings.Contains(string(m.Extra), calls) {
			t.Errorf("%s is lost: %s", calls, m.Extra)
		}
	}
	_, problems, err := ReadForeign(jsontext.Value(`{"role":"assistant","tool_calls":[{"id":"1"}]}`))
	if err != nil || problems == nil || !strings.Contains(problems.Error(), "names no tool") {
		t.Errorf("have %v, %v", problems, err)
	}
}

func TestAdoptLeavesWhatIsOursAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMessage.Draw(t, "message")
		if m.Role == Tool || m.Role == Function {
			return
		}
		got, problems := Adopt(m)
		if problems != nil {
			t.Fatal(problems)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func FuzzReadForeign(f *testing.F) {
	f.Add([]byte(`{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{"}}]}`))
	f.Add([]byte(`{"role":"tool","content":"\udcff","tool_call_id":"1","function_call":{"input":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _, err := ReadForeign(data)
		if err != nil {
			return
		}
		// Whatever was read can be written, and is then ours.
		out, err := Encode(m)
		if err != nil {
			t.Fatalf("%v\n%q", err, data)
		}
		back, err := Decode(out)
		if err != nil {
			t.Fatalf("%v\n%q\n%s", err, data, out)
		}
		again, err := Encode(back)
		if err != nil {
			t.Fatal(err)
		}
		sameJSON(t, out, again)
	})
}
