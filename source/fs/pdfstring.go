package fs

import (
	"bytes"
	"io"
)

// pdfStrings writes on the strings that pass, as they are meant: without the
// escapes, in one piece where they are shown in one though letters are set one
// by one, in ASCII where they are in UTF-16. What a string of a font with codes
// of its own says it cannot tell.
type pdfStrings struct {
	to  io.Writer
	out []byte

	state pdfState
	depth int // of brackets in a string
	octal int // digits of an escape so far
	code  byte
	digit bool // whether there is the first half of a byte in code
	word  []byte
	apart bool // whether the next string is not shown in one with the last
}

type pdfState uint8

const (
	pdfBetween pdfState = iota
	pdfLiteral
	pdfEscape
	pdfHex
)

// Write implements [io.Writer]. It does not fail.
func (s *pdfStrings) Write(data []byte) (int, error) {
	begins := 0 // where the next one does, once that was looked for
	for at := 0; at < len(data); at++ {
		if s.state == pdfBetween && at >= begins {
			if begins = bytes.IndexAny(data[at:], "(<"); begins < 0 {
				begins = len(data) - at
			}
			begins += at
			if begins-at > longestGap { // as in pictures and fonts
				s.apart, s.word = true, s.word[:0]
				at = begins
			}
			if at == len(data) {
				break
			}
		}
		s.see(data[at])
	}
	if len(s.out) > 0 {
		s.to.Write(s.out)
		s.out = s.out[:0]
	}
	return len(data), nil
}

// longestGap is how much may stand between two strings that are shown as one.
const longestGap = 64

func (s *pdfStrings) see(b byte) {
	switch s.state {
	case pdfBetween:
		s.between(b)
	case pdfEscape:
		s.escape(b)
	case pdfLiteral:
		switch {
		case b == '\\':
			s.state, s.octal, s.code = pdfEscape, 0, 0
		case b == '(':
			s.depth++
			s.put(b)
		case b == ')':
			if s.depth--; s.depth == 0 {
				s.state = pdfBetween
				return
			}
			s.put(b)
		default:
			s.put(b)
		}
	case pdfHex:
		value, ok := hexValue(b)
		switch {
		case ok && s.digit:
			s.put(s.code<<4 | value)
			s.digit = false
		case ok:
			s.code, s.digit = value, true
		case b > ' ': // its end, or a dictionary and no string
			if s.digit && b == '>' {
				s.put(s.code << 4)
			}
			s.state = pdfBetween
			if b != '>' {
				s.apart = true
				s.between(b)
			}
		}
	}
}

// between sees what is not in a string. Numbers, and the operators that show
// text, do not move on to another place.
func (s *pdfStrings) between(b byte) {
	if b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b == '*' || b == '\'' || b == '"' || b == '/' {
		if len(s.word) < 3 {
			s.word = append(s.word, b)
		}
		return
	}
	if len(s.word) > 0 {
		if w := string(s.word); w != "Tj" && w != "TJ" {
			s.apart = true
		}
		s.word = s.word[:0]
	}
	switch b {
	case '(':
		s.state, s.depth = pdfLiteral, 1
	case '<':
		s.state, s.digit = pdfHex, false
	case '>':
		s.apart = true
	}
}

func (s *pdfStrings) escape(b byte) {
	if b >= '0' && b <= '7' && s.octal < 3 {
		s.code, s.octal = s.code<<3|(b-'0'), s.octal+1
		return
	}
	s.state = pdfLiteral
	if s.octal > 0 {
		s.put(s.code)
		s.see(b)
		return
	}
	switch b {
	case 'n', 'r', 't', 'b', 'f':
		s.put('\n')
	case '\n', '\r': // a line that goes on
	default:
		s.put(b)
	}
}

// put writes a byte. Zeros are the other half of a letter in UTF-16.
func (s *pdfStrings) put(b byte) {
	if b == 0 {
		return
	}
	if s.apart {
		s.out, s.apart = append(s.out, '\n'), false
	}
	s.out = append(s.out, b)
}

func hexValue(b byte) (value byte, ok bool) {
	switch {
	case b >= '0' && b <= '9':
		return b - '0', true
	case b >= 'a' && b <= 'f':
		return b - 'a' + 10, true
	case b >= 'A' && b <= 'F':
		return b - 'A' + 10, true
	}
	return 0, false
}
