package message

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// tag is the member that names the variant of a part, an instruction or an
// event.
const tag = "type"

// maxDepth bounds parts within parts. Beyond it they are kept unread, since
// each level is scanned once more than the one around it.
const maxDepth = 8

// EncodePart writes p as one flat JSON object: {"type":"text","text":"hi"}.
func EncodePart(p Part) (jsontext.Value, error) {
	out, err := appendPart(nil, p)
	if err != nil {
		return nil, fmt.Errorf("encode part: %w", err)
	}
	return out, nil
}

// DecodePart reads what [EncodePart] wrote. A part of a type that is not known,
// or without what its type needs, becomes an [Unknown].
func DecodePart(data jsontext.Value) (Part, error) {
	err := check(data)
	if err == nil {
		var p Part
		if p, _, err = readPart(bytes.TrimSpace(data), 0); err == nil {
			return p, nil
		}
	}
	return nil, fmt.Errorf("decode part: %w", err)
}

// Err says why a part of a known type could not be read as one. It is nil for
// a type that is not known.
func (u Unknown) Err() error {
	if v := newPart(u.Name); v != nil {
		return misread(v, u.Name+" part", u.Name, u.Raw)
	}
	return nil
}

// misread says why object is not what v describes, or nil if it is.
func misread(v shaped, what, name string, object jsontext.Value) error {
	s := shapes.Get().(*shape)
	defer s.free()
	says, _, err := s.openTagged(object)
	if err == nil && says != name {
		err = fmt.Errorf("its JSON says %q", says)
	}
	if err == nil {
		s.read(v)
		err = s.err
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// openTagged reads the members of object and takes its tag.
// end is where the object ends.
func (s *shape) openTagged(object []byte) (name string, end int, err error) {
	if s.members, end, err = appendMembers(s.members, object); err != nil {
		return "", 0, err
	}
	m := s.find(tag)
	if m == nil {
		return "", 0, fmt.Errorf("an object without a %q", tag)
	}
	if m.value[0] != '"' {
		return "", 0, fmt.Errorf("%s: want a string, have %s", tag, kindOf(m.value))
	}
	m.taken = true
	return readString(m.value), end, nil
}

// shapedPart is a pointer to a variant of Part.
type shapedPart interface {
	shaped
	part() Part
}

func newPart(name string) shapedPart {
	switch name {
	case TypeText:
		return new(Text)
	case TypeThinking:
		return new(Thinking)
	case TypeRedactedThinking:
		return new(RedactedThinking)
	case TypeToolCall:
		return new(ToolCall)
	case TypeToolResult:
		return new(ToolResult)
	case TypeImage:
		return new(Image)
	case TypeDocument:
		return new(Document)
	case TypeReasoning:
		return new(Reasoning)
	case TypeMention:
		return new(Ref)
	case TypeContext:
		return new(Context)
	default:
		return nil
	}
}

// readPart reads the part that text begins with.
func readPart(text []byte, depth int) (p Part, end int, err error) {
	s := shapes.Get().(*shape)
	defer s.free()
	s.depth = depth
	name, end, err := s.openTagged(text)
	if err != nil {
		return nil, 0, err
	}
	if depth <= maxDepth {
		if v := newPart(name); v != nil {
			if s.read(v); s.err == nil {
				return v.part(), end, nil
			}
		}
	}
	return Unknown{Name: name, Raw: bytes.Clone(text[:end])}, end, nil
}

func appendPart(out []byte, p Part) ([]byte, error) {
	switch p := p.(type) {
	case nil:
		return out, errors.New("the part is nil")
	case Text:
		return appendObject(out, tag, TypeText, &p)
	case Thinking:
		return appendObject(out, tag, TypeThinking, &p)
	case RedactedThinking:
		return appendObject(out, tag, TypeRedactedThinking, &p)
	case ToolCall:
		return appendObject(out, tag, TypeToolCall, &p)
	case ToolResult:
		return appendObject(out, tag, TypeToolResult, &p)
	case Image:
		return appendObject(out, tag, TypeImage, &p)
	case Document:
		return appendObject(out, tag, TypeDocument, &p)
	case Reasoning:
		return appendObject(out, tag, TypeReasoning, &p)
	case Ref:
		return appendObject(out, tag, TypeMention, &p)
	case Context:
		return appendObject(out, tag, TypeContext, &p)
	case Unknown:
		return appendUnknown(out, p.Name, p.Raw)
	case block:
		return p.append(out), nil
	default:
		return out, fmt.Errorf("a part is a value, this is a %T", p)
	}
}

// appendUnknown writes what was kept, if it is what it says it is.
func appendUnknown(out []byte, name string, object jsontext.Value) ([]byte, error) {
	if !object.IsValid() {
		return out, fmt.Errorf("unknown %q is not JSON: %.40q", name, []byte(object))
	}
	s := shapes.Get().(*shape)
	defer s.free()
	if says, _, err := s.openTagged(object); err != nil {
		return out, fmt.Errorf("unknown %q: %w", name, err)
	} else if says != name {
		return out, fmt.Errorf("unknown %q: its JSON says %q", name, says)
	}
	return append(out, object...), nil
}

func (t *Text) describe(s *shape) {
	must(s, "text", &t.Text)
	text(s, "visibility", &t.Visibility)
}

func (t *Thinking) describe(s *shape) {
	must(s, "thinking", &t.Thinking)
	text(s, "signature", &t.Signature)
	values(s, "content", &t.Content)
	text(s, "visibility", &t.Visibility)
}

func (r *RedactedThinking) describe(s *shape) {
	must(s, "data", &r.Data)
	text(s, "visibility", &r.Visibility)
}

func (c *ToolCall) describe(s *shape) {
	must(s, "id", &c.ID)
	must(s, "name", &c.Name)
	raw(s, "input", &c.Input, '{')
	text(s, "visibility", &c.Visibility)
}

func (r *ToolResult) describe(s *shape) {
	must(s, "tool_call_id", &r.ToolCallID)
	raw(s, "output", &r.Output, 0)
	text(s, "visibility", &r.Visibility)
}

func (i *Image) describe(s *shape) {
	source(s, "source", &i.Source)
	text(s, "visibility", &i.Visibility)
}

func (d *Document) describe(s *shape) {
	source(s, "source", &d.Source)
	text(s, "title", &d.Title)
	text(s, "visibility", &d.Visibility)
}

func (r *Reasoning) describe(s *shape) {
	values(s, "content", &r.Content)
	values(s, "summary", &r.Summary)
	text(s, "visibility", &r.Visibility)
}

func (c *Context) describe(s *shape) {
	words(s, "names", &c.Names)
	text(s, "kind", &c.Kind)
	words(s, "ids", &c.IDs)
	text(s, "source_digest", &c.Source)
	text(s, "body_digest", &c.Body)
	text(s, "base_digest", &c.Base)
	text(s, "mime", &c.MIME)
	text(s, "lines", &c.Lines)
	text(s, "symbol", &c.Symbol)
	text(s, "shown", &c.Shown)
	text(s, "changed_since", &c.ChangedSince)
	must(s, "text", &c.Text)
	parts(s, "parts", &c.Parts)
	integer(s, "part_tokens", &c.PartTokens)
}

// source is an object that is always there.
func source(s *shape, name string, v *Source) {
	if s.writing {
		s.overrule(name)
		s.name(name)
		var err error
		if s.out, err = appendObject(s.out, "", "", v); err != nil {
			s.fail(name, err)
		}
		return
	}
	m := s.find(name)
	if m == nil {
		s.fail(name, errors.New("it is missing"))
		return
	}
	if _, err := readObject(m.value, v, false); err != nil {
		s.fail(name, err)
		return
	}
	m.taken = true
}

func (src *Source) describe(s *shape) {
	text(s, "type", &src.Type)
	text(s, "media_type", &src.MIME)
	text(s, "data", &src.Data)
	text(s, "url", &src.URL)
	text(s, "digest", &src.Digest)
}

func (t *Text) rest() *jsontext.Value             { return &t.Extra }
func (t *Thinking) rest() *jsontext.Value         { return &t.Extra }
func (r *RedactedThinking) rest() *jsontext.Value { return &r.Extra }
func (c *ToolCall) rest() *jsontext.Value         { return &c.Extra }
func (r *ToolResult) rest() *jsontext.Value       { return &r.Extra }
func (i *Image) rest() *jsontext.Value            { return &i.Extra }
func (d *Document) rest() *jsontext.Value         { return &d.Extra }
func (r *Reasoning) rest() *jsontext.Value        { return &r.Extra }
func (r *Ref) rest() *jsontext.Value              { return &r.Extra }
func (c *Context) rest() *jsontext.Value          { return &c.Extra }
func (src *Source) rest() *jsontext.Value         { return &src.Extra }

func (t *Text) part() Part             { return *t }
func (t *Thinking) part() Part         { return *t }
func (r *RedactedThinking) part() Part { return *r }
func (c *ToolCall) part() Part         { return *c }
func (r *ToolResult) part() Part       { return *r }
func (i *Image) part() Part            { return *i }
func (d *Document) part() Part         { return *d }
func (r *Reasoning) part() Part        { return *r }
func (r *Ref) part() Part              { return *r }
func (c *Context) part() Part          { return *c }
