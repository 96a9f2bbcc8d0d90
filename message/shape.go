package message

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// shaped is a pointer to something that is a JSON object. Its describe method
// names the members once, and that one description both reads and writes:
//
//	func (t *Text) describe(s *shape) {
//		must(s, "text", &t.Text)
//		text(s, "visibility", &t.Visibility)
//	}
//
// What is not described is kept in the value that rest points to.
type shaped interface {
	describe(*shape)
	rest() *jsontext.Value
}

// shape walks a description, reading or writing.
//
// Members that were read into a field are taken; the others are the rest. A
// member stays in the rest, even though its field was set, when the field
// would be written differently: null, an empty string, 1e3 for a thousand.
// When writing, what the rest says about a member stands as long as it still
// reads as the field's value; if the field was changed since, the field wins.
// This is how everything survives as it came without a second set of fields.
type shape struct {
	// members are those of the object being read, or those of the rest while
	// writing.
	members []member
	// strict makes an optional member that does not fit an error. Otherwise it
	// is left in the rest.
	strict bool
	// depth counts parts within parts.
	depth int

	writing bool
	out     []byte
	// emit takes what was written so far, and returns where to go on. Nil keeps
	// all of it in out.
	emit func(out []byte) ([]byte, error)

	// inexact says that the object lacked a member that is always written.
	inexact bool
	err     error
}

// shapes are reused because every part of every message needs one.
var shapes = sync.Pool{New: func() any { return &shape{members: make([]member, 0, 16)} }}

func (s *shape) free() {
	clear(s.members)
	*s = shape{members: s.members[:0]}
	shapes.Put(s)
}

// readObject reads the members of object into v.
func readObject(object []byte, v shaped, strict bool) (inexact bool, err error) {
	s := shapes.Get().(*shape)
	defer s.free()
	s.strict = strict
	if s.members, _, err = appendMembers(s.members, object); err != nil {
		return false, err
	}
	s.read(v)
	return s.inexact, s.err
}

// read takes the members of v, and leaves the others to its rest.
func (s *shape) read(v shaped) {
	v.describe(s)
	if s.err == nil {
		*v.rest() = s.remaining()
	}
}

// remaining returns an object of the members that were not taken, nil if there
// are none.
func (s *shape) remaining() jsontext.Value {
	size := 0
	for i := range s.members {
		if m := &s.members[i]; !m.taken {
			size += len(m.key) + len(m.value) + 2
		}
	}
	if size == 0 {
		return nil
	}
	object := make(jsontext.Value, 0, size+1)
	for i := range s.members {
		if m := &s.members[i]; !m.taken {
			object = append(object, ',')
			object = append(object, m.key...)
			object = append(object, ':')
			object = append(object, m.value...)
		}
	}
	object[0] = '{'
	return append(object, '}')
}

// appendObject writes v, with a tag as its first member unless tag is empty.
func appendObject(out []byte, tag, name string, v shaped) ([]byte, error) {
	s := shapes.Get().(*shape)
	defer s.free()
	s.writing = true
	s.out = append(out, '{')
	s.openRest(*v.rest())
	if tag != "" {
		s.overrule(tag)
		s.name(tag)
		s.quote(name)
	}
	v.describe(s)
	return s.close()
}

// openRest makes the members of rest known before the fields are written.
func (s *shape) openRest(rest jsontext.Value) {
	if rest == nil {
		return
	}
	if !rest.IsValid() {
		s.fail("", fmt.Errorf("extra is not JSON: %.40q", []byte(rest)))
		return
	}
	members, _, err := appendMembers(s.members, rest)
	s.members = members
	if err != nil {
		s.fail("", fmt.Errorf("extra: %w", err))
	}
}

// close writes what is left of the rest.
func (s *shape) close() ([]byte, error) {
	for i := range s.members {
		if m := &s.members[i]; !m.taken {
			s.comma()
			s.out = append(s.out, m.key...)
			s.out = append(s.out, ':')
			s.out = append(s.out, m.value...)
		}
	}
	return append(s.out, '}'), s.err
}

// find returns the member of that name that is not taken yet, or nil.
func (s *shape) find(name string) *member {
	for i := range s.members {
		if m := &s.members[i]; string(m.name) == name && !m.taken {
			return m
		}
	}
	return nil
}

// present returns the member of that name, unless it is null: a null says what
// an absent member says, and stays in the rest.
func (s *shape) present(name string) *member {
	if m := s.find(name); m != nil && m.value[0] != 'n' {
		return m
	}
	return nil
}

// overrule drops what the rest says about a member.
func (s *shape) overrule(name string) {
	if m := s.find(name); m != nil {
		m.taken = true
	}
}

// stands reports whether what the rest says about a member is still the same
// as the field's value, and is to be written in its place. Otherwise it drops
// it.
func (s *shape) stands(name string, same func(old []byte) bool) bool {
	m := s.find(name)
	if m == nil {
		return false
	}
	m.taken = !same(m.value)
	return !m.taken
}

// fail records the first error.
func (s *shape) fail(name string, err error) {
	switch {
	case s.err != nil:
	case name == "":
		s.err = err
	default:
		s.err = fmt.Errorf("%s: %w", name, err)
	}
}

// misfit deals with an optional member of the wrong kind.
func (s *shape) misfit(m *member, want string) {
	if s.strict {
		s.fail(string(m.name), fmt.Errorf("want %s, have %s", want, kindOf(m.value)))
	}
}

func (s *shape) comma() {
	if s.out[len(s.out)-1] != '{' {
		s.out = append(s.out, ',')
	}
}

func (s *shape) name(name string) {
	s.comma()
	s.out = append(s.out, '"')
	s.out = append(s.out, name...)
	s.out = append(s.out, '"', ':')
}

func (s *shape) quote(text string) { s.out = appendString(s.out, text) }

// readString returns what a JSON string says.
func readString(value []byte) string {
	inner := value[1 : len(value)-1]
	escape := bytes.IndexByte(inner, '\\')
	if escape < 0 {
		return shared(inner)
	}
	room := rooms.Get().(*[]byte)
	*room = appendUnescaped((*room)[:0], inner, escape)
	text := string(*room)
	if cap(*room) <= 1<<20 {
		rooms.Put(room)
	}
	return text
}

// appendUnescaped appends what the inside of a JSON string says; its first
// escape is at the given place. It does the short escapes itself, since text
// and code are full of them, and leaves the others to the library.
func appendUnescaped(out, inner []byte, escape int) []byte {
	for {
		out = append(out, inner[:escape]...)
		inner = inner[escape:]
		var said byte
		switch c := inner[min(1, len(inner)-1)]; {
		case len(inner) == 1:
			return append(out, inner...) // not JSON
		case c == 'n':
			said = '\n'
		case c == 't':
			said = '\t'
		case c == '"' || c == '/':
			said = c
		case c == '\\':
			said = c
		default:
			// The only errors are of text that a JSON library refuses or was
			// told to let pass; such characters become U+FFFD.
			quoted := append(append(append([]byte(nil), '"'), inner...), '"')
			out, _ = jsontext.AppendUnquote(out, quoted)
			return out
		}
		out = append(out, said)
		inner = inner[2:]
		if escape = bytes.IndexByte(inner, '\\'); escape < 0 {
			return append(out, inner...)
		}
	}
}

// rooms are where strings are put together before their length is known.
var rooms = sync.Pool{New: func() any { return new([]byte) }}

// shared saves an allocation for the words that every message has.
func shared(word []byte) string {
	if len(word) > len(TypeRedactedThinking) {
		return string(word)
	}
	switch string(word) {
	case string(User):
		return string(User)
	case string(Assistant):
		return string(Assistant)
	case string(Tool):
		return string(Tool)
	case string(System):
		return string(System)
	case string(Developer):
		return string(Developer)
	case TypeText:
		return TypeText
	case TypeThinking:
		return TypeThinking
	case TypeToolCall:
		return TypeToolCall
	case TypeToolResult:
		return TypeToolResult
	case TypeMention:
		return TypeMention
	case TypeContext:
		return TypeContext
	}
	return string(word)
}
