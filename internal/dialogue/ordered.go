package dialogue

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// ordered is a JSON value that can be changed and written again with its members
// in the order in which they came.
type ordered struct {
	kind jsontext.Kind
	raw  jsontext.Value // as it was read

	members []member   // of an object
	list    []*ordered // of an array
}

type member struct {
	name  string
	value *ordered
}

// readOrdered reads a value. It is nil for what is no JSON.
func readOrdered(value jsontext.Value) *ordered {
	in := jsontext.NewDecoder(bytes.NewReader(value), lenient)
	read, err := readNext(in, value)
	if err != nil {
		return nil
	}
	return read
}

func readNext(in *jsontext.Decoder, all jsontext.Value) (*ordered, error) {
	read := &ordered{kind: in.PeekKind()}
	if read.kind != '{' && read.kind != '[' {
		raw, err := in.ReadValue()
		end := int(in.InputOffset())
		if err == nil {
			read.raw = all[end-len(raw) : end]
		}
		return read, err
	}
	if _, err := in.ReadToken(); err != nil {
		return nil, err
	}
	begin := int(in.InputOffset()) - 1
	for in.PeekKind() != '}' && in.PeekKind() != ']' {
		var name string
		if read.kind == '{' {
			token, err := in.ReadToken()
			if err != nil {
				return nil, err
			}
			name = token.String()
		}
		value, err := readNext(in, all)
		if err != nil {
			return nil, err
		}
		if read.kind == '{' {
			read.members = append(read.members, member{name, value})
		} else {
			read.list = append(read.list, value)
		}
	}
	if _, err := in.ReadToken(); err != nil {
		return nil, err
	}
	read.raw = all[begin:in.InputOffset()]
	return read, nil
}

// write appends the value as it is now.
func (o *ordered) write(to []byte) []byte {
	switch o.kind {
	case '{':
		to = append(to, '{')
		for i, m := range o.members {
			if i > 0 {
				to = append(to, ',')
			}
			to, _ = jsontext.AppendQuote(to, m.name) // an error says only that something was replaced
			to = m.value.write(append(to, ':'))
		}
		return append(to, '}')
	case '[':
		to = append(to, '[')
		for i, value := range o.list {
			if i > 0 {
				to = append(to, ',')
			}
			to = value.write(to)
		}
		return append(to, ']')
	default:
		return append(to, o.raw...)
	}
}

// same reports whether two values are written the same. It looks no further than
// to where they differ.
func same(a, b *ordered) bool {
	switch {
	case a == b:
		return true
	case a.kind != b.kind:
		return false
	case a.kind == '{':
		return slices.EqualFunc(a.members, b.members, func(a, b member) bool { return a.name == b.name && same(a.value, b.value) })
	case a.kind == '[':
		return slices.EqualFunc(a.list, b.list, same)
	default:
		return bytes.Equal(a.raw, b.raw)
	}
}

// get returns a member, nil if it is not there. Of several it is the last, as
// readers take it.
func (o *ordered) get(name string) *ordered {
	for _, m := range slices.Backward(o.members) {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// set sets a member, in its place or at the end.
func (o *ordered) set(name string, value *ordered) {
	for i := range slices.Backward(o.members) {
		if o.members[i].name == name {
			o.members[i].value = value
			return
		}
	}
	o.members = append(o.members, member{name, value})
}

func (o *ordered) remove(name string) {
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return m.name == name })
}

// text returns what a string says, empty for anything else.
func (o *ordered) text() string {
	if o == nil || o.kind != '"' {
		return ""
	}
	said, _ := jsontext.AppendUnquote(nil, o.raw)
	return string(said)
}

// texts returns what the strings of a list say.
func (o *ordered) texts() (texts []string) {
	if o == nil {
		return nil
	}
	for _, value := range o.list {
		if value.kind == '"' {
			texts = append(texts, value.text())
		}
	}
	return texts
}

func (o *ordered) is(kind jsontext.Kind) bool { return o != nil && o.kind == kind }

func orderedText(text string) *ordered {
	raw, _ := jsontext.AppendQuote(nil, text)
	return &ordered{kind: '"', raw: raw}
}

func orderedObject(members ...member) *ordered { return &ordered{kind: '{', members: members} }

func orderedList(list ...*ordered) *ordered { return &ordered{kind: '[', list: list} }
