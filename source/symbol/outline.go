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
	lines := parse(name, text)
	view := view{lines: lines, open: map[int]bool{}}
	best := view.render()
	if !fits(best) {
		return "", "", false
	}
	var opened []string
	for i, line := range lines {
		if line.level > 0 || int(line.end) == i+1 {
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
		deepest = max(deepest, int(line.level))
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
			wholeUntil = int(l.end)
		}
		if int(l.level) <= v.level || i < wholeUntil {
			b.WriteString(l.text)
			v.shown++
			i++
			continue
		}
		hidden := i
		for i < len(v.lines) && int(v.lines[i].level) > v.level {
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
