package message

import "github.com/go-json-experiment/json/jsontext"

// Event is something that happens while an answer streams. It is one of
// [MessageStart], [TextDelta], [ThinkingDelta], [ToolCallStart],
// [ToolCallDelta], [ToolCallEnd], [MessageEnd], [Failure] or [UnknownEvent].
type Event interface {
	// Type names the variant, as in JSON.
	Type() string
	// Stamped returns when and where the event happened.
	Stamped() Stamp

	isEvent()
}

// The types of events. "thinking.delta" is an addition of ours: readers of the
// public schema that do not know it skip it.
const (
	TypeMessageStart  = "message.start"
	TypeTextDelta     = "text.delta"
	TypeThinkingDelta = "thinking.delta"
	TypeToolCallStart = "tool_call.start"
	TypeToolCallDelta = "tool_call.delta"
	TypeToolCallEnd   = "tool_call.end"
	TypeMessageEnd    = "message.end"
	TypeFailure       = "error"
)

// Stamp says when and where an [Event] happened. A provider leaves it empty;
// whoever runs the turn fills it in.
type Stamp struct {
	// Time is as written, RFC 3339 when it is ours.
	Time         string
	SessionID    string
	TurnID       string
	SpanID       string
	ParentSpanID string
	// Seq grows by one with each event of a session.
	Seq        int
	Visibility Visibility
	Extra      jsontext.Value
}

// MessageStart is the beginning of an answer.
type MessageStart struct{ Stamp }

// TextDelta is more text.
type TextDelta struct {
	Stamp
	Text string
}

// ThinkingDelta is more reasoning.
type ThinkingDelta struct {
	Stamp
	Text string
}

// ToolCallStart is the beginning of a tool call.
type ToolCallStart struct {
	Stamp
	ID, Name string
}

// ToolCallDelta is more of a tool call's arguments: a fragment of JSON.
type ToolCallDelta struct {
	Stamp
	ID                string
	ArgumentsFragment string
}

// ToolCallEnd is a tool call whose arguments are complete.
type ToolCallEnd struct {
	Stamp
	ID, Name string
	// Arguments is a JSON object.
	Arguments jsontext.Value
}

// MessageEnd is the end of an answer.
type MessageEnd struct {
	Stamp
	// Content is the whole answer, with what no delta carries: signatures,
	// encrypted reasoning. It is an addition of ours, nil if absent.
	Content []Part
	Usage   *Usage
	// Degradations is nil if the member is absent.
	Degradations []Degradation
	FinishReason string
}

// Failure is the end of an answer that went wrong.
type Failure struct {
	Stamp
	Err *Error
}

// UnknownEvent is an event of a type that this version does not know. It is
// kept as it came.
type UnknownEvent struct {
	Name string
	// Raw is the whole JSON object, with its type, byte for byte.
	Raw jsontext.Value
}

// Type implements [Event].
func (MessageStart) Type() string   { return TypeMessageStart }
func (TextDelta) Type() string      { return TypeTextDelta }
func (ThinkingDelta) Type() string  { return TypeThinkingDelta }
func (ToolCallStart) Type() string  { return TypeToolCallStart }
func (ToolCallDelta) Type() string  { return TypeToolCallDelta }
func (ToolCallEnd) Type() string    { return TypeToolCallEnd }
func (MessageEnd) Type() string     { return TypeMessageEnd }
func (Failure) Type() string        { return TypeFailure }
func (e UnknownEvent) Type() string { return e.Name }

// Stamped implements [Event].
func (s Stamp) Stamped() Stamp { return s }

// Stamped implements [Event]. The stamp of an unknown event is in its Raw.
func (UnknownEvent) Stamped() Stamp { return Stamp{} }

func (MessageStart) isEvent()  {}
func (TextDelta) isEvent()     {}
func (ThinkingDelta) isEvent() {}
func (ToolCallStart) isEvent() {}
func (ToolCallDelta) isEvent() {}
func (ToolCallEnd) isEvent()   {}
func (MessageEnd) isEvent()    {}
func (Failure) isEvent()       {}
func (UnknownEvent) isEvent()  {}
