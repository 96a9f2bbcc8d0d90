package message

import (
	"github.com/go-json-experiment/json/jsontext"
)

// Role says who a message is from. Roles that are not listed here survive.
type Role string

// The roles of the envelope. [Tool] and [Function] both carry results; the
// second is what older histories wrote.
const (
	System    Role = "system"
	Developer Role = "developer"
	User      Role = "user"
	Assistant Role = "assistant"
	Function  Role = "function"
	Tool      Role = "tool"
)

// Message is one entry of a conversation.
type Message struct {
	Role    Role
	Content Content
	// Name tells participants of the same role apart.
	Name string
	// ToolCallID is set on a message that is, as a whole, the answer to one
	// tool call.
	ToolCallID string
	// Instructions steer who reasons next. They are kept with the message; of
	// what the model reads they are the [Prefix].
	Instructions []Instruction
	// Metadata is the caller's own, any JSON value, nil if there is none.
	Metadata jsontext.Value
	// Extra keeps what the fields above cannot say, as one JSON object; nil if
	// there is nothing. See the package documentation.
	Extra jsontext.Value
}

// Content is what a message says: a list of parts.
type Content struct {
	Parts []Part
	// Plain says that the content is written as a bare JSON string. It has an
	// effect only while the content is one [Text] with nothing but its text, or
	// empty; anything else is written as a list.
	Plain bool
}

// Say returns content that is written as a bare string.
func Say(text string) Content {
	return Content{Parts: []Part{Text{Text: text}}, Plain: true}
}

// Of returns content that is written as a list of parts.
func Of(parts ...Part) Content {
	return Content{Parts: parts}
}
