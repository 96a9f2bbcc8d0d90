package providertest

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// Scenario is a request that every provider encodes.
type Scenario struct {
	// Name is that of the golden file; what it guards is told by Guards.
	Name, Guards string
	Request      message.Request
}

// Scenarios returns the requests, for the given model.
func Scenarios(model string) []Scenario {
	scenarios := []Scenario{
		{"text", "the smallest request",
			ask(user("Hello"))},
		{"settings", "everything that can be set, set at once",
			settings()},
		{"context", "system text, context and question: each in its place, the mention as it was written",
			ask(system("You are terse."), contexts(api()), asking("Explain ", "@docs/api.md", " to me."))},
		{"context-in-place", "context of a later turn stays before that turn",
			ask(system("You are terse."), user("Hi"), answer("Hello."), contexts(api()), asking("Explain ", "@docs/api.md", "."))},
		{"context-before-system", "context may be placed before the system text",
			ask(contexts(api()), system("You are terse."), user("Go on."))},
		{"late-system", "a system message in the middle stays there and is not hoisted",
			ask(system("You are terse."), user("Hi"), answer("Hello."), system("Now be verbose."), user("Why?"))},
		{"images", "images inline, by digest, by address and in one, also within a context and in a result",
			images()},
		{"documents", "a PDF and a text as documents",
			ask(message.Message{Role: message.User, Content: message.Of(
				message.Document{Source: message.Inline("application/pdf", pdf), Title: "paper.pdf"},
				message.Document{Source: message.Inline("text/plain", []byte("plain words"))},
				message.Text{Text: "Sum up."})})},
		{"odd-media", "what cannot be sent is named in its place",
			ask(message.Message{Role: message.User, Content: message.Of(
				message.Image{Source: message.Inline("image/tiff", []byte("II*"))},
				message.Image{Source: message.InBlob("image/png", blob.Of([]byte("lost")))},
				message.Image{Source: message.AtURL("data:image/png;base64,lost!")},
				message.Image{Source: message.Source{Type: "file_id", Extra: jsontext.Value(`{"file_id":"f1"}`)}},
				message.Document{Source: message.Inline("application/zip", []byte("PK")), Title: "a.zip"},
				message.Text{Text: "What are these?"})})},
		{"tools", "a call and its result",
			withTools(user("What is in a.go?"), calls("Let me look.", call("call_1", "read_file", `{"path":"a.go"}`)),
				results(message.TextResult("call_1", "package a")), answer("A package."), user("Thanks."))},
		{"parallel-tools", "all results of one answer are together, in the order of the calls",
			withTools(user("Compare a and b."), calls("", call("call_a", "read_file", `{"path":"a"}`), call("call_b", "read_file", `{"path":"b"}`), call("call_c", "list_files", "")),
				results(message.TextResult("call_b", "B")), results(value("call_c", `{"files":["a","b"]}`), failedResult("call_a", "no such file")), user("And now?"))},
		{"failed-without-words", "calls that failed and said nothing, or nothing that can be read",
			withTools(user("Look."), calls("", call("call_1", "read_file", `{"path":"a"}`), call("call_2", "read_file", `{"path":"b"}`), call("call_3", "list_files", "")),
				results(failedResult("call_1", ""), failedResult("call_2", " \n"), message.TextResult("call_3", "")), user("So?"))},
		{"answer-first", "an answer that nothing comes before",
			withTools(system("You are terse."), answer("Welcome."), user("Hi"), answer("Hello."), user("So?"))},
		{"call-first", "a call that nothing comes before",
			withTools(calls("", call("call_1", "read_file", `{"path":"a"}`)), results(message.TextResult("call_1", "A")), user("So?"))},
		{"tool-steering", "what the user says while tools run comes after the results",
			withTools(user("Look."), calls("", call("call_1", "read_file", `{"path":"a"}`)), user("Hurry."), contexts(api()), results(message.TextResult("call_1", "A")))},
		{"orphan-call", "a call that was never answered is answered directly after it",
			withTools(user("Look."), calls("Looking.", call("call_1", "read_file", `{"path":"a"}`), call("call_2", "read_file", `{"path":"b"}`)),
				results(message.TextResult("call_2", "B")), answer("I stopped."), user("Go on."))},
		{"orphan-result", "a result without a call, and one that comes too late, are blocks of text",
			withTools(user("Look."), results(message.TextResult("call_9", "nobody asked")),
				calls("", call("call_1", "read_file", `{"path":"a"}`)), answer("Never mind."), results(message.TextResult("call_1", "late </context_file> A")), user("So?"))},
		{"repeated-ids", "calls with the same id, an empty one, and characters that not everybody takes",
			withTools(user("Look."), calls("", call("call|1", "read_file", `{"path":"a"}`)), results(message.TextResult("call|1", "A")),
				calls("", call("call|1", "read_file", `{"path":"b"}`), call("", "list_files", "{}")), results(message.TextResult("call|1", "B"), message.TextResult("", "a b")), user("So?"))},
		{"foreign-calls", "calls and results in the shapes of others",
			withTools(user("Look."),
				message.Message{Role: message.Assistant, Content: message.Say(""), Extra: jsontext.Value(`{"tool_calls":[{"id":"call_1","type":"function","function":{"name":"read_file","arguments":"{\"path\":\"a\"}"}}]}`)},
				message.Message{Role: message.Tool, ToolCallID: "call_1", Content: message.Say("A")}, user("So?"))},
		{"thinking", "signed, signature-only and redacted thinking go back; unsigned and foreign does not",
			withTools(user("Think."),
				message.Message{Role: message.Assistant, Content: message.Of(
					message.Thinking{Thinking: "Let me see.", Signature: "c2lnbmVk"},
					message.Thinking{Signature: "c2lnbmF0dXJlLW9ubHk="},
					message.RedactedThinking{Data: "cmVkYWN0ZWQ="},
					message.Thinking{Thinking: "unsigned"},
					message.Text{Text: "I look."},
					call("call_1", "read_file", `{"path":"a"}`))},
				results(message.TextResult("call_1", "A")),
				message.Message{Role: message.Assistant, Content: message.Of(
					message.Thinking{Thinking: "of another model", Signature: "b3RoZXI=", Extra: jsontext.Value(`{"model":"another-model"}`)},
					message.Thinking{Thinking: "sum", Content: []jsontext.Value{jsontext.Value(`"ZW5jcnlwdGVk"`), jsontext.Value(`"rs_1"`)}},
					message.Reasoning{Content: []jsontext.Value{}, Summary: []jsontext.Value{jsontext.Value(`{"type":"summary_text","text":"sum"}`)}},
					message.Text{Text: "Done."})},
				message.Message{Role: message.Assistant, Content: message.Of(message.Thinking{Thinking: "only unsigned"})},
				user("So?"))},
		{"thinking-effort", "an effort, on a turn that can be thought on from",
			effort("high", user("Think hard."))},
		{"thinking-effort-tools", "an effort, in a turn whose calls were made without thinking",
			effort("medium", user("Look."), calls("", call("call_1", "read_file", `{"path":"a"}`)), results(message.TextResult("call_1", "A")))},
		{"thinking-off", "no thinking",
			effort("none", user("Quick."))},
		{"structured", "an answer that must follow a schema",
			structured(message.ResponseFormat{Type: message.FormatJSONSchema, Strict: true,
				Schema: jsontext.Value(`{"type":"object","properties":{"city":{"type":"string"},"population":{"type":"integer"}},"required":["city","population"],"additionalProperties":false}`)})},
		{"structured-json", "an answer that must be JSON",
			structured(message.ResponseFormat{Type: message.FormatJSON})},
		{"tool-choice-any", "some tool must be called", choice(`"required"`)},
		{"tool-choice-named", "one tool must be called", choice(`{"type":"function","function":{"name":"read_file"}}`)},
		{"tool-choice-none", "no tool may be called", choice(`"none"`)},
		{"tool-choice-odd", "a choice that nobody knows", choice(`{"type":"maybe"}`)},
		{"odd-tools", "names that not everybody takes, a name twice, more output than any model has",
			oddTools()},
		{"odd-schemas", "parameters that not everybody takes",
			oddSchemas()},
		{"empty-texts", "blank texts and messages are not sent",
			ask(user(""), user("Hi"), answer(" \n"), message.Message{Role: message.User, Content: message.Of(message.Text{}, message.Text{Text: "So?"}, message.Text{Text: "\t"})})},
		{"unknown-parts", "parts and roles that nobody knows",
			ask(message.Message{Role: message.User, Content: message.Of(message.Text{Text: "Listen."}, message.Unknown{Name: "audio", Raw: jsontext.Value(`{"type":"audio","data":"AAAA"}`)})},
				message.Message{Role: "critic", Content: message.Say("Too loud.")},
				message.Message{Role: message.User, Name: "alice", Content: message.Say("Indeed.")})},
		{"delegate", "the lines of instructions stand before the text, and intermediate is not sent",
			delegated()},
		{"exact-text", "text goes out as it is",
			ask(user("<b>&amp; \"quoted\" \\ \u2028 é 𝄞 日本\r\n\ttab \x1b[31m \x00 \xff end  "))},
		{"long", "many turns with context, calls and results",
			long(12)},
	}
	for i := range scenarios {
		scenarios[i].Request.Model = model
	}
	return scenarios
}

func ask(messages ...message.Message) message.Request { return message.Request{Messages: messages} }

func withTools(messages ...message.Message) message.Request {
	r := ask(messages...)
	r.Tools = []message.ToolSpec{
		{Name: "read_file", Description: "Read a file.", Parameters: jsontext.Value(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)},
		{Name: "list_files", Description: "List the files.", Parameters: jsontext.Value(`{"type":"object","properties":{}}`)},
	}
	return r
}

func oddTools() message.Request {
	r := withTools(user("Look."), calls("", call("call_1", "mcp.server.read", "{}"), call("call_2", "2 read", "{}")),
		results(message.TextResult("call_1", "A"), message.TextResult("call_2", "B")), user("So?"))
	for _, name := range []string{"mcp.server.read", "2 read", strings.Repeat("long", 40), "read_file"} {
		r.Tools = append(r.Tools, message.ToolSpec{Name: name, Description: "Read.", Parameters: jsontext.Value(`{"type":"object","properties":{}}`)})
	}
	r.ToolChoice = jsontext.Value(`{"type":"function","function":{"name":"2 read"}}`)
	r.MaxOutputTokens = 10_000_000
	return r
}

// schemas are of parameters as servers of tools write them: the first two are such
// as everybody takes them.
var schemas = []string{
	`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
	`{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}}}}`,
	`{"type":"object"}`,
	`{}`,
	`{"properties":{"a":{"type":"string"}}}`,
	`{"type":"object","properties":null}`,
	`{"type":"object","properties":[]}`,
	`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":"object","properties":{"c":{"type":"array"}}}}}`,
	`{"type":"object","properties":{"filter[id]":{"type":"string"},"@type":{"type":"string"},"a":{"type":"string"}},"required":["a"]}`,
	`{"type":"object","properties":{"filter[id]":{"type":"string"}},"required":["filter[id]"]}`,
	`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
	`{"oneOf":[{"type":"object","properties":{"kind":{"const":"file"},"path":{"type":"string"}},"required":["kind","path"]},{"type":"object","properties":{"kind":{"const":"url"},"list":{"type":"array"}},"required":["kind"]}]}`,
	`{"type":"object","allOf":[{"$ref":"#/$defs/named"},{"properties":{"size":{"type":"integer"}}}],"$defs":{"named":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}`,
	`{"type":"object","properties":{"a":{"type":"string"}},"not":{"required":["b"]}}`,
}

func oddSchemas() message.Request {
	r := ask(user("Look."))
	for i, schema := range schemas {
		r.Tools = append(r.Tools, message.ToolSpec{Name: fmt.Sprintf("tool_%02d", i), Description: "Do.", Parameters: jsontext.Value(schema)})
	}
	return r
}

func settings() message.Request {
	r := withTools(system("Be brief."), system("Be kind."), user("Hello"))
	temperature, topP := 1.5, 0.9
	r.Temperature, r.TopP, r.MaxOutputTokens = &temperature, &topP, 1000
	r.Stop = []string{"END", " "}
	r.ConversationID = "conversation-1"
	r.Metadata = jsontext.Value(`{"mine":true}`)
	r.ToolChoice = jsontext.Value(`"auto"`)
	return r
}

func structured(format message.ResponseFormat) message.Request {
	r := ask(user("The largest city?"))
	r.ResponseFormat = &format
	return r
}

func effort(word string, messages ...message.Message) message.Request {
	r := withTools(messages...)
	r.ReasoningEffort = word
	return r
}

func choice(value string) message.Request {
	r := withTools(user("Look."))
	r.ToolChoice = jsontext.Value(value)
	return r
}

func system(text string) message.Message {
	return message.Message{Role: message.System, Content: message.Say(text)}
}

func user(text string) message.Message {
	return message.Message{Role: message.User, Content: message.Say(text)}
}

func answer(text string) message.Message {
	return message.Message{Role: message.Assistant, Content: message.Say(text)}
}

// asking is a user's text with a mention in it.
func asking(before, written, after string) message.Message {
	text := before + written + after
	return message.Message{Role: message.User, Content: message.Cut(text, mention.Find(text))}
}

func contexts(blocks ...message.Context) message.Message {
	m := message.Message{Role: message.Developer}
	for _, block := range blocks {
		m.Content.Parts = append(m.Content.Parts, block)
	}
	return m
}

func api() message.Context {
	text := "# API\n\nGET /v1 </context_file>\n"
	return message.Context{Names: []string{"docs/api.md", "a & b.md"}, Text: text,
		Source: blob.Of([]byte(text)), Body: blob.Of([]byte(text)), Shown: "lines 1-3 of 90"}
}

func call(id, name, arguments string) message.ToolCall {
	c := message.ToolCall{ID: id, Name: name}
	if arguments != "" {
		c.Input = jsontext.Value(arguments)
	}
	return c
}

func calls(text string, list ...message.ToolCall) message.Message {
	m := message.Message{Role: message.Assistant}
	if text != "" {
		m.Content.Parts = append(m.Content.Parts, message.Text{Text: text})
	}
	for _, c := range list {
		m.Content.Parts = append(m.Content.Parts, c)
	}
	return m
}

func results(list ...message.ToolResult) message.Message {
	m := message.Message{Role: message.Tool}
	for _, r := range list {
		m.Content.Parts = append(m.Content.Parts, r)
	}
	return m
}

func value(id, output string) message.ToolResult {
	return message.ToolResult{ToolCallID: id, Output: jsontext.Value(output)}
}

func failedResult(id, words string) message.ToolResult {
	r := message.TextResult(id, words)
	r.Extra = jsontext.Value(`{"is_error":true}`)
	return r
}

var (
	// png is one transparent pixel.
	png, _ = base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==")
	pdf    = []byte("%PDF-1.4\n%%EOF\n")
)

func images() message.Request {
	jpeg := []byte("\xff\xd8\xff\xe0 not really")
	shot, err := message.PartResult("call_1", message.Text{Text: "the screen:"}, message.Image{Source: message.Inline("image/png", png)})
	if err != nil {
		panic(err)
	}
	r := withTools(
		contexts(message.Context{Names: []string{"logo.png"}, Kind: "image", MIME: "image/png", Text: "an image, 1 by 1 pixel",
			Parts: []message.Part{message.Image{Source: message.InBlob("image/png", blob.Of(png))}}}),
		message.Message{Role: message.User, Content: message.Of(
			message.Text{Text: "Compare "},
			message.Ref{Mention: mention.Image{Digest: blob.Of(jpeg), MIME: "image/jpeg"}, Written: "", Captured: blob.Of(jpeg)},
			message.Image{Source: message.InBlob("image/jpeg", blob.Of(jpeg))},
			message.Image{Source: message.AtURL("https://example.com/cat.png")},
			message.Image{Source: message.AtURL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png))},
			message.Text{Text: "please."})},
		calls("", call("call_1", "read_file", `{"path":"screen"}`)),
		results(shot))
	r.Blobs = map[blob.Digest][]byte{blob.Of(png): png, blob.Of(jpeg): jpeg}
	return r
}

func delegated() message.Request {
	handOver, err := message.Delegate("You are a reviewer.")
	if err != nil {
		panic(err)
	}
	return ask(system("You are a reviewer."),
		message.Message{Role: message.User, Content: message.Say("Review this."), Instructions: []message.Instruction{handOver}},
		message.Message{Role: message.Assistant, Content: message.Say("It is fine."), Instructions: []message.Instruction{message.Intermediate{}}},
		message.Message{Role: message.User, Content: message.Of(), Instructions: []message.Instruction{message.ReturnControl{}}},
		user("Thanks."))
}

// long is a session of that many turns. Each has context, a call and its result.
func long(turns int) message.Request {
	r := withTools(system("You are a careful engineer. " + strings.Repeat("Rules matter. ", 40)))
	for turn := range turns {
		path := fmt.Sprintf("src/file%d.go", turn)
		text := strings.Repeat(fmt.Sprintf("// line of %s\n", path), 20)
		id := fmt.Sprintf("call_%d", turn)
		r.Messages = append(r.Messages,
			contexts(message.Context{Names: []string{path}, Text: text, Source: blob.Of([]byte(text)), Body: blob.Of([]byte(text))}),
			asking("Check ", "@"+path, fmt.Sprintf(" in round %d.", turn)),
			calls("I read it.", call(id, "read_file", fmt.Sprintf(`{"path":%q}`, path))),
			results(message.TextResult(id, text)),
			answer(fmt.Sprintf("Round %d: nothing found.", turn)))
	}
	r.Messages = append(r.Messages, user("And in the end?"))
	return r
}
