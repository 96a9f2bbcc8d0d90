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
		for _, whole := range wholes(token) {
			add(whole.plain(), t.end)
		}
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

// wholes returns where a token is that has neither lines nor a symbol: in its
// namespace, or with the colon in its name.
func wholes(token string) []place {
	p := splitNamespace(token)
	if path, called := strings.CutPrefix(token, "file:"); called {
		p = calledFile(path)
	}
	if !isDrive(p.path) { // where a backslash is a separator
		p.path = unescape(p.path)
	}
	if p.namespace == "" || isPrefix(p.namespace) {
		return []place{p}
	}
	return []place{p, {path: unescape(token)}}
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
				if _, ok := parseLines(token[i:end]); ok && token[end] != ':' && !goesOn(token[end:]) {
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

// goesOn reports whether rest, directly after a line number, is the rest of a
// range that is spelled otherwise, such as ..20 or –20: one line of it is not
// what was meant.
func goesOn(rest string) bool {
	after := strings.TrimLeft(rest, "./~+&–−")
	return after != rest && looksLikeLines(after)
}

// followsName reports whether rest, directly after a file extension, is more
// likely no part of the name: a bracket, another sign, emphasis up to the end,
// a colon without line numbers, or letters of another script.
func followsName(rest string) bool {
	switch c := rest[0]; c {
	case '(', '[', '{', '@', '=', '&', '+':
		return true
	case ':':
		// Where lines were meant they must not become all lines.
		return len(rest) > 1 && !looksLikeLines(rest[1:])
	case '*', '_', '~':
		return strings.Trim(rest, "*_~") == ""
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return r >= utf8.RuneSelf && unicode.IsLetter(r)
}
