package fs

import (
	"encoding/hex"
	"strings"
)

// codeMap is what a font says of its codes: which bytes are one code, and which
// text it stands for.
type codeMap struct {
	spaces []codeSpace
	text   map[string]string
	// left is how many more codes may be named, again or for the first time.
	left int
}

// codeSpace is the codes of one length whose bytes all lie between two codes'.
type codeSpace struct{ low, high string }

func (s codeSpace) holds(code string) bool {
	for i := range len(code) {
		if code[i] < s.low[i] || code[i] > s.high[i] {
			return false
		}
	}
	return true
}

// length is how many bytes of raw, which has some, are its first code.
func (m *codeMap) length(raw string, composite bool) int {
	for n := 1; n <= min(4, len(raw)); n++ {
		for _, space := range m.spaces {
			if len(space.low) == n && space.holds(raw[:n]) {
				return n
			}
		}
	}
	if composite {
		return min(2, len(raw))
	}
	return 1
}

func (m *codeMap) find(code string) (text string, ok bool) {
	if m == nil {
		return "", false
	}
	text, ok = m.text[code]
	return text, ok
}

// mostCodes bounds how often a font can name a code: as often as there are codes
// with two bytes.
const mostCodes = 1 << 16

// readCodeMap reads the table in which a font says what its codes stand for. It
// is a program, of which only the lists of codes matter:
//
//	1 beginbfrange <0041> <005A> <0061> endbfrange
func readCodeMap(program string) *codeMap {
	m := &codeMap{text: map[string]string{}, left: mostCodes}
	var list [][]string // what stands in < >, what stands in [ ] together
	open := -1          // where in list the brackets opened
	for program != "" && len(list) <= 3*mostCodes {
		var word string
		switch word, program = nextWord(program); {
		case word == "[":
			open = len(list)
			list = append(list, nil)
		case word == "]":
			open = -1
		case strings.HasPrefix(word, "<"):
			code, err := hex.DecodeString(even(word[1:]))
			if err != nil {
				continue
			}
			if open >= 0 {
				list[open] = append(list[open], string(code))
			} else {
				list = append(list, []string{string(code)})
			}
		default:
			m.add(word, list)
			if !isNumber(word) {
				list, open = nil, -1
			}
		}
	}
	return m
}

// add takes in a list of codes at the word that ends it.
func (m *codeMap) add(word string, list [][]string) {
	one := func(i int) string { return strings.Join(list[i], "") }
	switch word {
	case "endcodespacerange":
		for ; len(list) >= 2; list = list[2:] {
			if low, high := one(0), one(1); len(low) == len(high) && low != "" {
				m.spaces = append(m.spaces, codeSpace{low, high})
			}
		}
	case "endbfchar":
		for ; len(list) >= 2; list = list[2:] {
			m.name(one(0), one(1))
		}
	case "endbfrange":
		for ; len(list) >= 3; list = list[3:] {
			m.addRange(one(0), one(1), list[2])
		}
	}
}

// name says what a code stands for.
func (m *codeMap) name(code, text string) {
	if m.left > 0 {
		m.left--
		m.text[code] = fromUTF16(text)
	}
}

// addRange names the codes from low to high: each by its own text, or all by
// that of the first, counted up.
func (m *codeMap) addRange(low, high string, texts []string) {
	if len(low) != len(high) || low == "" || len(texts) == 0 {
		return
	}
	code := []byte(low)
	for i := 0; m.left > 0 && string(code) <= high; i++ {
		switch {
		case i < len(texts):
			m.name(string(code), texts[i])
		case len(texts) > 1 || len(texts[0]) < 2:
			return
		default:
			text := []byte(texts[0])
			last := (int(text[len(text)-2])<<8 | int(text[len(text)-1])) + i
			text[len(text)-2], text[len(text)-1] = byte(last>>8), byte(last)
			m.name(string(code), string(text))
		}
		if !increment(code) {
			return
		}
	}
}

// increment counts a code up. It reports false after the last.
func increment(code []byte) bool {
	for i := len(code) - 1; i >= 0; i-- {
		if code[i]++; code[i] != 0 {
			return true
		}
	}
	return false
}

// nextWord returns the first word of a program and what follows it. A string of
// hexadecimal digits is returned with the bracket that opens it.
func nextWord(program string) (word, rest string) {
	const space = " \t\r\n\f\x00"
	program = strings.TrimLeft(program, space)
	for strings.HasPrefix(program, "%") { // a comment
		end := strings.IndexAny(program, "\r\n")
		if end < 0 {
			return "", ""
		}
		program = strings.TrimLeft(program[end:], space)
	}
	if program == "" {
		return "", ""
	}
	switch program[0] {
	case '[', ']', '>':
		return program[:1], program[1:]
	case '<':
		if strings.HasPrefix(program, "<<") {
			return "<<", program[2:]
		}
		digits, rest, _ := strings.Cut(program, ">")
		return strings.Join(strings.Fields(digits), ""), rest
	}
	end := strings.IndexAny(program[1:], space+"<>[]%/")
	if end < 0 {
		return program, ""
	}
	return program[:end+1], program[end+1:]
}

// even adds the digit that a string of hexadecimal digits may lack.
func even(digits string) string {
	if len(digits)%2 == 1 {
		return digits + "0"
	}
	return digits
}

func isNumber(word string) bool { return strings.Trim(word, "0123456789+-.") == "" }
