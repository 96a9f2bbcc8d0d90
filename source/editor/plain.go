package editor

import (
	"strings"
	"unicode/utf8"
)

// Plain returns what a terminal would show of an output in the end: without
// escape sequences, with what was overwritten or erased gone, with progress bars
// in their last state. It has no control characters except for line ends and
// tabs. Lines have no white space at their ends, and there are no blank lines at
// the end of all.
func Plain(output string) string {
	lines, _ := plainLines(output, 0)
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// plainLines returns the lines of an output, and how many of the oldest were
// left out. Height is how many rows the terminal has, zero if that is not known.
func plainLines(output string, height int) (lines []string, dropped int) {
	t := &terminal{screen: newScreen(height), height: height, strings: map[string]int{}}
	t.write(output)
	lines, dropped = t.screen.lines(), t.screen.dropped+max(len(t.screen.rows)-mostLines, 0)
	if t.normal != nil {
		// It ends on the alternate screen, which is the newest there is.
		lines = append(t.normal.lines(), lines...)
		dropped = t.normal.dropped
	}
	return lines, dropped
}

// terminal obeys what moves or erases text, and drops the rest.
type terminal struct {
	screen *screen
	// normal is the screen that will be there again when a program leaves the
	// alternate one; nil if the normal one is shown.
	normal *screen
	height int
	// drawing says for G0 and G1 whether letters are lines and corners; shifted
	// selects G1.
	drawing [2]bool
	shifted int
	// strings is how far there is no end for a string of a sort: it is not
	// looked for twice.
	strings map[string]int
}

func (t *terminal) write(text string) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 && text[i] < 0xA0 {
			r = rune(text[i]) // a control of eight bits
			if !introduces(r) {
				r = utf8.RuneError
			}
		}
		i += size
		switch {
		case r == 0x1B:
			i += t.escape(text[i:], len(text)-i)
		case r < ' ', r == 0x7F:
			t.control(r)
		case r >= 0x80 && r < 0xA0:
			i += t.escaped(byte(r-0x40), text[i:], len(text)-i)
		default:
			if drawn := r - '`'; t.drawing[t.shifted] && drawn >= 0 && int(drawn) < len(lineDrawing) {
				r = lineDrawing[drawn]
			}
			t.screen.put(r)
		}
	}
}

// lineDrawing is the DEC special graphics from ` to ~.
var lineDrawing = [...]rune{
	'◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼', '⎺',
	'⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}

// introduces reports whether a byte above 127 begins a sequence.
func introduces(r rune) bool {
	switch r {
	case 0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F:
		return true
	}
	return false
}

func (t *terminal) control(r rune) {
	s := t.screen
	switch r {
	case '\n', '\v', '\f':
		s.down()
		s.col = 0 // what writes to a pipe sends no carriage return
	case '\r':
		s.col = 0
	case '\b':
		s.col = max(s.col-1, 0)
	case '\t':
		s.tab()
	case 0x0E:
		t.shifted = 1
	case 0x0F:
		t.shifted = 0
	}
}

// escape obeys what follows an escape character, and returns how long it is.
// Left is how much text is left, which tells where it stands.
func (t *terminal) escape(text string, left int) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= ' ' && c <= '/': // part of a longer sequence
			if i > 3 {
				return i
			}
		case c < ' ' || c >= 0x7F:
			return i // not a sequence
		case i > 0:
			t.designate(text[:i], c)
			return i + 1
		default:
			return 1 + t.escaped(c, text[1:], left-1)
		}
	}
	return len(text)
}

// designate chooses a character set.
func (t *terminal) designate(intermediate string, set byte) {
	switch intermediate {
	case "(":
		t.drawing[0] = set == '0'
	case ")":
		t.drawing[1] = set == '0'
	}
}

// escaped obeys an escape sequence of one character, or one that this character
// introduces. It returns the length of what belongs to it in text.
func (t *terminal) escaped(c byte, text string, left int) int {
	s := t.screen
	switch c {
	case '[':
		return t.sequence(text)
	case ']':
		return t.skip(text, left, "\a\x18\x1a")
	case 'P':
		return t.skipTo(text, left, "\x1b\\")
	case 'X', '^', '_':
		return t.skip(text, left, "\x18\x1a")
	case 'D':
		s.down()
	case 'E':
		s.down()
		s.col = 0
	case 'M':
		if first, _ := s.visible(); s.row > first {
			s.row--
		} else {
			s.shift(first, 1)
		}
	case '7':
		s.saved.row, s.saved.col = s.row, s.col
	case '8':
		s.restore()
	case 'c':
		t.screen.eraseScreen(2)
		t.screen.row, t.screen.col = t.screen.top, 0
		t.drawing, t.shifted = [2]bool{}, 0
	}
	return 0
}

func (s *screen) restore() {
	s.reach(min(s.saved.row, len(s.rows)-1))
	s.column(s.saved.col)
}

// skip returns the length of a string that ends with one of some characters, or
// with the string terminator. Another escape is left for what follows. A string
// without an end is text.
func (t *terminal) skip(text string, left int, ends string) int {
	if left <= t.strings[ends] {
		return 0
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.HasPrefix(text[i:], "\x1b\\"), strings.HasPrefix(text[i:], "\u009c"):
			return i + 2
		case c == 0x1B:
			return i
		case strings.IndexByte(ends, c) >= 0:
			return i + 1
		}
	}
	t.strings[ends] = left
	return 0
}

// skipTo is skip for a string that only one mark ends.
func (t *terminal) skipTo(text string, left int, mark string) int {
	if left <= t.strings[mark] {
		return 0
	}
	end := strings.Index(text, mark)
	if end < 0 {
		t.strings[mark] = left
		return 0
	}
	return end + len(mark)
}
