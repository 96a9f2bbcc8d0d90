package dialogue

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// Delta is a piece of a text. Servers written in JavaScript cut texts within
// characters that are two units there: one piece ends with "\ud83d", and the next
// begins with "\ude00". Neither half is a character, and JSON as everybody reads it
// loses both. A Delta that is read from JSON keeps a half at its beginning and at
// its end, encoded as characters are; [Answer] puts them together.
type Delta string

// UnmarshalJSONFrom reads a string, or null.
func (d *Delta) UnmarshalJSONFrom(in *jsontext.Decoder) error {
	raw, err := in.ReadValue()
	if err != nil {
		return err
	}
	switch raw.Kind() {
	case '"':
		*d = Unquote(raw)
	case 'n':
		*d = ""
	default:
		return fmt.Errorf("want a string, have %s", raw.Kind())
	}
	return nil
}

// Unquote returns what a JSON string says, empty for any other value.
func Unquote(raw jsontext.Value) Delta {
	if raw.Kind() != '"' || len(raw) < 2 {
		return ""
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return Delta(inner)
	}
	var said []byte
	if half := escaped(inner); utf16.IsSurrogate(half) && !isHigh(half) {
		said = appendHalf(said, half)
		inner = inner[escapeLen:]
	}
	var end rune
	if at := len(inner) - escapeLen; at >= 0 && isHigh(escaped(inner[at:])) && !backslash(inner[:at]) {
		end = escaped(inner[at:])
		inner = inner[:at]
	}
	// What is no character in the middle is replaced, and the error says only that.
	said, _ = jsontext.AppendUnquote(said, append(append([]byte{'"'}, inner...), '"'))
	if end != 0 {
		said = appendHalf(said, end)
	}
	return Delta(said)
}

// escapeLen is the length of \ud83d.
const escapeLen = 6

// escaped returns the unit that an escape at the beginning of a text means, zero if
// there is none.
func escaped(text []byte) (unit rune) {
	if len(text) < escapeLen || text[0] != '\\' || text[1] != 'u' {
		return 0
	}
	for _, c := range text[2:escapeLen] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0
		}
		unit = unit<<4 | rune(c)
	}
	return unit
}

// backslash reports whether a text ends with one that escapes what comes next.
func backslash(text []byte) bool {
	return (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
}

// isHigh reports whether a unit is the first half of a character.
func isHigh(unit rune) bool { return unit >= 0xd800 && unit < 0xdc00 }

// halfLen is the length of a half, encoded. No UTF-8 has these bytes in it.
const halfLen = 3

func appendHalf(to []byte, unit rune) []byte {
	return append(to, 0xed, 0x80|byte(unit>>6)&0x3f, 0x80|byte(unit)&0x3f)
}

// halfAt returns the half at the beginning of a text, zero if there is none.
func halfAt(text Delta) rune {
	if len(text) < halfLen || text[0] != 0xed || text[1] < 0xa0 {
		return 0
	}
	return 0xd000 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f)
}

// Join returns what can be said of a text up to and with the next piece of it. Half
// is what could not be said before, and is now what cannot be said yet.
func (d Delta) Join(half *rune) string {
	if d == "" {
		return ""
	}
	said := ""
	switch begin := halfAt(d); {
	case begin != 0 && !isHigh(begin):
		said, d = string(utf16.DecodeRune(*half, begin)), d[halfLen:]
	case *half != 0:
		said = string(utf8.RuneError)
	}
	*half = 0
	if at := len(d) - halfLen; at >= 0 && halfAt(d[at:]) != 0 {
		*half, d = halfAt(d[at:]), d[:at]
	}
	return said + string(d)
}

// Whole returns the piece as a text of its own: a half in it means nothing.
func (d Delta) Whole() string {
	var half rune
	said := d.Join(&half)
	if half != 0 {
		said += string(utf8.RuneError)
	}
	return said
}
