package union

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Split takes the member called tag out of object. It returns the member's
// value and the object without it.
//
// The whole of object is read, so that a name that stands in it twice, the tag
// above all, or anything that is not JSON is an error wherever it stands.
func Split(object jsontext.Value, tag string) (name string, rest jsontext.Value, err error) {
	found, err := locate(object, tag)
	if err != nil {
		return "", nil, err
	}
	if found.kind == jsontext.KindInvalid {
		return "", nil, fmt.Errorf("an object without a %q", tag)
	}
	if found.kind != jsontext.KindString {
		return "", nil, fmt.Errorf("%q must be a string, have %s", tag, found.kind)
	}
	return found.text, without(object, found.from, found.to), nil
}

// member is where in an object the tag stands, and what it is. Its kind is
// invalid if there is none.
type member struct {
	from, to int
	kind     jsontext.Kind
	text     string
}

func locate(object jsontext.Value, tag string) (found member, err error) {
	dec := jsontext.NewDecoder(bytes.NewReader(object))
	open, err := dec.ReadToken()
	if err == io.EOF {
		return member{}, fmt.Errorf("want an object with a %q, have nothing", tag)
	}
	if err != nil {
		return member{}, err
	}
	if open.Kind() != jsontext.KindBeginObject {
		return member{}, fmt.Errorf("want an object with a %q, have %s", tag, open.Kind())
	}
	for {
		from := int(dec.InputOffset())
		key, err := dec.ReadToken()
		if err != nil {
			return member{}, err
		}
		if key.Kind() == jsontext.KindEndObject {
			break
		}
		if key.String() != tag {
			if err := dec.SkipValue(); err != nil {
				return member{}, err
			}
			continue
		}
		found = member{from: from, kind: dec.PeekKind()}
		if found.kind != jsontext.KindString {
			if err := dec.SkipValue(); err != nil {
				return member{}, err
			}
			continue
		}
		value, err := dec.ReadToken()
		if err != nil {
			return member{}, err
		}
		found.to, found.text = int(dec.InputOffset()), value.String()
	}
	if _, err := dec.ReadToken(); err == nil {
		return member{}, errors.New("more follows the object")
	} else if err != io.EOF {
		return member{}, err
	}
	return found, nil
}

// without removes the member at object[from:to] together with one comma.
// from stands at the comma or the brace before the member.
func without(object jsontext.Value, from, to int) jsontext.Value {
	head, tail := object[:from], bytes.TrimLeft(object[to:], " \t\r\n")
	if comma := bytes.HasSuffix(bytes.TrimRight(head, " \t\r\n"), []byte("{")); comma {
		tail = bytes.TrimPrefix(tail, []byte(","))
	}
	rest := make(jsontext.Value, 0, len(head)+len(tail))
	return append(append(rest, head...), tail...)
}

// Join writes variant, whose JSON must be an object, with tag as its first
// member. A variant that has such a member already is an error: nobody could
// read the result. JSON is UTF-8 and cannot say anything else, so other bytes,
// as file names may have them, become U+FFFD.
func Join(tag, name string, variant any) (jsontext.Value, error) {
	object, err := json.Marshal(variant, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, err
	}
	if len(object) < 2 || object[0] != '{' {
		return nil, fmt.Errorf("a %s must be an object, have %.40s", name, object)
	}
	if has(object, tag) {
		return nil, fmt.Errorf("a %s has a member %q of its own", name, tag)
	}
	joined := make(jsontext.Value, 0, len(object)+len(tag)+len(name)+8)
	joined = append(joined, '{')
	if joined, err = jsontext.AppendQuote(joined, tag); err != nil {
		return nil, err
	}
	joined = append(joined, ':')
	if joined, err = jsontext.AppendQuote(joined, name); err != nil {
		return nil, err
	}
	if len(object) > 2 {
		joined = append(joined, ',')
	}
	return append(joined, object[1:]...), nil
}

// has tells whether object has a member called tag. That is rare, and so is
// the tag in quotes anywhere in it.
func has(object jsontext.Value, tag string) bool {
	quoted, err := jsontext.AppendQuote(nil, tag)
	if err != nil || !bytes.Contains(object, quoted) {
		return false
	}
	found, err := locate(object, tag)
	return err == nil && found.kind != jsontext.KindInvalid
}
