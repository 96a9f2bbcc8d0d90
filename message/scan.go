package message

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// The functions in this file cut JSON into pieces without copying it. They
// expect text that a JSON library has already found well formed, and look only
// at what they need to find the ends of values; given anything else they
// return an error or a wrong piece, but do not panic.

var errNotJSON = errors.New("not JSON")

// member is one member of an object, as it stands in the text.
type member struct {
	key   []byte // with its quotes
	name  []byte // what the key says
	value []byte
	taken bool
}

// appendMembers appends the members of object to list. What follows the object
// is not looked at; end is where that begins.
func appendMembers(list []member, object []byte) (_ []member, end int, err error) {
	i := skipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return list, 0, fmt.Errorf("want an object, have %s", kindOf(object))
	}
	i = skipSpace(object, i+1)
	if i < len(object) && object[i] == '}' {
		return list, i + 1, nil
	}
	for {
		var m member
		end := skipString(object, i)
		if end < 0 {
			return list, 0, errNotJSON
		}
		m.key = object[i:end:end]
		m.name = m.key[1 : len(m.key)-1]
		if bytes.IndexByte(m.name, '\\') >= 0 {
			// An invalid escape leaves a name that is no member of ours.
			m.name, _ = jsontext.AppendUnquote(nil, m.key)
		}
		i = skipSpace(object, end)
		if i >= len(object) || object[i] != ':' {
			return list, 0, errNotJSON
		}
		i = skipSpace(object, i+1)
		if end = skipValue(object, i); end < 0 {
			return list, 0, errNotJSON
		}
		m.value = object[i:end:end]
		list = append(list, m)
		i = skipSpace(object, end)
		if i >= len(object) {
			return list, 0, errNotJSON
		}
		switch object[i] {
		case '}':
			return list, i + 1, nil
		case ',':
			i = skipSpace(object, i+1)
		default:
			return list, 0, errNotJSON
		}
	}
}

// eachElement calls do with every element of array, until do fails.
func eachElement(array []byte, do func(i int, value []byte) error) error {
	return walkElements(array, func(i int, rest []byte) (int, error) {
		end := skipValue(rest, 0)
		if end < 0 {
			return 0, errNotJSON
		}
		return end, do(i, rest[:end:end])
	})
}

// walkElements calls do with what is left of array at every element, until do
// fails. It is for elements whose end shows when they are read: do returns it.
func walkElements(array []byte, do func(i int, rest []byte) (end int, err error)) error {
	i := skipSpace(array, 0)
	if i >= len(array) || array[i] != '[' {
		return fmt.Errorf("want a list, have %s", kindOf(array))
	}
	i = skipSpace(array, i+1)
	if i < len(array) && array[i] == ']' {
		return nil
	}
	for n := 0; ; n++ {
		end, err := do(n, array[i:])
		if err != nil {
			return err
		}
		i = skipSpace(array, i+end)
		if i >= len(array) {
			return errNotJSON
		}
		switch array[i] {
		case ']':
			return nil
		case ',':
			i = skipSpace(array, i+1)
		default:
			return errNotJSON
		}
	}
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skipString returns the end of the string that begins at b[i], or -1.
func skipString(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for at := i + 1; ; {
		quote := bytes.IndexByte(b[at:], '"')
		if quote < 0 {
			return -1
		}
		quote += at
		escapes := 0
		for quote-escapes > at && b[quote-escapes-1] == '\\' {
			escapes++
		}
		at = quote + 1
		if escapes%2 == 0 {
			return at
		}
	}
}

// skipValue returns the end of the value that begins at b[i], or -1.
func skipValue(b []byte, i int) int {
	start, depth := i, 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 || depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return endOfLiteral(start, i)
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ' ', '\n', '\r', '\t':
			if depth == 0 {
				return endOfLiteral(start, i)
			}
		}
		i++
	}
	if depth > 0 {
		return -1
	}
	return endOfLiteral(start, i)
}

func endOfLiteral(start, end int) int {
	if start == end {
		return -1
	}
	return end
}

// kindOf names the kind of a value, for error messages.
func kindOf(value []byte) string {
	i := skipSpace(value, 0)
	if i >= len(value) {
		return "nothing"
	}
	switch value[i] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}
