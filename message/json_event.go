package message

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// EncodeEvent writes e as one flat JSON object.
func EncodeEvent(e Event) (jsontext.Value, error) {
	out, err := appendEvent(nil, e)
	if err != nil {
		return nil, fmt.Errorf("encode event: %w", err)
	}
	return out, nil
}

// DecodeEvent reads what [EncodeEvent] wrote. An event of a type that is not
// known, or without what every event needs, becomes an [UnknownEvent].
func DecodeEvent(data jsontext.Value) (Event, error) {
	err := check(data)
	if err == nil {
		var e Event
		if e, err = readEvent(data); err == nil {
			return e, nil
		}
	}
	return nil, fmt.Errorf("decode event: %w", err)
}

// Err says why an event of a known type could not be read as one. It is nil
// for a type that is not known.
func (e UnknownEvent) Err() error {
	if v := newEvent(e.Name); v != nil {
		return misread(v, e.Name+" event", e.Name, e.Raw)
	}
	return nil
}

type shapedEvent interface {
	shaped
	event() Event
}

func newEvent(name string) shapedEvent {
	switch name {
	case TypeMessageStart:
		return new(MessageStart)
	case TypeTextDelta:
		return new(TextDelta)
	case TypeThinkingDelta:
		return new(ThinkingDelta)
	case TypeToolCallStart:
		return new(ToolCallStart)
	case TypeToolCallDelta:
		return new(ToolCallDelta)
	case TypeToolCallEnd:
		return new(ToolCallEnd)
	case TypeMessageEnd:
		return new(MessageEnd)
	case TypeFailure:
		return new(Failure)
	default:
		return nil
	}
}

func readEvent(value []byte) (Event, error) {
	s := shapes.Get().(*shape)
	defer s.free()
	name, _, err := s.openTagged(value)
	if err != nil {
		return nil, err
	}
	if v := newEvent(name); v != nil {
		if s.read(v); s.err == nil {
			return v.event(), nil
		}
	}
	return UnknownEvent{Name: name, Raw: bytes.Clone(value)}, nil
}

func appendEvent(out []byte, e Event) ([]byte, error) {
	switch e := e.(type) {
	case nil:
		return out, errors.New("the event is nil")
	case MessageStart:
		return appendObject(out, tag, TypeMessageStart, &e)
	case TextDelta:
		return appendObject(out, tag, TypeTextDelta, &e)
	case ThinkingDelta:
		return appendObject(out, tag, TypeThinkingDelta, &e)
	case ToolCallStart:
		return appendObject(out, tag, TypeToolCallStart, &e)
	case ToolCallDelta:
		return appendObject(out, tag, TypeToolCallDelta, &e)
	case ToolCallEnd:
		return appendObject(out, tag, TypeToolCallEnd, &e)
	case MessageEnd:
		return appendObject(out, tag, TypeMessageEnd, &e)
	case Failure:
		return appendObject(out, tag, TypeFailure, &e)
	case UnknownEvent:
		return appendUnknown(out, e.Name, e.Raw)
	default:
		return out, fmt.Errorf("an event is a value, this is a %T", e)
	}
}

func (st *Stamp) rest() *jsontext.Value { return &st.Extra }

func (st *Stamp) describe(s *shape) {
	must(s, "ts", &st.Time)
	must(s, "session_id", &st.SessionID)
	text(s, "turn_id", &st.TurnID)
	text(s, "span_id", &st.SpanID)
	text(s, "parent_span_id", &st.ParentSpanID)
	count(s, "seq", &st.Seq)
	if s.inexact {
		s.fail("seq", errors.New("want a whole number that fits 64 bits"))
	}
	text(s, "visibility", &st.Visibility)
}

func (e *TextDelta) describe(s *shape) {
	e.Stamp.describe(s)
	text(s, "text", &e.Text)
}

func (e *ThinkingDelta) describe(s *shape) {
	e.Stamp.describe(s)
	text(s, "text", &e.Text)
}

func (e *ToolCallStart) describe(s *shape) {
	e.Stamp.describe(s)
	text(s, "id", &e.ID)
	text(s, "name", &e.Name)
}

func (e *ToolCallDelta) describe(s *shape) {
	e.Stamp.describe(s)
	text(s, "id", &e.ID)
	text(s, "arguments_fragment", &e.ArgumentsFragment)
}

func (e *ToolCallEnd) describe(s *shape) {
	e.Stamp.describe(s)
	text(s, "id", &e.ID)
	text(s, "name", &e.Name)
	raw(s, "arguments", &e.Arguments, '{')
}

func (e *MessageEnd) describe(s *shape) {
	e.Stamp.describe(s)
	parts(s, "content", &e.Content)
	object(s, "usage", &e.Usage)
	objects(s, "degradations", &e.Degradations)
	text(s, "finish_reason", &e.FinishReason)
}

func (e *Failure) describe(s *shape) {
	e.Stamp.describe(s)
	object(s, "error", &e.Err)
}

func (e *Error) rest() *jsontext.Value { return &e.Extra }

func (e *Error) describe(s *shape) {
	text(s, "kind", &e.Kind)
	text(s, "provider", &e.Provider)
	text(s, "model", &e.Model)
	integer(s, "status", &e.Status)
	flag(s, "retryable", &e.Retryable, false)
	seconds(s, "retry_after", &e.RetryAfter)
	text(s, "message", &e.Message)
	text(s, "tool", &e.Tool)
	text(s, "raw_arguments", &e.RawArguments)
}

func (e *MessageStart) event() Event  { return *e }
func (e *TextDelta) event() Event     { return *e }
func (e *ThinkingDelta) event() Event { return *e }
func (e *ToolCallStart) event() Event { return *e }
func (e *ToolCallDelta) event() Event { return *e }
func (e *ToolCallEnd) event() Event   { return *e }
func (e *MessageEnd) event() Event    { return *e }
func (e *Failure) event() Event       { return *e }
