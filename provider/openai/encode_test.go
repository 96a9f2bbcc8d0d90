package openai

import (
	"errors"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// able is a model that can do everything.
var able = model.Card{Provider: Name, Images: true, Documents: true, Tools: true, Schema: true, Sampling: true, Forced: true,
	Thinking: model.ThinkingEffort, ThinkingOff: "none"}

// at returns a value inside a body: "input.0.content".
func at(t *testing.T, body jsontext.Value, pointer string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		t.Fatal(err)
	}
	for _, step := range strings.Split(pointer, ".") {
		switch inner := value.(type) {
		case map[string]any:
			value = inner[step]
		case []any:
			i := int(step[0] - '0')
			if i >= len(inner) {
				return ""
			}
			value = inner[i]
		}
	}
	if value == nil {
		return ""
	}
	return encoded(value)
}

func toolNamed(names ...string) (tools []message.ToolSpec) {
	for _, name := range names {
		tools = append(tools, message.ToolSpec{Name: name})
	}
	return tools
}

// Each rule holds for a request that is changed in one thing. Where both wires say
// it at different places, both are looked at.
func TestRules(t *testing.T) {
	ten, three := 10, 3.0
	card := func(change func(*model.Card)) model.Card {
		changed := able
		change(&changed)
		return changed
	}
	for _, c := range []struct {
		name            string
		card            model.Card
		request         func(*message.Request)
		responses, chat string // where: what, empty if there is nothing to see
		notes           string // what the degradations of both say, together
	}{
		{"a limit", able, func(r *message.Request) { r.MaxOutputTokens = 100 }, `max_output_tokens: 100`, `max_tokens: 100`, ""},
		{"a limit below the least", able, func(r *message.Request) { r.MaxOutputTokens = ten }, `max_output_tokens: 16`, `max_tokens: 10`, "the API takes no less"},
		{"a limit above the model's", card(func(c *model.Card) { c.MaxOutput = 50 }), func(r *message.Request) { r.MaxOutputTokens = 100 }, `max_output_tokens: 50`, `max_tokens: 50`, "the model cannot say more"},
		{"a limit below zero", able, func(r *message.Request) { r.MaxOutputTokens = -5 }, `max_output_tokens: `, `max_tokens: `, "a limit is more than zero"},
		{"a schema that is no object", able, func(r *message.Request) {
			r.Tools = []message.ToolSpec{{Name: "f", Parameters: jsontext.Value(`[]`)}}
		}, `tools.0.parameters: {"properties":{},"type":"object"}`, `tools.0.function.parameters: {"properties":{},"type":"object"}`, "they are not a JSON object"},
		{"a choice beside a long description", able, func(r *message.Request) {
			r.Tools = []message.ToolSpec{{Name: "f", Description: strings.Repeat("x", 1000), Parameters: jsontext.Value(`{"anyOf":[{"required":["a"]},{"required":["b"]}]}`)}}
		}, `tools.0.parameters: {"properties":{},"type":"object"}`, `tools.0.function.parameters: {"properties":{},"type":"object"}`, "the API does not take that at the root"},
		{"two tools of one name", able, func(r *message.Request) { r.Tools = toolNamed("f", "g", "f") }, `tools.2: `, `tools.2: `, "a tool before it has the same name"},
		{"a temperature out of range", able, func(r *message.Request) { r.Temperature = &three }, `temperature: 2`, `temperature: 2`, "the API takes 0 to 2"},
		{"sampling for a model that takes none", card(func(c *model.Card) { c.Sampling = false }), func(r *message.Request) { r.Temperature, r.TopP = &three, &three }, `temperature: `, `top_p: `, "takes no such setting"},
		{"more stops than the API takes", able, func(r *message.Request) { r.Stop = []string{"a", "b", "c", "d", "e"} }, `stop: `, `stop: ["a","b","c","d"]`, "stop"},
		{"effort", able, func(r *message.Request) { r.ReasoningEffort = "high" }, `reasoning: {"effort":"high"}`, `reasoning_effort: "high"`, ""},
		{"a word of OpenAI's own", able, func(r *message.Request) { r.ReasoningEffort = "minimal" }, `reasoning: {"effort":"minimal"}`, `reasoning_effort: "minimal"`, ""},
		{"no effort", able, func(r *message.Request) { r.ReasoningEffort = "off" }, `reasoning: {"effort":"none"}`, `reasoning_effort: "none"`, ""},
		{"no effort from a model that always thinks", card(func(c *model.Card) { c.ThinkingOff = "" }), func(r *message.Request) { r.ReasoningEffort = "none" }, `reasoning: `, `reasoning_effort: `, "always thinks"},
		{"effort from a model that does not think", card(func(c *model.Card) { c.Thinking = "" }), func(r *message.Request) { r.ReasoningEffort = "high" }, `reasoning: `, `reasoning_effort: `, "cannot be told"},
		{"no effort from a model that does not think", card(func(c *model.Card) { c.Thinking, c.ThinkingOff = "", "" }), func(r *message.Request) { r.ReasoningEffort = "none" }, `reasoning: `, `reasoning_effort: `, ""},
		{"an effort that nobody knows", able, func(r *message.Request) { r.ReasoningEffort = "heroic" }, `reasoning: `, `reasoning_effort: `, "not known what it means"},
		{"encrypted reasoning is not asked of a model that does not think", card(func(c *model.Card) { c.Thinking = "" }), func(*message.Request) {}, `include: `, `include: `, ""},
		{"encrypted reasoning is asked for", able, func(*message.Request) {}, `include: ["reasoning.encrypted_content"]`, `include: `, ""},
		{"nothing is stored", able, func(*message.Request) {}, `store: false`, `store: `, ""},
		{"tools for a model that takes none", card(func(c *model.Card) { c.Tools = false }), func(r *message.Request) { r.Tools = toolNamed("f") }, `tools: `, `tools: `, "takes none"},
		{"a tool without parameters", able, func(r *message.Request) { r.Tools = toolNamed("f") },
			`tools.0.parameters: {"properties":{},"type":"object"}`, `tools.0.function.parameters: {"properties":{},"type":"object"}`, ""},
		{"a tool whose parameters have no properties", able, func(r *message.Request) {
			r.Tools = []message.ToolSpec{{Name: "f", Parameters: jsontext.Value(`{"type":"object","additionalProperties":true}`)}}
		}, `tools.0.parameters: {"additionalProperties":true,"properties":{},"type":"object"}`, `tools.0.function.parameters: {"additionalProperties":true,"properties":{},"type":"object"}`, ""},
		{"a tool is not strict unless it says so", able, func(r *message.Request) { r.Tools = toolNamed("f") }, `tools.0.strict: false`, `tools.0.function.strict: `, ""},
		{"a strict tool", able, func(r *message.Request) {
			r.Tools = []message.ToolSpec{{Name: "f", Extra: jsontext.Value(`{"strict":true}`)}}
		}, `tools.0.strict: true`, `tools.0.function.strict: true`, ""},
		{"a name that is refused", able, func(r *message.Request) { r.Tools = toolNamed("git.log") },
			`tools.0.name: "git_log_` + dialogue.Digest("git.log")[:8] + `"`, `tools.0.function.name: "git_log_` + dialogue.Digest("git.log")[:8] + `"`, `the name "git.log" of a tool`},
		{"calls may be parallel unless somebody minds", able, func(r *message.Request) {
			r.Tools, r.Extra = toolNamed("f"), jsontext.Value(`{"parallel_tool_calls":false}`)
		}, `parallel_tool_calls: false`, `parallel_tool_calls: false`, ""},
		{"a choice of a tool that is not there", able, func(r *message.Request) {
			r.Tools, r.ToolChoice = toolNamed("f"), jsontext.Value(`{"type":"function","name":"g"}`)
		}, `tool_choice: `, `tool_choice: `, "there is no such tool"},
		{"a choice of a tool whose name is refused", able, func(r *message.Request) {
			r.Tools, r.ToolChoice = toolNamed("é"), jsontext.Value(`{"type":"function","name":"é"}`)
		}, `tool_choice.name: "` + names.Fit("é") + `"`, `tool_choice.function.name: "` + names.Fit("é") + `"`, `the name "é" of a tool`},
		{"a choice without tools", able, func(r *message.Request) { r.ToolChoice = jsontext.Value(`"required"`) }, `tool_choice: `, `tool_choice: `, "none to choose from"},
		{"a demand on a model that cannot be made to", card(func(c *model.Card) { c.Forced = false }), func(r *message.Request) {
			r.Tools, r.ToolChoice = toolNamed("f"), jsontext.Value(`"required"`)
		}, `tool_choice: `, `tool_choice: `, "cannot be made to call one"},
		{"a schema is named by its title", able, func(r *message.Request) {
			r.ResponseFormat = &message.ResponseFormat{Type: message.FormatJSONSchema, Schema: jsontext.Value(`{"title":"City","type":"object"}`)}
		}, `text.format.name: "City"`, `response_format.json_schema.name: "City"`, ""},
		{"a schema for a model that cannot be held to one", card(func(c *model.Card) { c.Schema = false }), func(r *message.Request) {
			r.ResponseFormat = &message.ResponseFormat{Type: message.FormatJSONSchema, Schema: jsontext.Value(`{"type":"object"}`)}
		}, `text.format: {"type":"json_object"}`, `response_format: {"type":"json_object"}`, "cannot be held to one"},
		{"JSON, when nobody said JSON", able, func(r *message.Request) {
			r.ResponseFormat = &message.ResponseFormat{Type: message.FormatJSON}
		}, `input.1.content.0.text: "Answer in JSON."`, `messages.1.content: "Answer in JSON."`, "asked for in words too"},
		{"JSON, when somebody did", able, func(r *message.Request) {
			r.ResponseFormat = &message.ResponseFormat{Type: message.FormatJSON}
			r.Messages[0].Content = message.Say("Give me json.")
		}, `input.1: `, `messages.1: `, ""},
		{"a format that nobody knows", able, func(r *message.Request) { r.ResponseFormat = &message.ResponseFormat{Type: "yaml"} }, `text: `, `response_format: `, "not known what it means"},
		{"a conversation keeps to its cache", able, func(r *message.Request) { r.ConversationID = "c-1" }, `prompt_cache_key: "c-1"`, `prompt_cache_key: `, ""},
		{"the key of a cache has a limit", able, func(r *message.Request) { r.ConversationID = strings.Repeat("c", 65) }, `prompt_cache_key: "` + dialogue.Digest(strings.Repeat("c", 65)) + `"`, `prompt_cache_key: `, ""},
		{"pictures for a model that takes none", card(func(c *model.Card) { c.Images = false }), func(r *message.Request) {
			r.Messages[0].Content = message.Of(message.Image{Source: message.AtURL("https://example.com/a.png")})
		}, `input.0.content.0.text: "[an image is left out: the model takes no images]"`, `messages.0.content: "[an image is left out: the model takes no images]"`, "takes no images"},
		{"a document elsewhere", able, func(r *message.Request) {
			r.Messages[0].Content = message.Of(message.Document{Source: message.AtURL("https://example.com/a.pdf"), Title: "a.pdf"})
		}, `input.0.content.0: {"file_url":"https://example.com/a.pdf","type":"input_file"}`, `messages.0.content: "[a document (a.pdf) is left out: the API fetches no documents]"`, "the API fetches no documents"},
		{"a PDF for a server that takes them", able, func(r *message.Request) {
			r.Messages[0].Content = message.Of(message.Document{Source: message.Inline("application/pdf", []byte("%PDF"))})
		}, `input.0.content.0.filename: "document.pdf"`, `messages.0.content.0.file: {"file_data":"data:application/pdf;base64,JVBERg==","filename":"document.pdf"}`, ""},
		{"a PDF that nobody can read", card(func(c *model.Card) { c.Documents = false }), func(r *message.Request) {
			r.Messages[0].Content = message.Of(message.Document{Source: message.Inline("application/pdf", []byte("%PDF")), Title: "a.pdf"})
		}, `input.0.content.0.text: "[a document (a.pdf) is left out: the model takes no documents]"`, `messages.0.content: "[a document (a.pdf) is left out: the server takes no documents]"`, "takes no documents"},
		{"a text with its phase", able, func(r *message.Request) {
			r.Messages = append(r.Messages, said(message.Text{Text: "I look.", Extra: jsontext.Value(`{"phase":"commentary"}`)}))
		}, `input.1.phase: "commentary"`, `messages.1.phase: `, ""},
		{"a text after a call", able, func(r *message.Request) {
			r.Messages = append(r.Messages, said(message.ToolCall{ID: "c", Name: "f"}, message.Text{Text: "I wait."}))
		}, `input.2.content: "I wait."`, `messages.1.content: "I wait."`, "said before it"},
		{"an id of a call that is too long", able, func(r *message.Request) {
			r.Messages = append(r.Messages, said(message.ToolCall{ID: strings.Repeat("c", 50), Name: "f"}))
		}, `input.2.call_id: "` + callID(strings.Repeat("c", 50)) + `"`, `messages.2.tool_call_id: "` + callID(strings.Repeat("c", 50)) + `"`, "never answered"},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := hello("m")
			c.request(&request)
			var told string
			for _, wire := range []struct {
				encode func() (jsontext.Value, []message.Degradation, error)
				check  func(jsontext.Value) error
				want   string
			}{
				{func() (jsontext.Value, []message.Degradation, error) { return Encode(request, c.card) }, checkResponses, c.responses},
				{func() (jsontext.Value, []message.Degradation, error) { return EncodeChat(request, c.card, Dialect{}) }, checkChat, c.chat},
			} {
				body, notes, err := wire.encode()
				if err != nil {
					t.Fatal(err)
				}
				if err := wire.check(body); err != nil {
					t.Errorf("the API would refuse it: %v\n%s", err, body)
				}
				pointer, want, _ := strings.Cut(wire.want, ": ")
				if have := at(t, body, pointer); have != want {
					t.Errorf("%s: have %s, want %s\n%s", pointer, have, want, body)
				}
				for _, note := range notes {
					told += note.Requested + " → " + note.Actual + ": " + note.Reason + "\n"
				}
			}
			if !strings.Contains(told, c.notes) || c.notes == "" && told != "" {
				t.Errorf("degradations:\n%swant %q", told, c.notes)
			}
		})
	}
}

func said(parts ...message.Part) message.Message {
	return message.Message{Role: message.Assistant, Content: message.Of(parts...)}
}

// The limit of output has another name at OpenAI's own servers.
func TestCompletionTokens(t *testing.T) {
	request := hello("m")
	request.MaxOutputTokens = 100
	body, _, err := EncodeChat(request, able, Dialect{CompletionTokens: true})
	if err != nil || at(t, body, "max_completion_tokens") != "100" || at(t, body, "max_tokens") != "" {
		t.Errorf("%s, %v", body, err)
	}
}

// Reasoning goes back when it is this model's own, encrypted, and led to something.
func TestReasoningGoesBack(t *testing.T) {
	item := jsontext.Value(`{"type":"reasoning","id":"rs_1","status":"completed","content":[],"summary":[{"type":"summary_text","text":"s"}],"encrypted_content":"eA=="}`)
	sent := `{"encrypted_content":"eA==","id":"rs_1","summary":[{"text":"s","type":"summary_text"}],"type":"reasoning"}`
	mine := jsontext.Value(`{"provider":"openai","model":"m"}`)
	text := message.Text{Text: "Done."}
	for _, c := range []struct {
		name  string
		parts []message.Part
		card  model.Card
		why   string // it does not, empty if it does
	}{
		{"as the decoder keeps it", []message.Part{message.Thinking{Thinking: "s", Content: []jsontext.Value{item}, Extra: mine}, text}, able, ""},
		{"as an item in the history", []message.Part{message.Reasoning{Summary: []jsontext.Value{jsontext.Value(`{"type":"summary_text","text":"s"}`)}, Extra: jsontext.Value(`{"id":"rs_1","encrypted_content":"eA=="}`)}, text}, able, ""},
		{"as others keep it", []message.Part{message.Thinking{Thinking: "s", Content: []jsontext.Value{jsontext.Value(`"eA=="`), jsontext.Value(`"rs_1"`)}}, text}, able, ""},
		{"not encrypted", []message.Part{message.Thinking{Thinking: "s", Content: []jsontext.Value{jsontext.Value(`{"type":"reasoning","id":"rs_1","summary":[]}`)}}, text}, able, "not encrypted"},
		{"signed by somebody else", []message.Part{message.Thinking{Thinking: "s", Signature: "eA=="}, text}, able, "not encrypted"},
		{"of another model", []message.Part{message.Thinking{Content: []jsontext.Value{item}, Extra: jsontext.Value(`{"model":"n"}`)}, text}, able, "another model"},
		{"of another provider", []message.Part{message.Thinking{Content: []jsontext.Value{item}, Extra: jsontext.Value(`{"provider":"azure","model":"m"}`)}, text}, able, "another provider"},
		{"to a model that does not reason", []message.Part{message.Thinking{Content: []jsontext.Value{item}}, text}, model.Card{}, "does not reason"},
		{"that led to nothing", []message.Part{text, message.Thinking{Content: []jsontext.Value{item}}, message.Thinking{Content: []jsontext.Value{item}}}, able, "nothing that it led to"},
	} {
		t.Run(c.name, func(t *testing.T) {
			request := hello("m")
			request.Messages = append(request.Messages, said(c.parts...))
			body, notes, err := Encode(request, c.card)
			if err != nil {
				t.Fatal(err)
			}
			told := encoded(notes)
			if c.why == "" {
				if diff := cmp.Diff(sent, at(t, body, "input.1")); diff != "" || len(notes) > 0 {
					t.Errorf("(-want +have):\n%s\n%s", diff, told)
				}
			} else if strings.Contains(string(body), `"type":"reasoning"`) || !strings.Contains(told, c.why) {
				t.Errorf("%s\n%s", body, told)
			}
			if err := checkResponses(body); err != nil {
				t.Error(err)
			}
		})
	}
}

// A summary is asked for only where there is something to sum up.
func TestSummary(t *testing.T) {
	body, _, err := responsesWire{summary: "auto"}.encode(hello("m"), able)
	if err != nil || at(t, body, "reasoning") != `{"summary":"auto"}` {
		t.Errorf("%s, %v", body, err)
	}
	body, _, err = responsesWire{summary: "auto"}.encode(hello("m"), model.Card{})
	if err != nil || at(t, body, "reasoning") != "" {
		t.Errorf("%s, %v", body, err)
	}
}

func TestRequestsThatSayNothing(t *testing.T) {
	for name, request := range map[string]message.Request{
		"no model":      {Messages: hello("").Messages},
		"no message":    {Model: "m"},
		"only thoughts": {Model: "m", Messages: []message.Message{said(message.Thinking{Thinking: "hm"})}},
	} {
		for wire, encode := range map[string]func() (jsontext.Value, []message.Degradation, error){
			"responses": func() (jsontext.Value, []message.Degradation, error) { return Encode(request, able) },
			"chat":      func() (jsontext.Value, []message.Degradation, error) { return EncodeChat(request, able, Dialect{}) },
		} {
			if body, _, err := encode(); err == nil || !strings.HasPrefix(err.Error(), "encode request: ") {
				t.Errorf("%s, %s: %s, %v", name, wire, body, err)
			}
		}
	}
	provider := must(NewChat(ChatConfig{}))
	for event, err := range provider.Stream(t.Context(), message.Request{Model: "m"}) {
		if event != nil || !errors.Is(err, message.ErrInvalidRequest) {
			t.Errorf("%v, %v", event, err)
		}
	}
}

// Names and ids that are sent are accepted, those that were good stay, and no two
// become the same.
func TestNamesStayApart(t *testing.T) {
	name := rapid.OneOf(rapid.StringMatching(`[a-z_-]{1,40}`), rapid.String(), rapid.StringMatching(`[a-c.]{60,70}`))
	rapid.Check(t, func(t *rapid.T) {
		a, b := name.Draw(t, "a"), name.Draw(t, "b")
		for _, c := range []struct {
			change func(string) string
			good   func(string) bool
		}{
			{names.Fit, lawfulName.MatchString},
			{callID, func(id string) bool { return lawfulID.MatchString(id) && len(id) <= maxCallID }},
		} {
			sent := c.change(a)
			if !c.good(sent) {
				t.Fatalf("%q is sent as %q", a, sent)
			}
			if c.good(a) && sent != a {
				t.Fatalf("%q was good and is sent as %q", a, sent)
			}
			if a != b && sent == c.change(b) {
				t.Fatalf("%q and %q are both sent as %q", a, b, sent)
			}
		}
	})
}
