package symbol

import (
	"slices"
	"strings"
)

// closers knows where declarations end. All is found out beforehand and from the
// end of the file on, for which a look at each line is enough.
type closers struct {
	all []line
	// brackets says that brackets end what indentation does not: they are known
	// from those in strings, and there are none that a directive takes out.
	brackets bool
	// braces is for each line that ends in a brace the line that closes it, outer
	// for each line the one that closes the first bracket that is left open in it;
	// else they are zero.
	braces, outer []int32
	// solid is for each line the last up to it that is not blank, last the last of
	// what begins with it.
	solid, last []int32
}

func newClosers(all []line, t *tongue) *closers {
	c := &closers{all: all, brackets: t != nil && !t.directives}
	c.match()
	c.solid, c.last = make([]int32, len(all)), make([]int32, len(all))
	full := 0
	for i := range all {
		if all[i].kind != blank {
			full = i
		}
		c.solid[i] = int32(full)
	}
	// Next is for each line the first from it on that is more than a comment, closed
	// the last line that its brackets reach.
	next, closed := make([]int32, len(all)+1), make([]int32, len(all))
	next[len(all)] = int32(len(all))
	for i := len(all) - 1; i >= 0; i-- {
		if next[i] = int32(i); all[i].kind == remark {
			next[i] = next[i+1]
		}
		column := all[i].column
		last := all[i].end - 1
		if closing := c.outer[i]; c.brackets && closing > last && all[closing].column == column {
			last = closed[closing]
		}
		closed[i] = last
		if below := next[last+1]; int(below) < len(all) && all[below].kind == solid && all[below].column == column {
			text := strings.TrimSpace(all[below].code)
			switch {
			case !continues(text):
			case strings.IndexByte(")>{", text[0]) >= 0 || all[below].opens():
				last = c.last[below]
			default:
				last = closed[below]
			}
		}
		c.last[i] = last
	}
	return c
}

// of returns the index of the last line of what begins at a line.
func (c *closers) of(i int) int {
	if int(c.solid[c.all[i].end-1]) <= i && strings.HasSuffix(strings.TrimRight(c.all[i].code, " \t\r\n"), "{") {
		return max(i, int(c.braces[i])) // what is in it is not indented
	}
	return max(i, int(c.solid[c.last[i]]))
}

// match finds the lines that close brackets. What closes another kind of bracket
// than the last closes nothing.
func (c *closers) match() {
	type bracket struct {
		line        int32
		kind        byte
		last, first bool // that is left open in its line
	}
	c.braces, c.outer = make([]int32, len(c.all)), make([]int32, len(c.all))
	var open []bracket
	for i := range c.all {
		if c.all[i].kind == aside {
			continue
		}
		low := len(open)
		for _, b := range []byte(c.all[i].code) {
			switch b {
			case '{':
				open = append(open, bracket{line: int32(i), kind: '}'})
			case '(':
				if c.brackets {
					open = append(open, bracket{line: int32(i), kind: ')'})
				}
			case '[':
				if c.brackets {
					open = append(open, bracket{line: int32(i), kind: ']'})
				}
			case '}', ')', ']':
				if len(open) == 0 || open[len(open)-1].kind != b {
					continue
				}
				top := open[len(open)-1]
				if top.last {
					c.braces[top.line] = int32(i)
				}
				if top.first {
					c.outer[top.line] = int32(i)
				}
				open = open[:len(open)-1]
				low = min(low, len(open))
			}
		}
		if len(open) > low {
			open[low].first = true
			open[len(open)-1].last = strings.HasSuffix(strings.TrimRight(c.all[i].code, " \t\r\n"), "{")
		}
	}
}

// continues reports whether a line belongs to what was begun above it.
func continues(text string) bool { return closes(text) || strings.TrimSpace(text) == "{" }

// closes reports whether a line ends what was begun above it.
func closes(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	if strings.IndexByte(")]}>", text[0]) >= 0 {
		return true
	}
	word, _ := firstWord(strings.TrimRight(text, ";,"))
	return slices.Contains([]string{"end", "fi", "done", "esac", "endif", "endfunction"}, word)
}
