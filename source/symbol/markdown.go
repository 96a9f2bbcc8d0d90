package symbol

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// headings returns the sections of a Markdown file. A section goes up to the
// next heading of its level, or of a higher one.
func headings(text string) []declaration {
	all := strings.Split(text, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	s := &sections{}
	for number, raw := range all {
		s.line(number+1, strings.TrimSuffix(raw, "\r"))
	}
	seen := map[string]int{}
	found := make([]declaration, len(s.found))
	for i, h := range s.found {
		last := len(all)
		for _, next := range s.found[i+1:] {
			if next.level <= h.level {
				last = next.line - 1
				break
			}
		}
		for last > h.line && strings.TrimSpace(all[last-1]) == "" {
			last--
		}
		plain := unmarked(h.text)
		anchor := slug(plain)
		aliases := []string{normal(h.text), anchor}
		if n := seen[anchor]; n > 0 {
			aliases[1] = anchor + "-" + strconv.Itoa(n)
		}
		seen[anchor]++
		found[i] = declaration{name: plain, aliases: slices.Compact(aliases), first: h.line, last: last}
	}
	return found
}

// heading is a heading as it is written.
type heading struct {
	line, level int
	text        string
}

// sections finds headings line by line, by the rules of CommonMark for what
// stands at the top level: not in code, not in HTML.
type sections struct {
	found []heading
	// fence is what opened the code that the line is in, untilEnd what ends the
	// HTML that it is in, "\n" for a blank line.
	fence, untilEnd string
	front           bool
	// paragraph are the lines of the paragraph before, which may turn out to be a
	// heading, and where it began; nested says that it is in a list or a quote.
	paragraph []string
	began     int
	nested    bool
}

func (s *sections) line(number int, line string) {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	body := strings.TrimRight(line[indent:], " \t")
	deep := indent > 3 || strings.HasPrefix(body, "\t")
	switch {
	case number == 1 && line == "---":
		s.front = true
	case s.front:
		s.front = line != "---" && line != "..."
	case s.fence != "":
		if !deep && strings.HasPrefix(body, s.fence) && strings.Trim(body, s.fence[:1]) == "" {
			s.fence = ""
		}
	case s.untilEnd != "":
		if s.untilEnd == "\n" && body == "" || s.untilEnd != "\n" && strings.Contains(strings.ToLower(line), s.untilEnd) {
			s.untilEnd = ""
		}
	case body == "":
		s.end()
	case deep:
		if len(s.paragraph) > 0 { // else it is code
			s.continues(number, body)
		}
	case opensFence(body) != "":
		s.end()
		s.fence = opensFence(body)
	case endOfHTML(body) != "":
		s.end()
		if end := endOfHTML(body); end == "\n" || !strings.Contains(strings.ToLower(body), end) {
			s.untilEnd = end
		}
	case atxLevel(body) > 0:
		s.found = append(s.found, heading{number, atxLevel(body), atxText(body)})
		s.end()
	case len(s.paragraph) > 0 && !s.nested && (strings.Trim(body, "=") == "" || strings.Trim(body, "-") == ""):
		level := 1
		if body[0] == '-' {
			level = 2
		}
		s.found = append(s.found, heading{s.began, level, strings.Join(s.paragraph, " ")})
		s.end()
	case isBreak(body):
		s.end()
	case opensContainer(body):
		// Only a paragraph in it goes on without its mark.
		s.end()
		if text := contained(body); text != "" && atxLevel(text) == 0 && !isBreak(text) && opensFence(text) == "" && endOfHTML(text) == "" {
			s.nested = true
			s.continues(number, text)
		}
	default:
		s.continues(number, body)
	}
}

// end ends a paragraph.
func (s *sections) end() { s.paragraph, s.nested = nil, false }

// continues adds a line to a paragraph, or begins one.
func (s *sections) continues(number int, body string) {
	if len(s.paragraph) == 0 {
		s.began = number
	}
	s.paragraph = append(s.paragraph, strings.TrimSpace(body))
}

// opensFence returns what closes the code that a line opens, empty if none.
func opensFence(body string) string {
	for _, mark := range []string{"`", "~"} {
		fence := body[:len(body)-len(strings.TrimLeft(body, mark))]
		if len(fence) >= 3 && (mark == "~" || !strings.Contains(body[len(fence):], "`")) {
			return fence
		}
	}
	return ""
}

// endOfHTML returns what ends the HTML that a line begins, empty if it begins
// none, "\n" for a blank line.
func endOfHTML(body string) string {
	lower := strings.ToLower(body)
	for _, html := range [...]struct{ begin, end string }{
		{"<!--", "-->"}, {"<?", "?>"}, {"<![cdata[", "]]>"},
		{"<script", "</script>"}, {"<pre", "</pre>"}, {"<style", "</style>"}, {"<textarea", "</textarea>"},
	} {
		rest, ok := strings.CutPrefix(lower, html.begin)
		if ok && (html.begin[1] == '!' || html.begin[1] == '?' || !isTagName(rest)) {
			return html.end
		}
	}
	name, ok := strings.CutPrefix(lower, "<")
	if !ok {
		return ""
	}
	name = strings.TrimPrefix(name, "/")
	end := strings.IndexFunc(name, func(r rune) bool { return r < '0' || r > '9' && r < 'a' || r > 'z' })
	if end < 0 {
		end = len(name)
	}
	if slices.Contains(blockTags, name[:end]) {
		return "\n"
	}
	return ""
}

func isTagName(rest string) bool {
	return rest != "" && (rest[0] >= 'a' && rest[0] <= 'z' || rest[0] >= '0' && rest[0] <= '9' || rest[0] == '-')
}

// blockTags are the tags that begin HTML up to the next blank line.
var blockTags = []string{
	"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup", "dd", "details", "dialog", "dir",
	"div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header",
	"hr", "html", "iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param", "search",
	"section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
}

// atxLevel is the level of a heading that is written with #, zero if it is none.
func atxLevel(body string) int {
	rest := strings.TrimLeft(body, "#")
	level := len(body) - len(rest)
	if level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0
	}
	return level
}

// atxText is the text of such a heading, without the # that may close it.
func atxText(body string) string {
	text := strings.TrimSpace(strings.TrimLeft(body, "#"))
	closed := strings.TrimRight(text, "#")
	if closed == "" || closed != text && strings.HasSuffix(closed, " ") || closed != text && strings.HasSuffix(closed, "\t") {
		return strings.TrimSpace(closed)
	}
	return text
}

// isBreak reports whether a line is a rule across the page.
func isBreak(body string) bool {
	marks := strings.ReplaceAll(strings.ReplaceAll(body, " ", ""), "\t", "")
	return len(marks) >= 3 && (strings.Trim(marks, "-") == "" || strings.Trim(marks, "*") == "" || strings.Trim(marks, "_") == "")
}

// opensContainer reports whether a line begins a quote or an item of a list.
func opensContainer(body string) bool {
	if body[0] == '>' {
		return true
	}
	rest := strings.TrimLeft(body, "0123456789")
	if digits := len(body) - len(rest); digits > 0 && digits < 10 && rest != "" && (rest[0] == '.' || rest[0] == ')') {
		rest = "-" + rest[1:]
	} else if digits > 0 {
		return false
	}
	return strings.IndexByte("-+*", rest[0]) >= 0 && (len(rest) == 1 || rest[1] == ' ' || rest[1] == '\t')
}

// contained is what stands in quotes and items that a line begins.
func contained(body string) string {
	for body != "" && opensContainer(body) && !isBreak(body) {
		if body[0] != '>' {
			body = strings.TrimLeft(body, "0123456789")
		}
		body = strings.TrimLeft(body[1:], " \t")
	}
	return body
}

// unmarked is the text of a heading without its emphasis, code and links.
func unmarked(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text) && unicode.IsPunct(rune(text[i+1])):
			i++
			b.WriteByte(text[i])
		case c == '`' || c == '*' || c == '[':
		case c == '!' && strings.HasPrefix(text[i+1:], "["):
		case c == '_' && !(insideWord(text, i)):
		case c == ']':
			if end := strings.IndexByte(text[i:], ')'); strings.HasPrefix(text[i+1:], "(") && end > 0 {
				i += end
			}
		default:
			b.WriteByte(c)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// insideWord reports whether a letter stands on both sides of a byte.
func insideWord(text string, i int) bool {
	isWord := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c >= 0x80
	}
	return i > 0 && i+1 < len(text) && isWord(text[i-1]) && isWord(text[i+1])
}

// slug is the anchor that web pages give a heading.
func slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r), r == '_', r == '-':
			b.WriteRune(r)
		case r == ' ':
			b.WriteByte('-')
		}
	}
	return b.String()
}
