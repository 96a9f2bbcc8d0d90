package tool

import "unicode/utf8"

// plain reads what programs write to a terminal and gives the lines that would
// stand there: escape codes are left out, and a line that is written over, as
// progress bars do, is what it was in the end.
type plain struct {
	line []byte
	// over says that the next character begins the line anew.
	over  bool
	state state
}

// state is where in an escape code the reading is.
type state int

const (
	text     state = iota
	escape         // after ESC
	control        // in a control sequence, after ESC [
	words          // in a string, after ESC ] and the like
	wordsEsc       // in a string, after ESC, which may end it
	charset        // after ESC (, which takes one character
	latin          // after the first byte of a C1 control in UTF-8
)

// maxLine is how long a line gets before it is handed on in pieces.
const maxLine = 16 << 10

// write takes what was said and hands on the lines that are complete, each with
// its newline.
func (p *plain) write(said []byte, add func([]byte)) {
	for _, c := range said {
		p.take(c, add)
	}
}

// end hands on what is left.
func (p *plain) end(add func([]byte)) {
	if len(p.line) > 0 {
		add(p.line)
		p.line = p.line[:0]
	}
	p.over, p.state = false, text
}

func (p *plain) take(c byte, add func([]byte)) {
	switch p.state {
	case text:
		p.character(c, add)
	case escape:
		p.state = text
		switch {
		case c == '[':
			p.state = control
		case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_':
			p.state = words
		case c >= 0x20 && c <= 0x2F:
			p.state = charset
		case c < 0x20:
			p.character(c, add) // the code was cut short
		}
	case control:
		switch {
		case c >= 0x40 && c <= 0x7E:
			p.state = text
		case c == 0x1B:
			p.state = escape
		case c == '\n':
			p.state = text
			p.character(c, add)
		}
	case words:
		switch c {
		case 0x07, '\n':
			p.state = text
			if c == '\n' { // no string has lines: this one was cut short
				p.character(c, add)
			}
		case 0x1B:
			p.state = wordsEsc
		}
	case wordsEsc:
		p.state = escape
		if c == '\\' {
			p.state = text
			return
		}
		p.take(c, add)
	case charset:
		switch {
		case c < 0x20:
			p.state = text
			p.character(c, add)
		case c >= 0x30:
			p.state = text
		}
	case latin:
		p.state = text
		switch {
		case c == 0x9B:
			p.state = control
		case c == 0x9D || c == 0x90 || c == 0x98 || c == 0x9E || c == 0x9F:
			p.state = words
		case c >= 0x80 && c <= 0x9F:
		case c >= 0xA0 && c <= 0xBF:
			p.put(add, 0xC2, c)
		default:
			// It stands alone. Kept as it is, it would become a control with what
			// comes next, once an escape code between them is left out.
			p.put(add, []byte("\uFFFD")...)
			p.character(c, add)
		}
	}
}

// character takes a character that is not part of an escape code.
func (p *plain) character(c byte, add func([]byte)) {
	switch {
	case c == 0x1B:
		p.state = escape
	case c == 0xC2:
		p.state = latin
	case c == '\n':
		p.line = append(p.line, '\n')
		add(p.line)
		p.line, p.over = p.line[:0], false
	case c == '\r':
		p.over = true
	case c == '\b':
		if _, size := utf8.DecodeLastRune(p.line); size > 0 {
			p.line = p.line[:len(p.line)-size]
		}
	case c == '\t' || c >= 0x20 && c != 0x7F:
		p.put(add, c)
	}
}

func (p *plain) put(add func([]byte), bytes ...byte) {
	if p.over {
		p.line, p.over = p.line[:0], false
	}
	p.line = append(p.line, bytes...)
	if len(p.line) >= maxLine && (bytes[len(bytes)-1] < utf8.RuneSelf || len(p.line) >= maxLine+utf8.UTFMax) {
		add(p.line)
		p.line = p.line[:0]
	}
}
