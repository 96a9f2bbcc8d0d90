package message

import (
	"bytes"
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/mention"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// fatal is what both *testing.T and *rapid.T can do.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

// compileSchema reads a schema of testdata, with changes made to a copy.
func compileSchema(t fatal, file string, change func(schema map[string]any)) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatalf("%v", err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if change != nil {
		change(doc.(map[string]any))
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(file, doc); err != nil {
		t.Fatalf("%v", err)
	}
	schema, err := c.Compile(file)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return schema
}

// requestSchema is the public schema with one addition: the role "tool", which
// the envelope got after the schema was published.
func requestSchema(t fatal) *jsonschema.Schema {
	return compileSchema(t, "request_envelope_v1.schema.json", func(schema map[string]any) {
		at := schema
		for _, name := range []string{"properties", "messages", "items", "properties", "role"} {
			at = at[name].(map[string]any)
		}
		at["enum"] = append(at["enum"].([]any), "tool")
	})
}

func mustAccept(t fatal, schema *jsonschema.Schema, data []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if err := schema.Validate(doc); err != nil {
		t.Fatalf("the schema refuses: %v\n%s", err, data)
	}
}

// sameJSON compares what two JSON texts say: members in any order, numbers by
// their exact value. It is independent of the codec under test.
func sameJSON(t fatal, a, b []byte) {
	t.Helper()
	meaning := func(data []byte) any {
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		return v
	}
	numbers := cmp.Comparer(func(a, b json.Number) bool {
		x, okx := new(big.Rat).SetString(string(a))
		y, oky := new(big.Rat).SetString(string(b))
		return okx && oky && x.Cmp(y) == 0
	})
	if diff := cmp.Diff(meaning(a), meaning(b), numbers); diff != "" {
		t.Fatalf("the JSON changed (-before +after):\n%s\nbefore %s\nafter  %s", diff, a, b)
	}
}

var decimals = cmp.Comparer(func(a, b decimal.Decimal) bool { return a.Equal(b) })

func TestAnyMessageComesBackEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMessage.Draw(t, "message")
		data, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Fatalf("(-sent +came back)\n%s\n%s", diff, data)
		}
	})
}

func TestAnyRequestComesBackEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRequest.Draw(t, "request")
		data, err := EncodeRequest(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeRequest(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(r, got); diff != "" {
			t.Fatalf("(-sent +came back)\n%s\n%s", diff, data)
		}
	})
}

func TestAnyResponseComesBackEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := anyText
		r := Response{Content: Say(text.Draw(t, "said")), FinishReason: text.Draw(t, "finish"), Metadata: optional(t, "metadata", rawValue(anyJSON(1))), Extra: extra(t)}
		if rapid.Bool().Draw(t, "has usage") {
			r.Usage = anyUsage.Draw(t, "usage")
		}
		call := rapid.Custom(func(t *rapid.T) ToolCall {
			return ToolCall{ID: text.Draw(t, "id"), Name: text.Draw(t, "name"), Input: optional(t, "arguments", rawValue(anyObject(1))), Extra: extra(t)}
		})
		r.ToolCalls = optional(t, "calls", rapid.SliceOfN(call, 0, 2))
		degradation := rapid.Custom(func(t *rapid.T) Degradation {
			return Degradation{text.Draw(t, "requested"), text.Draw(t, "actual"), text.Draw(t, "reason"), extra(t)}
		})
		if d := rapid.SliceOfN(degradation, 0, 3).Draw(t, "degradations"); len(d) > 0 {
			r.Degradations = d
		}
		data, err := EncodeResponse(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := DecodeResponse(data)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if diff := cmp.Diff(r, got, decimals); diff != "" {
			t.Fatalf("(-sent +came back)\n%s\n%s", diff, data)
		}
	})
}

func TestAnyJSONTheSchemaAcceptsComesBackTheSame(t *testing.T) {
	schema := requestSchema(t)
	t.Run("message", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			data := []byte(messageJSON.Draw(t, "message"))
			envelope := func(m []byte) []byte { return []byte(`{"messages":[` + string(m) + `]}`) }
			mustAccept(t, schema, envelope(data))
			m, err := Decode(data)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			again, err := Encode(m)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			sameJSON(t, data, again)
			mustAccept(t, schema, envelope(again))
			// By way of a JSON library, ours or the standard one, it is the same.
			viaV2, err := jsonv2.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, data, viaV2)
			viaV1, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, data, viaV1)
		})
	})
	t.Run("request", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			data := []byte(requestJSON.Draw(t, "request"))
			mustAccept(t, schema, data)
			r, err := DecodeRequest(data)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			again, err := EncodeRequest(r)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			sameJSON(t, data, again)
			mustAccept(t, schema, again)
		})
	})
	events := compileSchema(t, "streaming_event_v1.schema.json", nil)
	t.Run("event", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			data := []byte(eventJSON.Draw(t, "event"))
			mustAccept(t, events, data)
			e, err := DecodeEvent(data)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			if _, unknown := e.(UnknownEvent); unknown {
				t.Fatalf("not read as what it is: %s", data)
			}
			again, err := EncodeEvent(e)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			sameJSON(t, data, again)
			mustAccept(t, events, again)
		})
	})
}

func TestEveryPartFitsTheSchema(t *testing.T) {
	schema := requestSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		m := Message{Role: User, Content: Of(anyPart(1).Draw(t, "part"))}
		if strings.Contains(string(m.Content.Parts[0].Type()), "hologram") {
			return
		}
		data, err := EncodeRequest(Request{Messages: []Message{m}})
		if err != nil {
			t.Fatal(err)
		}
		// The visibility "later" is there to show that values nobody knows
		// survive; the schema is right to refuse it.
		mustAccept(t, schema, bytes.ReplaceAll(data, []byte(`"visibility":"later"`), []byte(`"visibility":"user"`)))
	})
}

func TestContentStaysAsItWasWritten(t *testing.T) {
	for name, data := range map[string]string{
		"string":               `{"role":"user","content":"hi"}`,
		"empty string":         `{"role":"user","content":""}`,
		"one text part":        `{"role":"user","content":[{"type":"text","text":"hi"}]}`,
		"no parts":             `{"role":"user","content":[]}`,
		"mention in place":     `{"role":"user","content":[{"type":"text","text":"see "},{"type":"mention","kind":"file","path":"a.md","written":"@a.md"}]}`,
		"unknown part":         `{"role":"user","content":[{ "type" : "hologram", "x":[1, 2.0] }]}`,
		"text without text":    `{"role":"user","content":[{"type":"text"}]}`,
		"text that is none":    `{"role":"user","content":[{"type":"text","text":5}]}`,
		"unknown mention kind": `{"role":"user","content":[{"type":"mention","kind":"hologram","depth":3,"written":"@h"}]}`,
		"nulls":                `{"role":"user","content":"hi","metadata":null,"name":null,"tool_call_id":null}`,
		"empty name":           `{"role":"user","content":"hi","name":""}`,
		"unknown role":         `{"role":"oracle","content":"hi"}`,
		"odd input":            `{"role":"assistant","content":[{"type":"tool_call","id":"1","name":"f","input":{ "n" : 1.0e0 , "s":"\u0041\/" }}]}`,
		"image with detail":    `{"role":"user","content":[{"type":"image","source":{"type":"url","url":"https://x","detail":"high"}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			m, err := Decode(jsontext.Value(data))
			if err != nil {
				t.Fatal(err)
			}
			got, err := Encode(m)
			if err != nil || string(got) != data {
				t.Errorf("%v\nhave %s\nwant %s", err, got, data)
			}
		})
	}
}

// A mention's own codec fills in what is absent and leaves out what is zero.
// What stands in a message must not be changed by that.
func TestMentionsStayAsTheyWereWritten(t *testing.T) {
	for data, known := range map[string]bool{
		`{"type":"mention","kind":"file","path":"a.md"}`:                                             true,
		`{"written":"@a.md","path":"a.md","kind":"file","type":"mention"}`:                           true,
		`{"type":"mention","kind":"file","path":"\u0061.md","namespace":"","x":1e3}`:                 true,
		`{"type":"mention","kind":"file","path":"a.md","namespace":null,"written":null}`:             true,
		`{"type":"mention","kind":"selection","path":"a","first":1,"last":2,"column":0}`:             true,
		`{"type":"mention","kind":"git-diff","staged":false,"captured":""}`:                          true,
		`{"type":"mention","kind":"diagnostics","errors":true,"warnings":false,"visibility":"user"}`: true,
		`{"type":"mention","kind":"hologram","depth":1.0,"written":null,"captured":"sha256:0"}`:      true,
		`{"type":"mention","kind":"diagnostics","errors":true,"warnings":null}`:                      false,
		`{"type":"mention","kind":"diagnostics","errors":true}`:                                      false,
		`{"type":"mention","kind":"selection","path":"a","first":1.0,"last":2}`:                      false,
		`{"type":"mention","kind":"file","path":null}`:                                               false,
		`{"type":"mention","kind":"file"}`:                                                           false,
		`{"type":"mention","kind":5,"path":"a"}`:                                                     false,
		`{"type":"mention"}`:                                                                         false,
	} {
		p, err := DecodePart(jsontext.Value(data))
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		if _, ok := p.(Ref); ok != known {
			t.Errorf("%s: read as %T", data, p)
		}
		again, err := EncodePart(p)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		sameJSON(t, []byte(data), again)
	}
}

func TestAFieldThatChangedWinsOverExtra(t *testing.T) {
	r, err := DecodeRequest(jsontext.Value(`{"messages":[],"temperature":0.70,"max_output_tokens":1e3,"stream":false,"conversation_id":"","timeout":30.0,"metadata":null,"response_format":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if *r.Temperature != 0.7 || r.MaxOutputTokens != 1000 || r.Timeout != 30*time.Second {
		t.Fatalf("read wrongly: %+v", r)
	}
	check := func(want string) {
		t.Helper()
		got, err := EncodeRequest(r)
		if err != nil {
			t.Fatal(err)
		}
		sameJSON(t, []byte(want), got)
	}
	r.Temperature, r.MaxOutputTokens, r.Stream, r.ConversationID, r.Timeout = new(0.5), 5, true, "c", time.Second
	r.Metadata, r.ResponseFormat = jsontext.Value(`{"a":1}`), &ResponseFormat{Type: FormatText}
	check(`{"messages":[],"temperature":0.5,"max_output_tokens":5,"stream":true,"conversation_id":"c","timeout":1,"metadata":{"a":1},"response_format":{"type":"text"}}`)
	r.Temperature, r.MaxOutputTokens, r.Timeout = nil, 0, 0
	check(`{"messages":[],"stream":true,"conversation_id":"c","metadata":{"a":1},"response_format":{"type":"text"}}`)
}

func TestInvalidUTF8BecomesTheReplacementCharacter(t *testing.T) {
	m := Message{Role: "us\xffer", Name: "\xc3", Content: Of(
		Text{Text: "a\xff\xfeb"},
		Ref{Mention: mention.File{Path: "caf\xe9.md"}, Written: "@caf\xe9.md"},
		Context{Names: []string{"\x80"}, Text: "\xf0\x28"},
		TextResult("1", "\xff"),
	), Instructions: []Instruction{DelegateReasoning{AgentPrompt: "\xff"}}}
	data, err := Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if text := Flatten(got.Content); text != "a\uFFFD\uFFFDb@caf\uFFFD.md" {
		t.Errorf("have %q", text)
	}
	if path := got.Content.Parts[1].(Ref).Mention.(mention.File).Path; path != "caf\uFFFD.md" {
		t.Errorf("have path %q", path)
	}
}

func TestWhatCannotBeWrittenIsAClearError(t *testing.T) {
	for name, test := range map[string]struct {
		message Message
		want    string
	}{
		"nil part":           {Message{Role: User, Content: Of(Text{}, nil)}, "encode user message: content: 1: the part is nil"},
		"pointer part":       {Message{Role: User, Content: Of(&Text{})}, "encode user message: content: 0: a part is a value, this is a *message.Text"},
		"nil instruction":    {Message{Role: User, Instructions: []Instruction{nil}}, "instructions: 0: the instruction is nil"},
		"no mention":         {Message{Role: User, Content: Of(Ref{Written: "@a"})}, "there is none"},
		"input not JSON":     {Message{Role: User, Content: Of(ToolCall{Input: jsontext.Value("{")})}, "input: not JSON"},
		"input not object":   {Message{Role: User, Content: Of(ToolCall{Input: jsontext.Value("[]")})}, "input: want an object, have a list"},
		"empty output":       {Message{Role: User, Content: Of(ToolResult{Output: jsontext.Value{}})}, "output: not JSON"},
		"extra not JSON":     {Message{Role: User, Extra: jsontext.Value(`{"a"`)}, "extra is not JSON"},
		"extra not object":   {Message{Role: User, Extra: jsontext.Value(`[]`)}, "extra: want an object, have a list"},
		"extra twice":        {Message{Role: User, Extra: jsontext.Value(`{"a":1,"a":2}`)}, "extra is not JSON"},
		"unknown not JSON":   {Message{Role: User, Content: Of(Unknown{Name: "x"})}, `unknown "x" is not JSON`},
		"unknown other name": {Message{Role: User, Content: Of(Unknown{Name: "x", Raw: jsontext.Value(`{"type":"y"}`)})}, `its JSON says "y"`},
		"part of a part":     {Message{Role: User, Content: Of(Context{Parts: []Part{nil}})}, "parts: 0: the part is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Encode(test.message)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("have %v, want %q", err, test.want)
			}
		})
	}
}

func TestWhatCannotBeReadIsAClearError(t *testing.T) {
	for data, want := range map[string]string{
		``:                                     "decode message: unexpected EOF",
		`{`:                                    "decode message: ",
		`{} {}`:                                "more than one JSON value",
		`[]`:                                   "decode message: want an object, have a list",
		`{"content":""}`:                       "decode message: role: it is missing",
		`{"role":"user"}`:                      "decode message: content: it is missing",
		`{"role":5,"content":""}`:              "decode message: role: want a string, have a number",
		`{"role":"u","content":null}`:          "decode message: content: want a string or a list of parts, have null",
		`{"role":"u","content":[5]}`:           "decode message: content: 0: want an object, have a number",
		`{"role":"u","content":[{}]}`:          `decode message: content: 0: an object without a "type"`,
		`{"role":"u","content":"","name":5}`:   "decode message: name: want a string, have a number",
		`{"role":"u","role":"v","content":""}`: "duplicate",
		`{"role":"u","content":[{"type":["text"]}]}`: "content: 0: type: want a string, have a list",
		"{\"role\":\"u\",\"content\":\"\xff\"}":      "invalid UTF-8",
		`{"role":"u","content":"\ud800"}`:            "surrogate",
	} {
		if _, err := Decode(jsontext.Value(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want %q", data, err, want)
		}
	}
	for data, want := range map[string]string{
		`{}`:                                       "decode request: messages: it is missing",
		`{"messages":[{"role":"u"}]}`:              "decode request: messages: 0: content: it is missing",
		`{"messages":[],"temperature":"hot"}`:      "decode request: temperature: want a number that fits 64 bits, have a string",
		`{"messages":[],"temperature":1e400}`:      "decode request: temperature: want a number that fits 64 bits",
		`{"messages":[],"max_output_tokens":1e30}`: "decode request: max_output_tokens: want a whole number",
		`{"messages":[],"max_output_tokens":1.5}`:  "decode request: max_output_tokens: want a whole number",
		`{"messages":[],"timeout":-1}`:             "decode request: timeout: want a number of seconds",
		`{"messages":[],"tools":[{"name":"f"}]}`:   "decode request: tools: 0: parameters: it is missing",
	} {
		if _, err := DecodeRequest(jsontext.Value(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, want %q", data, err, want)
		}
	}
}

func TestUnknownSaysWhy(t *testing.T) {
	for data, want := range map[string]string{
		`{"type":"hologram"}`:                      "",
		`{"type":"text"}`:                          "text part: text: it is missing",
		`{"type":"text","text":5}`:                 "text part: text: want a string, have a number",
		`{"type":"image","source":"x"}`:            "image part: source: want an object, have a string",
		`{"type":"mention","kind":"file"}`:         "mention part: path: it is missing",
		`{"type":"mention","path":"a.md"}`:         "mention part: decode mention",
		`{"type":"tool_call","id":"1","input":{}}`: "tool_call part: name: it is missing",
	} {
		p, err := DecodePart(jsontext.Value(data))
		if err != nil {
			t.Fatal(err)
		}
		u, ok := p.(Unknown)
		if !ok || string(u.Raw) != data {
			t.Errorf("%s: have %#v", data, p)
			continue
		}
		problem := u.Err()
		if want == "" && problem != nil || want != "" && (problem == nil || !strings.HasPrefix(problem.Error(), want)) {
			t.Errorf("%s: have %v, want %q", data, problem, want)
		}
		if err := (Message{Role: User, Content: Of(u)}).Validate(); (err == nil) != (want == "") {
			t.Errorf("%s: validate: %v", data, err)
		}
	}
}

func TestResponseFormatReadsBothNamesOfTheSchema(t *testing.T) {
	for _, data := range []string{
		`{"messages":[],"response_format":{"type":"json_schema","schema":{"type":"object"},"strict":true}}`,
		`{"messages":[],"response_format":{"type":"json_schema","json_schema":{"type":"object"},"strict":true}}`,
	} {
		r, err := DecodeRequest(jsontext.Value(data))
		if err != nil {
			t.Fatal(err)
		}
		if f := r.ResponseFormat; f.Type != FormatJSONSchema || string(f.Schema) != `{"type":"object"}` || !f.Strict {
			t.Errorf("%s: have %+v", data, f)
		}
		got, err := EncodeRequest(r)
		if err != nil {
			t.Fatal(err)
		}
		sameJSON(t, []byte(`{"messages":[],"response_format":{"type":"json_schema","schema":{"type":"object"},"strict":true}}`), got)
	}
}

func TestUsage(t *testing.T) {
	var r Response
	data := `{"content":[],"tool_calls":[{"id":"1","name":"f","arguments":{"a":1}}],"usage":{"input_tokens":100,"output_tokens":20,"total_tokens":120,"cache_write_tokens":30,"cost_usd":"0.0123"},"degradation":[{"requested":"a"}],"finish_reason":"stop"}`
	if err := jsonv2.Unmarshal([]byte(data), &r); err != nil {
		t.Fatal(err)
	}
	if r.Usage.Occupied() != 130 {
		t.Errorf("occupied %d, want 130", r.Usage.Occupied())
	}
	if want := decimal.RequireFromString("0.0123"); !r.Usage.CostUSD.Equal(want) {
		t.Errorf("cost %s, want %s", r.Usage.CostUSD, want)
	}
	if string(r.ToolCalls[0].Input) != `{"a":1}` {
		t.Errorf("arguments %s", r.ToolCalls[0].Input)
	}
	if len(r.Degradations) != 1 || r.Degradations[0].Requested != "a" {
		t.Errorf("degradations %v", r.Degradations)
	}
	got, err := EncodeResponse(r)
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, []byte(data), got)

	var huge Usage
	if err := jsonv2.Unmarshal([]byte(`{"cost_usd":"1e999999999"}`), &huge); err == nil {
		t.Error("a cost of a gigabyte of digits was accepted")
	}
}

func TestPartsWithinPartsAreBounded(t *testing.T) {
	deep := strings.Repeat(`{"type":"context","text":"","parts":[`, 3000) + strings.Repeat(`]}`, 3000)
	p, err := DecodePart(jsontext.Value(deep))
	if err != nil {
		t.Fatal(err)
	}
	got, err := EncodePart(p)
	if err != nil || string(got) != deep {
		t.Errorf("a deep part changed: %v", err)
	}
}

// Strings are quoted here for speed; the JSON package is the judge.
func TestStringsAreQuotedAsTheJSONPackageDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(anyText, rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		want, _ := jsontext.AppendQuote(nil, text)
		if have := appendString(nil, text); string(have) != string(want) {
			t.Fatalf("have %s, want %s", have, want)
		}
	})
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	texts := []string{string(all), string(all[:128]), "\u2028<>&\x7f"}
	for _, c := range all {
		// Eight bytes are looked at together: it may stand in any of their places.
		for before := range 9 {
			texts = append(texts, strings.Repeat("a", before)+string([]byte{c})+"after it \" and é", "ü"+strings.Repeat("a", before)+string([]byte{c})+"\x1fafter it")
		}
	}
	for _, text := range texts {
		want, _ := jsontext.AppendQuote(nil, text)
		if have := appendString(nil, text); string(have) != string(want) {
			t.Errorf("have %s, want %s", have, want)
		}
	}
}
