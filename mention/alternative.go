package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// alternatives returns the other ways to read a token, best first. They all
// stay within the token, so none passes white space.
func (f *finder) alternatives(t token, m Mention, suffixed bool) []Reading {
	switch m.(type) {
	case File, Directory, Glob, Selection, Symbol:
	default:
		return nil
	}
	var readings []Reading
	add := func(alternative Mention, end int) {
		if alternative == nil || alternative == m {
			return
		}
		for _, r := range readings {
			if r.Mention == alternative {
				return
			}
		}
		readings = append(readings, Reading{alternative, end})
	}
	token := f.text[t.start:t.end]

	if suffixed {
		// The colon or the hash may belong to the name.
		whole := splitNamespace(token)
		whole.path = unescape(whole.path)
		add(whole.plain(), t.end)
	}
	if end := cutToken(token); end > 0 {
		shorter, _ := interpret(token[:end])
		add(shorter, t.start+end)
	}
	if untrimmed := f.text[t.start:t.rawEnd]; len(untrimmed) > len(token) {
		longer, _ := interpret(untrimmed)
		if longer == nil {
			longer = place{path: unescape(untrimmed)}.plain()
		}
		add(longer, t.rawEnd)
	}
	return readings
}

// cutToken returns where a token may already end: after a well-known file
// extension that something follows which is rarely part of a name, after line
// numbers that letters follow, or before marks of emphasis. It is zero if
// there is no such place.
func cutToken(token string) int {
	for i := 0; i < len(token); i++ {
		switch c := token[i]; {
		case c == '.':
			end := i + 1
			for end < len(token) && (isLetter(token[end]) || isDigit(token[end])) {
				end++
			}
			if end < len(token) && isKnownExtension(token[i+1:end]) && followsName(token[end:]) {
				return end
			}
		case c == ':' && i > 0:
			end := i + 1
			for end < len(token) && (isDigit(token[end]) || token[end] == '-' && isDigit(token[end-1])) {
				end++
			}
			if end < len(token) && isDigit(token[end-1]) {
				if _, ok := parseLines(token[i:end]); ok && token[end] != ':' {
					return end
				}
			}
		}
	}
	if end := len(strings.TrimRight(token, "*_~")); end < len(token) {
		return end
	}
	return 0
}

// followsName reports whether rest, directly after a file extension, is more
// likely no part of the name: a bracket, another sign, emphasis up to the end,
// a colon without line numbers, or letters of another script.
func followsName(rest string) bool {
	switch c := rest[0]; c {
	case '(', '[', '{', '@', '=', '&', '+':
		return true
	case ':':
		// With a digit lines were meant, and they must not become all lines.
		return len(rest) > 1 && !isDigit(rest[1])
	case '*', '_', '~':
		return strings.Trim(rest, "*_~") == ""
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return r >= utf8.RuneSelf && unicode.IsLetter(r)
}
