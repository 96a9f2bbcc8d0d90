package message

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// ReadForeign reads a message as others wrote it and gives it the one shape
// that this package has for tool calls: a [ToolCall] or a [ToolResult] in the
// content. It accepts, beyond what [Decode] reads,
//
//   - no content, or null, as of an assistant that only calls tools;
//   - "tool_calls" with "tool" or "name", and "arguments" or "input";
//   - "tool_calls" with a "function" that has a name, and arguments as JSON in a
//     string; and the older single "function_call", whose name is its id;
//   - a message of the role tool or function whose content is the result of the
//     call that "tool_call_id" names;
//   - parts as Anthropic writes them, "tool_use", and "tool_result" with a
//     "tool_use_id", and OpenAI, "image_url", "input_image", "input_text" and
//     "output_text";
//   - the "parts" of Gemini, with texts, thoughts, inline data, calls and
//     responses, of the user or the model;
//   - lone surrogates and invalid UTF-8, which become U+FFFD.
//
// Arguments that cannot be read are reported, each as an [*Error] of the kind
// [ErrInvalidToolCall], joined in problems, and kept in the call's Extra as
// "raw_arguments". A message that says nothing, though a member that is not known
// may hold what it says, is a problem, too. The message is whole in spite of them;
// it is not when err is not nil.
func ReadForeign(data jsontext.Value) (m Message, problems, err error) {
	lenient := jsontext.AllowInvalidUTF8(true)
	if err := check(data, lenient); err != nil {
		return m, nil, fmt.Errorf("read message: %w", err)
	}
	if !data.IsValid() {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
		if err := data.Canonicalize(lenient, jsontext.ReorderRawObjects(false), jsontext.CanonicalizeRawFloats(false), jsontext.CanonicalizeRawInts(false)); err != nil {
			return m, nil, fmt.Errorf("read message: %w", err)
		}
	}
	if _, err := readObject(data, (*foreign)(&m), true); err != nil {
		return Message{}, nil, fmt.Errorf("read message: %w", err)
	}
	m, inParts := adoptParts(m)
	m, inGemini := adoptGemini(m)
	m, problems = Adopt(m)
	return m, errors.Join(inParts, inGemini, problems, unread(m)), nil
}

// foreign is a [Message] that may have no content.
type foreign Message

func (m *foreign) rest() *jsontext.Value { return &m.Extra }

func (m *foreign) describe(s *shape) {
	if c := s.find("content"); c == nil {
		s.members = append(s.members, member{name: []byte("content"), value: []byte("[]")})
	} else if c.value[0] == 'n' {
		c.value = []byte("[]")
	}
	(*Message)(m).describe(s)
}

// Adopt gives a message that [Decode] read the one shape for tool calls; see
// [ReadForeign]. A message that has it already comes back as it is. m itself is
// not changed.
func Adopt(m Message) (adopted Message, problems error) {
	if m.Extra != nil {
		m, problems = adoptCalls(m)
	}
	if m.Role == Tool || m.Role == Function {
		m = adoptResult(m)
	}
	return m, problems
}

// adoptCalls moves the calls of the message's Extra into its content.
func adoptCalls(m Message) (Message, error) {
	s := shapes.Get().(*shape)
	defer s.free()
	var err error
	if s.members, _, err = appendMembers(s.members, m.Extra); err != nil {
		return m, fmt.Errorf("adopt message: extra: %w", err)
	}
	var calls []ToolCall
	var problems []error
	keep := func(call ToolCall, problem error) {
		calls = append(calls, call)
		if problem != nil {
			problems = append(problems, problem)
		}
	}
	if list := s.present("tool_calls"); list != nil {
		err := eachElement(list.value, func(_ int, value []byte) error {
			if value[0] != '{' {
				return fmt.Errorf("want an object, have %s", kindOf(value))
			}
			keep(readForeignCall(value))
			return nil
		})
		if err != nil {
			return m, &Error{Kind: ErrInvalidToolCall, RawArguments: string(list.value), Err: fmt.Errorf("tool_calls: %w", err)}
		}
	}
	if one := s.present("function_call"); one != nil && one.value[0] == '{' {
		keep(readNamedCall(one.value))
		one.taken = true
	}
	if list := s.find("tool_calls"); list != nil {
		list.taken = true
	}
	if len(calls) > 0 {
		m.Content = withCalls(m.Content, calls)
	}
	m.Extra = s.remaining()
	return m, errors.Join(problems...)
}

// withCalls appends the calls that the content does not have yet: some writers
// say each call twice.
func withCalls(c Content, calls []ToolCall) Content {
	said := make(map[string]bool)
	var parts []Part
	for _, p := range c.Parts {
		switch p := p.(type) {
		case ToolCall:
			said[p.ID] = true
		case Text:
			if c.Plain && p.Text == "" {
				continue
			}
		}
		parts = append(parts, p)
	}
	for _, call := range calls {
		if call.ID == "" || !said[call.ID] {
			parts = append(parts, call)
		}
	}
	return Content{Parts: parts}
}

// readNamedCall reads a call of those that are answered by name.
func readNamedCall(object []byte) (ToolCall, error) {
	call, problem := readForeignCall(object)
	if call.ID == "" {
		call.ID = call.Name
	}
	return call, problem
}

// readForeignCall reads a call in any of the shapes. Members that it does not
// need stay in the call's Extra.
func readForeignCall(object []byte) (ToolCall, error) {
	s := shapes.Get().(*shape)
	defer s.free()
	var call ToolCall
	var err error
	if s.members, _, err = appendMembers(s.members, object); err != nil {
		return call, err
	}
	text(s, "id", &call.ID)
	if call.ID == "" {
		text(s, "tool_call_id", &call.ID)
	}
	arguments := takeCall(s, &call)
	if f := s.present("function"); f != nil && f.value[0] == '{' {
		inner := shapes.Get().(*shape)
		defer inner.free()
		if inner.members, _, err = appendMembers(inner.members, f.value); err != nil {
			return call, err
		}
		if inside := takeCall(inner, &call); inside != nil {
			arguments = inside
		}
		f.value = inner.remaining()
		f.taken = f.value == nil
		if kind := s.find("type"); kind != nil && string(kind.value) == `"function"` {
			kind.taken = true
		}
	}
	var rawArguments string
	var problem error
	if arguments == nil {
		call.Input = jsontext.Value("{}")
	} else {
		call.Input, rawArguments, problem = readArguments(arguments)
	}
	if problem == nil && call.Name == "" {
		problem = errors.New("the call names no tool")
	}
	if rawArguments != "" {
		s.overrule("raw_arguments")
		s.members = append(s.members, member{
			key: []byte(`"raw_arguments"`), value: appendString(nil, rawArguments),
		})
	}
	call.Extra = s.remaining()
	if problem != nil {
		return call, &Error{Kind: ErrInvalidToolCall, Tool: call.Name, RawArguments: rawArguments, Err: problem}
	}
	return call, nil
}

// takeCall takes the name of the tool, unless it is known, and the arguments.
func takeCall(s *shape, call *ToolCall) (arguments []byte) {
	for _, name := range [...]string{"name", "tool"} {
		if call.Name == "" {
			text(s, name, &call.Name)
		}
	}
	for _, name := range [...]string{"arguments", "input", "args"} {
		if m := s.find(name); m != nil && arguments == nil {
			m.taken = true
			arguments = m.value
		}
	}
	return arguments
}

// readArguments reads arguments as an object, or as a string that holds one.
// What is neither is returned as it was written.
func readArguments(value []byte) (input jsontext.Value, rawArguments string, problem error) {
	written := jsontext.Value(value)
	if value[0] == '"' {
		written = jsontext.Value(readString(value))
		if len(bytes.TrimSpace(written)) == 0 {
			// Some models send nothing where they mean no arguments.
			return jsontext.Value("{}"), "", nil
		}
		if err := check(written); err != nil {
			return nil, string(written), err
		}
	}
	switch i := skipSpace(written, 0); written[i] {
	case '{':
		return bytes.Clone(written), "", nil
	case 'n':
		return jsontext.Value("{}"), "", nil
	default:
		return nil, string(written), fmt.Errorf("want an object, have %s", kindOf(written))
	}
}

// adoptResult makes the content of a message that answers a call a result.
func adoptResult(m Message) Message {
	id := m.ToolCallID
	if id == "" && m.Role == Function {
		id = m.Name // as of function_call, which has no id
	}
	if id == "" {
		return m
	}
	for _, p := range m.Content.Parts {
		if _, is := p.(ToolResult); is {
			return m
		}
	}
	output, err := appendContent(nil, m.Content)
	if err != nil {
		return m
	}
	m.Content = Of(ToolResult{ToolCallID: id, Output: output})
	return m
}
