package terminal

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The styles of rendered Markdown.
const (
	plain     = "\x1b[0m"
	bold      = "\x1b[1m"
	faint     = "\x1b[2m"
	italic    = "\x1b[3m"
	underline = "\x1b[4m"
	codeStyle = "\x1b[36m"
)

// inline is what the text is emphasised by at the moment.
type inline struct {
	bold, italic, code, heading bool
	// ticks is how many backticks end the code.
	ticks int
	// bare says that there are no styles, and marks stay.
	bare bool
}

// style begins whatever holds now.
func (s inline) style() string {
	text := ""
	if s.bold || s.heading {
		text += bold
	}
	if s.italic {
		text += italic
	}
	if s.code {
		text += codeStyle
	}
	return text
}

// lineEnd is called at the end of a line: code that models leave open would
// colour the rest.
func (s *inline) lineEnd() { s.code, s.ticks = false, 0 }

// render returns a word with its marks turned into styles. Next is what follows
// the word.
func (s *inline) render(word string, next rune) string {
	var b strings.Builder
	b.WriteString(s.style())
	before := ' '
	for i := 0; i < len(word); {
		size := 1
		after := next
		switch c := word[i]; {
		case c == '`':
			size = run(word[i:], '`')
			isMark := !s.code || size == s.ticks
			switch {
			case !s.code:
				s.code, s.ticks = true, size
			case isMark:
				s.code, s.ticks = false, 0
			}
			if s.bare || !isMark {
				b.WriteString(word[i : i+size])
			}
			b.WriteString(plain + s.style())
		case s.code:
			size = plainRun(word[i:], "`")
			b.WriteString(Show(word[i : i+size]))
		case c == '\\' && i+1 < len(word) && word[i+1] < utf8.RuneSelf && unicode.IsPunct(rune(word[i+1])):
			size = 2
			if s.bare {
				b.WriteByte(c) // without it the mark would emphasise
			}
			b.WriteByte(word[i+1])
		case c == '*' || c == '_':
			size = min(run(word[i:], c), 3)
			if i+size < len(word) {
				after, _ = utf8.DecodeRuneInString(word[i+size:])
			}
			isMark := s.toggle(c, size, before, after)
			if s.bare || !isMark {
				b.WriteString(word[i : i+size])
			}
			if isMark {
				b.WriteString(plain + s.style())
			}
		default:
			size = plainRun(word[i:], "`\\*_")
			b.WriteString(Show(unescaped(word[i : i+size])))
		}
		before, _ = utf8.DecodeLastRuneInString(word[:i+size])
		i += size
	}
	if s.style() != "" || strings.Contains(b.String(), "\x1b") {
		b.WriteString(plain)
	}
	return b.String()
}

// unescaped reads the character references in a word that end in a semicolon. Those
// without are what addresses have between their parts.
func unescaped(word string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(word, '&')
		if at < 0 {
			b.WriteString(word)
			return b.String()
		}
		b.WriteString(word[:at])
		word = word[at:]
		reference := word[:1]
		if end := strings.IndexByte(word, ';'); end > 0 && !strings.Contains(word[1:end], "&") {
			if read := html.UnescapeString(word[:end+1]); !strings.HasSuffix(read, ";") && !strings.ContainsAny(read, "\n\r\t") {
				b.WriteString(read)
				word = word[end+1:]
				continue
			}
		}
		b.WriteString(reference)
		word = word[1:]
	}
}

// unstyled takes the styles out of what was rendered. No other escape sequence is
// in there.
func unstyled(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "\x1b")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, text, _ = strings.Cut(after, "m")
	}
}

// toggle begins or ends an emphasis, if a run of marks can do either where it
// stands.
func (s *inline) toggle(mark byte, size int, before, after rune) bool {
	opens := !unicode.IsSpace(after) && (!unicode.IsPunct(after) || unicode.IsSpace(before) || unicode.IsPunct(before))
	closes := !unicode.IsSpace(before) && (!unicode.IsPunct(before) || unicode.IsSpace(after) || unicode.IsPunct(after))
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	// In a word a star may open an emphasis; in the answer of a model it is a
	// multiplication.
	opens = opens && !isWord(before)
	closes = closes && (mark == '*' || !isWord(after))
	if size == 1 || size == 3 {
		if s.italic && !closes || !s.italic && !opens {
			return false
		}
		s.italic = !s.italic
	}
	if size >= 2 {
		if s.bold && !closes || !s.bold && !opens {
			return false
		}
		s.bold = !s.bold
	}
	return true
}

// run counts how often a byte stands at the start of text.
func run(text string, c byte) int {
	return len(text) - len(strings.TrimLeft(text, string(c)))
}

// plainRun is how long text goes on without one of the marks; at least one
// character.
func plainRun(text, marks string) int {
	_, first := utf8.DecodeRuneInString(text)
	if i := strings.IndexAny(text[first:], marks); i >= 0 {
		return first + i
	}
	return len(text)
}

// longestLabel and longestAddress bound how long a link is waited for.
const longestLabel, longestAddress = 300, 2000

// link reads [label](address) at the start of text. The size is zero if there is
// none, and negative if what has come so far may become one.
func link(text string) (label, address string, size int) {
	if text == "" || text[0] != '[' {
		return "", "", 0
	}
	end := strings.IndexAny(text[1:], "[]") + 1
	switch {
	case end > longestLabel || end == 0 && len(text) > longestLabel:
		return "", "", 0
	case end == 0 || end == len(text)-1 && text[end] == ']':
		return "", "", -1
	case text[end] == '[' || text[end+1] != '(' || strings.TrimSpace(text[1:end]) == "":
		return "", "", 0
	}
	depth := 0
	for i := end + 2; i < len(text) && i < end+longestAddress; i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth == 0 {
				return text[1:end], text[end+2 : i], i + 1
			}
			depth--
		case ' ':
			return "", "", 0
		}
	}
	if len(text) < end+longestAddress {
		return "", "", -1
	}
	return "", "", 0
}
