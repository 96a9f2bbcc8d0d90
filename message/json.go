package message

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Encode writes m as JSON. Parts and members that were kept as they came are
// written byte for byte; m.MarshalJSON, by way of a JSON library, gives the
// same JSON, but the library may change spaces and escapes.
//
// It fails if a part is nil, or if a field that holds JSON does not.
func Encode(m Message) (jsontext.Value, error) {
	return m.MarshalJSON()
}

// Decode reads what [Encode] wrote, and whatever else the public schema
// accepts. Messages in the shapes of others are read by [ReadForeign].
func Decode(data jsontext.Value) (Message, error) {
	var m Message
	if err := check(data); err != nil {
		return m, fmt.Errorf("decode message: %w", err)
	}
	err := m.UnmarshalJSON(data)
	return m, err
}

// check returns an error unless data is one JSON value.
func check(data jsontext.Value, options ...jsontext.Options) error {
	if data.IsValid(options...) {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(data), options...)
	if _, err := d.ReadValue(); err == io.EOF {
		return io.ErrUnexpectedEOF
	} else if err != nil {
		return err
	}
	if _, err := d.ReadToken(); err != nil && err != io.EOF {
		return err
	}
	return errors.New("there is more than one JSON value")
}

// MarshalJSON implements json.Marshaler.
func (m Message) MarshalJSON() ([]byte, error) {
	out, err := appendObject(make([]byte, 0, m.size()), "", "", &m)
	if err != nil {
		return nil, fmt.Errorf("encode %s message: %w", m.Role, err)
	}
	return out, nil
}

// size is about how long the message is in JSON. A message with many files in it
// would otherwise be copied again and again while it grows.
func (m Message) size() int {
	size := 64
	for _, part := range m.Content.Parts {
		switch part := part.(type) {
		case Text:
			size += len(part.Text) + len(part.Text)/16
		case Context:
			size += len(part.Text) + len(part.Text)/16 + 256
		case block:
			text := part.context().Text
			size += len(text) + len(text)/16 + 256
		}
		size += 64
	}
	return size
}

// UnmarshalJSON implements json.Unmarshaler. It is for JSON libraries, which
// have checked the text; [Decode] checks it first.
func (m *Message) UnmarshalJSON(data []byte) error {
	*m = Message{}
	if _, err := readObject(data, m, true); err != nil {
		return fmt.Errorf("decode message: %w", err)
	}
	return nil
}

func (m *Message) rest() *jsontext.Value { return &m.Extra }

func (m *Message) describe(s *shape) {
	must(s, "role", &m.Role)
	content(s, "content", &m.Content)
	text(s, "name", &m.Name)
	text(s, "tool_call_id", &m.ToolCallID)
	instructions(s, "instructions", &m.Instructions)
	raw(s, "metadata", &m.Metadata, 0)
}

// MarshalJSON implements json.Marshaler.
func (c Content) MarshalJSON() ([]byte, error) {
	out, err := appendContent(nil, c)
	if err != nil {
		return nil, fmt.Errorf("encode content: %w", err)
	}
	return out, nil
}

// UnmarshalJSON implements json.Unmarshaler. It is for JSON libraries, which
// have checked the text.
func (c *Content) UnmarshalJSON(data []byte) (err error) {
	if *c, err = readContent(bytes.TrimSpace(data), 0); err != nil {
		return fmt.Errorf("decode content: %w", err)
	}
	return nil
}

// content is a string or a list of parts, and always there.
func content(s *shape, name string, c *Content) {
	if s.writing {
		s.overrule(name)
		s.name(name)
		var err error
		if s.emit != nil && !c.Plain {
			s.out, err = emitParts(s.out, c.Parts, s.emit)
		} else {
			s.out, err = appendContent(s.out, *c)
		}
		if err != nil {
			s.fail(name, err)
		}
		return
	}
	m := s.find(name)
	if m == nil {
		s.fail(name, errors.New("it is missing"))
		return
	}
	read, err := readContent(m.value, s.depth)
	if err != nil {
		s.fail(name, err)
		return
	}
	*c = read
	m.taken = true
}

func appendContent(out []byte, c Content) ([]byte, error) {
	if c.Plain {
		if len(c.Parts) == 0 {
			return append(out, `""`...), nil
		}
		if t, ok := c.Parts[0].(Text); ok && len(c.Parts) == 1 && t.Visibility == "" && t.Extra == nil {
			return appendString(out, t.Text), nil
		}
	}
	return appendParts(out, c.Parts)
}

// appendParts writes a list of parts.
func appendParts(out []byte, parts []Part) ([]byte, error) {
	if chunksOf(len(parts)) == 1 {
		return appendList(out, parts, appendPart)
	}
	pieces := make([][]byte, chunksOf(len(parts)))
	errs := make([]error, len(pieces))
	inChunks(len(parts), func(chunk, from, to int) {
		piece := make([]byte, 0, Message{Content: Of(parts[from:to]...)}.size())
		for i := from; i < to; i++ {
			if i > 0 {
				piece = append(piece, ',')
			}
			var err error
			if piece, err = appendPart(piece, parts[i]); err != nil {
				errs[chunk] = fmt.Errorf("%d: %w", i, err)
				return
			}
		}
		pieces[chunk] = piece
	})
	out = append(out, '[')
	for chunk, piece := range pieces {
		if errs[chunk] != nil {
			return out, errs[chunk]
		}
		out = append(out, piece...)
	}
	return append(out, ']'), nil
}

func readContent(value []byte, depth int) (Content, error) {
	if len(value) == 0 {
		return Content{}, errNotJSON
	}
	switch value[0] {
	case '"':
		end := skipString(value, 0)
		if end < 0 {
			return Content{}, errNotJSON
		}
		return Say(readString(value[:end])), nil
	case '[':
		parts, err := readParts(value, depth)
		if len(parts) == 0 {
			parts = nil
		}
		return Content{Parts: parts}, err
	default:
		return Content{}, fmt.Errorf("want a string or a list of parts, have %s", kindOf(value))
	}
}

// parts is a list of parts. It is left out when it is nil.
func parts(s *shape, name string, v *[]Part) {
	depth := s.depth + 1
	list(s, name, v, func(value []byte) (Part, error) {
		p, _, err := readPart(value, depth)
		return p, err
	}, appendPart)
}

func readParts(array []byte, depth int) ([]Part, error) {
	parts := []Part{}
	err := walkElements(array, func(i int, rest []byte) (int, error) {
		p, end, err := readPart(rest, depth)
		if err != nil {
			return 0, fmt.Errorf("%d: %w", i, err)
		}
		parts = append(parts, p)
		return end, nil
	})
	return parts, err
}

// instructions is a list of instructions. It is left out when it is nil.
func instructions(s *shape, name string, v *[]Instruction) {
	// The public schema says nothing about this member, so that somebody
	// else's may stand here: one that is no list of ours is left in the rest.
	strict := s.strict
	s.strict = false
	list(s, name, v, readInstruction, appendInstruction)
	s.strict = strict
}
