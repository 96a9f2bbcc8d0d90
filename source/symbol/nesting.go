package symbol

import "strings"

// line is a line of code and how deep it is nested.
type line struct {
	text string
	// code is the same without comments and with nothing in its strings, where it
	// is known how these are written.
	code string
	// level is how many lines it is nested in, column how far it is indented; what
	// goes on in a comment has the column in which that begins.
	level, column int32
	// end is the index after the last line that is nested in this one.
	end int32
	// begin is the index of the line in which the attribute begins that ends here.
	begin int32
	kind  lineKind
}

// lineKind is what a line has to do with what is nested in what.
type lineKind uint8

const (
	// solid lines are nested by their indentation.
	solid lineKind = iota
	// blank lines have nothing in them.
	blank
	// remark lines have only comments.
	remark
	// aside lines stand in the first column whatever they are in: directives of
	// the preprocessor, labels.
	aside
	// inside lines go on in a string of the line above.
	inside
)

// parse finds out which lines are nested in which by their indentation.
func parse(name, text string) []line {
	lines := split(text, tongueOf(name))
	var open []int // indices of the lines that the current one is nested in
	after := 0     // the index after the last line that is surely in these
	for i := range lines {
		l := &lines[i]
		l.end, l.begin = int32(i+1), int32(i)
		switch l.kind {
		case solid:
			column := l.column
			ending, run := closes(l.code), after
			for len(open) > 0 && lines[open[len(open)-1]].column >= column {
				above := &lines[open[len(open)-1]]
				// What is between a line and the bracket that closes it is in it; else
				// remarks and blank lines go to what follows, unless they are indented.
				closed := ending && above.column == column && (run > open[len(open)-1]+1 || above.opens())
				for after < i && (closed || lines[after].kind == blank || lines[after].column > above.column) {
					lines[after].level = int32(len(open))
					after++
				}
				above.end = int32(after)
				open = open[:len(open)-1]
			}
			for ; after < i; after++ {
				lines[after].level = int32(len(open))
			}
			l.level = int32(len(open))
			open = append(open, i)
			after = i + 1
		case inside:
			for ; after <= i; after++ {
				lines[after].level = int32(len(open))
			}
		}
	}
	for ; len(open) > 0; open = open[:len(open)-1] {
		above := &lines[open[len(open)-1]]
		for after < len(lines) && (lines[after].kind == blank || lines[after].column > above.column) {
			lines[after].level = int32(len(open))
			after++
		}
		above.end = int32(after)
	}
	// Blank lines at the end of a body belong to what follows.
	for i := len(lines) - 2; i >= 0; i-- {
		if lines[i].kind == blank {
			lines[i].level = min(lines[i].level, lines[i+1].level)
		}
	}
	return lines
}

// split returns the lines of a text and of which kind they are.
func split(text string, t *tongue) []line {
	masked, begins := text, []byte(nil)
	if t != nil {
		masked, begins = code(text, t)
	}
	lines := make([]line, 0, strings.Count(text, "\n")+1)
	for at := 0; at < len(text); {
		next := len(text)
		if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
			next = at + end + 1
		}
		l := line{text: text[at:next], code: masked[at:next]}
		column, empty := indentation(l.text)
		l.column = int32(column)
		if empty {
			l.kind = blank
		}
		if t != nil {
			l.judge(t, begins[len(lines)], lines)
		}
		lines, at = append(lines, l), next
	}
	return lines
}

// judge decides of which kind a line is that begins in a string or a comment.
func (l *line) judge(t *tongue, begins byte, above []line) {
	_, empty := indentation(l.code)
	switch {
	case begins == inString:
		l.kind = inside
	case empty && begins == inComment:
		l.kind = remark
		if len(above) > 0 && above[len(above)-1].kind == remark {
			l.column = above[len(above)-1].column
		}
	case empty && l.kind != blank:
		l.kind = remark
	case l.kind == blank:
	case t.directives && (strings.HasPrefix(strings.TrimLeft(l.code, " \t"), "#") || goesOn(above)),
		t.labels && isLabel(strings.TrimSpace(l.code)):
		l.kind = aside
	}
}

// goesOn reports whether a directive goes on after the lines above.
func goesOn(above []line) bool {
	if len(above) == 0 || above[len(above)-1].kind != aside {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(above[len(above)-1].text, "\r\n"), `\`)
}

// isLabel reports whether a line is a place to go to, or says who may see what is
// below: "out:", "public:", "public slots:".
func isLabel(code string) bool {
	words, ok := strings.CutSuffix(code, ":")
	return ok && words != "" && words != "default" && !strings.HasPrefix(words, "case ") && strings.Trim(words, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ") == ""
}

func indentation(raw string) (column int, blank bool) {
	for _, r := range raw {
		switch r {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		case '\n', '\r':
			return column, true
		default:
			return column, false
		}
	}
	return column, true
}
