package terminal

import (
	"io"
	"strings"
	"unicode/utf8"
)

// Markdown renders Markdown on a terminal while it comes: a word is shown when
// it is complete, a table when its last row is. What is shown does not depend
// on the pieces in which the text came.
//
// It reads the Markdown that models write, line by line. What only the rest of
// the text could tell (an emphasis that never ends, say) it takes for what it
// looks like.
type Markdown struct {
	out     io.Writer
	columns int
	err     error

	// line is what has come of the current line and is not shown yet.
	line string
	// begun says that the line's kind is known and its words are being shown, and
	// ending is how what has come of it ends, shown or not.
	begun  bool
	ending string

	fence  string   // the fence that the text is in, empty if in none
	pre    bool     // the text is in a <pre> block
	table  []string // the rows that wait for their table to end
	blank  bool     // the line before was empty, or there was none
	list   bool     // what is moved in belongs to an item of a list
	within int      // how far that item's text is moved in
	inline inline
	place  place
}

// place is where the next word goes.
type place struct {
	column int
	// indent is how far the lines of the paragraph are moved in.
	indent int
	// space says that a space stands before the next word.
	space bool
	// open says that the terminal's line is not ended, used that a word is on it.
	open, used bool
}

// deepest is how far anything is moved in at most.
const deepest = 12

// NewMarkdown returns a renderer for a terminal of so many columns; zero means
// that lines are not broken. Without styles what they would say stays as it was
// written, in marks, and everything else is laid out the same.
func NewMarkdown(out io.Writer, columns int, styled bool) *Markdown {
	return &Markdown{out: out, columns: columns, blank: true, inline: inline{bare: !styled}}
}

// Write implements [io.Writer]. It takes all of p; an error of the terminal is
// returned by it and by all later calls.
func (m *Markdown) Write(p []byte) (int, error) {
	text := string(p)
	for text != "" && m.err == nil {
		rest, after, ended := strings.Cut(text, "\n")
		m.line += rest
		m.ending = last(m.ending+rest, 2)
		if ended {
			m.endLine()
		} else {
			m.partLine()
		}
		text = after
	}
	return len(p), m.err
}

// Close shows what is left, and ends the line.
func (m *Markdown) Close() error {
	if m.line != "" || m.begun {
		m.endLine()
	}
	m.endTable()
	m.endParagraph()
	return m.err
}

// endLine shows the rest of a line that is complete.
func (m *Markdown) endLine() {
	line := strings.TrimSuffix(m.line, "\r")
	isBreak := m.ending == "  " || strings.HasSuffix(m.ending, "\\") && m.ending != "\\\\"
	m.line, m.ending = "", ""
	if m.begun {
		m.endWords(line, isBreak)
		m.begun = false
		return
	}
	if m.fence != "" {
		m.fenced(line)
		return
	}
	if m.pre {
		m.preformatted(line)
		return
	}
	if isRow(line) {
		m.endParagraph()
		m.table = append(m.table, line)
		return
	}
	m.endTable()
	if rest, ok := m.block(line); ok {
		m.endWords(rest, isBreak)
		if isHeading(line) {
			m.endParagraph()
		}
	}
}

// endWords shows the words that end a line. The next ones follow behind a space, or
// on a line of their own.
func (m *Markdown) endWords(text string, isBreak bool) {
	if isBreak {
		text = strings.TrimSuffix(text, "\\")
	}
	m.words(text, true)
	m.place.space = true
	if isBreak && m.place.open && m.place.used {
		m.print("\n" + strings.Repeat(" ", m.place.indent))
		m.place.column, m.place.space, m.place.used = m.place.indent, false, false
	}
}

// partLine shows what can be shown of a line that is not complete.
func (m *Markdown) partLine() {
	if m.fence != "" || m.pre || len(m.table) > 0 {
		return
	}
	if !m.begun && m.isCode(m.line) {
		return
	}
	if !m.begun {
		// A line whose kind is not certain waits: it may become a fence, a row, a
		// rule. Twelve bytes tell every mark from text.
		trimmed := strings.TrimLeft(m.line, " ")
		if len(trimmed) < 12 || isRow(m.line) || isHeading(m.line) || fenceOf(m.line) != "" || isRule(m.line) || isUnderline(m.line) || mayBeTag(trimmed, "pre") {
			return
		}
		rest, ok := m.block(m.line)
		if !ok {
			return
		}
		m.line, m.begun = rest, true
	}
	cut := whole(m.line)
	m.words(m.line[:cut], false)
	m.line = m.line[cut:]
}

// whole is how much of a line can be shown: up to its last space, and not into
// a word with a link that has not ended.
func whole(line string) int {
	cut := strings.LastIndexByte(line, ' ') + 1
	for at := 0; at < cut; {
		open := strings.IndexByte(line[at:cut], '[')
		if open < 0 {
			break
		}
		at += open
		_, _, size := link(line[at:])
		if size < 0 {
			return strings.LastIndexByte(line[:at], ' ') + 1
		}
		at += max(size, 1)
	}
	return cut
}

// block begins the block that a line belongs to and returns the text in it. It
// reports false for a line that has none.
func (m *Markdown) block(line string) (rest string, ok bool) {
	text := strings.TrimLeft(line, " ")
	moved := len(line) - len(text)
	depth := min(moved, deepest)
	switch {
	case strings.TrimSpace(line) == "":
		m.endParagraph()
		m.space()
		return "", false
	case m.isCode(line):
		within := m.itemIndent()
		m.print(strings.Repeat(" ", min(within, deepest)))
		m.code(line[within+4:])
		return "", false
	case preTag(line) > 0:
		m.endParagraph()
		m.pre = true
		if text = text[preTag(line):]; text != "" {
			m.preformatted(text)
		}
		return "", false
	case fenceOf(line) != "":
		m.endParagraph()
		m.fence = fenceOf(line)
		return "", false
	case isRule(line), isUnderline(line) && m.place.open:
		m.endParagraph()
		width := m.columns
		if width == 0 {
			width = 40
		}
		m.print(faint + strings.Repeat("─", min(width, 40)) + plain + "\n")
		m.blank = false
		return "", false
	case isHeading(line):
		m.endParagraph()
		if m.inline.bare {
			m.start(0, text[:run(text, '#')]+" ")
		}
		m.inline.heading = true
		return strings.TrimRight(strings.TrimSpace(strings.TrimLeft(text, "#")), "#"), true
	case strings.HasPrefix(text, ">"):
		m.endParagraph()
		m.start(depth, "▏ ")
		return strings.TrimPrefix(text[1:], " "), true
	}
	if mark, after, ok := item(text); ok {
		m.endParagraph()
		m.start(depth, mark)
		m.list, m.within = true, moved+Width(mark)
		return after, true
	}
	m.list = m.list && (depth > 0 || m.place.open)
	if !m.place.open {
		m.within = min(m.within, moved) // an item further out goes on
	}
	return text, true
}

// isCode reports whether a line is code because it is moved in: where it does not go
// on with a paragraph or an item.
func (m *Markdown) isCode(line string) bool {
	if run(line, ' ') < m.itemIndent()+4 || strings.TrimSpace(line) == "" || m.place.open {
		return false
	}
	_, _, isItem := item(strings.TrimLeft(line, " "))
	return !isItem
}

// itemIndent is how far text must be moved in to belong to the item that there is.
func (m *Markdown) itemIndent() int {
	if m.list {
		return m.within
	}
	return 0
}

// start begins a paragraph behind a mark.
func (m *Markdown) start(depth int, mark string) {
	m.print(strings.Repeat(" ", depth) + faint + mark + plain)
	m.place = place{column: depth + Width(mark), indent: depth + Width(mark), open: true}
	m.blank = false
}

// endParagraph ends the line on the terminal and whatever was emphasised.
func (m *Markdown) endParagraph() {
	if fresh := (inline{bare: m.inline.bare}); m.inline != fresh {
		m.inline = fresh
		m.print(plain)
	}
	if m.place.open {
		m.print("\n")
		m.blank = false
	}
	m.place = place{}
}

// space shows one empty line, however many there are.
func (m *Markdown) space() {
	if !m.blank {
		m.print("\n")
		m.blank = true
	}
}

// fenced shows a line of code as it is.
func (m *Markdown) fenced(line string) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, m.fence) && strings.Trim(trimmed, m.fence[:1]) == "" {
		m.fence = ""
		return
	}
	m.code(line)
}

// preformatted shows a line of a <pre> block, which ends with its tag.
func (m *Markdown) preformatted(line string) {
	at := preEnds(line)
	if at < 0 {
		m.code(unescaped(line))
		return
	}
	m.pre = false
	if text := strings.TrimSuffix(line[:at], "</code>"); text != "" {
		m.code(unescaped(text))
	}
	if rest := strings.TrimSpace(line[at+len(preEnd):]); rest != "" {
		m.endWords(rest, false)
	}
}

// code shows a line as it is.
func (m *Markdown) code(line string) {
	m.print(faint + "│ " + plain + Show(line) + "\n")
	m.blank = false
}

// last returns the last n bytes of a text.
func last(text string, n int) string { return text[max(0, len(text)-n):] }

// words shows a text, breaking lines between words.
func (m *Markdown) words(text string, last bool) {
	for text != "" {
		if text[0] == ' ' || text[0] == '\t' {
			m.place.space = true
			text = text[1:]
			continue
		}
		end := strings.IndexAny(text, " \t")
		if text[0] == '[' && !m.inline.code {
			if label, address, size := link(text); size > 0 {
				for i, word := range strings.Fields(label) {
					m.place.space = m.place.space || i > 0
					m.word(m.inline.style() + underline + Show(word) + plain + m.inline.style())
				}
				if address != label {
					m.place.space = true
					m.word(faint + "(" + Show(address) + ")" + plain + m.inline.style())
				}
				text = text[size:]
				continue
			}
		}
		if open := strings.IndexByte(text[1:], '['); open >= 0 && (end < 0 || open+1 < end) && !m.inline.code {
			end = open + 1
		}
		if end < 0 {
			end = len(text)
		}
		// An emphasis mark is judged by what stands beside it.
		next := rune(' ')
		if end < len(text) {
			next, _ = utf8.DecodeRuneInString(text[end:])
		}
		m.word(m.inline.render(text[:end], next))
		text = text[end:]
	}
	if last {
		m.inline.lineEnd()
	}
}

// word shows a word where there is room for it.
func (m *Markdown) word(word string) {
	width := Width(word)
	switch {
	case m.place.space && m.columns > 0 && m.place.used && m.place.column+1+width > m.columns:
		m.print("\n" + strings.Repeat(" ", m.place.indent))
		m.place.column, m.place.used = m.place.indent, false
	case m.place.space && m.place.used:
		m.print(" ")
		m.place.column++
	}
	m.print(word)
	m.place.column += width
	m.place.space, m.place.open, m.place.used = false, true, m.place.used || width > 0
	m.blank = false
}

func (m *Markdown) print(text string) {
	if m.inline.bare {
		text = unstyled(text)
	}
	if m.err == nil {
		_, m.err = io.WriteString(m.out, text)
	}
}
