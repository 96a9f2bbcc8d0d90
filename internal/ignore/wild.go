package ignore

import "strings"

// wild is a compiled glob. It matches a path, or a name, from end to end.
type wild []token

type token struct {
	op      op
	literal string // of opLiteral
	set     *class // of opClass
}

type op uint8

const (
	opLiteral op = iota
	opByte       // ?      one byte, not a slash
	opClass      // [...]  one byte, not a slash
	opStar       // *      any bytes, no slash
	opDeep       // **     any bytes
	opFolders    // **/    nothing, or any bytes that end in a slash
)

// compile reads a glob. It reports false for one that can match nothing: with a
// bracket that is not closed, a class that does not exist, or a backslash at
// its end.
func compile(glob string) (wild, bool) {
	var w wild
	literal := func(text string) {
		if n := len(w); n > 0 && w[n-1].op == opLiteral {
			w[n-1].literal += text
			return
		}
		w = append(w, token{op: opLiteral, literal: text})
	}
	for i := 0; i < len(glob); {
		switch glob[i] {
		case '\\':
			if i+1 == len(glob) {
				return nil, false
			}
			literal(glob[i+1 : i+2])
			i += 2
		case '?':
			w = append(w, token{op: opByte})
			i++
		case '[':
			set, length := readClass(glob[i:])
			if length == 0 {
				return nil, false
			}
			w = append(w, token{op: opClass, set: set})
			i += length
		case '*':
			end := i + 1
			for end < len(glob) && glob[end] == '*' {
				end++
			}
			rest := glob[end:]
			// Two stars mean something only as a whole segment of the path.
			opens := i == 0 || glob[i-1] == '/'
			closes := rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)
			switch {
			case end-i == 1 || !opens || !closes:
				w = append(w, token{op: opStar})
			case rest != "" && rest[0] == '/':
				w = append(w, token{op: opFolders})
				end++
			default:
				w = append(w, token{op: opDeep})
			}
			i = end
		default:
			end := i + 1
			for end < len(glob) && !special(glob[end]) {
				end++
			}
			literal(glob[i:end])
			i = end
		}
	}
	return w, true
}

// special is what begins something other than a literal.
func special(b byte) bool { return b == '*' || b == '?' || b == '[' || b == '\\' }

// match also returns how many steps it took, for the test that counts them.
//
// Two places to come back to are enough. After a later star of the same sort
// has begun, trying an earlier one again gains nothing: the pieces between were
// found as far left as they are, and a piece that holds a slash has only one
// place, since a single star does not pass slashes. After ** an earlier single
// star gains nothing either, since ** takes whatever that would have taken.
func (w wild) match(text string) (matched bool, steps int) {
	// What follows the last star has a fixed length, and most texts fail there.
	for len(w) > 0 {
		t, width := &w[len(w)-1], 1
		switch t.op {
		case opLiteral:
			width = len(t.literal)
		case opStar, opDeep, opFolders:
			width = 0
		}
		if width == 0 {
			break
		}
		steps++
		if len(text) < width || !t.fits(text[len(text)-width:]) {
			return false, steps
		}
		w, text = w[:len(w)-1], text[:len(text)-width]
	}
	if len(w) == 0 {
		return text == "", steps
	}
	const none = -1
	star, starAt := none, 0 // the last single star, and how far it reaches
	deep, deepAt := none, 0 // the last ** or **/, and how far it reaches
	for at, i := 0, 0; ; {
		steps++
		if i == len(w) {
			if at == len(text) {
				return true, steps
			}
		} else {
			switch t := &w[i]; t.op {
			case opLiteral, opByte, opClass:
				if t.fits(text[at:]) {
					at += max(len(t.literal), 1)
					i++
					continue
				}
			case opStar:
				if i == len(w)-1 && strings.IndexByte(text[at:], '/') < 0 {
					return true, steps
				}
				star, starAt = i, at
				i++
				continue
			case opDeep, opFolders:
				if i == len(w)-1 && t.op == opDeep {
					return true, steps
				}
				deep, deepAt, star = i, at, none
				i++
				continue
			}
		}
		if star != none && starAt < len(text) && text[starAt] != '/' {
			starAt++
			at, i = starAt, star+1
			continue
		}
		if deep == none {
			return false, steps
		}
		star = none
		if w[deep].op == opFolders {
			slash := strings.IndexByte(text[deepAt:], '/')
			if slash < 0 {
				return false, steps
			}
			deepAt += slash
		}
		if deepAt == len(text) {
			return false, steps
		}
		deepAt++
		at, i = deepAt, deep+1
	}
}

// fits tells whether a token of fixed length matches the beginning of a text.
func (t *token) fits(text string) bool {
	switch t.op {
	case opLiteral:
		return strings.HasPrefix(text, t.literal)
	case opByte:
		return text != "" && text[0] != '/'
	}
	return text != "" && t.set.has(text[0])
}
