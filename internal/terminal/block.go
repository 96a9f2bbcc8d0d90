package terminal

import (
	"strings"
)

// fenceOf returns the run of backticks or tildes that opens a fence, empty if
// the line opens none.
func fenceOf(line string) string {
	text := strings.TrimLeft(line, " ")
	for _, mark := range []byte{'`', '~'} {
		if n := run(text, mark); n >= 3 && (mark == '~' || !strings.Contains(text[n:], "`")) {
			return text[:n]
		}
	}
	return ""
}

// isRule reports whether a line is nothing but three or more of a mark.
func isRule(line string) bool {
	text := strings.ReplaceAll(strings.TrimSpace(line), " ", "")
	return len(text) >= 3 && strings.ContainsAny(text[:1], "-*_") && strings.Trim(text, text[:1]) == ""
}

// isUnderline reports whether a line is nothing but equals signs, under a heading.
func isUnderline(line string) bool {
	text := strings.TrimSpace(line)
	return len(text) >= 3 && strings.Trim(text, "=") == ""
}

// isHeading reports whether a line begins with one to six number signs and a
// space.
func isHeading(line string) bool {
	text := strings.TrimLeft(line, " ")
	n := run(text, '#')
	return n >= 1 && n <= 6 && len(line)-len(text) < 4 && (len(text) == n || text[n] == ' ')
}

// item returns the mark of a list item, as it is shown, and what follows it.
func item(text string) (mark, rest string, ok bool) {
	if len(text) >= 2 && strings.ContainsAny(text[:1], "-*+") && text[1] == ' ' {
		return "• ", strings.TrimLeft(text[2:], " "), true
	}
	digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
	if digits > 0 && digits < 10 && len(text) > digits+1 && strings.ContainsAny(text[digits:digits+1], ".)") && text[digits+1] == ' ' {
		return text[:digits+2], strings.TrimLeft(text[digits+2:], " "), true
	}
	return "", "", false
}

// preEnd ends a block that is shown as it is.
const preEnd = "</pre>"

// preTag is how long the tag, or the two, is that begins a <pre> block, behind what
// it is moved in by; zero if the line begins none.
func preTag(line string) int {
	text := strings.TrimLeft(line, " ")
	size := tag(text, "pre")
	if size > 0 {
		size += tag(text[size:], "code")
	}
	return size
}

// tag is how long the opening tag is that text begins with, zero if it begins with
// none of that name.
func tag(text, name string) int {
	if !mayBeTag(text, name) {
		return 0
	}
	end := strings.IndexAny(text[1:], "<>") + 1
	if end == 0 || text[end] == '<' {
		return 0
	}
	return end + 1
}

// mayBeTag reports whether text begins as a tag of that name does.
func mayBeTag(text, name string) bool {
	begin := len("<" + name)
	return len(text) > begin && strings.EqualFold(text[:begin], "<"+name) && (text[begin] == '>' || text[begin] == ' ')
}

// preEnds is where the tag stands that ends a <pre> block, negative if nowhere.
func preEnds(line string) int {
	for i := range len(line) - len(preEnd) + 1 {
		if strings.EqualFold(line[i:i+len(preEnd)], preEnd) {
			return i
		}
	}
	return -1
}

// isRow reports whether a line is a row of a table.
func isRow(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " "), "|")
}

// endTable shows the rows that were kept, in columns if they are a table.
func (m *Markdown) endTable() {
	rows := m.table
	m.table = nil
	if len(rows) == 0 {
		return
	}
	m.blank = false
	if len(rows) < 2 || !isDelimiter(rows[1]) {
		for _, row := range rows {
			m.print(Show(row) + "\n")
		}
		return
	}
	sides := splitRow(rows[1])
	var cells [][]string
	widths := map[int]int{}
	for i, row := range rows {
		if i == 1 {
			continue
		}
		var shown []string
		for column, cell := range splitRow(row) {
			state := inline{bare: m.inline.bare, heading: i == 0}
			text := state.render(cell, ' ')
			widths[column] = max(widths[column], Width(text))
			shown = append(shown, text)
		}
		cells = append(cells, shown)
	}
	total := 0
	for _, width := range widths {
		total += width + 2
	}
	if m.columns > 0 && total-2 > m.columns {
		m.tall(rows)
		return
	}
	for i, row := range cells {
		line := ""
		for column, cell := range row {
			gap := widths[column] - Width(cell)
			before := gapBefore(gap, column, sides)
			line += strings.Repeat(" ", before) + cell + strings.Repeat(" ", gap-before) + "  "
		}
		m.print(strings.TrimRight(line, " ") + "\n")
		if i == 0 {
			m.print(faint + strings.Repeat("─", max(total-2, 1)) + plain + "\n")
		}
	}
}

// gapBefore is how much of the gap in a cell stands before its text: all of it in a
// column that ends in a colon, half in one that begins with one, too.
func gapBefore(gap, column int, sides []string) int {
	switch {
	case column >= len(sides) || !strings.HasSuffix(sides[column], ":"):
		return 0
	case strings.HasPrefix(sides[column], ":"):
		return gap / 2
	}
	return gap
}

// tall shows a table for which the terminal is too narrow: each cell on lines of its
// own, behind what its column is called.
func (m *Markdown) tall(rows []string) {
	head := splitRow(rows[0])
	for i, row := range rows[min(2, len(rows)):] {
		if i > 0 {
			m.print(faint + "─" + plain + "\n")
		}
		for column, cell := range splitRow(row) {
			m.place.indent = 2
			if column < len(head) && head[column] != "" {
				m.inline.heading = true
				m.words(head[column]+":", false)
				m.inline.heading = false
			}
			m.place.space = true
			m.words(cell, true)
			m.endParagraph()
		}
	}
	if len(rows) == 2 {
		m.words(strings.Join(head, " "), true)
		m.endParagraph()
	}
}

// isDelimiter reports whether a row is the one between head and body.
func isDelimiter(row string) bool {
	return strings.Contains(row, "-") && strings.Trim(row, " |:-\t") == ""
}

// splitRow returns the cells of a row; \| is no border.
func splitRow(row string) []string {
	row = strings.TrimSpace(row)
	row = strings.TrimPrefix(row, "|")
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(row); i++ {
		switch {
		case row[i] == '\\' && i+1 < len(row) && row[i+1] == '|':
			cell.WriteByte('|')
			i++
		case row[i] == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(row[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" {
		cells = append(cells, rest)
	}
	return cells
}
