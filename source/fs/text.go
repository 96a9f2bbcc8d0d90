package fs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
)

// codec is how bytes stand for text.
type codec struct {
	// name is for people, empty for UTF-8.
	name string
	// of is nil for UTF-8.
	of encoding.Encoding
	// mark is the length of the byte order mark.
	mark int
	// unit is how many bytes a text is a multiple of, replacement U+FFFD in
	// them; zero and empty where a character has any number of bytes.
	unit        int
	replacement string
}

func inUTF16(order unicode.Endianness, mark int) codec {
	c := codec{"UTF-16", unicode.UTF16(order, unicode.IgnoreBOM), mark, 2, "\xFD\xFF"}
	if order == unicode.BigEndian {
		c.replacement = "\xFF\xFD"
	}
	return c
}

func inUTF32(order utf32.Endianness) codec {
	c := codec{"UTF-32", utf32.UTF32(order, utf32.IgnoreBOM), 4, 4, "\xFD\xFF\x00\x00"}
	if order == utf32.BigEndian {
		c.replacement = "\x00\x00\xFF\xFD"
	}
	return c
}

// codecOf tells the encoding of a file by its beginning: by its byte order
// mark, else UTF-8 if it is valid, else by what it declares, else UTF-8 all the
// same.
func codecOf(head []byte) codec {
	switch {
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		return codec{mark: 3}
	case bytes.HasPrefix(head, []byte("\xFF\xFE\x00\x00")):
		// In UTF-16 it would begin with a zero, which no text does.
		return inUTF32(utf32.LittleEndian)
	case bytes.HasPrefix(head, []byte("\x00\x00\xFE\xFF")):
		return inUTF32(utf32.BigEndian)
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		return inUTF16(unicode.LittleEndian, 2)
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		return inUTF16(unicode.BigEndian, 2)
	}
	if order, is := unmarked16(head); is {
		return inUTF16(order, 0)
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
	replaced = strings.Count(text, string(utf8.RuneError))
	if replaced > 0 && c.unit > 0 {
		// Some may have been there.
		for at := 0; at+c.unit <= len(raw); at += c.unit {
			if string(raw[at:at+c.unit]) == c.replacement {
				replaced--
			}
		}
	}
	return text, replaced
}

// lossy tells the model that what it reads is not quite the file, and by how
// much; nothing if it is.
func (c codec) lossy(replaced int) string {
	what, name := "byte", "UTF-8"
	if c.name != "" {
		what, name = "character", c.name
	}
	switch replaced {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("with 1 %s replaced that is not valid %s", what, name)
	}
	return fmt.Sprintf("with %s replaced that are not valid %s", wording.Count(replaced, what), name)
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
	coding     codec
	// shown tells the model what was replaced: it is not quite the file.
	shown string
	// same says that the text is the bytes of the file as they are.
	same bool
}

// digest is that of the text, which is what a model has seen and what a later
// turn is compared with. Where something was replaced the text does not tell one
// file from another, and it is that of the bytes. It takes all bytes of the file;
// usually they are the text, so that no copy is made.
func (t text) digest(raw []byte) blob.Digest {
	if t.same || t.shown != "" {
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
		t.tail = c.fromSecret(r, t.tail)
		replaced += more
	}
	if c.of != nil && strings.IndexByte(t.head+t.tail, 0) >= 0 || replaced*max(c.unit, 1)*10 > 3*len(raw) {
		return text{}, false
	}
	t.coding = c
	t.same, t.shown = c == codec{} && replaced == 0, c.lossy(replaced)
	if c.name != "" {
		t.note = "read as " + c.name
	}
	switch {
	case replaced == 0:
	case c.name == "":
		t.note = fmt.Sprintf("not valid UTF-8: %s replaced", wording.Count(replaced, "byte"))
	default:
		t.note += fmt.Sprintf(", in which %s not valid", wording.Count(replaced, "character"))
	}
	return t, true
}

// fraction is how many bytes at the end of raw are part of a character only.
func (c codec) fraction(raw []byte) int {
	switch {
	case c.of == nil:
		return incomplete(raw)
	case c.unit > 0:
		return len(raw) % c.unit
	}
	return 0
}

// fromLine drops what is not a whole line at the beginning of a tail: it may
// begin in the middle of a character.
func (c codec) fromLine(tail []byte, size int64) []byte {
	if c.unit > 0 {
		// A mark is one unit long.
		for len(tail) > 0 && (size-int64(len(tail)))%int64(c.unit) != 0 {
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

// fromSecret returns a tail with all of the secret that it begins in the middle
// of, if it does: what is left of one does not tell what it is.
func (c codec) fromSecret(r reading, tail string) string {
	all, _ := c.decode(c.fromLine(slices.Concat(r.lead, r.tail), r.size))
	if !strings.HasSuffix(all, tail) {
		return tail
	}
	begin := len(all) - len(tail)
	first := begin
	for _, f := range access.ScanString("", all[:min(len(all), begin+margin)]) {
		if f.Start < begin && f.End > begin {
			first = min(first, f.Start)
		}
	}
	return all[first:]
}
