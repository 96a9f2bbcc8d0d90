package openai

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// The judges themselves must find what they are for.
func TestJudgesFindPlantedFaults(t *testing.T) {
	const hi = `{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]}`
	const call = `{"type":"function_call","call_id":"c","name":"f","arguments":"{}"}`
	const result = `{"type":"function_call_output","call_id":"c","output":""}`
	const reasoning = `{"type":"reasoning","id":"r","summary":[],"encrypted_content":"x"}`
	responses := func(more string, items ...string) jsontext.Value {
		return jsontext.Value(`{"model":"m","stream":true,"store":false` + more + `,"input":[` + strings.Join(items, ",") + `]}`)
	}
	if err := checkResponses(responses("", hi, reasoning, call, result)); err != nil {
		t.Errorf("a good body: %v", err)
	}
	for name, body := range map[string]jsontext.Value{
		"nothing":                       responses(""),
		"stored":                        jsontext.Value(`{"model":"m","stream":true,"store":true,"input":[` + hi + `]}`),
		"a chain of answers":            responses(`,"previous_response_id":"r"`, hi),
		"a developer":                   responses("", strings.Replace(hi, "user", "developer", 1)),
		"a blank text":                  responses("", strings.Replace(hi, "Hi", " ", 1)),
		"a call without a result":       responses("", hi, call),
		"something before a result":     responses("", call, hi, result),
		"a result without a call":       responses("", hi, result),
		"a result twice":                responses("", call, result, result),
		"an id twice":                   responses("", call, result, call, result),
		"a call between results":        responses("", call, strings.ReplaceAll(call, `"c"`, `"d"`), result, strings.ReplaceAll(call, `"c"`, `"e"`)),
		"a name with a dot":             responses("", strings.Replace(call, `"f"`, `"a.b"`, 1), result),
		"arguments of another sort":     responses("", strings.Replace(call, `"{}"`, `"[]"`, 1), result),
		"reasoning at the end":          responses("", hi, reasoning),
		"reasoning before a user":       responses("", reasoning, hi),
		"reasoning in the open":         responses("", strings.Replace(reasoning, `"x"`, `""`, 1), call, result),
		"an unknown tool chosen":        responses(`,"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"strict":false}],"tool_choice":{"type":"function","name":"g"}`, hi),
		"an array of nobody knows what": responses(`,"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"array"}}}}},"strict":false}]`, hi),
		"a choice at the root":          responses(`,"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{},"anyOf":[{}]},"strict":false}]`, hi),
		"a description without end":     responses(`,"tools":[{"type":"function","name":"f","description":"`+strings.Repeat("x", 1025)+`","parameters":{"type":"object","properties":{}},"strict":false}]`, hi),
		"a schema without members":      responses(`,"tools":[{"type":"function","name":"f","parameters":{"type":"object"},"strict":false}]`, hi),
	} {
		if checkResponses(body) == nil {
			t.Errorf("responses: %s was not found", name)
		}
	}

	const asked = `{"role":"user","content":"Hi"}`
	const calls = `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	const tool = `{"role":"tool","tool_call_id":"c","content":""}`
	chat := func(messages ...string) jsontext.Value {
		return jsontext.Value(`{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[` + strings.Join(messages, ",") + `]}`)
	}
	if err := checkChat(chat(`{"role":"system","content":"S"}`, asked, calls, tool)); err != nil {
		t.Errorf("a good body: %v", err)
	}
	for name, body := range map[string]jsontext.Value{
		"nothing":                   chat(),
		"only a system text":        chat(`{"role":"system","content":"S"}`),
		"a late system text":        chat(asked, `{"role":"system","content":"S"}`),
		"a developer":               chat(`{"role":"developer","content":"S"}`),
		"a blank text":              chat(`{"role":"user","content":" "}`),
		"a call without a result":   chat(asked, calls),
		"something before a result": chat(calls, asked, tool),
		"a result without a call":   chat(tool),
		"an answer of nothing":      chat(asked, `{"role":"assistant"}`),
		"reasoning sent back":       chat(asked, `{"role":"assistant","content":"a","reasoning_content":"b"}`),
		"a name with a space":       chat(`{"role":"user","name":"a b","content":"Hi"}`),
		"a picture in a result":     chat(calls, `{"role":"tool","tool_call_id":"c","content":[{"type":"image_url","image_url":{"url":"x"}}]}`),
	} {
		if checkChat(body) == nil {
			t.Errorf("chat: %s was not found", name)
		}
	}
}
