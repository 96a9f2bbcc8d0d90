package terminal

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Show makes control characters visible, except for line ends and tabs, and
// replaces bytes that are not UTF-8, so that a terminal obeys none of them.
func Show(text string) string {
	harmless := func(r rune) bool {
		return r == '\n' || r == '\t' || unicode.IsPrint(r) && r != utf8.RuneError || r == '\u00a0' || r == '\u3000' || r == '\u200d' || r == '\ufe0f'
	}
	if isPlain(text) || strings.IndexFunc(text, func(r rune) bool { return !harmless(r) }) < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case harmless(r):
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(text[i:], "\r\n"):
			// a line end like any other
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

// isPlain reports whether text is nothing but ASCII that a terminal prints, as
// most is, and quickly.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}
