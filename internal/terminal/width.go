package terminal

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Width is how many columns text takes. Our own styles, which are the only
// escapes in it, take none.
func Width(text string) int {
	n := 0
	for i := 0; i < len(text); {
		if text[i] == '\x1b' {
			end := strings.IndexByte(text[i:], 'm')
			if end < 0 {
				return n
			}
			i += end + 1
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		n += RuneWidth(r)
		i += size
	}
	return n
}

// RuneWidth is how many columns one character takes.
func RuneWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r < 0x1100:
		return 1
	case r <= 0x115f, 0x2e80 <= r && r <= 0x303e, 0x3041 <= r && r <= 0xa4cf, 0xac00 <= r && r <= 0xd7a3, 0xf900 <= r && r <= 0xfaff,
		0xfe30 <= r && r <= 0xfe6f, 0xff00 <= r && r <= 0xff60, 0xffe0 <= r && r <= 0xffe6, 0x1f300 <= r && r <= 0x1f64f,
		0x1f680 <= r && r <= 0x1f6ff, 0x1f900 <= r && r <= 0x1faff, 0x20000 <= r && r <= 0x3fffd:
		return 2
	}
	return 1
}
