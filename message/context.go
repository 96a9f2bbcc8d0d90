package message

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blockName is the name of the block. A name that content must not use has to
// be found in every disguise; see beginsTag.
const blockName = "context_file"

// Render writes the context as the model reads it:
//
//	<context_file paths="docs/api.md">
//	the content
//	</context_file>
//
// Further attributes stand after the paths, only where they apply: kind, lines,
// symbol, shown, changed-since. The opening tag is one line; the content begins
// after its newline and ends before the newline of the closing tag, so that
// content with and without a final newline differ.
//
// Everything can be read back:
//
//   - Paths are separated by ", ". A comma that is followed by a space inside a
//     path is written &#44;, so that a reader splits first and unescapes after.
//   - In attributes & " < > are written &amp; &quot; &lt; &gt;. Characters that
//     cannot be seen, or that move what can be seen (control characters,
//     terminal escapes, newlines, spaces other than the common one, text
//     direction marks) are written as their number, &#27; for escape. A byte
//     that is not UTF-8 is written &byteFF;.
//   - In content, a < that would begin a tag of this block, opening or closing,
//     is written &lt;. It does so in any case and spacing, with any number of
//     slashes, and with characters in between that cannot be seen. Where the
//     content itself has &lt;, &amp;lt; and so on before the rest of such a tag,
//     one more amp; goes in. All other content is byte for byte what it was.
func (c Context) Render() string {
	var b strings.Builder
	b.Grow(len(c.Text) + 128)
	c.writeOpening(&b)
	writeContent(&b, c.Text)
	b.WriteString(closing)
	return b.String()
}

// closing ends a block.
const closing = "\n</" + blockName + ">"

// writeOpening writes the tag that opens the block, and its line end.
func (c Context) writeOpening(b *strings.Builder) {
	b.WriteString("<" + blockName)
	if len(c.Names) > 0 {
		b.WriteString(` paths="`)
		for i, name := range c.Names {
			if i > 0 {
				b.WriteString(", ")
			}
			writeAttribute(b, name, true)
		}
		b.WriteByte('"')
	}
	for _, attribute := range [...]struct{ name, value string }{
		{"kind", string(c.Kind)},
		{"lines", c.Lines},
		{"symbol", c.Symbol},
		{"shown", c.Shown},
		{"changed-since", c.ChangedSince},
	} {
		if attribute.value != "" {
			b.WriteString(" " + attribute.name + `="`)
			writeAttribute(b, attribute.value, false)
			b.WriteByte('"')
		}
	}
	b.WriteString(">\n")
}

// writeAttribute escapes a value; listed means that it stands in a list that is
// separated by ", ".
func writeAttribute(b *strings.Builder, value string, listed bool) {
	for i, r := range value {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(value[i:], string(utf8.RuneError)):
			b.WriteString("&byte")
			b.WriteString(strings.ToUpper(strconv.FormatUint(uint64(value[i]), 16)))
			b.WriteByte(';')
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == ',' && listed && strings.HasPrefix(value[i+1:], " "),
			r != ' ' && !unicode.IsGraphic(r), r != ' ' && unicode.IsSpace(r):
			b.WriteString("&#" + strconv.Itoa(int(r)) + ";")
		default:
			b.WriteRune(r)
		}
	}
}

// writeContent writes content so that it has no tag of the block.
func writeContent(b *strings.Builder, content string) {
	if isHarmless(content) {
		b.WriteString(content)
		return
	}
	done := 0
	for i := 0; i < len(content); i++ {
		switch content[i] {
		case '<', '&', "\uFF1C"[0]: // what an opener may begin with
		default:
			continue
		}
		replaced, escape, size := opener(content[i:])
		if size == 0 || !beginsTag(content[i+size:]) {
			continue
		}
		b.WriteString(content[done:i])
		b.WriteString(escape)
		done = i + replaced
		i += size - 1
	}
	b.WriteString(content[done:])
}

// isHarmless reports whether content has nothing that a tag could begin with.
func isHarmless(content string) bool {
	return strings.IndexByte(content, '<') < 0 && strings.IndexByte(content, '&') < 0 && strings.IndexByte(content, "\uFF1C"[0]) < 0
}

// opener reads what may begin a tag at the start of text: a less-than sign, or
// an escaped one, or one of the two compatibility forms of it. Its first bytes,
// replaced of them, give way to escape; size is the length of the whole, zero if
// there is no opener.
func opener(text string) (replaced int, escape string, size int) {
	for _, sign := range [...]struct{ plain, escaped string }{
		{"<", "&lt;"}, {"\uFF1C", "&#65308;"}, {"\uFE64", "&#65124;"},
	} {
		if strings.HasPrefix(text, sign.plain) {
			return len(sign.plain), sign.escaped, len(sign.plain)
		}
		level := len("&")
		if !strings.HasPrefix(text, "&") {
			continue
		}
		for strings.HasPrefix(text[level:], "amp;") {
			level += len("amp;")
		}
		if name := sign.escaped[1:]; strings.HasPrefix(text[level:], name) {
			return len("&"), "&amp;", level + len(name)
		}
	}
	return 0, "", 0
}

// beginsTag reports whether text, which follows an opener, goes on as a tag of
// the block, in any disguise that a lenient reader might see through: case,
// spacing, slashes, invisible characters, full-width letters, the commonest
// look-alikes.
func beginsTag(text string) bool {
	name := blockName
	for _, r := range text {
		r = plain(r)
		switch {
		case name == "":
			// A longer name is another tag.
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || invisible(r)
		case r == rune(name[0]):
			name = name[1:]
		case invisible(r), len(name) == len(blockName) && isSlash(r):
		case name[0] == '_' && r == '-':
			name = name[1:]
		default:
			return false
		}
	}
	return name == ""
}

// plain returns the ASCII letter that r is a form of, in lower case.
func plain(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	if 0xFF01 <= r && r <= 0xFF5E { // full-width forms
		return plain(r - 0xFEE0)
	}
	switch unicode.ToLower(r) {
	case 'с', 'ϲ': // Cyrillic es, Greek lunate sigma
		return 'c'
	case 'о', 'ο': // Cyrillic, Greek
		return 'o'
	case 'т', 'τ':
		return 't'
	case 'е', 'ε':
		return 'e'
	case 'х', 'χ', '×':
		return 'x'
	case 'і', 'ι', 'ı':
		return 'i'
	case 'ӏ', 'ⅼ':
		return 'l'
	}
	return r
}

func isSlash(r rune) bool {
	switch r {
	case '/', '\\', '\u2044', '\u2215', '\u29F8', '\uFF0F', '\uFF3C':
		return true
	}
	return false
}

// invisible reports whether r is white space, a control, a character that takes
// no room, or the replacement character, which stands for a byte that is not
// UTF-8 and that many readers drop.
func invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7F
	}
	return unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z, unicode.Mn, unicode.Me) ||
		r == utf8.RuneError || r == '\u115F' || r == '\u1160' || r == '\u3164' || r == '\uFFA0' // Hangul fillers
}
