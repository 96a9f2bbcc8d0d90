package symbol

import (
	"strings"
	"unicode/utf8"
)

// special passes over what only some languages have.
func (s *scanner) special(c byte) bool {
	switch {
	case c == '\'' && s.char:
		s.character()
		return true
	case c == '/' && s.regex && s.value():
		s.pattern()
		return true
	case c == '<' && s.here != "" && s.has(s.here):
		return s.hereWord()
	case c == '[' && s.longBracket:
		if end, ok := s.long(s.at); ok {
			s.to(end, inString)
			return true
		}
	case c == 'R' && s.rawBracket && s.has(`R"`):
		if delimiter, _, ok := strings.Cut(s.text[s.at+2:min(s.at+20, len(s.text))], "("); ok && !strings.ContainsAny(delimiter, " \t\n\\)\"") {
			s.to(s.after(s.at+2, ")"+delimiter+`"`), inString)
			return true
		}
	case s.raw != "" && c == s.raw[0]:
		return s.rawString()
	}
	return false
}

// character passes over a character, or over a quote that begins none.
func (s *scanner) character() {
	rest := s.text[s.at+1:]
	_, size := utf8.DecodeRuneInString(rest)
	switch {
	case strings.HasPrefix(rest, `\`):
		s.to(s.at+1, inString)
		s.rest(quote{close: `'`})
	case strings.HasPrefix(rest[size:], "'") && rest[0] != '\n':
		s.to(s.at+1+size+1, inString)
	default:
		s.last = s.at
		s.to(s.at+1, inCode)
	}
}

// rawString passes over a string that only the same number of # ends.
func (s *scanner) rawString() bool {
	hashes := s.at
	if s.raw != "#" {
		if hashes++; s.at > 0 && isWordByte(s.text[s.at-1]) && s.text[s.at-1] != 'b' && s.text[s.at-1] != 'c' {
			return false
		}
	}
	from := hashes
	for from < len(s.text) && s.text[from] == '#' && from-hashes < 256 {
		from++
	}
	s.steps += from - hashes
	if from == len(s.text) || s.text[from] != '"' {
		if from > s.at { // no # of these begins one
			s.last = from - 1
			s.to(from, inCode)
			return true
		}
		return false
	}
	mark := `"`
	if s.raw == "#" && strings.HasPrefix(s.text[from:], `"""`) {
		mark = `"""`
	}
	s.to(s.after(from+len(mark), mark+s.text[hashes:from]), inString)
	return true
}

// long is the place after a long bracket of Lua, [==[ ... ]==].
func (s *scanner) long(from int) (end int, ok bool) {
	at := from
	if at >= len(s.text) || s.text[at] != '[' {
		return 0, false
	}
	for at++; at < len(s.text) && s.text[at] == '=' && at-from < 256; at++ {
		s.steps++
	}
	if at >= len(s.text) || s.text[at] != '[' {
		return 0, false
	}
	return s.after(at+1, "]"+s.text[from+1:at]+"]"), true
}

// value reports whether a value begins here, and no division is meant.
func (s *scanner) value() bool {
	if s.last < 0 {
		return true
	}
	before := s.text[:s.last+1]
	switch c := before[s.last]; {
	case isWordByte(c):
		word := before[max(0, len(before)-12):]
		word = word[strings.LastIndexFunc(word, func(r rune) bool { return r > 127 || !isWordByte(byte(r)) })+1:]
		switch word {
		case "return", "typeof", "case", "in", "of", "delete", "void", "throw", "new", "else", "do", "yield", "await":
			return true
		}
		return false
	case c == '>':
		return strings.HasSuffix(before, "=>")
	case c == '+' || c == '-':
		return !strings.HasSuffix(before, "++") && !strings.HasSuffix(before, "--")
	default:
		return strings.IndexByte("(,=:[!&|?{;*%~^", c) >= 0
	}
}

// pattern passes over a regular expression.
func (s *scanner) pattern() {
	end, class := s.at+1, false
	for end < len(s.text) && s.text[end] != '\n' && (class || s.text[end] != '/') {
		switch s.text[end] {
		case '\\':
			if end+1 < len(s.text) && s.text[end+1] != '\n' {
				end++
			}
		case '[':
			class = true
		case ']':
			class = false
		}
		end++
	}
	if end < len(s.text) && s.text[end] == '/' {
		end++
	}
	s.to(end, inString)
}
