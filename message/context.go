package message

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// blockName is the name of the block. A name that content must not use has to
// be found in every disguise; see disguise.go.
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
//     slashes, with characters in between that cannot be seen, with letters that
//     look like its letters, and with any of them written as &#47; or &sol;. Where
//     the content itself has &lt;, &#60;, &amp;lt; and so on before the rest of such
//     a tag, one amp; more goes in. All other content is byte for byte what it was.
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
