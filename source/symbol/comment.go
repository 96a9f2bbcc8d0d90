package symbol

import "strings"

// commented returns the index of the first line of the comments and attributes
// directly above a declaration, none of which is above the first free line. Where
// the language is known the comments are, else they are told by their marks.
func commented(all []line, i, free int, known bool) int {
	column := all[i].column
	first := i
	inBlock := false
	for up := i - 1; up >= free; up-- {
		l := all[up]
		text := strings.TrimSpace(l.text)
		ends := strings.HasSuffix(text, "*/") && !known
		switch {
		case l.kind == blank && !inBlock:
			return first
		case inBlock || ends:
			inBlock = !strings.HasPrefix(text, "/*")
		case l.kind == remark && l.column == column:
		case known && int(l.begin) < up && int(l.begin) >= free && all[l.begin].column == column:
			up = int(l.begin)
		case l.kind != solid || l.column != column || !isAttribute(text) && (known || !isComment(text)):
			return first
		}
		if !inBlock {
			first = up
		}
	}
	return first
}

// attributes finds those that go over several lines, by their brackets.
func attributes(all []line) {
	begin, depth := -1, 0
	for i := range all {
		code := strings.TrimSpace(all[i].code)
		if begin < 0 && all[i].kind == solid && (strings.HasPrefix(code, "@") || strings.HasPrefix(code, "#[") || strings.HasPrefix(code, "[")) {
			begin = i
		}
		if begin < 0 {
			continue
		}
		depth += strings.Count(code, "(") + strings.Count(code, "[") - strings.Count(code, ")") - strings.Count(code, "]")
		if depth > 0 {
			continue
		}
		if strings.HasSuffix(code, ")") || strings.HasSuffix(code, "]") { // and nothing else follows in the line
			all[i].begin = int32(begin)
		}
		begin, depth = -1, 0
	}
}

func isComment(text string) bool {
	for _, mark := range []string{"//", "/*", "*", "--", ";;", "%"} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return strings.HasPrefix(text, "#") && !strings.HasPrefix(text, "#[")
}

func isAttribute(text string) bool {
	return strings.HasPrefix(text, "@") || strings.HasPrefix(text, "#[") || strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") || strings.HasPrefix(text, "template")
}
