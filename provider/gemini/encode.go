package gemini

import (
	"errors"
	"fmt"

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
	said, err := dialogue.Of(request, dialogue.Rules{Names: names})
	if err != nil {
		return nil, nil, err
	}
	e := &encoder{
		request: request, card: card, notes: &said.Notes,
		model: bareName(request.Model), generation: generation(request.Model),
	}
	e.tools()
	if len(said.System) > 0 {
		e.body.SystemInstruction = &content{Parts: make([]part, 0, len(said.System))}
		for _, text := range said.System {
			e.body.SystemInstruction.Parts = append(e.body.SystemInstruction.Parts, textPart(text))
		}
	}
	e.body.Contents = make([]content, 0, len(said.Turns))
	for i := range said.Turns {
		e.turn(&said.Turns[i])
	}
	if len(e.body.Contents) == 0 {
		return nil, nil, errors.New("encode request: there is nothing to send: all that is said had to be left out")
	}
	e.body.GenerationConfig.MaxOutputTokens = e.notes.Limit(request.MaxOutputTokens, card.MaxOutput)
	e.sample()
	e.format()
	e.think()
	out, err := json.Marshal(&e.body, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return nil, nil, fmt.Errorf("encode request: %w", err)
	}
	return out, said.Notes.Degradations(), nil
}

// encoder holds the body while it grows.
type encoder struct {
	request message.Request
	card    model.Card
	notes   *dialogue.Notes
	// model and generation are those that the request asks for.
	model      string
	generation int
	body       body
	// ids are those that the API gave to the calls of the last answer, in order.
	ids []string
}

func (e *encoder) turn(said *dialogue.Turn) {
	if said.Name != "" {
		e.notes.AddAt(said.Message, "the name of a participant", "left out", "the API knows no names")
	}
	switch said.Role {
	case message.Assistant:
		e.answer(said)
	case message.Tool:
		e.results(said)
	default:
		e.say(roleUser, e.parts(said.Message, said.Parts))
	}
}

func (e *encoder) say(role string, parts []part) {
	if len(parts) > 0 {
		e.body.Contents = append(e.body.Contents, content{Role: role, Parts: parts})
	}
}

// answer encodes what the model said.
func (e *encoder) answer(said *dialogue.Turn) {
	parts := make([]part, 0, len(said.Parts))
	first, signed := -1, false // the first call, and whether any is signed
	e.ids = e.ids[:0]
	for _, p := range said.Parts {
		switch p := p.(type) {
		case message.Text:
			sent := textPart(p.Text)
			sent.ThoughtSignature = e.origin(p.Extra).Signature
			parts = append(parts, sent)
		case message.ToolCall:
			from := e.origin(p.Extra)
			if first < 0 {
				first = len(parts)
			}
			signed = signed || from.Signature != ""
			e.ids = append(e.ids, from.CallID)
			parts = append(parts, part{
				FunctionCall:     &functionCall{ID: from.CallID, Name: p.Name, Args: p.Input},
				ThoughtSignature: from.Signature,
			})
		case message.Thinking:
			parts = append(parts, e.thought(said.Message, p)...)
		case message.Image:
			sent := e.media(said.Message, p, p.Source)
			sent.ThoughtSignature = e.origin(p.Extra).Signature
			parts = append(parts, sent)
		case message.Document:
			sent := e.media(said.Message, p, p.Source)
			sent.ThoughtSignature = e.origin(p.Extra).Signature
			parts = append(parts, sent)
		default:
			e.notes.AddAt(said.Message, "reasoning", "left out", "it is of another provider")
		}
	}
	if first >= 0 {
		if !signed && e.generation >= signedCalls {
			parts[first].ThoughtSignature = noSignature
			e.notes.AddAt(said.Message, "a tool call with the thought behind it", "without the thought",
				"the model that is asked did not make the call")
		}
		e.precede(said.Message)
	}
	e.say(roleModel, parts)
}

// thought encodes thinking, which may come to nothing.
func (e *encoder) thought(index int, thinking message.Thinking) []part {
	from := readOrigin(thinking.Extra)
	switch {
	case from.Model != "" && from.Model != e.model:
		e.notes.AddAt(index, "thinking", "left out", "it is of another model")
		return nil
	case e.foreign(from):
		e.notes.AddAt(index, "thinking", "left out", "it is of another provider")
		return nil
	case from.Model == "" && !isSignature(thinking.Signature), thinking.Content != nil:
		// Thinking is often not signed here, but then it is stamped.
		e.notes.AddAt(index, "thinking", "left out", "it is not known to be the model's own")
		return nil
	case thinking.Thinking == "" && thinking.Signature == "":
		return nil
	}
	sent := textPart(thinking.Thinking)
	sent.ThoughtSignature = thinking.Signature
	sent.Thought = !from.Said
	return []part{sent}
}

// goOn is what the user says where the API wants something said.
const goOn = "Go on."

// precede sees to it that something stands before a call that is not of the model:
// the API refuses a call that follows an answer, or that nothing comes before.
func (e *encoder) precede(index int) {
	if n := len(e.body.Contents); n == 0 || e.body.Contents[n-1].Role == roleModel {
		e.notes.AddAt(index, "a tool call that nothing of the user comes before", "the user says: "+goOn, "the API demands it")
		e.say(roleUser, []part{textPart(goOn)})
	}
}

// parts encodes what a user says.
func (e *encoder) parts(index int, said []message.Part) []part {
	parts := make([]part, 0, len(said))
	for _, p := range said {
		switch p := p.(type) {
		case message.Text:
			parts = append(parts, textPart(p.Text))
		case message.Image:
			parts = append(parts, e.media(index, p, p.Source))
		case message.Document:
			sent := e.media(index, p, p.Source)
			if p.Title != "" && sent.Text == nil {
				// The API has no place for a title.
				parts = append(parts, textPart(p.Title+":"))
			}
			parts = append(parts, sent)
		}
	}
	return parts
}

func textPart(text string) part { return part{Text: &text} }
