package editor

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

const (
	// assumedRows is the height of a screen that nobody told: that of the
	// terminals that others are compared with. It matters only to programs that
	// name rows by number and do not clear the screen before.
	assumedRows = 24
	// mostColumns is how far to the right the cursor can be sent by its number.
	// Text itself is never wrapped.
	mostColumns = 512
	// longLine is longer than any terminal is wide. Nobody edits such a line.
	longLine = 4096
	// mostLines is how many lines are remembered, the newest.
	mostLines = 50_000
	// longestCluster is how many bytes a character may have with its marks.
	longestCluster = 32
	tabStop        = 8
)

// cell is what stands in one column: a character, or one of the following, or
// a cluster of a character and its marks.
type cell rune

const (
	blank    cell = 0  // nothing was ever written here
	half     cell = -1 // the right half of a wide character
	tabRoom  cell = -2 // the room that a tab takes after its first column
	clusters cell = -3 // this and below: clusters[-3-c] of the screen
)

// screen is a terminal without a right margin. Rows that scroll out at the top
// are kept.
type screen struct {
	rows     [][]cell
	row, col int
	// top is the first row that can be named by a number: what is above has
	// scrolled out, or was there before the screen was cleared.
	top int
	// height is zero if it is not known. Then the cursor may move up as far as
	// there is anything.
	height int
	// dropped is how many of the oldest rows were forgotten.
	dropped int

	clusters []string
	saved    struct{ row, col int }
	last     cell // the last character, which can be repeated
	lastSize int
}

func newScreen(height int) *screen { return &screen{rows: make([][]cell, 1), height: height} }

// visible is the first and the last row of the screen.
func (s *screen) visible() (first, last int) {
	height := s.height
	if height == 0 {
		height = assumedRows
	}
	first = max(s.top, len(s.rows)-height)
	return first, first + height - 1
}

// put writes a character at the cursor.
func (s *screen) put(r rune) {
	size := columns(r)
	if size == 0 {
		s.mark(r)
		return
	}
	s.last, s.lastSize = cell(r), size
	s.write(cell(r), size)
}

func (s *screen) write(c cell, size int) {
	s.closeGap()
	s.pad(s.col + size)
	line := s.rows[s.row]
	s.split(line, s.col)
	s.split(line, s.col+size)
	line[s.col] = c
	if size == 2 {
		line[s.col+1] = half
	}
	s.col += size
}

// closeGap keeps the cursor from standing far behind the end of its line, where
// it can only be after it left a longer one: a line that is wrapped has none
// such. So a few characters never make many columns.
func (s *screen) closeGap() {
	if length := len(s.rows[s.row]); s.col > length {
		s.col = min(s.col, max(length, mostColumns))
	}
}

// pad makes the row of the cursor at least n columns long.
func (s *screen) pad(n int) {
	line := s.rows[s.row]
	for len(line) < n {
		line = append(line, blank)
	}
	s.rows[s.row] = line
}

// split makes spaces of what reaches over the left edge of a column, since one
// side of it is about to be overwritten.
func (s *screen) split(line []cell, col int) {
	if col <= 0 || col >= len(line) || line[col] != half && line[col] != tabRoom {
		return
	}
	from, to := col, col
	for from > 0 && (line[from] == half || line[from] == tabRoom) {
		from--
	}
	for to < len(line) && line[to] == line[col] {
		to++
	}
	for i := from; i < to; i++ {
		line[i] = ' '
	}
}

// mark adds a character without a width to the one before the cursor.
func (s *screen) mark(r rune) {
	line, at := s.rows[s.row], s.col-1
	for at > 0 && at < len(line) && line[at] == half {
		at--
	}
	if at < 0 || at >= len(line) || line[at] == tabRoom || line[at] == '\t' {
		return // there is nothing that it could belong to
	}
	text := s.text(line[at])
	if len(text)+utf8.RuneLen(r) > longestCluster {
		return
	}
	s.clusters = append(s.clusters, text+string(r))
	line[at] = clusters - cell(len(s.clusters)-1)
}

// text is what a cell shows.
func (s *screen) text(c cell) string {
	switch {
	case c == blank:
		return " "
	case c <= clusters:
		return s.clusters[clusters-c]
	}
	return string(rune(c))
}

// tab moves to the next stop. Where nothing was written yet it is a character
// of its own, so that text with tabs in it stays as it is.
func (s *screen) tab() {
	s.closeGap()
	next := (s.col/tabStop + 1) * tabStop
	if s.col >= len(s.rows[s.row]) {
		at := s.col
		s.pad(next)
		line := s.rows[s.row]
		line[at] = '\t'
		for i := at + 1; i < next; i++ {
			line[i] = tabRoom
		}
	}
	s.col = next
}

// down moves to the next line, which scrolls the screen at its end.
func (s *screen) down() {
	s.reach(s.row + 1)
}

// reach moves to a row and makes it.
func (s *screen) reach(row int) {
	for len(s.rows) <= row {
		s.rows = append(s.rows, nil)
	}
	s.row = row
	if len(s.rows) > 2*mostLines {
		s.forget(len(s.rows) - mostLines)
	}
}

// scroll moves what is on the screen up by n lines, with the cursor.
func (s *screen) scroll(n int) {
	first, last := s.visible()
	n = min(n, last-first+1)
	s.top = first + n
	s.reach(max(s.row, first) + n)
}

// forget drops the oldest rows.
func (s *screen) forget(n int) {
	s.rows = append(s.rows[:0], s.rows[n:]...)
	s.dropped += n
	s.row, s.top, s.saved.row = max(s.row-n, 0), max(s.top-n, 0), max(s.saved.row-n, 0)
}

// up moves up, within what there is.
func (s *screen) up(n int) {
	least := s.top
	if s.height > 0 {
		least, _ = s.visible()
	}
	if s.row >= least {
		s.row = max(s.row-min(n, s.row), least)
	}
}

// back moves down without scrolling: as far as the screen or what was written.
func (s *screen) back(n int) {
	last := len(s.rows) - 1
	if s.height > 0 {
		_, last = s.visible()
	}
	s.reach(min(s.row+min(n, mostLines), max(last, s.row)))
}

// place moves to a row of the screen, counted from zero.
func (s *screen) place(row int) {
	first, last := s.visible()
	s.reach(min(first+min(row, mostLines), last))
}

func (s *screen) column(col int) { s.col = max(0, min(col, mostColumns)) }

// eraseLine erases part of a line: 0 from the cursor, 1 up to it, 2 all.
func (s *screen) eraseLine(mode int) {
	line := s.rows[s.row]
	switch mode {
	case 0:
		s.split(line, s.col)
		s.rows[s.row] = line[:min(s.col, len(line))]
	case 1:
		if s.col < longLine {
			s.erase(0, s.col+1)
		}
	case 2:
		s.rows[s.row] = line[:0]
	}
}

// erase makes some columns of a line blank.
func (s *screen) erase(from, to int) {
	line := s.rows[s.row]
	to = min(to, len(line))
	if from >= to {
		return
	}
	s.split(line, from)
	s.split(line, to)
	clear(line[from:to])
}

// eraseScreen erases part of the screen: 0 from the cursor, 1 up to it, 2 all,
// 3 what has scrolled out.
func (s *screen) eraseScreen(mode int) {
	first, _ := s.visible()
	switch mode {
	case 0:
		s.eraseLine(0)
		clear(s.rows[s.row+1:])
		s.rows = s.rows[:s.row+1]
		s.top = min(s.top, s.row) // a cursor that was restored may stand above it
	case 1:
		for i := first; i < s.row; i++ {
			s.rows[i] = nil
		}
		s.eraseLine(1)
	case 2:
		// What was on the screen scrolls out, and is not lost.
		at := max(s.row-first, 0)
		used := len(s.rows)
		for used > first && isBlank(s.rows[used-1]) {
			used--
		}
		s.rows = s.rows[:used]
		s.top = used
		s.reach(used + at)
	case 3:
		if first > 0 {
			s.forget(first)
			s.dropped = 0 // by the person's own will
		}
	}
}

// shift moves the rows from the cursor down by n lines, or up if n is negative.
// Only what is on the screen takes part.
func (s *screen) shift(from, n int) {
	first, last := s.visible()
	if from < first || from > last {
		return
	}
	n = max(-assumedHeight(s.height), min(n, assumedHeight(s.height)))
	for ; n > 0; n-- {
		if len(s.rows) <= last {
			s.rows = append(s.rows, nil)
		}
		copy(s.rows[from+1:], s.rows[from:len(s.rows)-1])
		s.rows[from] = nil
	}
	for ; n < 0 && from < len(s.rows); n++ {
		copy(s.rows[from:], s.rows[from+1:])
		s.rows[len(s.rows)-1] = nil
	}
}

func assumedHeight(height int) int {
	if height == 0 {
		return assumedRows
	}
	return height
}

// insert makes room for n characters at the cursor; remove takes n away.
func (s *screen) insert(n int) {
	line := s.rows[s.row]
	if s.col >= len(line) || len(line) >= longLine {
		return
	}
	s.split(line, s.col)
	n = min(n, mostColumns)
	s.pad(len(line) + n)
	line = s.rows[s.row]
	copy(line[s.col+n:], line[s.col:len(line)-n])
	clear(line[s.col : s.col+n])
}

func (s *screen) remove(n int) {
	line := s.rows[s.row]
	if s.col >= len(line) || len(line) >= longLine {
		return
	}
	to := min(s.col+min(n, mostColumns), len(line))
	s.split(line, s.col)
	s.split(line, to)
	s.rows[s.row] = append(line[:s.col], line[to:]...)
}

// lines are what the rows show, without the white space at their ends and
// without the blank ones at the end of all.
func (s *screen) lines() []string {
	rows := s.rows[max(len(s.rows)-mostLines, 0):]
	lines := make([]string, 0, len(rows))
	filled := 0
	for _, row := range rows {
		var b strings.Builder
		for _, c := range row {
			if c != half && c != tabRoom {
				b.WriteString(s.text(c))
			}
		}
		line := strings.TrimRight(b.String(), " \t")
		lines = append(lines, line)
		if line != "" {
			filled = len(lines)
		}
	}
	return lines[:filled]
}

func isBlank(row []cell) bool {
	for _, c := range row {
		if c != blank && c != ' ' && c != '\t' && c != tabRoom {
			return false
		}
	}
	return true
}

// columns is how many columns a character takes.
func columns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf), r >= 0x1160 && r <= 0x11FF:
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}
