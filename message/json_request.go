package message

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// EncodeRequest writes r as REQUEST_ENVELOPE_V1. See [Encode] for what it
// promises; [Request.Blobs] is left out.
func EncodeRequest(r Request) (jsontext.Value, error) {
	return r.MarshalJSON()
}

// DecodeRequest reads what [EncodeRequest] wrote, and whatever else the public
// schema accepts.
func DecodeRequest(data jsontext.Value) (Request, error) {
	var r Request
	if err := check(data); err != nil {
		return r, fmt.Errorf("decode request: %w", err)
	}
	err := r.UnmarshalJSON(data)
	return r, err
}

// MarshalJSON implements json.Marshaler.
func (r Request) MarshalJSON() ([]byte, error) {
	out, err := appendObject(nil, "", "", &r)
	if err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return out, nil
}

// UnmarshalJSON implements json.Unmarshaler. It is for JSON libraries, which
// have checked the text; [DecodeRequest] checks it first.
func (r *Request) UnmarshalJSON(data []byte) error {
	*r = Request{}
	if _, err := readObject(data, r, true); err != nil {
		return fmt.Errorf("decode request: %w", err)
	}
	return nil
}

func (r *Request) describe(s *shape) {
	messages(s, "messages", &r.Messages)
	objects(s, "tools", &r.Tools)
	object(s, "response_format", &r.ResponseFormat)
	number(s, "temperature", &r.Temperature)
	number(s, "top_p", &r.TopP)
	integer(s, "max_output_tokens", &r.MaxOutputTokens)
	text(s, "conversation_id", &r.ConversationID)
	flag(s, "stream", &r.Stream, false)
	raw(s, "metadata", &r.Metadata, '{')
	text(s, "model", &r.Model)
	raw(s, "tool_choice", &r.ToolChoice, 0)
	words(s, "stop", &r.Stop)
	text(s, "reasoning_effort", &r.ReasoningEffort)
	seconds(s, "timeout", &r.Timeout)
}

// messages is a list of messages, and always there.
func messages(s *shape, name string, v *[]Message) {
	if s.writing && *v == nil {
		s.overrule(name)
		s.name(name)
		s.out = append(s.out, "[]"...)
		return
	}
	if !s.writing && s.present(name) == nil {
		s.fail(name, fmt.Errorf("it is missing"))
		return
	}
	objects(s, name, v)
	if len(*v) == 0 {
		*v = nil
	}
}

func (t *ToolSpec) describe(s *shape) {
	must(s, "name", &t.Name)
	text(s, "description", &t.Description)
	if s.writing && t.Parameters == nil {
		// The envelope wants the member; the empty schema accepts anything.
		t.Parameters = jsontext.Value("{}")
	}
	raw(s, "parameters", &t.Parameters, '{')
	if t.Parameters == nil {
		s.fail("parameters", fmt.Errorf("it is missing"))
	}
}

func (f *ResponseFormat) describe(s *shape) {
	must(s, "type", &f.Type)
	raw(s, "schema", &f.Schema, '{')
	flag(s, "strict", &f.Strict, false)
	if m := s.present("json_schema"); !s.writing && f.Schema == nil && m != nil && m.value[0] == '{' {
		// Some writers name the member after the type. It is written back under
		// the name that the envelope has for it.
		f.Schema = bytes.Clone(m.value)
		m.taken = true
	}
}

func (r *Request) rest() *jsontext.Value        { return &r.Extra }
func (t *ToolSpec) rest() *jsontext.Value       { return &t.Extra }
func (f *ResponseFormat) rest() *jsontext.Value { return &f.Extra }
