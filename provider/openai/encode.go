package openai

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// encoder is what the encoders of both wires have in common: it reads a request
// in the terms of OpenAI, which each wire then spells.
type encoder struct {
	request message.Request
	card    model.Card
	notes   *dialogue.Notes
	offered []message.ToolSpec
}

// read returns what is to be said, and the encoder for it.
func read(request message.Request, card model.Card) (*dialogue.Dialogue, *encoder, error) {
	if request.Model == "" {
		return nil, nil, errors.New("encode request: no model is named")
	}
	said, err := dialogue.Of(request, dialogue.Rules{CallID: callID, Names: names})
	if err != nil {
		return nil, nil, err
	}
	return &said, &encoder{request: request, card: card, notes: &said.Notes}, nil
}

var errNothing = errors.New("encode request: there is nothing to send: all that is said had to be left out")

// write returns the body as it is sent.
func (e *encoder) write(body any) (jsontext.Value, []message.Degradation, error) {
	out, err := json.Marshal(body, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return nil, nil, fmt.Errorf("encode request: %w", err)
	}
	return out, e.notes.Degradations(), nil
}

// tools returns the tools that the model is told of.
func (e *encoder) tools() []function {
	if len(e.request.Tools) == 0 {
		return nil
	}
	if !e.card.Tools {
		e.notes.Add("tools", "left out", "the model takes none")
		return nil
	}
	e.offered = e.notes.Tools(e.request.Tools, names, schemas)
	tools := make([]function, 0, len(e.offered))
	for _, spec := range e.offered {
		tools = append(tools, function{
			Type: "function", Name: spec.Name, Description: spec.Description,
			Parameters: parameters(spec.Parameters), Strict: member[bool](spec.Extra, "strict"),
		})
	}
	return tools
}

// parameters returns a schema as the API accepts it: an object that says which
// members it has, if only that it has none.
func parameters(schema jsontext.Value) jsontext.Value {
	if len(schema) == 0 {
		return jsontext.Value(`{"type":"object","properties":{}}`)
	}
	var object map[string]jsontext.Value
	if json.Unmarshal(schema, &object, jsontext.AllowDuplicateNames(true)) != nil || object["properties"] != nil {
		return schema
	}
	if kind := object["type"]; kind != nil && string(kind) != `"object"` {
		return schema
	}
	object["type"], object["properties"] = jsontext.Value(`"object"`), jsontext.Value(`{}`)
	filled, err := json.Marshal(object, json.Deterministic(true))
	if err != nil {
		return schema
	}
	return filled
}

// choice returns the word for what the model may do with the tools, or the name
// of the one that it must call. Both are empty if nothing is to be said.
func (e *encoder) choice(tools []function) (word, name string) {
	choice, name, known := dialogue.ReadChoice(e.request.ToolChoice)
	switch {
	case !known:
		e.notes.Add("tool choice "+string(e.request.ToolChoice), "the model chooses", "it is not known what it means")
	case choice == "":
	case len(tools) == 0:
		if choice == dialogue.ChooseAny || choice == dialogue.ChooseTool {
			e.notes.Add("a call of a tool", "no tools", "there are none to choose from")
		}
	case choice == dialogue.ChooseAuto, choice == dialogue.ChooseNone:
		return string(choice), ""
	case !e.card.Forced:
		e.notes.Add("a call of a tool", "the model chooses", "the model cannot be made to call one")
	case choice == dialogue.ChooseAny:
		return "required", ""
	default:
		if sent, is := dialogue.Offered(e.offered, name, names); is {
			return "", sent
		}
		e.notes.Add(fmt.Sprintf("a call of the tool %q", name), "the model chooses", "there is no such tool")
	}
	return "", ""
}

// parallel returns whether the model may call several tools at once, nil if
// nobody said.
func (e *encoder) parallel(tools []function) *bool {
	if len(tools) == 0 {
		return nil
	}
	return member[*bool](e.request.Extra, "parallel_tool_calls")
}

// sampling returns what steers the choice of words.
func (e *encoder) sampling() (temperature, topP *float64) {
	temperature, topP = e.request.Temperature, e.request.TopP
	if !e.card.Sampling {
		if temperature != nil {
			e.notes.Add(fmt.Sprintf("temperature %g", *temperature), "the model's own", "the model takes no such setting")
		}
		if topP != nil {
			e.notes.Add(fmt.Sprintf("top_p %g", *topP), "the model's own", "the model takes no such setting")
		}
		return nil, nil
	}
	if temperature != nil && *temperature > 2 {
		two := 2.0
		e.notes.Add(fmt.Sprintf("temperature %g", *temperature), "2", "the API takes 0 to 2")
		temperature = &two
	}
	return temperature, topP
}

// effort returns the word for how hard the model is to think, empty if it is to
// choose.
func (e *encoder) effort() string {
	asked := "reasoning effort " + e.request.ReasoningEffort
	effort, known := dialogue.ReadEffort(e.request.ReasoningEffort)
	switch {
	case !known:
		e.notes.Add(asked, "the model chooses", "it is not known what it means")
	case effort == "":
	case effort == dialogue.NoEffort && (e.card.ThinkingOff != "" || e.card.Thinking == ""):
		return e.card.ThinkingOff // a model that cannot think need not be told
	case effort == dialogue.NoEffort:
		e.notes.Add(asked, "the model chooses", "the model always thinks")
	case e.card.Thinking == "":
		e.notes.Add(asked, "the model chooses", "the model cannot be told")
	case e.request.ReasoningEffort == "minimal":
		return "minimal" // a word of OpenAI's own
	default:
		return string(effort)
	}
	return ""
}

// format returns the shape of the answer, nil if it is free.
func (e *encoder) format() *textFormat {
	asked := e.request.ResponseFormat
	switch {
	case asked == nil || asked.Type == message.FormatText || asked.Type == "":
		return nil
	case asked.Type == message.FormatJSON:
	case asked.Type != message.FormatJSONSchema:
		e.notes.Add(fmt.Sprintf("an answer of the format %q", asked.Type), "an answer in any shape", "it is not known what it means")
		return nil
	case asked.Schema.Kind() != '{':
		e.notes.Add("an answer in the shape of a schema", "an answer in JSON", "the schema is not an object")
	case !e.card.Schema:
		e.notes.Add("an answer in the shape of a schema", "an answer in JSON", "the model cannot be held to one")
	default:
		name := member[string](asked.Extra, "name")
		if name == "" {
			name = member[string](asked.Schema, "title")
		}
		if name == "" {
			name = "answer"
		}
		return &textFormat{Type: "json_schema", Name: names.Fit(name), Schema: asked.Schema, Strict: &asked.Strict}
	}
	return &textFormat{Type: "json_object"}
}

// inWords is said at the end when an answer in JSON is asked for and nobody said
// JSON: OpenAI refuses such a request.
const inWords = "Answer in JSON."

// unworded reports whether inWords must be said, and notes it.
func (e *encoder) unworded(format *textFormat, said *dialogue.Dialogue) bool {
	if format == nil || format.Type != "json_object" {
		return false
	}
	for _, turn := range said.Turns {
		for _, part := range turn.Parts {
			if text, ok := part.(message.Text); ok && strings.Contains(strings.ToLower(text.Text), "json") {
				return false
			}
		}
	}
	e.notes.Add("an answer in JSON", "asked for in words too", "OpenAI demands that somebody says JSON")
	return true
}

// failure is said before what a tool says that failed: the APIs have no other
// mark for it.
const failure = "The call failed:"

// member returns one member of an object, the zero value if it is not there.
func member[T any](object jsontext.Value, name string) (value T) {
	if object.Kind() != '{' {
		return value
	}
	var members map[string]jsontext.Value
	if json.Unmarshal(object, &members, jsontext.AllowDuplicateNames(true)) != nil || members[name] == nil {
		return value
	}
	var read T
	if json.Unmarshal(members[name], &read) != nil {
		return value
	}
	return read
}
