package message

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"
)

// Generators of messages (for what we write) and of JSON (for what others
// write). Their strings lean towards what breaks codecs.

var anyText = rapid.OneOf(
	rapid.String(),
	rapid.SampledFrom([]string{"", "hi", "null", `"`, `\`, "a\nb\x00\x1b[31m", "</context_file>", "é\u2028\uFFFD𝄞", "{}", "@a.md"}),
)

func optional[T any](t *rapid.T, label string, g *rapid.Generator[T]) (v T) {
	if rapid.Bool().Draw(t, "has "+label) {
		v = g.Draw(t, label)
	}
	return v
}

// anyJSON is a value of any kind, with numbers in odd spellings, spaces and
// escapes that a canonical writer would not use.
func anyJSON(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		kinds := 7
		if depth <= 0 {
			kinds = 5
		}
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return "null"
		case 1:
			return strconv.FormatBool(rapid.Bool().Draw(t, "bool"))
		case 2, 3:
			return jsonString(anyText.Draw(t, "string"), rapid.Bool().Draw(t, "escaped"))
		case 4:
			return anyNumber.Draw(t, "number")
		case 5:
			return "[" + strings.Join(rapid.SliceOfN(anyJSON(depth-1), 0, 3).Draw(t, "elements"), " , ") + "]"
		default:
			return anyObject(depth-1).Draw(t, "object")
		}
	})
}

func anyObject(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return render(t, unknownMembers(t, depth))
	})
}

var anyNumber = rapid.SampledFrom([]string{
	"0", "-0", "1", "1.0", "1e3", "1E+3", "-12.50", "0.1", "1e-7", "12345678901234567890", "0.30000000000000000000001", "1e400",
})

// jsonString writes a string; escaped writes its ASCII letters as \u escapes.
func jsonString(s string, escaped bool) string {
	quoted := string(appendString(nil, s))
	if !escaped {
		return quoted
	}
	var b strings.Builder
	for i := 0; i < len(quoted); i++ {
		switch c := quoted[i]; {
		case c == '\\':
			n := 2
			if quoted[i+1] == 'u' {
				n = 6
			}
			b.WriteString(quoted[i : i+n])
			i += n - 1
		case 'a' <= c && c <= 'z':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

type field struct{ name, value string }

// render writes members in any order and with any spacing.
func render(t *rapid.T, fields []field) string {
	if len(fields) > 1 {
		fields = rapid.Permutation(fields).Draw(t, "order")
	}
	space := rapid.SampledFrom([]string{"", " ", "\n\t"}).Draw(t, "space")
	var b strings.Builder
	b.WriteString("{" + space)
	for i, f := range fields {
		if i > 0 {
			b.WriteString("," + space)
		}
		b.WriteString(jsonString(f.name, false) + space + ":" + space + f.value)
	}
	b.WriteString("}")
	return b.String()
}

// unknownMembers are members that no object of the envelope has.
func unknownMembers(t *rapid.T, depth int) []field {
	var fields []field
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "cache_control", "", "Text", "ROLE", "a b", "é", "type "}), 0, 3, rapid.ID[string]).Draw(t, "unknown") {
		fields = append(fields, field{name, anyJSON(depth).Draw(t, "unknown value")})
	}
	return fields
}

// partFields are the members that the schema gives every block, with a
// generator of what it accepts.
func partFields() []struct {
	name  string
	value *rapid.Generator[string]
} {
	str := rapid.Map(anyText, func(s string) string { return jsonString(s, false) })
	list := rapid.Map(rapid.SliceOfN(anyJSON(1), 0, 3), func(v []string) string { return "[" + strings.Join(v, ",") + "]" })
	return []struct {
		name  string
		value *rapid.Generator[string]
	}{
		{"text", str}, {"id", str}, {"name", str}, {"input", anyObject(2)}, {"tool_call_id", str}, {"output", anyJSON(2)},
		{"source", rapid.OneOf(anyObject(1), sourceJSON)}, {"thinking", str}, {"signature", str}, {"data", str},
		{"content", list}, {"summary", list},
		{"visibility", rapid.SampledFrom([]string{`"internal"`, `"developer"`, `"user"`})},
	}
}

var sourceJSON = rapid.SampledFrom([]string{
	`{"type":"base64","media_type":"image/png","data":"AAAA"}`,
	`{"type":"url","url":"https://example.com/a.png","detail":"high"}`,
	`{"type":"blob","digest":"sha256:00","media_type":null}`,
	`{"type":5,"data":[],"url":""}`,
})

// ourFields are members that only our parts have, with values that fit and
// values that do not.
func ourFields() []struct {
	name  string
	value *rapid.Generator[string]
} {
	value := func(fit ...string) *rapid.Generator[string] {
		return rapid.OneOf(rapid.SampledFrom(append(fit, "null", `""`)), anyJSON(1))
	}
	return []struct {
		name  string
		value *rapid.Generator[string]
	}{
		{"kind", value(`"file"`, `"selection"`, `"git-diff"`, `"diagnostics"`, `"hologram"`)},
		{"path", value(`"a.md"`)}, {"namespace", value(`"n"`)}, {"first", value("1", "10")}, {"last", value("20")}, {"column", value("0", "3")},
		{"errors", value("true", "false")}, {"warnings", value("true", "false")}, {"staged", value("false", "true")},
		{"written", value(`"@a.md"`)}, {"captured", value(`"sha256:00"`)},
		{"names", value(`["a","b"]`, `[]`)}, {"source_digest", value(`"sha256:00"`)}, {"shown", value(`"lines 1-2 of 3"`)},
		{"parts", value(`[]`, `[{"type":"text","text":"x"}]`, `[5]`)}, {"title", value(`"T"`)},
	}
}

// partJSON is any block that the schema accepts.
var partJSON = rapid.Custom(func(t *rapid.T) string {
	name := rapid.SampledFrom([]string{
		TypeText, TypeThinking, TypeRedactedThinking, TypeToolCall, TypeToolResult, TypeImage, TypeDocument, TypeReasoning,
		TypeMention, TypeContext, "hologram", "", "TEXT",
	}).Draw(t, "type")
	fields := append([]field{{"type", jsonString(name, rapid.Bool().Draw(t, "escaped type"))}}, unknownMembers(t, 2)...)
	for _, f := range append(partFields(), ourFields()...) {
		if rapid.Bool().Draw(t, "has "+f.name) {
			fields = append(fields, field{f.name, f.value.Draw(t, f.name)})
		}
	}
	return render(t, fields)
})

var instructionJSON = rapid.SampledFrom([]string{
	`{"type":"delegate_reasoning","agent_prompt":"p"}`,
	`{"type":"delegate_reasoning","agent_prompt":"p","mark_intermediate":true}`,
	`{"type":"delegate_reasoning","agent_prompt":"p","mark_intermediate":false,"x":1}`,
	`{"type":"delegate_reasoning","agent_prompt":"","mark_intermediate":null}`,
	`{"type":"delegate_reasoning","agent_prompt":5}`,
	`{"type":"return_control"}`, `{"type":"intermediate","x":1e3}`, `{"type":"meditate","x":[]}`,
})

// messageJSON is any message that the schema accepts, with the role "tool"
// beyond it.
var messageJSON = rapid.Custom(func(t *rapid.T) string {
	fields := unknownMembers(t, 2)
	fields = append(fields, field{"role", rapid.SampledFrom([]string{`"system"`, `"developer"`, `"user"`, `"assistant"`, `"function"`, `"tool"`, `"\u0075ser"`}).Draw(t, "role")})
	if rapid.Bool().Draw(t, "string content") {
		fields = append(fields, field{"content", jsonString(anyText.Draw(t, "content"), rapid.Bool().Draw(t, "escaped"))})
	} else {
		fields = append(fields, field{"content", "[" + strings.Join(rapid.SliceOfN(partJSON, 0, 4).Draw(t, "parts"), ",\n") + "]"})
	}
	for _, name := range []string{"name", "tool_call_id"} {
		if rapid.Bool().Draw(t, "has "+name) {
			fields = append(fields, field{name, jsonString(anyText.Draw(t, name), false)})
		}
	}
	if rapid.Bool().Draw(t, "has metadata") {
		fields = append(fields, field{"metadata", anyJSON(2).Draw(t, "metadata")})
	}
	switch rapid.IntRange(0, 3).Draw(t, "instructions") {
	case 0:
		fields = append(fields, field{"instructions", anyJSON(2).Draw(t, "foreign instructions")})
	case 1:
		fields = append(fields, field{"instructions", "[" + strings.Join(rapid.SliceOfN(instructionJSON, 0, 3).Draw(t, "list"), ",") + "]"})
	}
	return render(t, fields)
})

// requestJSON is any request that the schema accepts, with the later fields in
// their right types.
var requestJSON = rapid.Custom(func(t *rapid.T) string {
	str := func(name string) string { return jsonString(anyText.Draw(t, name), false) }
	whole := rapid.SampledFrom([]string{"0", "1", "4096", "1e3", "1000.0", "-5", "1.20e2"})
	fraction := rapid.SampledFrom([]string{"0", "-0", "0.7", "0.70", "1", "1.0", "1e-3", "0.30000000000000000000001", "123456789012345678901234567890"})
	fields := unknownMembers(t, 2)
	fields = append(fields, field{"messages", "[" + strings.Join(rapid.SliceOfN(messageJSON, 0, 3).Draw(t, "messages"), ",") + "]"})
	toolJSON := rapid.Custom(func(t *rapid.T) string {
		fields := append(unknownMembers(t, 1), field{"name", str("tool name")}, field{"parameters", anyObject(2).Draw(t, "parameters")})
		if rapid.Bool().Draw(t, "has description") {
			fields = append(fields, field{"description", str("description")})
		}
		return render(t, fields)
	})
	formatJSON := rapid.Custom(func(t *rapid.T) string {
		kind := rapid.SampledFrom([]string{`"text"`, `"json"`, `"json_schema"`}).Draw(t, "format")
		fields := append(unknownMembers(t, 1), field{"type", kind})
		if kind == `"json_schema"` {
			fields = append(fields, field{"schema", anyObject(2).Draw(t, "schema")})
			if rapid.Bool().Draw(t, "has strict") {
				fields = append(fields, field{"strict", rapid.SampledFrom([]string{"true", "false"}).Draw(t, "strict")})
			}
		}
		return render(t, fields)
	})
	for _, f := range []struct {
		name  string
		value func() string
	}{
		{"tools", func() string {
			return "[" + strings.Join(rapid.SliceOfN(toolJSON, 0, 2).Draw(t, "tools"), ",") + "]"
		}},
		{"response_format", func() string { return formatJSON.Draw(t, "response_format") }},
		{"temperature", func() string { return fraction.Draw(t, "temperature") }},
		{"top_p", func() string { return fraction.Draw(t, "top_p") }},
		{"max_output_tokens", func() string { return whole.Draw(t, "max_output_tokens") }},
		{"conversation_id", func() string { return str("conversation_id") }},
		{"stream", func() string { return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "stream") }},
		{"metadata", func() string { return anyObject(2).Draw(t, "metadata") }},
		{"model", func() string { return str("model") }},
		{"tool_choice", func() string { return rapid.OneOf(anyObject(1), rapid.Just(`"auto"`)).Draw(t, "tool_choice") }},
		{"stop", func() string { return rapid.SampledFrom([]string{`[]`, `["END"]`, `["a",""]`, `null`}).Draw(t, "stop") }},
		{"reasoning_effort", func() string { return str("reasoning_effort") }},
		{"timeout", func() string {
			return rapid.SampledFrom([]string{"0", "30", "0.5", "1e2", "30.0", "0.0000000001", "null"}).Draw(t, "timeout")
		}},
	} {
		if rapid.Bool().Draw(t, "has "+f.name) {
			fields = append(fields, field{f.name, f.value()})
		}
	}
	return render(t, fields)
})

// eventJSON is any event that the schema accepts, or of an unknown type.
var eventJSON = rapid.Custom(func(t *rapid.T) string {
	str := rapid.Map(anyText, func(s string) string { return jsonString(s, false) })
	fields := append(unknownMembers(t, 1),
		field{"type", rapid.SampledFrom([]string{`"message.start"`, `"text.delta"`, `"tool_call.start"`, `"tool_call.delta"`, `"tool_call.end"`, `"message.end"`, `"error"`}).Draw(t, "type")},
		field{"ts", str.Draw(t, "ts")}, field{"session_id", str.Draw(t, "session_id")},
		field{"seq", rapid.SampledFrom([]string{"0", "7", "1e2", "3.0"}).Draw(t, "seq")})
	for _, f := range []struct {
		name  string
		value *rapid.Generator[string]
	}{
		{"turn_id", str}, {"span_id", str}, {"parent_span_id", str}, {"text", str}, {"id", str}, {"name", str}, {"arguments_fragment", str},
		{"visibility", rapid.SampledFrom([]string{`"internal"`, `"developer"`, `"user"`})},
		{"arguments", anyObject(2)},
		{"usage", rapid.OneOf(anyObject(1), rapid.SampledFrom([]string{
			`{"input_tokens":1,"output_tokens":2,"total_tokens":3}`,
			`{"input_tokens":1e3,"output_tokens":2.0,"total_tokens":0,"cost_usd":"0.10","cache_read_tokens":0}`,
			`{"input_tokens":1}`, `{"cost_usd":0.25,"total_tokens":"x"}`, `{"cost_usd":"1e999999999"}`,
		}))},
		{"degradations", rapid.SampledFrom([]string{`[]`, `[5]`, `[{"requested":"a","actual":"b","reason":""}]`, `[{"requested":5}]`})},
		{"error", rapid.OneOf(anyObject(1), rapid.SampledFrom([]string{
			`{"kind":"rate_limit","status":429,"retryable":true,"retry_after":1.50}`, `{"status":"429","retry_after":-1}`, `{"message":""}`,
		}))},
		{"content", rapid.SampledFrom([]string{`[]`, `[{"type":"text","text":"x"}]`, `"x"`, `[{"type":5}]`})},
	} {
		if rapid.Bool().Draw(t, "has "+f.name) {
			fields = append(fields, field{f.name, f.value.Draw(t, f.name)})
		}
	}
	return render(t, fields)
})

// The generators below make values in Go, in the form that reading gives them.

func extra(t *rapid.T) jsontext.Value {
	fields := unknownMembers(t, 1)
	if len(fields) == 0 {
		return nil
	}
	var b strings.Builder
	for i, f := range fields {
		b.WriteString([]string{"{", ","}[min(i, 1)] + jsonString(f.name, false) + ":" + f.value)
	}
	return jsontext.Value(b.String() + "}")
}

func rawValue(g *rapid.Generator[string]) *rapid.Generator[jsontext.Value] {
	return rapid.Map(g, func(s string) jsontext.Value { return jsontext.Value(s) })
}

var anyVisibility = rapid.SampledFrom([]Visibility{"", Internal, ForDevelopers, ForUsers, "later"})

var anyMention = rapid.OneOf(
	rapid.Custom(func(t *rapid.T) mention.Mention {
		return mention.File{Namespace: optional(t, "namespace", anyText), Path: anyText.Draw(t, "path")}
	}),
	rapid.Custom(func(t *rapid.T) mention.Mention {
		return mention.Selection{Path: anyText.Draw(t, "path"), First: rapid.Int().Draw(t, "first"), Last: 20, Column: rapid.IntRange(0, 2).Draw(t, "column")}
	}),
	rapid.Custom(func(t *rapid.T) mention.Mention {
		return mention.Subtask{Agent: anyText.Draw(t, "agent"), Prompt: anyText.Draw(t, "prompt")}
	}),
	rapid.Just[mention.Mention](mention.GitDiff{}),
	rapid.Just[mention.Mention](mention.Diagnostics{Errors: true}),
	rapid.Just[mention.Mention](mention.Image{Digest: blob.Of([]byte("x")), MIME: "image/png"}),
	rapid.Just[mention.Mention](mention.Session{ID: "7", Name: "n"}),
	rapid.Just[mention.Mention](mention.Unknown{Name: "hologram", Raw: `{"kind":"hologram","depth":3}`}),
)

var anySource = rapid.Custom(func(t *rapid.T) Source {
	s := rapid.SampledFrom([]Source{Inline("image/png", []byte("x")), AtURL("https://example.com"), InBlob("a/b", blob.Of(nil)), {}, {Type: "later"}}).Draw(t, "source")
	s.Extra = extra(t)
	return s
})

func anyPart(depth int) *rapid.Generator[Part] {
	visible := func(t *rapid.T) Visibility { return anyVisibility.Draw(t, "visibility") }
	someJSON := rapid.SliceOfN(rawValue(anyJSON(1)), 0, 2)
	return rapid.Custom(func(t *rapid.T) Part {
		switch rapid.IntRange(0, 10).Draw(t, "part") {
		case 0:
			return Text{anyText.Draw(t, "text"), visible(t), extra(t)}
		case 1:
			return Thinking{anyText.Draw(t, "thinking"), anyText.Draw(t, "signature"), optional(t, "content", someJSON), visible(t), extra(t)}
		case 2:
			return RedactedThinking{anyText.Draw(t, "data"), visible(t), extra(t)}
		case 3:
			return ToolCall{anyText.Draw(t, "id"), anyText.Draw(t, "name"), optional(t, "input", rawValue(anyObject(2))), visible(t), extra(t)}
		case 4:
			return ToolResult{anyText.Draw(t, "id"), optional(t, "output", rawValue(anyJSON(2))), visible(t), extra(t)}
		case 5:
			return Image{anySource.Draw(t, "source"), visible(t), extra(t)}
		case 6:
			return Document{anySource.Draw(t, "source"), anyText.Draw(t, "title"), visible(t), extra(t)}
		case 7:
			return Reasoning{optional(t, "content", someJSON), optional(t, "summary", someJSON), visible(t), extra(t)}
		case 8:
			r := Ref{Mention: anyMention.Draw(t, "mention"), Written: anyText.Draw(t, "written"), Captured: blob.Digest(anyText.Draw(t, "captured"))}
			if _, unknown := r.Mention.(mention.Unknown); !unknown {
				r.Extra = extra(t)
			}
			return r
		case 9:
			c := Context{
				Names: optional(t, "names", rapid.SliceOfN(anyText, 0, 3)), Kind: mention.Kind(anyText.Draw(t, "kind")),
				IDs:    optional(t, "ids", rapid.SliceOfN(anyText, 0, 3)),
				Source: blob.Digest(anyText.Draw(t, "source")), Body: blob.Of(nil), Base: blob.Digest(anyText.Draw(t, "base")),
				MIME: anyText.Draw(t, "mime"), Lines: "1-2", Symbol: anyText.Draw(t, "symbol"), Shown: anyText.Draw(t, "shown"),
				ChangedSince: anyText.Draw(t, "changed"), Text: anyText.Draw(t, "text"), PartTokens: rapid.IntRange(0, 5000).Draw(t, "part tokens"), Extra: extra(t),
			}
			if depth > 0 {
				c.Parts = optional(t, "parts", rapid.SliceOfN(anyPart(depth-1), 0, 2))
			}
			return c
		default:
			return Unknown{"hologram", jsontext.Value(`{ "type":"hologram", "x":` + anyJSON(1).Draw(t, "x") + `}`)}
		}
	})
}

var anyInstruction = rapid.Custom(func(t *rapid.T) Instruction {
	switch rapid.IntRange(0, 3).Draw(t, "instruction") {
	case 0:
		return DelegateReasoning{anyText.Draw(t, "prompt"), rapid.Bool().Draw(t, "mark"), extra(t)}
	case 1:
		return ReturnControl{extra(t)}
	case 2:
		return Intermediate{extra(t)}
	default:
		return UnknownInstruction{"meditate", jsontext.Value(`{"type":"meditate"}`)}
	}
})

var anyMessage = rapid.Custom(func(t *rapid.T) Message {
	m := Message{
		Role:         rapid.SampledFrom([]Role{System, Developer, User, Assistant, Function, Tool, "", "later"}).Draw(t, "role"),
		Name:         anyText.Draw(t, "name"),
		ToolCallID:   anyText.Draw(t, "tool_call_id"),
		Instructions: optional(t, "instructions", rapid.SliceOfN(anyInstruction, 0, 3)),
		Metadata:     optional(t, "metadata", rawValue(anyJSON(2))),
		Extra:        extra(t),
	}
	if rapid.Bool().Draw(t, "plain") {
		m.Content = Say(anyText.Draw(t, "said"))
	} else if parts := rapid.SliceOfN(anyPart(1), 0, 4).Draw(t, "parts"); len(parts) > 0 {
		m.Content = Of(parts...)
	}
	return m
})

var anyUsage = rapid.Custom(func(t *rapid.T) *Usage {
	n := rapid.OneOf(rapid.Just(0), rapid.IntRange(0, math.MaxInt))
	u := &Usage{
		InputTokens: n.Draw(t, "input"), OutputTokens: n.Draw(t, "output"), TotalTokens: n.Draw(t, "total"),
		ReasoningTokens: n.Draw(t, "reasoning"), CacheReadTokens: n.Draw(t, "read"), CacheWriteTokens: n.Draw(t, "write"), Extra: extra(t),
	}
	if rapid.Bool().Draw(t, "has cost") {
		u.CostUSD = new(decimal.New(rapid.Int64().Draw(t, "cost"), int32(rapid.IntRange(-12, 3).Draw(t, "exponent"))))
	}
	return u
})

var anyRequest = rapid.Custom(func(t *rapid.T) Request {
	tool := rapid.Custom(func(t *rapid.T) ToolSpec {
		return ToolSpec{anyText.Draw(t, "name"), anyText.Draw(t, "description"), rawValue(anyObject(1)).Draw(t, "parameters"), extra(t)}
	})
	r := Request{
		Tools:           optional(t, "tools", rapid.SliceOfN(tool, 0, 2)),
		MaxOutputTokens: rapid.Int().Draw(t, "max"), ConversationID: anyText.Draw(t, "conversation"), Stream: rapid.Bool().Draw(t, "stream"),
		Metadata: optional(t, "metadata", rawValue(anyObject(1))), Model: anyText.Draw(t, "model"),
		ToolChoice: optional(t, "choice", rawValue(anyJSON(1))), Stop: optional(t, "stop", rapid.SliceOfN(anyText, 0, 2)),
		ReasoningEffort: anyText.Draw(t, "effort"), Timeout: time.Duration(rapid.Int64Min(0).Draw(t, "timeout")), Extra: extra(t),
	}
	if messages := rapid.SliceOfN(anyMessage, 0, 2).Draw(t, "messages"); len(messages) > 0 {
		r.Messages = messages
	}
	if rapid.Bool().Draw(t, "has format") {
		r.ResponseFormat = &ResponseFormat{FormatType(anyText.Draw(t, "type")), optional(t, "schema", rawValue(anyObject(1))), rapid.Bool().Draw(t, "strict"), extra(t)}
	}
	if rapid.Bool().Draw(t, "has temperature") {
		r.Temperature = new(rapid.Float64().Draw(t, "temperature"))
	}
	return r
})
