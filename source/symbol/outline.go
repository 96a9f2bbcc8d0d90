package symbol

import (
	"fmt"
	"path"
	"strings"
	"unicode"
)

// Outline shortens source code until it fits. First the bodies of all
// declarations go; then, as far as there is room, those come back whose
// declaration has a word of the prompt in it, and after them the bodies of all
// declarations, level by level. What is left out is said in place.
//
// It reports false for what is not source code, and where not even the
// declarations fit.
func Outline(name, text, prompt string, fits func(string) bool) (outline, shown string, ok bool) {
	if !isCode(name) {
		return "", "", false
	}
	lines := parse(text)
	view := view{lines: lines, open: map[int]bool{}}
	best := view.render()
	if !fits(best) {
		return "", "", false
	}
	var opened []string
	for i, line := range lines {
		if line.level > 0 || line.end == i+1 {
			continue
		}
		if word, ok := mentions(line.text, words(prompt, name)); ok {
			view.open[i] = true
			if longer := view.render(); fits(longer) {
				best = longer
				opened = append(opened, word)
			} else {
				delete(view.open, i)
			}
		}
	}
	deepest := 0
	for _, line := range lines {
		deepest = max(deepest, line.level)
	}
	for level := deepest; level > 0; level-- {
		view.level = level
		if longer := view.render(); fits(longer) {
			best = longer
			break
		}
		view.level = 0
	}
	view.render()
	shown = fmt.Sprintf("outline, %d of %d lines", view.shown, len(lines))
	if len(opened) > 0 {
		shown += ", with " + strings.Join(compact(opened), ", ") + " in full"
	}
	return best, shown, true
}

// line is a line of code and how deep it is nested.
type line struct {
	text  string
	level int
	// end is the index after the last line that is nested in this one.
	end int
}

// parse finds out which lines are nested in which by their indentation.
func parse(text string) []line {
	var lines []line
	var open []int    // indices of the lines that the current one is nested in
	var columns []int // how far each of these is indented
	for _, raw := range strings.SplitAfter(text, "\n") {
		if raw == "" {
			continue
		}
		column, blank := indentation(raw)
		for len(open) > 0 && !blank && columns[len(columns)-1] >= column {
			lines[open[len(open)-1]].end = len(lines)
			open, columns = open[:len(open)-1], columns[:len(columns)-1]
		}
		lines = append(lines, line{text: raw, level: len(open), end: len(lines) + 1})
		if !blank {
			open, columns = append(open, len(lines)-1), append(columns, column)
		}
	}
	for _, i := range open {
		lines[i].end = len(lines)
	}
	// Blank lines at the end of a body belong to what follows.
	for i := len(lines) - 2; i >= 0; i-- {
		if _, blank := indentation(lines[i].text); blank {
			lines[i].level = min(lines[i].level, lines[i+1].level)
		}
	}
	return lines
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

// view is which lines are shown.
type view struct {
	lines []line
	// level is how deep lines are shown, open which are shown with their body.
	level int
	open  map[int]bool
	shown int
}

func (v *view) render() string {
	var b strings.Builder
	v.shown = 0
	wholeUntil := 0
	for i := 0; i < len(v.lines); {
		l := v.lines[i]
		if v.open[i] {
			wholeUntil = l.end
		}
		if l.level <= v.level || i < wholeUntil {
			b.WriteString(l.text)
			v.shown++
			i++
			continue
		}
		hidden := i
		for i < len(v.lines) && v.lines[i].level > v.level {
			i++
		}
		if i-hidden == 1 { // saying so would be as long
			b.WriteString(l.text)
			v.shown++
			continue
		}
		indent := l.text[:len(l.text)-len(strings.TrimLeft(l.text, " \t\r\n"))]
		fmt.Fprintf(&b, "%s… %d lines\n", strings.Trim(indent, "\r\n"), i-hidden)
	}
	return b.String()
}

// words returns the names in a prompt that a declaration may have, without the
// file's own name.
func words(prompt, name string) map[string]bool {
	found := map[string]bool{}
	isName := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }
	for _, word := range strings.FieldsFunc(strings.ReplaceAll(prompt, name, " "), isName) {
		if len(word) > 2 {
			found[word] = true
		}
	}
	return found
}

// mentions returns the first of the words that a line has.
func mentions(text string, words map[string]bool) (string, bool) {
	isName := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }
	for _, word := range strings.FieldsFunc(text, isName) {
		if words[word] {
			return word, true
		}
	}
	return "", false
}

// compact drops repeated neighbours.
func compact(names []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, name := range names {
		if !seen[name] {
			kept = append(kept, name)
			seen[name] = true
		}
	}
	return kept
}

// isCode reports whether a file is source code, whose layout is its structure.
func isCode(name string) bool {
	switch strings.ToLower(strings.TrimPrefix(path.Ext(name), ".")) {
	case "go", "py", "pyi", "rb", "php", "pl", "lua", "jl", "js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte",
		"c", "h", "cc", "cpp", "cxx", "hpp", "m", "mm", "cs", "fs", "swift", "rs", "zig", "nim", "java", "kt", "kts", "scala", "groovy",
		"clj", "ex", "exs", "erl", "hs", "ml", "elm", "dart", "sh", "bash", "zsh", "ps1", "sql", "proto", "graphql", "tf", "css", "scss":
		return true
	}
	return false
}
