package anthropic

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Encode returns the body that asks for an answer to the request, and what in it
// differs from what was asked. The card is that of the request's model.
//
// It opens nothing: the bytes of images and documents are taken from the request.
func Encode(request message.Request, card model.Card) (jsontext.Value, []message.Degradation, error) {
	said, err := dialogue.Of(request, dialogue.Rules{CallID: callID, Names: names})
	if err != nil {
		return nil, nil, err
	}
	e := &encoder{request: request, card: card, notes: &said.Notes}
	e.body = body{Model: request.Model, MaxTokens: e.notes.Limit(request.MaxOutputTokens, card.MaxOutput), Stream: true}
	if e.body.MaxTokens == 0 {
		e.body.MaxTokens = defaultOutput(card)
	}
	e.tools()
	for _, text := range said.System {
		e.body.System = append(e.body.System, textBlock(text))
	}
	e.body.Messages = make([]turn, 0, len(said.Turns))
	for i := range said.Turns {
		e.turn(&said.Turns[i])
	}
	if len(e.body.Messages) == 0 {
		return nil, nil, errors.New("encode request: there is nothing to send: all that is said had to be left out")
	}
	e.formerTools()
	e.think()
	e.sample()
	e.format()
	e.breakpoints()
	out, err := json.Marshal(&e.body, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return nil, nil, fmt.Errorf("encode request: %w", err)
	}
	return out, said.Notes.Degradations(), nil
}

// modestOutput is what a model of which nothing is known may say. The API demands
// a number, and refuses one that is too high.
const modestOutput = 8192

// defaultOutput is what a model may say where nobody said a number.
func defaultOutput(card model.Card) int { return cmp.Or(card.MaxOutput, modestOutput) }

// encoder holds the body while it grows.
type encoder struct {
	request message.Request
	card    model.Card
	notes   *dialogue.Notes
	body    body
}

func (e *encoder) turn(said *dialogue.Turn) {
	if said.Name != "" {
		e.notes.AddAt(said.Message, "the name of a participant", "left out", "the API knows no names")
	}
	sent := turn{Role: "user"}
	switch said.Role {
	case message.Assistant:
		sent.Role = "assistant"
		sent.Content = make([]block, 0, len(said.Parts))
		for _, part := range said.Parts {
			e.assistant(&sent, said.Message, part)
		}
	case message.Tool:
		sent.Content = make([]block, 0, len(said.Results))
		for _, result := range said.Results {
			sent.Content = append(sent.Content, e.result(said.Message, result))
		}
	default:
		sent.Content = e.blocks(said.Message, said.Parts)
	}
	if len(sent.Content) == 0 {
		return
	}
	if len(e.body.Messages) == 0 && sent.Role == "assistant" {
		e.notes.AddAt(said.Message, "an answer that nothing of the user comes before", "the user says: "+goOn, "the API demands it")
		e.body.Messages = append(e.body.Messages, turn{Role: "user", Content: []block{textBlock(goOn)}})
	}
	e.body.Messages = append(e.body.Messages, sent)
}

// goOn is what the user says where the API wants something said.
const goOn = "Go on."

func (e *encoder) assistant(sent *turn, index int, part message.Part) {
	switch part := part.(type) {
	case message.Text:
		sent.Content = append(sent.Content, textBlock(part.Text))
	case message.ToolCall:
		sent.Content = append(sent.Content, block{Type: "tool_use", ID: part.ID, Name: part.Name, Input: part.Input})
	case message.Thinking:
		if why := e.refused(part.Signature, part.Extra); why != "" {
			e.notes.AddAt(index, "thinking", "left out", why)
			return
		}
		sent.Content = append(sent.Content, block{Type: "thinking", Thinking: &part.Thinking, Signature: part.Signature})
	case message.RedactedThinking:
		if why := e.refused(part.Data, part.Extra); why != "" {
			e.notes.AddAt(index, "thinking", "left out", why)
			return
		}
		sent.Content = append(sent.Content, block{Type: "redacted_thinking", Data: part.Data})
	case message.Reasoning:
		e.notes.AddAt(index, "reasoning", "left out", "it is of another provider")
	default:
		sent.Content = append(sent.Content, said(e.notes.Omitted(index, part, "the API takes none from the model")))
	}
}

// refused says why thinking cannot be sent back, empty if it can.
func (e *encoder) refused(signature string, extra jsontext.Value) string {
	if signature == "" {
		return "it has no signature"
	}
	switch by := stampOf(extra); {
	case by.Model != "" && by.Model != e.request.Model:
		return "it is of another model"
	case by.Provider != "" && e.card.Provider != "" && by.Provider != e.card.Provider:
		return "it is of another provider"
	}
	return ""
}

// blocks encodes what a user or a tool says.
func (e *encoder) blocks(index int, parts []message.Part) []block {
	blocks := make([]block, 0, len(parts))
	for _, part := range parts {
		switch part := part.(type) {
		case message.Text:
			blocks = append(blocks, said(part))
		case message.Image:
			blocks = append(blocks, e.image(index, part))
		case message.Document:
			blocks = append(blocks, e.document(index, part))
		}
	}
	return blocks
}

func (e *encoder) result(index int, result dialogue.Result) block {
	sent := block{Type: "tool_result", ToolUseID: result.CallID, Content: e.blocks(index, result.Parts), IsError: result.Failed}
	for _, content := range sent.Content {
		if sent.IsError && content.Type != "text" {
			e.notes.AddAt(index, "a failed result with images or documents", "not marked as failed", "the API takes only text in a failed result")
			sent.IsError = false
		}
	}
	if sent.IsError && len(sent.Content) == 0 {
		sent.Content = []block{textBlock(saidNothing)} // or the API refuses it
	}
	return sent
}

// saidNothing is the result of a call that failed without a word.
const saidNothing = "It failed, and said nothing."

func (e *encoder) tools() {
	if len(e.request.Tools) > 0 && !e.card.Tools {
		e.notes.Add("tools", "left out", "the model takes none")
		return
	}
	offered := e.notes.Tools(e.request.Tools, names, schemas)
	for _, spec := range offered {
		schema := spec.Parameters
		if len(schema) == 0 {
			schema = jsontext.Value(`{"type":"object"}`)
		}
		e.body.Tools = append(e.body.Tools, tool{Name: spec.Name, Description: spec.Description, InputSchema: schema})
	}
	choice, name, known := dialogue.ReadChoice(e.request.ToolChoice)
	switch {
	case !known:
		e.notes.Add("tool choice "+string(e.request.ToolChoice), "the model chooses", "it is not known what it means")
	case choice == "":
	case len(e.body.Tools) == 0:
		e.notes.Add("tool choice "+string(choice), "no tools", "there are none to choose from")
	case (choice == dialogue.ChooseAny || choice == dialogue.ChooseTool) && !e.card.Forced:
		e.notes.Add("a call of a tool", "the model chooses", "the model cannot be made to call one")
	case choice == dialogue.ChooseTool:
		sent, is := dialogue.Offered(offered, name, names)
		if !is {
			e.notes.Add(fmt.Sprintf("a call of the tool %q", name), "the model chooses", "there is no such tool")
			return
		}
		e.body.ToolChoice = &toolChoice{Type: string(choice), Name: sent}
	default:
		e.body.ToolChoice = &toolChoice{Type: string(choice)}
	}
}

// formerTools names the tools that were called, where there are none any more: the
// API refuses calls in the history of a request without tools. None of them can be
// called.
func (e *encoder) formerTools() {
	if len(e.body.Tools) > 0 {
		return
	}
	for _, turn := range e.body.Messages {
		for _, b := range turn.Content {
			known := slices.ContainsFunc(e.body.Tools, func(t tool) bool { return t.Name == b.Name })
			if b.Type == "tool_use" && !known {
				e.body.Tools = append(e.body.Tools, tool{Name: b.Name, Description: "No longer available.", InputSchema: jsontext.Value(`{"type":"object"}`)})
			}
		}
	}
	if len(e.body.Tools) > 0 {
		e.body.ToolChoice = &toolChoice{Type: string(dialogue.ChooseNone)}
	}
}

// names is which names of tools the API takes, and schemas which parameters.
var (
	names   = dialogue.NameRule{Longest: 128}
	schemas = dialogue.SchemaRule{Refused: []string{"anyOf", "oneOf", "allOf"}, Names: dialogue.NameRule{Longest: 64, Also: "."}}
)

func textBlock(text string) block { return block{Type: "text", Text: &text} }

func said(text message.Text) block { return textBlock(text.Text) }

// callID makes an id that the API accepts: letters, digits, underscores, hyphens.
func callID(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, id)
}
