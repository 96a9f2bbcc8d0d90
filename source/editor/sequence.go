package editor

import "strings"

// longestSequence is more than any program writes: colours of many attributes.
const longestSequence = 256

// sequence obeys a control sequence, of which text begins after its introducer,
// and returns its length.
func (t *terminal) sequence(text string) int {
	for i := 0; i < min(len(text), longestSequence); i++ {
		switch c := text[i]; {
		case c == 0x1B, c == 0x18, c == 0x1A:
			return i // broken off
		case c < ' ':
			// A control inside a sequence is obeyed as if it stood before.
			t.control(rune(c))
		case c >= '@' && c < 0x7F:
			t.obey(text[:i], c)
			return i + 1
		case c >= 0x7F:
			return i
		}
	}
	return min(len(text), longestSequence)
}

// obey does what moves or erases. Colours and the like are none of our concern.
func (t *terminal) obey(text string, final byte) {
	private := strings.HasPrefix(text, "?")
	if private && (final == 'h' || final == 'l') {
		t.modes(numbers(text[1:]), final == 'h')
		return
	}
	if strings.ContainsAny(text, "<=>? !\"#$%&'()*+,-./") {
		return // of a terminal's own, or about something else
	}
	p := numbers(text)
	arg := func(i, otherwise int) int {
		if i < len(p) && p[i] > 0 {
			return p[i]
		}
		return otherwise
	}
	s, n := t.screen, arg(0, 1)
	switch final {
	case 'A':
		s.up(n)
	case 'B', 'e':
		s.back(n)
	case 'C', 'a':
		s.column(s.col + n)
	case 'D':
		s.column(s.col - n)
	case 'E':
		s.back(n)
		s.col = 0
	case 'F':
		s.up(n)
		s.col = 0
	case 'G', '`':
		s.column(n - 1)
	case 'H', 'f':
		s.place(n - 1)
		s.column(arg(1, 1) - 1)
	case 'd':
		s.place(n - 1)
	case 'J':
		s.eraseScreen(arg(0, 0))
	case 'K':
		s.eraseLine(arg(0, 0))
	case 'L':
		s.shift(s.row, n)
	case 'M':
		s.shift(s.row, -n)
	case 'P':
		s.remove(n)
	case '@':
		s.insert(n)
	case 'X':
		s.erase(s.col, s.col+min(n, mostColumns))
	case 'S':
		s.scroll(n)
	case 'b':
		for range min(n, mostColumns) {
			if s.lastSize > 0 && s.col < mostColumns {
				s.write(s.last, s.lastSize)
			}
		}
	case 's':
		s.saved.row, s.saved.col = s.row, s.col
	case 'u':
		s.restore()
	}
}

// modes switches to the alternate screen and back.
func (t *terminal) modes(modes []int, on bool) {
	for _, mode := range modes {
		switch mode {
		case 47, 1047, 1049:
			if on && t.normal == nil {
				t.normal, t.screen = t.screen, newScreen(t.height)
			} else if !on && t.normal != nil {
				t.normal, t.screen = nil, t.normal
			}
		}
	}
}

// numbers reads the parameters of a sequence. One that is absent is zero.
func numbers(text string) []int {
	list := []int{0}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			last := &list[len(list)-1]
			*last = min(*last*10+int(c-'0'), 1<<20)
		case c == ';':
			list = append(list, 0)
		}
	}
	return list
}
