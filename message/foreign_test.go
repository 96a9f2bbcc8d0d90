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
		"Anthropic's call": {`{"role":"assistant","content":[{"type":"text","text":"hm"},{"type":"tool_use","id":"1","name":"f","input":{"a":1},"cache_control":{}}]}`,
			Message{Role: Assistant, Content: Of(Text{Text: "hm"}, call("1", "f", `{"a":1}`, `{"cache_control":{}}`).Parts[0])}},
		"Anthropic's result": {`{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":true,"content":[{"type":"text","text":"boom"}]},{"type":"tool_result","tool_use_id":"c1"}]}`,
			Message{Role: User, Content: Of(ToolResult{ToolCallID: "c1", Output: jsontext.Value(`[{"type":"text","text":"boom"}]`), Extra: jsontext.Value(`{"is_error":true}`)}, result(`""`).Parts[0])}},
		"OpenAI's parts": {`{"role":"user","content":[{"type":"input_text","text":"a"},{"type":"output_text","text":"b","annotations":[]},{"type":"image_url","image_url":{"url":"https://a","detail":"low"}},{"type":"input_image","image_url":"https://b"},{"type":"image_url","image_url":{"url":"https://c"}}]}`,
			Message{Role: User, Content: Of(Text{Text: "a"}, Text{Text: "b", Extra: jsontext.Value(`{"annotations":[]}`)}, Image{Source: AtURL("https://a"), Extra: jsontext.Value(`{"image_url":{"detail":"low"}}`)}, Image{Source: AtURL("https://b")}, Image{Source: AtURL("https://c")})}},
		"parts that are not known": {`{"role":"user","content":[{"type":"input_image","file_id":"f"},{"type":"input_text"},{"type":"tool_result"},{"type":"image_url","image_url":{}},{"type":"tool_use"}]}`,
			Message{Role: User, Content: Of(Unknown{Name: "input_image", Raw: jsontext.Value(`{"type":"input_image","file_id":"f"}`)}, Unknown{Name: "input_text", Raw: jsontext.Value(`{"type":"input_text"}`)},
				Unknown{Name: "tool_result", Raw: jsontext.Value(`{"type":"tool_result"}`)}, Unknown{Name: "image_url", Raw: jsontext.Value(`{"type":"image_url","image_url":{}}`)}, Unknown{Name: "tool_use", Raw: jsontext.Value(`{"type":"tool_use"}`)})}},
		"Gemini's user": {`{"role":"user","parts":[{"text":"look"},{"inlineData":{"mimeType":"image/png","data":"AAAA"}},{"inlineData":{"mimeType":"application/pdf","data":"AAAA"}},{"functionResponse":{"id":"c1","name":"f","response":{"output":"x"}}}],"x":1}`,
			Message{Role: User, Content: Of(Text{Text: "look"}, Image{Source: Source{Type: SourceBase64, MIME: "image/png", Data: "AAAA"}}, Document{Source: Source{Type: SourceBase64, MIME: "application/pdf", Data: "AAAA"}},
				ToolResult{ToolCallID: "c1", Output: jsontext.Value(`{"output":"x"}`), Extra: jsontext.Value(`{"name":"f"}`)}), Extra: jsontext.Value(`{"x":1}`)}},
		"Gemini's model": {`{"role":"model","parts":[{"text":"hm","thought":true},{"text":"I look.","thoughtSignature":"s"},{"functionCall":{"name":"f","args":{"a":1},"x":1},"thoughtSignature":"s"}]}`,
			Message{Role: Assistant, Content: Of(Thinking{Thinking: "hm"}, Text{Text: "I look.", Extra: jsontext.Value(`{"thoughtSignature":"s"}`)}, call("f", "f", `{"a":1}`, `{"x":1,"thoughtSignature":"s"}`).Parts[0])}},
		"content before parts": {`{"role":"user","content":"hi","parts":[{"text":"look"}]}`, Message{Role: User, Content: Say("hi"), Extra: jsontext.Value(`{"parts":[{"text":"look"}]}`)}},
		"empty members":        {`{"role":"assistant","content":null,"refusal":null,"annotations":[],"id":"m"}`, Message{Role: Assistant, Extra: jsontext.Value(`{"refusal":null,"annotations":[],"id":"m"}`)}},
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

// A message that says nothing, and holds something, is a problem, and whole.
func TestWhatIsNotReadIsToldAndKept(t *testing.T) {
	for data, where := range map[string]string{
		`{"role":"user","parts":[{"text":"look"},{"fileData":{"fileUri":"u"}}]}`: `"parts"`,
		`{"role":"user","parts":[7]}`:                                            `"parts"`,
		`{"role":"user","parts":{"text":"look"}}`:                                `"parts"`,
		`{"role":"user","blocks":[{"t":"x"}],"id":"1","more":{"a":1}}`:           `"blocks", "more"`,
		`{"role":"assistant","content":null,"refusal":"No."}`:                    `"refusal"`,
	} {
		m, problems, err := ReadForeign(jsontext.Value(data))
		if err != nil || problems == nil || !strings.Contains(problems.Error(), "may be in "+where+", which is kept") {
			t.Errorf("%s: %v, %v", data, problems, err)
		}
		out, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Split(where, ", ") {
			if !strings.Contains(string(out), name) {
				t.Errorf("%s: lost in %s", data, out)
			}
		}
	}
	m, problems, err := ReadForeign(jsontext.Value(`{"role":"assistant","content":[{"type":"tool_use","id":"1","name":"f","input":[1]}]}`))
	if err != nil || !errors.Is(problems, ErrInvalidToolCall) || len(m.Content.Parts) != 1 {
		t.Errorf("%v, %v, %v", m, problems, err)
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
	f.Add([]byte(`{"role":"user","content":[{"type":"tool_use","id":"1"},{"type":"tool_result","tool_use_id":"1","content":[]},{"type":"image_url","image_url":{"url":"u"}},{"type":"input_text","text":"a"}]}`))
	f.Add([]byte(`{"role":"model","parts":[{"text":"a","thought":true},{"functionCall":{"args":5}},{"functionResponse":{}},{"inlineData":{"data":"AA"}}]}`))
	f.Add([]byte(`{"role":"model","parts":[{"functionCall":{"name":"f","x":1},"x":2}]}`))
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
