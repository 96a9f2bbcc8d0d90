package session

import (
	"bytes"

	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// DecodeStored is [Decode] for those who write a [Store], and know that data is
// what Encode wrote, by a checksum for instance. It does not check again that it
// is JSON, which is half of the work, and the result may share memory with data.
func DecodeStored(data jsontext.Value) (Entry, error) {
	if said, ok := storedSaid(data); ok {
		return said, nil
	}
	return Decode(data)
}

// storedSaid reads a [Said] as Encode writes it. Most of a log are these, and
// most of one is its message.
func storedSaid(data jsontext.Value) (said Said, ok bool) {
	const opening = `{"` + tag + `":"` + string(KindSaid) + `","message":`
	if !bytes.HasPrefix(data, []byte(opening)) {
		return Said{}, false
	}
	end := objectEnd(data, len(opening))
	if end < 0 || end == len(data) {
		return Said{}, false
	}
	var m message.Message
	if m.UnmarshalJSON(data[len(opening):end]) != nil || m.Role == "" {
		return Said{}, false
	}
	switch rest := data[end:]; {
	case string(rest) == "}":
	case rest[0] == ',':
		members := append(append(make(jsontext.Value, 0, len(rest)), '{'), rest[1:]...)
		if json.Unmarshal(members, &said) != nil || said.Message.Role != "" || said.Extra != nil {
			return Said{}, false
		}
	default:
		return Said{}, false
	}
	said.Message = m
	return said, said.validate() == nil
}

// objectEnd returns where the object at a place ends, negative if it does not.
func objectEnd(data []byte, at int) int {
	depth := 0
	for at < len(data) {
		switch data[at] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		case '"':
			if at = stringEnd(data, at+1); at < 0 {
				return -1
			}
			continue
		}
		if depth == 0 {
			return -1
		}
		at++
	}
	return -1
}

// stringEnd returns the place after the quote that ends a string.
func stringEnd(data []byte, at int) int {
	for {
		quote := bytes.IndexByte(data[at:], '"')
		if quote < 0 {
			return -1
		}
		quote += at
		escapes := 0
		for quote-escapes > at && data[quote-escapes-1] == '\\' {
			escapes++
		}
		if at = quote + 1; escapes%2 == 0 {
			return at
		}
	}
}
