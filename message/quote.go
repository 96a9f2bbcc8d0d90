package message

import (
	"math/bits"
	"slices"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// appendString writes text as a JSON string. JSON is UTF-8 and cannot say
// anything else: each byte that is not becomes U+FFFD. The result is that of
// [jsontext.AppendQuote], which a test holds.
func appendString(out []byte, text string) []byte {
	return append(appendEscaped(append(out, '"'), text), '"')
}

// appendEscaped writes the inside of a JSON string. Most text is long and needs
// few escapes, so what needs none is copied as it stands.
func appendEscaped(out []byte, text string) []byte {
	start := len(out)
	out = slices.Grow(out, len(text)+len(text)/16+1)
	done, valid := 0, false
	for i := 0; ; i++ {
		i = skipPlain(text, i, valid)
		if i < len(text) && text[i] >= utf8.RuneSelf {
			if valid = utf8.ValidString(text[i:]); !valid {
				// Its only error tells of such bytes.
				out, _ = jsontext.AppendQuote(out[:start], text)
				return append(out[:start], out[start+1:len(out)-1]...)
			}
			i = skipPlain(text, i, valid)
		}
		if i == len(text) {
			return append(out, text[done:]...)
		}
		c := text[i]
		out = append(out, text[done:i]...)
		done = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\b':
			out = append(out, `\b`...)
		case '\f':
			out = append(out, `\f`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		default:
			const digits = "0123456789abcdef"
			out = append(out, `\u00`...)
			out = append(out, digits[c>>4], digits[c&15])
		}
	}
}

// skipPlain returns where the first byte from i on is that has to be escaped,
// or, unless wide ones pass, that is not ASCII. It looks at eight bytes at once.
func skipPlain(text string, i int, pass bool) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	stop := uint64(high)
	if pass {
		stop = 0
	}
	for ; i+8 <= len(text); i += 8 {
		b := text[i : i+8]
		word := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		// A difference borrows from the next byte only where its own is one
		// that is looked for, and the first is all that counts.
		quote, backslash := word^ones*'"', word^ones*'\\'
		found := ((word-ones*' ')&^word|(quote-ones)&^quote|(backslash-ones)&^backslash)&high | word&stop
		if found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf && !pass {
			break
		}
	}
	return i
}
