package symbol

import (
	"strings"
	"unicode/utf8"
)

// code returns a text of the same length in which each string is written as
// quotes and each comment as blanks, with the line breaks as they are, and for
// each line whether it begins in a string or in a comment. What is not ended ends
// with the text, or with the line if it may not go over lines.
func code(text string, t *tongue) (masked string, begins []byte) {
	s := newScanner(text, t)
	s.scan()
	return string(s.masked), s.begins
}

// What a line begins in, and what a byte is: for all but code, what stands for it.
const (
	inCode    = 0
	inComment = ' '
	inString  = '"'
)

// scanner passes over a text once.
type scanner struct {
	*tongue
	text   string
	at     int
	masked []byte
	begins []byte
	// open are the strings that the code at hand stands in.
	open []inner
	// last is the place of the last byte of code that is no blank.
	last int
	// waiting are the words up to which texts go that begin below.
	waiting []string
	// ends is where the last line is that is a word. It is made when it is needed.
	ends map[string]int
	// marks are the bytes that may begin something else than code.
	marks [256]bool
	// steps are the bytes that were looked at, those twice that were twice.
	steps int
}

// inner is code in a string.
type inner struct {
	quote quote
	// depth is how many brackets are open in it.
	depth int
}

func newScanner(text string, t *tongue) *scanner {
	s := &scanner{tongue: t, text: text, masked: []byte(text), begins: []byte{inCode}, last: -1}
	first := []string{"\n", " ", "\t", "\r", "\\", "(", ")", "{", "}", "[", "?", "'", "/", "=", "R", t.raw, t.here, t.block[0]}
	for _, q := range t.quotes {
		first = append(first, q.open)
	}
	for _, mark := range append(first, t.line...) {
		if mark != "" {
			s.marks[mark[0]] = true
		}
	}
	return s
}

func (s *scanner) scan() {
	s.page()
	for s.at < len(s.text) {
		s.steps++
		c := s.text[s.at]
		switch {
		case !s.marks[c]:
			end := s.at + 1
			for end < len(s.text) && !s.marks[s.text[end]] {
				end++
			}
			s.last = end - 1
			s.to(end, inCode)
		case c == '\n':
			s.to(s.at+1, inCode)
			s.hereLines()
		case c == ' ' || c == '\t' || c == '\r':
			s.to(s.at+1, inCode)
		case c == '\\':
			s.to(s.escaped(), inCode)
		case s.pages && s.has("?>"):
			s.to(s.at+2, inCode)
			s.page()
		case s.comment() || s.special(c):
		default:
			if q, ok := s.opens(); ok {
				s.to(s.at+len(q.open), inString)
				s.rest(*q)
				continue
			}
			s.last = s.at
			s.bracket(c)
		}
	}
}

// to passes over what is before a place, which is of one kind.
func (s *scanner) to(end int, kind byte) {
	end = min(end, len(s.text))
	if kind == inString {
		s.last = end - 1
	}
	if len(s.open) > 0 { // code in a string is part of the string
		kind = inString
	}
	s.steps += end - s.at
	for ; s.at < end; s.at++ {
		if s.text[s.at] == '\n' {
			s.begins = append(s.begins, kind)
		} else if kind != inCode {
			s.masked[s.at] = kind
		}
	}
}

func (s *scanner) has(mark string) bool { return strings.HasPrefix(s.text[s.at:], mark) }

// after is the place after the next occurrence of a mark, or the end of the text.
func (s *scanner) after(from int, mark string) int {
	if from = min(from, len(s.text)); mark == "" {
		return len(s.text)
	}
	if next := strings.Index(s.text[from:], mark); next >= 0 {
		return from + next + len(mark)
	}
	return len(s.text)
}

// escaped is the place after a backslash and what it stands before.
func (s *scanner) escaped() int {
	if strings.HasPrefix(s.text[s.at+1:], "\r\n") {
		return s.at + 3
	}
	return s.at + 2
}

// page passes over what is around the code of a page.
func (s *scanner) page() {
	if s.pages {
		s.to(s.after(s.at, "<?"), inCode)
	}
}

// comment passes over the comment that begins here, if one does.
func (s *scanner) comment() bool {
	if s.block[0] != "" && s.has(s.block[0]) {
		s.blockComment()
		return true
	}
	if s.begin && s.has("=begin") && s.lineStart() {
		s.to(s.after(s.after(s.at, "\n=end"), "\n"), inComment)
		s.begins[len(s.begins)-1] = inCode
		return true
	}
	for _, mark := range s.line {
		if !s.has(mark) || mark == "#" && !s.hash() {
			continue
		}
		if s.longBracket {
			if end, ok := s.long(s.at + len(mark)); ok {
				s.to(end, inComment)
				return true
			}
		}
		end := len(s.text)
		if next := strings.IndexByte(s.text[s.at:], '\n'); next >= 0 {
			end = s.at + next
		}
		if s.pages {
			if next := strings.Index(s.text[s.at:end], "?>"); next >= 0 {
				end = s.at + next
			}
		}
		s.to(end, inComment)
		return true
	}
	return false
}

func (s *scanner) lineStart() bool { return s.at == 0 || s.text[s.at-1] == '\n' }

// hash reports whether a # begins a comment.
func (s *scanner) hash() bool {
	if s.pages && s.has("#[") {
		return false
	}
	return !s.words || s.at == 0 || strings.IndexByte(" \t\r\n;|&()", s.text[s.at-1]) >= 0
}

func (s *scanner) blockComment() {
	end := s.at + len(s.block[0])
	for depth := 1; depth > 0 && end < len(s.text); {
		s.steps++
		switch {
		case strings.HasPrefix(s.text[end:], s.block[1]):
			depth--
			end += len(s.block[1])
		case s.nested && strings.HasPrefix(s.text[end:], s.block[0]):
			depth++
			end += len(s.block[0])
		default:
			end++
		}
	}
	s.to(end, inComment)
}

// opens returns how the string is written that begins here.
func (s *scanner) opens() (*quote, bool) {
	for i := range s.quotes {
		q := &s.quotes[i]
		if q.open[0] == s.text[s.at] && s.has(q.open) && (!isWordByte(q.open[0]) || s.at == 0 || !isWordByte(s.text[s.at-1])) {
			return q, true
		}
	}
	return nil, false
}

// rest passes over what is left of a string, up to code in it.
func (s *scanner) rest(q quote) {
	for s.at < len(s.text) {
		s.steps++
		switch {
		case s.text[s.at] == '\\' && !q.plain:
			s.to(s.escaped(), inString)
		case s.has(q.close):
			if q.doubled && s.has(q.close+q.close) {
				s.to(s.at+2*len(q.close), inString)
				continue
			}
			s.to(s.at+len(q.close), inString)
			return
		case s.text[s.at] == '\n' && !q.lines:
			return
		case q.inner != "" && s.has(q.inner):
			s.to(s.at+len(q.inner), inString)
			s.open = append(s.open, inner{quote: q, depth: 1})
			return
		default:
			end := s.at + 1
			for end < len(s.text) && !q.ends(s.text[end]) {
				end++
			}
			s.to(end, inString)
		}
	}
}

// ends reports whether a byte may mean something in a string.
func (q *quote) ends(c byte) bool {
	return c == q.close[0] || c == '\\' || c == '\n' || q.inner != "" && c == q.inner[0]
}

// bracket passes over a byte of code, and goes back into the string whose code it
// ends.
func (s *scanner) bracket(c byte) {
	s.to(s.at+1, inCode)
	if len(s.open) == 0 {
		return
	}
	top := &s.open[len(s.open)-1]
	opening := top.quote.inner[len(top.quote.inner)-1]
	switch {
	case c == opening:
		top.depth++
	case c == '}' && opening == '{' || c == ')' && opening == '(':
		if top.depth--; top.depth == 0 {
			q := top.quote
			s.open = s.open[:len(s.open)-1]
			s.rest(q)
		}
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}
