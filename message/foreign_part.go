package message

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// adoptParts reads the parts of the content that are written as others do. What is
// not known stays as it is.
func adoptParts(m Message) (Message, error) {
	var problems []error
	var adopted []Part
	for i, p := range m.Content.Parts {
		foreign, is := p.(Unknown)
		if !is {
			continue
		}
		part, problem := foreignPart(foreign)
		if problem != nil {
			problems = append(problems, problem)
		}
		if part == nil {
			continue
		}
		if adopted == nil {
			adopted = append(adopted, m.Content.Parts...)
		}
		adopted[i] = part
	}
	if adopted != nil {
		m.Content = Content{Parts: adopted}
	}
	return m, errors.Join(problems...)
}

// foreignPart returns nil for what it does not know.
func foreignPart(foreign Unknown) (Part, error) {
	s := shapes.Get().(*shape)
	defer s.free()
	if _, _, err := s.openTagged(foreign.Raw); err != nil {
		return nil, nil
	}
	switch foreign.Name {
	case "input_text", "output_text":
		if said := s.find("text"); said != nil && said.value[0] == '"' {
			said.taken = true
			return Text{Text: readString(said.value), Extra: s.remaining()}, nil
		}
	case "image_url", "input_image":
		if address := takeInner(s, "image_url", "url"); address != "" {
			return Image{Source: AtURL(address), Extra: s.remaining()}, nil
		}
	case "tool_use":
		if said := s.remaining(); said != nil {
			return readForeignCall(said)
		}
	case TypeToolResult: // without a tool_call_id
		result := ToolResult{Output: jsontext.Value(`""`)}
		if text(s, "tool_use_id", &result.ToolCallID); result.ToolCallID == "" {
			return nil, nil
		}
		if said := s.present("content"); said != nil {
			said.taken = true
			result.Output = bytes.Clone(said.value)
		}
		result.Extra = s.remaining()
		return result, nil
	}
	return nil, nil
}

// takeInner takes a string that stands at a name, or in an object there at another.
// What else is in the object stays.
func takeInner(s *shape, name, inner string) (said string) {
	at := s.present(name)
	if at == nil {
		return ""
	}
	switch at.value[0] {
	case '"':
		at.taken = true
		return readString(at.value)
	case '{':
		object := shapes.Get().(*shape)
		defer object.free()
		var err error
		if object.members, _, err = appendMembers(object.members, at.value); err == nil {
			text(object, inner, &said)
			if rest := object.remaining(); said != "" {
				at.value, at.taken = rest, rest == nil
			}
		}
	}
	return said
}

// adoptGemini reads a message as Gemini has it: with a list of parts whose members
// say what they are, by the user or the model. If one of them is not known the list
// stays as it is.
func adoptGemini(m Message) (Message, error) {
	if len(m.Content.Parts) > 0 || m.Extra == nil {
		return m, nil
	}
	s := shapes.Get().(*shape)
	defer s.free()
	var err error
	if s.members, _, err = appendMembers(s.members, m.Extra); err != nil {
		return m, nil
	}
	list := s.present("parts")
	if list == nil {
		return m, nil
	}
	var parts []Part
	var problems []error
	err = eachElement(list.value, func(_ int, value []byte) error {
		part, problem := geminiPart(value)
		if part == nil {
			return errNotJSON
		}
		if parts = append(parts, part); problem != nil {
			problems = append(problems, problem)
		}
		return nil
	})
	if err != nil || len(parts) == 0 {
		return m, nil
	}
	list.taken = true
	m.Content, m.Extra = Content{Parts: parts}, s.remaining()
	if m.Role == "model" {
		m.Role = Assistant
	}
	return m, errors.Join(problems...)
}

// geminiPart returns nil for what it does not know.
func geminiPart(value []byte) (Part, error) {
	if value[0] != '{' {
		return nil, nil
	}
	s := shapes.Get().(*shape)
	defer s.free()
	var err error
	if s.members, _, err = appendMembers(s.members, value); err != nil {
		return nil, nil
	}
	if said := s.find("text"); said != nil && said.value[0] == '"' {
		said.taken = true
		if thought := s.find("thought"); thought != nil && string(thought.value) == "true" {
			thought.taken = true
			return Thinking{Thinking: readString(said.value), Extra: s.remaining()}, nil
		}
		return Text{Text: readString(said.value), Extra: s.remaining()}, nil
	}
	for _, name := range [...]string{"functionCall", "functionResponse", "inlineData"} {
		inner := s.present(name)
		if inner == nil || inner.value[0] != '{' {
			continue
		}
		inner.taken = true
		beside := s.remaining() // such as a signature
		switch name {
		case "functionCall":
			call, problem := readNamedCall(inner.value)
			if !joinInto(&call.Extra, beside) {
				return nil, nil
			}
			return call, problem
		case "functionResponse":
			return geminiResult(inner.value, beside), nil
		default:
			return geminiMedia(inner.value, beside), nil
		}
	}
	return nil, nil
}

// joinInto adds the members of an object to another. It returns false if both have
// one of the same name.
func joinInto(object *jsontext.Value, more jsontext.Value) bool {
	switch {
	case more == nil:
	case *object == nil:
		*object = more
	default:
		joined := append((*object)[:len(*object)-1:len(*object)-1], ',')
		if joined = append(joined, more[1:]...); !joined.IsValid() {
			return false
		}
		*object = joined
	}
	return true
}

func geminiResult(object []byte, beside jsontext.Value) Part {
	s := shapes.Get().(*shape)
	defer s.free()
	var err error
	if s.members, _, err = appendMembers(s.members, object); err != nil {
		return nil
	}
	result := ToolResult{Output: jsontext.Value(`""`)}
	for _, name := range [...]string{"id", "name"} { // as of calls
		if result.ToolCallID == "" {
			text(s, name, &result.ToolCallID)
		}
	}
	if said := s.present("response"); said != nil {
		said.taken = true
		result.Output = bytes.Clone(said.value)
	}
	result.Extra = s.remaining()
	if !joinInto(&result.Extra, beside) {
		return nil
	}
	return result
}

func geminiMedia(object []byte, beside jsontext.Value) Part {
	s := shapes.Get().(*shape)
	defer s.free()
	var err error
	if s.members, _, err = appendMembers(s.members, object); err != nil {
		return nil
	}
	source := Source{Type: SourceBase64}
	text(s, "mimeType", &source.MIME)
	if text(s, "data", &source.Data); source.Data == "" {
		return nil
	}
	source.Extra = s.remaining()
	if strings.HasPrefix(source.MIME, "image/") {
		return Image{Source: source, Extra: beside}
	}
	return Document{Source: source, Extra: beside}
}

// unread says which members of a message that says nothing may hold what it says.
func unread(m Message) error {
	if len(m.Content.Parts) > 0 || m.Extra == nil {
		return nil
	}
	s := shapes.Get().(*shape)
	defer s.free()
	var err error
	if s.members, _, err = appendMembers(s.members, m.Extra); err != nil {
		return nil
	}
	var names []string
	for i := range s.members {
		name, value := string(s.members[i].name), s.members[i].value
		switch value[0] {
		case '{', '[':
			if inside := skipSpace(value, 1); value[inside] != '}' && value[inside] != ']' {
				names = append(names, fmt.Sprintf("%q", name))
			}
		case '"':
			switch name {
			case "text", "refusal", "message", "input", "output":
				names = append(names, fmt.Sprintf("%q", name))
			}
		}
	}
	if names == nil {
		return nil
	}
	return fmt.Errorf("the message has no content that can be read: what it says may be in %s, which is kept in its Extra", strings.Join(names, ", "))
}
