package gemini

import (
	"strings"
	"testing"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json/jsontext"
)

func user(text string) message.Message {
	return message.Message{Role: message.User, Content: message.Say(text)}
}

func answer(parts ...message.Part) message.Message {
	return message.Message{Role: message.Assistant, Content: message.Of(parts...)}
}

func called(id string, extra string) message.ToolCall {
	c := message.ToolCall{ID: id, Name: "look", Input: jsontext.Value(`{}`)}
	if extra != "" {
		c.Extra = jsontext.Value(extra)
	}
	return c
}

func result(id, text string) message.Message {
	return message.Message{Role: message.Tool, Content: message.Of(message.TextResult(id, text))}
}

// contents returns what is said in the body, without the rest.
func contents(t *testing.T, r message.Request) (said string, degradations []message.Degradation) {
	t.Helper()
	body, degradations, err := encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := check(r.Model, body); err != nil {
		t.Errorf("the API would refuse it: %v", err)
	}
	_, said, _ = strings.Cut(string(body), `"contents":`)
	return strings.TrimSuffix(said, "}"), degradations
}

func TestContents(t *testing.T) {
	const own = `{"model":"gemini-3.5-flash","thought_signature":"c2ln","call_id":"x1"}`
	const skipped = `,"thoughtSignature":"c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="`
	for _, c := range []struct {
		name, model string
		messages    []message.Message
		want        string
	}{
		{"a call goes back with its signature and the id that the API gave it", "gemini-3.5-flash",
			[]message.Message{user("a"), answer(called("1", own)), result("1", "b")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"id":"x1","name":"look","args":{}},"thoughtSignature":"c2ln"}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"x1","name":"look","response":{"output":"b"}}}]}]`},
		{"another model is given neither, but the word that stands for a signature", "gemini-3.1-pro",
			[]message.Message{user("a"), answer(called("1", own)), result("1", "b")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"look","args":{}}` + skipped + `}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"b"}}}]}]`},
		{"nor is the model of another provider that has the same name", "gemini-3.5-flash",
			[]message.Message{user("a"), answer(message.Thinking{Thinking: "hm", Extra: jsontext.Value(`{"model":"gemini-3.5-flash","provider":"proxy"}`)},
				message.Text{Text: "b", Extra: jsontext.Value(`{"model":"gemini-3.5-flash","provider":"proxy","thought_signature":"c2ln"}`)},
				called("1", `{"model":"gemini-3.5-flash","provider":"proxy","thought_signature":"c2ln","call_id":"x1"}`)), result("1", "b")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"},{"functionCall":{"name":"look","args":{}}` + skipped + `}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"b"}}}]}]`},
		{"the provider's own are", "gemini-3.5-flash",
			[]message.Message{user("a"), answer(message.Thinking{Thinking: "hm", Extra: jsontext.Value(`{"model":"gemini-3.5-flash","provider":"gemini"}`)},
				called("1", `{"model":"gemini-3.5-flash","provider":"gemini","thought_signature":"c2ln","call_id":"x1"}`)), result("1", "b")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"hm","thought":true},{"functionCall":{"id":"x1","name":"look","args":{}},"thoughtSignature":"c2ln"}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"x1","name":"look","response":{"output":"b"}}}]}]`},
		{"an older model needs no such word", "gemini-2.5-flash",
			[]message.Message{user("a"), answer(called("1", own)), result("1", "b")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"name":"look","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"b"}}}]}]`},
		{"of several calls the API signs the first", "gemini-3.5-flash",
			[]message.Message{user("a"), answer(called("1", own), called("2", `{"model":"gemini-3.5-flash","call_id":"x2"}`)), result("1", "b"), result("2", "c")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"functionCall":{"id":"x1","name":"look","args":{}},"thoughtSignature":"c2ln"},{"functionCall":{"id":"x2","name":"look","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"id":"x1","name":"look","response":{"output":"b"}}},{"functionResponse":{"id":"x2","name":"look","response":{"output":"c"}}}]}]`},
		{"a signed text stays apart from the text before it", "gemini-3.5-flash",
			[]message.Message{user("a"), answer(message.Text{Text: "b"}, message.Text{Text: "c", Extra: jsontext.Value(own)}), user("d")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"},{"text":"c","thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"text":"d"}]}]`},
		{"a signature that came with an empty text goes back with one", "gemini-3.5-flash",
			[]message.Message{user("a"), answer(message.Text{Text: "b"}, message.Thinking{Signature: "c2ln", Extra: jsontext.Value(`{"model":"gemini-3.5-flash","said":true}`)}), user("d")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"},{"text":"","thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"text":"d"}]}]`},
		{"thinking of its own goes back without a signature", "gemini-3.5-flash",
			[]message.Message{user("a"), answer(message.Thinking{Thinking: "hm", Extra: jsontext.Value(`{"model":"gemini-3.5-flash"}`)}, message.Text{Text: "b"}), user("d")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"hm","thought":true},{"text":"b"}]},{"role":"user","parts":[{"text":"d"}]}]`},
		{"a signature that no Gemini wrote is not sent", "gemini-3.5-flash",
			[]message.Message{user("a"), answer(message.Thinking{Thinking: "hm", Signature: "not base64!"}, message.Text{Text: "b"}), user("d")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"d"}]}]`},
		{"a session that begins with a call begins with the user", "gemini-2.5-flash",
			[]message.Message{answer(called("1", "")), result("1", "b")},
			`[{"role":"user","parts":[{"text":"Go on."}]},{"role":"model","parts":[{"functionCall":{"name":"look","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"b"}}}]}]`},
		{"a call that follows an answer follows the user", "gemini-2.5-flash",
			[]message.Message{user("a"), answer(message.Text{Text: "b"}), answer(called("1", "")), result("1", "c")},
			`[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]},{"role":"user","parts":[{"text":"Go on."}]},{"role":"model","parts":[{"functionCall":{"name":"look","args":{}}}]},` +
				`{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"output":"c"}}}]}]`},
		{"an image that the model made goes back to it", "gemini-3.5-flash",
			[]message.Message{user("draw"), answer(message.Image{Source: message.Inline("image/png", []byte("p")), Extra: jsontext.Value(own)}), user("nice")},
			`[{"role":"user","parts":[{"text":"draw"}]},{"role":"model","parts":[{"inlineData":{"mimeType":"image/png","data":"cA=="},"thoughtSignature":"c2ln"}]},{"role":"user","parts":[{"text":"nice"}]}]`},
		{"an address tells what is there, if it can", "gemini-3.5-flash",
			[]message.Message{{Role: message.User, Content: message.Of(message.Document{Source: message.AtURL("https://a.example/b.PDF?c=d.png#e")}, message.Image{Source: message.AtURL("https://a.example/b")})}},
			`[{"role":"user","parts":[{"fileData":{"mimeType":"application/pdf","fileUri":"https://a.example/b.PDF?c=d.png#e"}},{"fileData":{"fileUri":"https://a.example/b"}}]}]`},
		{"a media type comes without its parameters", "gemini-3.5-flash",
			[]message.Message{{Role: message.User, Content: message.Of(message.Document{Source: message.Inline("Text/Markdown; charset=utf-8", []byte("#"))})}},
			`[{"role":"user","parts":[{"inlineData":{"mimeType":"text/markdown","data":"Iw=="}}]}]`},
		{"an image without bytes is named", "gemini-3.5-flash",
			[]message.Message{{Role: message.User, Content: message.Of(message.Image{Source: message.Inline("image/png", nil)})}},
			`[{"role":"user","parts":[{"text":"[an image is left out: it is empty]"}]}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if have, _ := contents(t, message.Request{Model: c.model, Messages: c.messages}); have != c.want {
				t.Errorf("have %s\nwant %s", have, c.want)
			}
		})
	}
}

// What is put in the place of something else is told.
func TestDegradations(t *testing.T) {
	half := 0.5
	hot := 3.0
	for _, c := range []struct {
		name    string
		card    model.Card
		request message.Request
		// config is what becomes of the settings.
		config, told string
	}{
		{"more output than the model has", model.Card{MaxOutput: 100}, message.Request{MaxOutputTokens: 200},
			`{"maxOutputTokens":100}`, "200 tokens of output"},
		{"too hot", model.Card{Sampling: true}, message.Request{Temperature: &hot}, `{"temperature":2}`, "temperature 3"},
		{"no sampling", model.Card{}, message.Request{Temperature: &half, TopP: &half}, "", "top_p 0.5"},
		{"stops that cannot be said", model.Card{}, message.Request{Stop: []string{"", "1", "2", "3", "4", "5", "6"}},
			`{"stopSequences":["1","2","3","4","5"]}`, `to stop at "6"`},
		{"a schema for a model that takes none", model.Card{}, message.Request{ResponseFormat: &message.ResponseFormat{Type: message.FormatJSONSchema, Schema: jsontext.Value(`{}`)}},
			`{"responseMimeType":"application/json"}`, "json_schema"},
		{"a schema that is missing", model.Card{Schema: true}, message.Request{ResponseFormat: &message.ResponseFormat{Type: message.FormatJSONSchema}},
			`{"responseMimeType":"application/json"}`, "json_schema"},
		{"a format that nobody knows", model.Card{}, message.Request{ResponseFormat: &message.ResponseFormat{Type: "yaml"}}, "", "yaml"},
		{"a format beside tools, for an older model", model.Card{Tools: true}, message.Request{Model: "gemini-2.5-pro", Tools: []message.ToolSpec{{Name: "look"}}, ResponseFormat: &message.ResponseFormat{Type: message.FormatJSON}}, "", `"json"`},
		{"an effort that nobody knows", model.Card{Thinking: model.ThinkingEffort}, message.Request{ReasoningEffort: "heroic"}, "", "heroic"},
		{"an effort for a model that cannot be told", model.Card{}, message.Request{ReasoningEffort: "low"}, "", "effort low"},
		{"an effort beyond the highest", model.Card{Thinking: model.ThinkingEffort}, message.Request{ReasoningEffort: "max"},
			`{"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"HIGH"}}`, "effort max"},
		{"an effort beyond the highest budget", model.Card{Thinking: model.ThinkingBudget, MaxOutput: 65536}, message.Request{ReasoningEffort: "max"},
			`{"thinkingConfig":{"includeThoughts":true,"thinkingBudget":24576}}`, "effort max"},
		{"an effort without room for it", model.Card{Thinking: model.ThinkingBudget}, message.Request{ReasoningEffort: "low", MaxOutputTokens: 1000},
			`{"maxOutputTokens":1000}`, "effort low"},
		{"no thinking by a model that always thinks", model.Card{Thinking: model.ThinkingEffort}, message.Request{ReasoningEffort: "none"}, "", "effort none"},
		{"tools for a model without", model.Card{}, message.Request{Tools: []message.ToolSpec{{Name: "look"}}, ToolChoice: jsontext.Value(`"auto"`)}, "", "tool choice auto"},
		{"a call demanded of a model that cannot be made to", model.Card{Tools: true}, message.Request{Tools: []message.ToolSpec{{Name: "look"}}, ToolChoice: jsontext.Value(`"any"`)}, "", "a call of a tool"},
		{"an image for a model without eyes", model.Card{}, message.Request{Messages: []message.Message{{Role: message.User, Content: message.Of(message.Image{Source: message.AtURL("https://a.example/b.png")})}}}, "", "an image"},
		{"a document for a model that reads none", model.Card{}, message.Request{Messages: []message.Message{{Role: message.User, Content: message.Of(message.Document{Title: "a.pdf", Source: message.AtURL("https://a.example/a.pdf")})}}}, "", "a.pdf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.request.Messages == nil {
				c.request.Messages = []message.Message{user("a")}
			}
			body, degradations, err := Encode(c.request, c.card)
			if err != nil {
				t.Fatal(err)
			}
			config := ""
			if rest, has := strings.CutPrefix(string(body), `{"generationConfig":`); has {
				config, _, _ = strings.Cut(rest, `,"contents"`)
			}
			if config != c.config {
				t.Errorf("settings %s, want %s", config, c.config)
			}
			var told []string
			for _, d := range degradations {
				told = append(told, d.Requested)
			}
			if all := strings.Join(told, "\n"); !strings.Contains(all, c.told) {
				t.Errorf("told: %s", all)
			}
		})
	}
}

// A schema that refers to what it is goes as it is: nothing may stand beside that.
func TestSchemaThatIsAReference(t *testing.T) {
	const schema = `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"a":{"type":"string"}}}}}`
	request := message.Request{Model: "gemini-3.5-flash", Messages: []message.Message{user("hi")}, Tools: []message.ToolSpec{{Name: "f", Parameters: jsontext.Value(schema)}}}
	body, degradations, err := encode(request)
	if err != nil || len(degradations) > 0 {
		t.Fatal(degradations, err)
	}
	if err := check(request.Model, body); err != nil {
		t.Errorf("the API would refuse it: %v", err)
	}
	if !strings.Contains(string(body), schema) {
		t.Errorf("%s is not in %s", schema, body)
	}
}

func TestNothingToSend(t *testing.T) {
	for name, messages := range map[string][]message.Message{
		"no messages":           nil,
		"system text alone":     {{Role: message.System, Content: message.Say("a")}},
		"nothing that can pass": {answer(message.Thinking{Thinking: "of somebody"})},
	} {
		_, _, err := encode(message.Request{Model: "gemini-3.5-flash", Messages: messages})
		if err == nil || !strings.HasPrefix(err.Error(), "encode request: there is nothing to send") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestGeneration(t *testing.T) {
	for name, want := range map[string]int{
		"gemini-3.5-flash": 3, "models/gemini-2.5-pro": 2, "gemini-10-pro": 10, "gemini-pro-latest": newest, "gemini-": newest,
		"gemma-4-31b": 0, "": 0, "my-gemini-3": 0, "gemini-99999999999999999999": 9999,
	} {
		if have := generation(name); have != want {
			t.Errorf("%s: %d, want %d", name, have, want)
		}
	}
}
