package message

import "fmt"

// What stands in this file lets a JSON library meet any type of this package
// outside its usual place, as in a log entry that holds a list of tools. A
// library cannot read into the interfaces [Part], [Instruction] and [Event]:
// use [Content], or [DecodePart] and its siblings.

// MarshalJSON implements json.Marshaler.
func (t Text) MarshalJSON() ([]byte, error)             { return EncodePart(t) }
func (t Thinking) MarshalJSON() ([]byte, error)         { return EncodePart(t) }
func (r RedactedThinking) MarshalJSON() ([]byte, error) { return EncodePart(r) }
func (c ToolCall) MarshalJSON() ([]byte, error)         { return EncodePart(c) }
func (r ToolResult) MarshalJSON() ([]byte, error)       { return EncodePart(r) }
func (i Image) MarshalJSON() ([]byte, error)            { return EncodePart(i) }
func (d Document) MarshalJSON() ([]byte, error)         { return EncodePart(d) }
func (r Reasoning) MarshalJSON() ([]byte, error)        { return EncodePart(r) }
func (r Ref) MarshalJSON() ([]byte, error)              { return EncodePart(r) }
func (c Context) MarshalJSON() ([]byte, error)          { return EncodePart(c) }
func (u Unknown) MarshalJSON() ([]byte, error)          { return EncodePart(u) }

// MarshalJSON implements json.Marshaler.
func (d DelegateReasoning) MarshalJSON() ([]byte, error)  { return EncodeInstruction(d) }
func (r ReturnControl) MarshalJSON() ([]byte, error)      { return EncodeInstruction(r) }
func (i Intermediate) MarshalJSON() ([]byte, error)       { return EncodeInstruction(i) }
func (u UnknownInstruction) MarshalJSON() ([]byte, error) { return EncodeInstruction(u) }

// MarshalJSON implements json.Marshaler.
func (e MessageStart) MarshalJSON() ([]byte, error)  { return EncodeEvent(e) }
func (e TextDelta) MarshalJSON() ([]byte, error)     { return EncodeEvent(e) }
func (e ThinkingDelta) MarshalJSON() ([]byte, error) { return EncodeEvent(e) }
func (e ToolCallStart) MarshalJSON() ([]byte, error) { return EncodeEvent(e) }
func (e ToolCallDelta) MarshalJSON() ([]byte, error) { return EncodeEvent(e) }
func (e ToolCallEnd) MarshalJSON() ([]byte, error)   { return EncodeEvent(e) }
func (e MessageEnd) MarshalJSON() ([]byte, error)    { return EncodeEvent(e) }
func (e Failure) MarshalJSON() ([]byte, error)       { return EncodeEvent(e) }
func (e UnknownEvent) MarshalJSON() ([]byte, error)  { return EncodeEvent(e) }

// MarshalJSON implements json.Marshaler.
func (t ToolSpec) MarshalJSON() ([]byte, error)       { return alone("tool", &t) }
func (f ResponseFormat) MarshalJSON() ([]byte, error) { return alone("response format", &f) }
func (src Source) MarshalJSON() ([]byte, error)       { return alone("source", &src) }
func (u Usage) MarshalJSON() ([]byte, error)          { return alone("usage", &u) }
func (d Degradation) MarshalJSON() ([]byte, error)    { return alone("degradation", &d) }
func (e *Error) MarshalJSON() ([]byte, error)         { return alone("error", e) }

// UnmarshalJSON implements json.Unmarshaler.
func (t *ToolSpec) UnmarshalJSON(data []byte) error {
	*t = ToolSpec{}
	return readAlone("tool", data, t)
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *ResponseFormat) UnmarshalJSON(data []byte) error {
	*f = ResponseFormat{}
	return readAlone("response format", data, f)
}

// UnmarshalJSON implements json.Unmarshaler.
func (src *Source) UnmarshalJSON(data []byte) error {
	*src = Source{}
	return readAlone("source", data, src)
}

// UnmarshalJSON implements json.Unmarshaler. Counts that are absent are zero.
func (u *Usage) UnmarshalJSON(data []byte) error {
	*u = Usage{}
	return readAlone("usage", data, u)
}

// UnmarshalJSON implements json.Unmarshaler.
func (d *Degradation) UnmarshalJSON(data []byte) error {
	*d = Degradation{}
	return readAlone("degradation", data, d)
}

// UnmarshalJSON implements json.Unmarshaler.
func (e *Error) UnmarshalJSON(data []byte) error {
	*e = Error{}
	return readAlone("error", data, e)
}

func alone(what string, v shaped) ([]byte, error) {
	out, err := appendObject(nil, "", "", v)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", what, err)
	}
	return out, nil
}

func readAlone(what string, data []byte, v shaped) error {
	if _, err := readObject(data, v, true); err != nil {
		return fmt.Errorf("decode %s: %w", what, err)
	}
	return nil
}
