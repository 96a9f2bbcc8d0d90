package zed

import (
	"strings"
	"unicode/utf8"
)

const upperHex = "0123456789ABCDEF"

func appendEscape(to []byte, c byte) []byte {
	return append(to, '%', upperHex[c>>4], upperHex[c&15])
}

// standsInPath tells the characters that the URL standard leaves alone in a
// path. A percent sign is left alone too: it may begin an escape.
func standsInPath(c byte) bool {
	return c > ' ' && c < 0x7f && !strings.ContainsRune("\"#<>?^`{}", rune(c))
}

// escapeName writes text, which is not escaped yet, as part of a path. A
// backslash is escaped because in a file URI it would read as a slash.
func escapeName(text string) string {
	to := make([]byte, 0, len(text)+8)
	for i := range len(text) {
		if c := text[i]; standsInPath(c) && c != '%' && c != '\\' {
			to = append(to, c)
		} else {
			to = appendEscape(to, c)
		}
	}
	return string(to)
}

// escapeForm writes text as a value in a query, as an HTML form would.
func escapeForm(text string) string {
	to := make([]byte, 0, len(text)+8)
	for i := range len(text) {
		switch c := text[i]; {
		case c == ' ':
			to = append(to, '+')
		case isLetter(c), '0' <= c && c <= '9', strings.IndexByte("*-._", c) >= 0:
			to = append(to, c)
		default:
			to = appendEscape(to, c)
		}
	}
	return string(to)
}

// unescape decodes %XX wherever two hexadecimal digits follow, unless keep
// says that the byte stays escaped. Anything else is left as it is.
func unescape(text string, keep func(byte) bool) string {
	if strings.IndexByte(text, '%') < 0 {
		return text
	}
	to := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			high, ok1 := unhex(text[i+1])
			low, ok2 := unhex(text[i+2])
			if c := high<<4 | low; ok1 && ok2 && !keep(c) {
				to = append(to, c)
				i += 2
				continue
			}
		}
		to = append(to, text[i])
	}
	return string(to)
}

func unhex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// unescapePath decodes the path of a URI. What does not decode to UTF-8 is no
// name that Zed could have written, and stays as it is.
func unescapePath(text string) string {
	return unescapeUTF8(text, func(byte) bool { return false })
}

// unescapeLink decodes the path of a link. Escaped separators stay escaped, so
// that ..%2F.. does not become a way out of a folder.
func unescapeLink(text string) string {
	return unescapeUTF8(text, func(c byte) bool { return c == '/' || c == '\\' })
}

func unescapeUTF8(text string, keep func(byte) bool) string {
	if decoded := unescape(text, keep); utf8.ValidString(decoded) {
		return decoded
	}
	return text
}

// pair is one name=value of a query.
type pair struct{ name, value string }

// parseForm reads a query as an HTML form would write it.
func parseForm(query string) []pair {
	var pairs []pair
	for part := range strings.SplitSeq(query, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, pair{unescapeForm(name), unescapeForm(value)})
	}
	return pairs
}

func unescapeForm(text string) string {
	text = unescape(strings.ReplaceAll(text, "+", " "), func(byte) bool { return false })
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	return text
}
