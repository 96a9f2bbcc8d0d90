package message

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// MarshalJSON implements json.Marshaler.
func (r Response) MarshalJSON() ([]byte, error) {
	out, err := appendObject(nil, "", "", &r)
	if err != nil {
		return nil, fmt.Errorf("encode response: %w", err)
	}
	return out, nil
}

// UnmarshalJSON implements json.Unmarshaler. It is for JSON libraries, which
// have checked the text; [DecodeResponse] checks it first.
func (r *Response) UnmarshalJSON(data []byte) error {
	*r = Response{}
	if _, err := readObject(data, r, true); err != nil {
		return fmt.Errorf("decode response: %w", err)
	}
	return nil
}

// EncodeResponse writes r as JSON. See [Encode] for what it promises.
func EncodeResponse(r Response) (jsontext.Value, error) {
	return r.MarshalJSON()
}

// DecodeResponse reads what [EncodeResponse] wrote.
func DecodeResponse(data jsontext.Value) (Response, error) {
	var r Response
	if err := check(data); err != nil {
		return r, fmt.Errorf("decode response: %w", err)
	}
	err := r.UnmarshalJSON(data)
	return r, err
}

func (r *Response) describe(s *shape) {
	content(s, "content", &r.Content)
	calls(s, "tool_calls", &r.ToolCalls)
	object(s, "usage", &r.Usage)
	degradations(s, "degradation", &r.Degradations)
	text(s, "finish_reason", &r.FinishReason)
	raw(s, "metadata", &r.Metadata, 0)
}

func (u *Usage) describe(s *shape) {
	count(s, "input_tokens", &u.InputTokens)
	count(s, "output_tokens", &u.OutputTokens)
	count(s, "total_tokens", &u.TotalTokens)
	integer(s, "reasoning_tokens", &u.ReasoningTokens)
	integer(s, "cache_read_tokens", &u.CacheReadTokens)
	integer(s, "cache_write_tokens", &u.CacheWriteTokens)
	money(s, "cost_usd", &u.CostUSD)
}

func (d *Degradation) describe(s *shape) {
	text(s, "requested", &d.Requested)
	text(s, "actual", &d.Actual)
	text(s, "reason", &d.Reason)
}

// degradations is an object or, when there are several, a list. It is left out
// when there is none.
func degradations(s *shape, name string, v *[]Degradation) {
	if s.writing {
		written, err := appendDegradations(nil, *v)
		if err != nil {
			s.fail(name, err)
			return
		}
		stands := s.stands(name, func(old []byte) bool {
			before, err := readDegradations(old)
			if err != nil {
				return len(*v) == 0
			}
			again, err := appendDegradations(nil, before)
			return err == nil && bytes.Equal(again, written)
		})
		if !stands && len(*v) > 0 {
			s.name(name)
			s.out = append(s.out, written...)
		}
		return
	}
	m := s.present(name)
	if m == nil {
		return
	}
	read, err := readDegradations(m.value)
	if err != nil {
		s.fail(name, err)
		return
	}
	if len(read) > 0 {
		*v = read
		m.taken = len(read) > 1 || m.value[0] == '{'
	}
}

func readDegradations(value []byte) ([]Degradation, error) {
	one := func(value []byte) (d Degradation, err error) {
		_, err = readObject(value, &d, false)
		return d, err
	}
	if value[0] == '[' {
		return readList(value, one)
	}
	d, err := one(value)
	return []Degradation{d}, err
}

func appendDegradations(out []byte, list []Degradation) ([]byte, error) {
	one := func(out []byte, d Degradation) ([]byte, error) {
		return appendObject(out, "", "", &d)
	}
	if len(list) == 1 {
		return one(out, list[0])
	}
	return appendList(out, list, one)
}

// responseCall is a [ToolCall] as responses write it.
type responseCall ToolCall

func (c *responseCall) describe(s *shape) {
	must(s, "id", &c.ID)
	must(s, "name", &c.Name)
	raw(s, "arguments", &c.Input, '{')
	text(s, "visibility", &c.Visibility)
}

// calls is a list of tool calls with arguments. It is left out when it is nil.
func calls(s *shape, name string, v *[]ToolCall) {
	list(s, name, v, func(value []byte) (ToolCall, error) {
		var call responseCall
		_, err := readObject(value, &call, true)
		return ToolCall(call), err
	}, func(out []byte, call ToolCall) ([]byte, error) {
		c := responseCall(call)
		return appendObject(out, "", "", &c)
	})
}

func (r *Response) rest() *jsontext.Value     { return &r.Extra }
func (u *Usage) rest() *jsontext.Value        { return &u.Extra }
func (d *Degradation) rest() *jsontext.Value  { return &d.Extra }
func (c *responseCall) rest() *jsontext.Value { return &c.Extra }
