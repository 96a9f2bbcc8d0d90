package dialogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// reader goes through the messages once.
type reader struct {
	rules    Rules
	dialogue Dialogue
	// ids counts how often an id of a call was used, to tell them apart.
	ids map[string]int
	// open are the calls of the last assistant turn, and where their results go.
	open []call
	// index is that of the turn with their results.
	index int
	begun bool // something other than system text was said
}

// call is a tool call that may be answered.
type call struct {
	id       string // as the history has it
	answered bool
}

func (r *reader) read(messages []message.Message) error {
	for i, m := range messages {
		if slices.Contains(m.Content.Parts, nil) {
			return fmt.Errorf("message %d: a part is nil", i+1)
		}
		// A shape of tool calls that the codec does not know is reported and
		// otherwise kept; what Adopt could not read is in the call's Extra.
		m, problems := message.Adopt(m)
		if problems != nil {
			r.note(i, "the arguments of a tool call", "no arguments", "they are not a JSON object")
		}
		r.message(i, m.Rendered())
	}
	r.close()
	return nil
}

func (r *reader) note(i int, requested, actual, reason string) {
	r.dialogue.Notes.AddAt(i, requested, actual, reason)
}

func (r *reader) message(i int, m message.Message) {
	switch m.Role {
	case message.Assistant:
		r.begun = true
		r.assistant(i, m)
	case message.System:
		if !r.begun {
			r.system(i, m)
			return
		}
		r.note(i, "a system message in the course of the conversation", "said by the user, in its place",
			"moved to the top it would change what was sent before")
		r.user(i, m)
	case message.Developer:
		// Contexts may come before the system text.
		r.user(i, m)
	case message.User, message.Tool, message.Function:
		r.begun = true
		r.user(i, m)
	default:
		r.begun = true
		r.note(i, fmt.Sprintf("a message of the role %q", m.Role), "said by the user", "no provider knows that role")
		r.user(i, m)
	}
}

func (r *reader) system(i int, m message.Message) {
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case message.Text:
			if !blank(part.Text) {
				r.dialogue.System = append(r.dialogue.System, part.Text)
			}
		default:
			r.note(i, "a part of type "+part.Type()+" in the system message", "left out", "a system message is text")
		}
	}
}

func (r *reader) assistant(i int, m message.Message) {
	turn := Turn{Role: message.Assistant, Name: m.Name, Message: i}
	r.close()
	var results []message.ToolResult
	var calls []Result
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case message.Text:
			if !blank(part.Text) {
				turn.Parts = append(turn.Parts, part)
			}
		case message.ToolCall:
			part = r.call(i, part)
			calls = append(calls, Result{CallID: part.ID, Name: part.Name})
			turn.Parts = append(turn.Parts, part)
		case message.ToolResult:
			results = append(results, part)
		case message.Unknown:
			r.unknown(i, part)
		default:
			turn.Parts = append(turn.Parts, part)
		}
	}
	if len(turn.Parts) > 0 {
		r.dialogue.Turns = append(r.dialogue.Turns, turn)
	}
	if len(calls) > 0 {
		r.index = len(r.dialogue.Turns)
		r.dialogue.Turns = append(r.dialogue.Turns, Turn{Role: message.Tool, Message: i, Results: calls})
	}
	for _, result := range results {
		r.result(i, result)
	}
}

// call returns the call as it is sent, and opens it.
func (r *reader) call(i int, c message.ToolCall) message.ToolCall {
	r.open = append(r.open, call{id: c.ID})
	id := c.ID
	if id == "" {
		id = "call_" + strconv.Itoa(i) + "_" + strconv.Itoa(len(r.open))
	}
	if r.rules.CallID != nil {
		id = r.rules.CallID(id)
	}
	for r.ids[id]++; r.ids[id] > 1; r.ids[id]++ {
		r.note(i, "the id of a tool call", "another id", "an earlier call has the same")
		id += "_" + strconv.Itoa(r.ids[id])
	}
	c.ID = id
	if c.Name == "" {
		c.Name = "unknown"
		r.note(i, "a tool call without a name", `a call of "unknown"`, "providers refuse calls without a name")
	}
	c.Name = r.dialogue.Notes.name(i, c.Name, r.rules.Names)
	if len(c.Input) == 0 || c.Input.Kind() == 'n' {
		c.Input = jsontext.Value("{}")
	}
	return c
}

func (r *reader) user(i int, m message.Message) {
	turn := Turn{Role: message.User, Name: m.Name, Message: i}
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case message.Text:
			if !blank(part.Text) {
				turn.Parts = append(turn.Parts, part)
			}
		case message.Image, message.Document:
			turn.Parts = append(turn.Parts, part)
		case message.ToolResult:
			if late := r.result(i, part); late != nil {
				turn.Parts = append(turn.Parts, late...)
			}
		case message.Unknown:
			r.unknown(i, part)
		default:
			r.note(i, "a part of type "+part.Type()+" in a message of the role "+string(m.Role), "left out", "only the model says such things")
		}
	}
	if len(turn.Parts) > 0 {
		r.dialogue.Turns = append(r.dialogue.Turns, turn)
	}
}

func (r *reader) unknown(i int, part message.Unknown) {
	r.note(i, fmt.Sprintf("a part of type %q", part.Name), "left out", "it is not known what it means")
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
