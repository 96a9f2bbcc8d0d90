package dialogue

import (
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
)

// interrupted is what a call without a result is answered with.
const interrupted = "There is no result: the call was interrupted."

// close answers the calls that nothing answered: it is the next answer of the
// model, or the end, and what comes later comes too late.
func (r *reader) close() {
	for n, c := range r.open {
		if !c.answered {
			turn := &r.dialogue.Turns[r.index]
			turn.Results[n].Parts = []message.Part{message.Text{Text: interrupted}}
			turn.Results[n].Failed = true
			r.note(turn.Message, "the result of a tool call", "a result that says that there is none", "the call was never answered")
		}
	}
	r.open = nil
}

// result puts a result where its call waits for it. A result that no call waits
// for is returned as something to be said in its place: as a block, which cannot
// speak for the user.
func (r *reader) result(i int, result message.ToolResult) (late []message.Part) {
	for n := range r.open {
		if c := &r.open[n]; c.id == result.ToolCallID && !c.answered {
			c.answered = true
			at := &r.dialogue.Turns[r.index].Results[n]
			at.Parts = r.resultParts(i, result)
			at.Failed = failed(result)
			if last := len(r.dialogue.Turns) - 1; last != r.index {
				r.note(i, "the result of a tool call", "moved to directly after its call", "something else stands between the two")
			}
			return nil
		}
	}
	r.note(i, "the result of a tool call", "a block of text", "there is no call before it that waits for a result")
	var text string
	for _, part := range r.resultParts(i, result) {
		if said, ok := part.(message.Text); ok {
			if text != "" {
				text += "\n"
			}
			text += said.Text
		} else {
			late = append(late, part)
		}
	}
	block := message.Context{Names: []string{"result of " + result.ToolCallID}, Kind: "tool-result", Text: text}
	return append([]message.Part{message.Text{Text: block.Render()}}, late...)
}

func (r *reader) resultParts(i int, result message.ToolResult) (parts []message.Part) {
	for _, part := range message.Of(result.Parts()...).Rendered().Parts {
		switch part := part.(type) {
		case message.Text:
			if !blank(part.Text) {
				parts = append(parts, part)
			}
		case message.Image, message.Document:
			parts = append(parts, part)
		default:
			// A tool may return any JSON; it is said as it is.
			raw, err := message.EncodePart(part)
			if err == nil {
				parts = append(parts, message.Text{Text: string(raw)})
			}
			r.note(i, "a part of type "+part.Type()+" in the result of a tool call", "its JSON as text", "results are text, images and documents")
		}
	}
	return parts
}

// failed reports whether a result says that the call failed.
func failed(result message.ToolResult) bool {
	if result.Extra == nil {
		return false
	}
	var extra struct {
		IsError bool `json:"is_error"`
	}
	return json.Unmarshal(result.Extra, &extra) == nil && extra.IsError
}
