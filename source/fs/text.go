package fs

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"github.com/ampersat/ampersat/blob"
)

// codec is how bytes stand for text.
type codec struct {
	// name is for people, empty for UTF-8.
	name string
	// of is nil for UTF-8.
	of encoding.Encoding
	// mark is the length of the byte order mark.
	mark int
}

// codecOf tells the encoding of a file by its beginning: by its byte order
// mark, else UTF-8 if it is valid, else by what it declares, else UTF-8 all the
// same.
func codecOf(head []byte) codec {
	switch {
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		return codec{mark: 3}
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		return codec{"UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2}
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		return codec{"UTF-16", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2}
	}
	valid := utf8.Valid(head[:len(head)-incomplete(head)])
	if valid && bytes.IndexByte(head, escape) < 0 {
		return codec{}
	}
	name, declared := declaration(head)
	// Valid UTF-8 is UTF-8, whatever it says, except for the encodings that
	// switch alphabets by escape sequences and have no byte above 127.
	if declared == nil || valid && name != "iso-2022-jp" {
		return codec{}
	}
	return codec{name: name, of: declared}
}

const escape = 0x1b

// decode returns the text, and how many bytes or characters of it were not
// valid and have been replaced.
func (c codec) decode(raw []byte) (text string, replaced int) {
	if c.of == nil {
		return validUTF8(raw)
	}
	decoded, err := c.of.NewDecoder().Bytes(raw)
	if err != nil {
		return validUTF8(raw)
	}
	text = string(decoded)
	return text, strings.Count(text, string(utf8.RuneError))
}

// validUTF8 puts U+FFFD in the place of each byte that is not valid.
func validUTF8(raw []byte) (text string, replaced int) {
	if utf8.Valid(raw) {
		// Not copied: nobody changes what was read.
		return unsafe.String(unsafe.SliceData(raw), len(raw)), 0
	}
	var b strings.Builder
	b.Grow(len(raw) + len(raw)/8)
	for len(raw) > 0 {
		r, size := utf8.DecodeRune(raw)
		if r == utf8.RuneError && size == 1 {
			replaced++
			b.WriteRune(utf8.RuneError)
		} else {
			b.Write(raw[:size])
		}
		raw = raw[size:]
	}
	return b.String(), replaced
}

// incomplete is how many bytes at the end of raw begin a character that the
// rest of is missing.
func incomplete(raw []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(raw); n++ {
		if b := raw[len(raw)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(raw[len(raw)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// text is what bytes say.
type text struct {
	head, tail string
	note       string
	// lossy says that characters were replaced: it is not quite the file.
	lossy bool
	// same says that the text is the bytes of the file as they are.
	same bool
}

// digest is that of the text. It takes the bytes it was decoded from, which
// usually are the same, so that no copy is made.
func (t text) digest(raw []byte) blob.Digest {
	if t.same {
		return blob.Of(raw)
	}
	return blob.Of([]byte(t.head))
}

// asText decodes what was read of a file. It is not ok for what is not text.
func asText(r reading) (t text, ok bool) {
	c := codecOf(r.head)
	raw := r.head[c.mark:]
	if c.of == nil && (bytes.IndexByte(raw, 0) >= 0 || bytes.IndexByte(r.tail, 0) >= 0) {
		return text{}, false
	}
	if !r.whole {
		raw = raw[:len(raw)-c.fraction(raw)]
	}
	var replaced, more int
	t.head, replaced = c.decode(raw)
	if len(r.tail) > 0 {
		t.tail, more = c.decode(c.fromLine(r.tail, r.size))
		replaced += more
	}
	if c.of != nil && strings.IndexByte(t.head+t.tail, 0) >= 0 || replaced*10 > 3*len(raw) {
		return text{}, false
	}
	t.same, t.lossy = c == codec{} && replaced == 0, replaced > 0
	if c.name != "" {
		t.note = "read as " + c.name
	}
	switch {
	case replaced == 0:
	case c.name == "":
		t.note = fmt.Sprintf("not valid UTF-8: %s replaced", plural(replaced, "byte"))
	default:
		t.note += fmt.Sprintf(", in which %s not valid", plural(replaced, "character"))
	}
	return t, true
}

// fraction is how many bytes at the end of raw are part of a character only.
func (c codec) fraction(raw []byte) int {
	switch {
	case c.of == nil:
		return incomplete(raw)
	case c.mark == 2:
		return len(raw) % 2
	}
	return 0
}

// fromLine drops what is not a whole line at the beginning of a tail: it may
// begin in the middle of a character.
func (c codec) fromLine(tail []byte, size int64) []byte {
	if c.mark == 2 {
		if (size-int64(len(tail)))%2 == 1 {
			tail = tail[1:]
		}
		return tail
	}
	if end := bytes.IndexByte(tail, '\n'); end >= 0 {
		return tail[end:]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return tail
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return thousands(n) + " " + what + "s"
}
