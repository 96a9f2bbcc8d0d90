package gemini

import (
	"strings"

	"github.com/ampersat/ampersat/internal/dialogue"
)

// mediaResults is the first generation of models that take pictures and documents
// in the result of a call.
const mediaResults = 3

// results encodes what the tools said, each result in its own part, all in one
// content, and nothing else in it: the API counts them.
func (e *encoder) results(said *dialogue.Turn) {
	parts := make([]part, 0, len(said.Results))
	var after []part // what the results cannot hold
	for i, result := range said.Results {
		sent, rest := e.result(said.Message, result)
		if i < len(e.ids) {
			sent.ID = e.ids[i]
		}
		parts = append(parts, part{FunctionResponse: sent})
		after = append(after, rest...)
	}
	e.say(roleUser, parts)
	e.say(roleUser, after)
}

func (e *encoder) result(index int, result dialogue.Result) (sent *functionResponse, after []part) {
	sent = &functionResponse{Name: result.Name}
	var texts []string
	for _, p := range e.parts(index, result.Parts) {
		switch {
		case p.Text != nil:
			texts = append(texts, *p.Text)
		case p.InlineData != nil && e.generation >= mediaResults:
			sent.Parts = append(sent.Parts, p)
		default:
			after = append(after, p)
		}
	}
	if after != nil {
		e.notes.AddAt(index, "an image or a document in the result of a tool call", "said by the user, after the results",
			"the model takes none in a result")
		texts = append(texts, "(What else this returned follows.)")
		after = append([]part{textPart("Returned by " + result.Name + ":")}, after...)
	}
	text := strings.Join(texts, "\n")
	if result.Failed {
		sent.Response.Error = &text
	} else {
		sent.Response.Output = &text
	}
	return sent, after
}
