package message

import (
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/go-json-experiment/json/jsontext"
)

// Part is a piece of content. It is one of [Text], [Thinking],
// [RedactedThinking], [ToolCall], [ToolResult], [Image], [Document],
// [Reasoning], [Ref], [Context] or [Unknown].
//
// Every variant is a value. Extra, where there is one, keeps the members that
// the variant has no field for.
type Part interface {
	// Type names the variant, as in JSON.
	Type() string

	isPart()
}

// The types of parts, in the order of the variants.
const (
	TypeText             = "text"
	TypeThinking         = "thinking"
	TypeRedactedThinking = "redacted_thinking"
	TypeToolCall         = "tool_call"
	TypeToolResult       = "tool_result"
	TypeImage            = "image"
	TypeDocument         = "document"
	TypeReasoning        = "reasoning"
	TypeMention          = "mention"
	TypeContext          = "context"
)

// Visibility says for whom a part is meant. Empty means that nobody said.
type Visibility string

// The visibilities of the envelope.
const (
	Internal      Visibility = "internal"
	ForDevelopers Visibility = "developer"
	ForUsers      Visibility = "user"
)

// Text is something said.
type Text struct {
	Text       string
	Visibility Visibility
	Extra      jsontext.Value
}

// Thinking is a model's reasoning in the open. It goes back to the provider
// unmodified, with its signature.
type Thinking struct {
	Thinking  string
	Signature string
	// Content is what a provider adds, such as encrypted content and the id of
	// the reasoning; nil if the member is absent.
	Content    []jsontext.Value
	Visibility Visibility
	Extra      jsontext.Value
}

// RedactedThinking is reasoning that only the provider can read.
type RedactedThinking struct {
	Data       string
	Visibility Visibility
	Extra      jsontext.Value
}

// ToolCall is a request of the model to run a tool. [Call] makes one.
type ToolCall struct {
	ID   string
	Name string
	// Input is the arguments, a JSON object; nil if the member is absent, which
	// means no arguments.
	Input      jsontext.Value
	Visibility Visibility
	Extra      jsontext.Value
}

// ToolResult is the answer to a [ToolCall]. [TextResult], [PartResult] and
// [ValueResult] make one; [ToolResult.Parts] reads it.
type ToolResult struct {
	ToolCallID string
	// Output is any JSON value; nil if the member is absent.
	Output     jsontext.Value
	Visibility Visibility
	Extra      jsontext.Value
}

// Image is a picture.
type Image struct {
	Source     Source
	Visibility Visibility
	Extra      jsontext.Value
}

// Document is a file that the provider reads itself, such as a PDF. The public
// envelope has no such block; for it this is one more open type.
type Document struct {
	Source Source
	// Title is for the model and for people, often the file's name.
	Title      string
	Visibility Visibility
	Extra      jsontext.Value
}

// Reasoning is a model's reasoning as items of the provider's own shape.
type Reasoning struct {
	// Content and Summary are nil if the member is absent.
	Content    []jsontext.Value
	Summary    []jsontext.Value
	Visibility Visibility
	Extra      jsontext.Value
}

// Ref is a mention, standing where it was written. It holds no content: what
// the mention resolved to is a [Context] elsewhere.
//
// In JSON it is flat: {"type":"mention","kind":"file","path":"a.md",
// "written":"@a.md"}.
type Ref struct {
	Mention mention.Mention
	// Written is the mention as it stood in the text, with its @.
	Written string
	// Captured names content that came with the mention and cannot be fetched
	// again: a pasted image, an unsaved buffer, a terminal selection.
	Captured blob.Digest
	Extra    jsontext.Value
}

// Context is content that a mention resolved to, as it is sent: a file, some
// lines of it, a diff, a listing. [Context.Render] writes it for the model.
type Context struct {
	// Names are the paths or addresses of the content. Equal content that was
	// mentioned under several names is one block with all of them.
	Names []string
	// Kind is the kind of mention this is, empty for a file.
	Kind mention.Kind
	// IDs has for each of the names what tells it from other things that somebody
	// calls the same, empty where nothing does. Models do not read it.
	IDs []string
	// Source names the whole content that this was taken from, Body the bytes
	// that are sent, Base the content that a diff applies to. Base is empty
	// unless the text is a diff.
	Source, Body, Base blob.Digest
	// MIME is the type of the source, empty for plain text.
	MIME string
	// Lines is the range that was asked for: "10-20", "10".
	Lines string
	// Symbol is the declaration or section that was asked for.
	Symbol string
	// Shown says what a cut left: "lines 1-180 of 5,204". Empty means all.
	Shown string
	// ChangedSince says since when this differs from what the model saw:
	// "turn 3".
	ChangedSince string
	// Text is the content itself, or a description of what follows in Parts.
	Text string
	// Parts are what cannot be said in text: an [Image], a [Document].
	Parts []Part
	// PartTokens is about what the parts cost, as whoever has seen them says; zero
	// if nobody does. Models do not read it.
	PartTokens int
	Extra      jsontext.Value
}

// Unknown is a part of a type that this version does not know, or one that
// lacks what its type needs ([Unknown.Err] tells). It is kept as it came.
type Unknown struct {
	// Name is the type.
	Name string
	// Raw is the whole JSON object, with its type, byte for byte.
	Raw jsontext.Value
}

// Type implements [Part].
func (Text) Type() string             { return TypeText }
func (Thinking) Type() string         { return TypeThinking }
func (RedactedThinking) Type() string { return TypeRedactedThinking }
func (ToolCall) Type() string         { return TypeToolCall }
func (ToolResult) Type() string       { return TypeToolResult }
func (Image) Type() string            { return TypeImage }
func (Document) Type() string         { return TypeDocument }
func (Reasoning) Type() string        { return TypeReasoning }
func (Ref) Type() string              { return TypeMention }
func (Context) Type() string          { return TypeContext }
func (u Unknown) Type() string        { return u.Name }

func (Text) isPart()             {}
func (Thinking) isPart()         {}
func (RedactedThinking) isPart() {}
func (ToolCall) isPart()         {}
func (ToolResult) isPart()       {}
func (Image) isPart()            {}
func (Document) isPart()         {}
func (Reasoning) isPart()        {}
func (Ref) isPart()              {}
func (Context) isPart()          {}
func (Unknown) isPart()          {}
