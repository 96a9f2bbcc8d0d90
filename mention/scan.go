package mention

import (
	"strings"
	"unicode/utf8"
)

// token is a mention without quotes, text[start:end]. Up to rawEnd there is
// punctuation that the sentence probably owns.
type token struct {
	start, end, rawEnd int
}

// token scans from the character after the one at the given offset, an @ or
// the sign of a suffix, to where a mention without quotes ends.
func (f *finder) token(at int) token {
	t := token{start: at + 1}
	f.open = f.open[:0]
	literal := isDrive(f.text[t.start:]) || hasScheme(f.text[t.start:])
	t.rawEnd = f.scan(t.start, literal)
	t.end = f.trim(at, t.start, t.rawEnd, literal)
	return t
}

// scan returns where the token that begins at start ends, before any of its
// trailing punctuation is taken off. Where backslashes are literal, they
// escape nothing.
func (f *finder) scan(start int, literal bool) int {
	text, i := f.text, start
	for i < len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(text[i:])
			if endsMention(r) {
				break
			}
			i += size
			continue
		}
		class := classes[c]
		if class&special == 0 {
			i++
			continue
		}
		if class&endsToken != 0 {
			break
		}
		switch c {
		case '\\':
			if !literal && i+1 < len(text) && isEscapable(text[i+1]) {
				i++
			}
		case '(', '[', '{':
			f.open = append(f.open, i)
		case ')', ']', '}':
			n := len(f.open)
			if n == 0 || closing(text[f.open[n-1]]) != c {
				f.steps += i - start
				return i
			}
			f.open = f.open[:n-1]
		}
		i++
	}
	f.steps += i - start
	return i
}

// trim takes off what belongs to the sentence: full stops and the like,
// brackets that were opened and not closed, and emphasis that also stands
// directly before the sign at the given offset.
func (f *finder) trim(at, start, end int, literal bool) int {
	emphasis := emphasisBefore(f.text[:at])
	for end > start {
		c := f.text[end-1]
		switch {
		case !literal && isEscaped(f.text[start:end-1]):
			return end
		case c == '.' && strings.HasSuffix(f.text[start:end], "/..") && !strings.HasSuffix(f.text[start:end], "/..."):
			return end // @../.. is a folder
		case c == '.' || c == ':' || c == '!' || c == '?':
		case c == '(' || c == '[' || c == '{':
			n := len(f.open)
			if n == 0 || f.open[n-1] != end-1 {
				return end
			}
			f.open = f.open[:n-1]
		case c == '*' && emphasis.stars > 0:
			emphasis.stars--
		case c == '_' && emphasis.underscores > 0:
			emphasis.underscores--
		case c == '~' && emphasis.tildes > 0:
			emphasis.tildes--
		default:
			return end
		}
		end--
		f.steps++
	}
	return end
}

// emphasisMarks counts marks of emphasis.
type emphasisMarks struct{ stars, underscores, tildes int }

func emphasisBefore(text string) emphasisMarks {
	var marks emphasisMarks
	// More than a handful is a rule or a drawing, not emphasis.
	for i := len(text) - 1; i >= max(0, len(text)-6); i-- {
		switch text[i] {
		case '*':
			marks.stars++
		case '_':
			marks.underscores++
		case '~':
			marks.tildes++
		default:
			return marks
		}
	}
	return marks
}

// quotes is a pair of quotation marks.
type quotes struct {
	open, close string
	single      bool
}

var quoteKinds = [...]quotes{
	{open: `"`, close: `"`}, {open: "'", close: "'", single: true},
	{open: "“", close: "”"}, {open: "‘", close: "’", single: true}, {open: "«", close: "»"},
}

// quoteAt returns which of the [quoteKinds] opens at the given offset.
func quoteAt(text string, at int) (kind int, ok bool) {
	if at >= len(text) {
		return 0, false
	}
	switch text[at] {
	case '"', '\'', 0xc2, 0xe2: // the first bytes of them all
		for kind, q := range quoteKinds {
			if strings.HasPrefix(text[at:], q.open) {
				return kind, true
			}
		}
	}
	return 0, false
}

// quoted reads a quoted argument. Backslashes count only directly before a
// closing quote or a line end: an odd one escapes it, pairs stand for one
// each. So every string can be written, and C:\Program Files stays as it is.
func (f *finder) quoted(at int) (content string, end int, ok bool) {
	kind, ok := quoteAt(f.text, at)
	if !ok || at < f.unclosed[kind] {
		return "", 0, false
	}
	q := quoteKinds[kind]
	start := at + len(q.open)
	i := start
	fallback := -1 // a quote after a backslash closes if nothing else does
	var unescaped strings.Builder
	copied := start
	for i < len(f.text) {
		f.steps++
		c := f.text[i]
		newline := c == '\n' || c == '\r'
		if !newline && !strings.HasPrefix(f.text[i:], q.close) {
			i++
			continue
		}
		slashes := trailingBackslashes(f.text[copied:i])
		if slashes%2 == 0 {
			if newline {
				break
			}
			if slashes == 0 && copied == start {
				return f.text[start:i], i + len(q.close), true
			}
			unescaped.WriteString(f.text[copied : i-slashes/2])
			return unescaped.String(), i + len(q.close), true
		}
		if !newline {
			fallback = i
		}
		unescaped.WriteString(f.text[copied : i-slashes/2-1])
		if newline {
			unescaped.WriteByte(c)
			i++
		} else {
			unescaped.WriteString(q.close)
			i += len(q.close)
		}
		copied = i
	}
	if fallback >= 0 && !strings.ContainsAny(f.text[start:fallback], "\r\n") {
		return f.text[start:fallback], fallback + len(q.close), true
	}
	f.unclosed[kind] = i
	return "", 0, false
}

func trailingBackslashes(s string) int {
	return len(s) - len(strings.TrimRight(s, `\`))
}

// wordBefore returns the name at the given offset if the byte follows it
// directly, else nothing.
func wordBefore(text string, at int, follower byte) string {
	for i := at; i < len(text); i++ {
		c := text[i]
		switch {
		case c == follower:
			return text[at:i]
		case c < utf8.RuneSelf && classes[c]&inName == 0:
			return ""
		case i-at > 256:
			return "" // nobody calls anything that
		}
	}
	return ""
}

// unescape removes the backslashes that escape something in a token.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && isEscapable(s[i+1]) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
