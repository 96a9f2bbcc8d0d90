package dialogue

import (
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/message"
)

// Dialogue is what is to be said to a model.
type Dialogue struct {
	// System is the texts of the system message.
	System []string
	Turns  []Turn
	// Notes collects what is given differently from what was asked. The encoder
	// adds its own.
	Notes Notes
}

// Turn is one message.
type Turn struct {
	// Role is [message.User], [message.Assistant] or [message.Tool].
	Role message.Role
	// Name is the participant's, if there is one.
	Name string
	// Message is the index of the message that this comes from.
	Message int

	// Parts is what a user or an assistant says; it is not empty. A user says
	// Text, Image and Document; an assistant besides Thinking, RedactedThinking,
	// Reasoning and ToolCall. No text is blank, every call has an id, a name that
	// the API takes and an object as its Input.
	Parts []message.Part

	// Results is what the tools say: one for each call of the assistant's turn
	// before this one, in the order of the calls. Such a turn follows each turn
	// with calls, and no other.
	Results []Result
}

// Result is the answer to one tool call.
type Result struct {
	CallID string
	// Name is the tool's, as it is sent.
	Name string
	// Parts are Text, Image and Document; there may be none.
	Parts []message.Part
	// Failed says that the parts tell of a failure.
	Failed bool
}

// Rules are what differs between APIs.
type Rules struct {
	// CallID, if set, returns an id of a tool call as the API accepts it. It must
	// depend on the id alone.
	CallID func(id string) string
	// Names is which names of tools the API takes.
	Names NameRule
}

// Of reads a request.
//
// System messages that come before anything was said are the system text. Those
// that come later stay where they are, as something the user says: moved to the
// top they would change what was sent before. So do developer messages, wherever
// they are: they carry what mentions resolved to, which may come from anywhere
// and is to have no more authority than the user.
func Of(request message.Request, rules Rules) (Dialogue, error) {
	reader := &reader{rules: rules, ids: make(map[string]int)}
	if err := reader.read(request.Messages); err != nil {
		return Dialogue{}, fmt.Errorf("encode request: %w", err)
	}
	if len(reader.dialogue.Turns) == 0 {
		return Dialogue{}, errors.New("encode request: there is nothing to send: no message says anything")
	}
	return reader.dialogue, nil
}
