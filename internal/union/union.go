package union

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Split takes the member called tag out of object. It returns the member's
// value and the object without it. The result may share memory with object.
func Split(object jsontext.Value, tag string) (name string, rest jsontext.Value, err error) {
	dec := jsontext.NewDecoder(bytes.NewReader(object))
	open, err := dec.ReadToken()
	if err != nil {
		return "", nil, err
	}
	if open.Kind() != jsontext.KindBeginObject {
		return "", nil, fmt.Errorf("want an object with a %q, have %s", tag, open.Kind())
	}
	for {
		before := dec.InputOffset()
		key, err := dec.ReadToken()
		if err != nil {
			return "", nil, err
		}
		if key.Kind() == jsontext.KindEndObject {
			return "", nil, fmt.Errorf("an object without a %q", tag)
		}
		if key.String() != tag {
			if err := dec.SkipValue(); err != nil {
				return "", nil, err
			}
			continue
		}
		value, err := dec.ReadToken()
		if err != nil {
			return "", nil, err
		}
		if value.Kind() != jsontext.KindString {
			return "", nil, fmt.Errorf("%q must be a string, have %s", tag, value.Kind())
		}
		name = value.String()
		return name, without(object, int(before), int(dec.InputOffset())), nil
	}
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
// member.
func Join(tag, name string, variant any) (jsontext.Value, error) {
	object, err := json.Marshal(variant, json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	if len(object) < 2 || object[0] != '{' {
		return nil, fmt.Errorf("a %s must be an object, have %.40s", name, object)
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
