package symbol

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Outline shortens source code until it fits. First the bodies of all
// declarations go; then, as far as there is room, those come back that the prompt
// names or whose declaration has a word of the prompt in it, after them the bodies
// of all declarations, level by level, and what is declared in them. What is left
// out is said in place.
//
// Where not even the lines without bodies fit, what the prompt is about comes
// first, then as many declarations as there is room for. It reports false for what
// is not source code, and where none of these fits.
func Outline(name, text, prompt string, fits func(string) bool) (outline, shown string, ok bool) {
	if !isCode(name) {
		return "", "", false
	}
	v := newView(parse(name, text), fits)
	declared := find(name, text)
	wanted := v.about(declared, words(prompt, name))
	if v.level = 0; !v.fit() {
		v.level = -1 // no line only because it is not nested
	}
	var opened []string
	for _, w := range wanted[:min(len(wanted), mostWanted)] {
		switch {
		case v.try(w.declaration, true):
			opened = append(opened, w.word)
		case v.try(w.declaration, false):
		}
	}
	if v.level == 0 {
		v.levels()
	}
	v.declarations(declared, wanted)
	if v.level < 0 {
		v.top()
	}
	outline = v.render()
	if v.count == 0 || !fits(outline) {
		return "", "", false
	}
	shown = fmt.Sprintf("outline, %d of %d lines", v.count, len(v.lines))
	if len(opened) > 0 {
		shown += ", with " + strings.Join(compact(opened), ", ") + " in full"
	}
	return outline, shown, true
}

// mostWanted is how many declarations are tried one by one.
const mostWanted = 32

// wish is a declaration that the prompt is about, and the word that says so.
type wish struct {
	declaration
	word string
}

// about returns the declarations that words name, and after them those that have
// one of them in their first line, the outermost first.
func (v *view) about(declared []declaration, words map[string]bool) []wish {
	var named, mentioned []wish
	at := make(map[int]declaration, len(declared))
	heads := map[int]bool{}
	for _, d := range declared {
		at[d.head] = d
		if word := d.name[strings.LastIndexByte(d.name, '.')+1:]; words[word] && !v.local(d) {
			named = append(named, wish{d, word})
			heads[d.head] = true
		}
	}
	slices.SortStableFunc(named, func(a, b wish) int { return cmp.Compare(v.lines[a.head-1].level, v.lines[b.head-1].level) })
	for i, l := range v.lines {
		if l.level > 0 || l.kind != solid || int(l.end) == i+1 || heads[i+1] {
			continue
		}
		if word, ok := mentions(l.code, words); ok {
			d, ok := at[i+1]
			if !ok {
				d = declaration{first: i + 1, head: i + 1, last: int(l.end)}
			}
			mentioned = append(mentioned, wish{d, word})
		}
	}
	return append(named, mentioned...)
}

// declarations adds the first lines of as many declarations as fit, those first
// that are in what the prompt is about, then the outermost.
func (v *view) declarations(declared []declaration, wanted []wish) {
	within := make([]bool, len(v.lines)+1)
	for _, w := range wanted[:min(len(wanted), mostWanted)] {
		for i := w.head; i <= min(w.last, len(v.lines)); i++ {
			within[i] = true
		}
	}
	heads := slices.DeleteFunc(slices.Clone(declared), v.local)
	slices.SortStableFunc(heads, func(a, b declaration) int {
		if within[a.head] != within[b.head] {
			if within[a.head] {
				return -1
			}
			return 1
		}
		return cmp.Compare(v.lines[a.head-1].level, v.lines[b.head-1].level)
	})
	v.most(len(heads), func(k int) { v.head(heads[k]) })
}

// local reports whether a declaration is a value in something else.
func (v *view) local(d declaration) bool {
	l := v.lines[d.head-1]
	word, _ := firstWord(l.code)
	return l.level > 0 && isBinding(strings.ToLower(word)) && word != "static"
}

// words returns the names in a prompt that a declaration may have, without the
// file's own name.
func words(prompt, name string) map[string]bool {
	found := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ReplaceAll(prompt, name, " "), isNoName) {
		if len(word) > 2 {
			found[word] = true
		}
	}
	return found
}

// mentions returns the first of the words that a line has, besides those of the
// language.
func mentions(text string, words map[string]bool) (string, bool) {
	for _, word := range strings.FieldsFunc(text, isNoName) {
		if words[word] && !slices.Contains(declaring, word) && !slices.Contains(modifying, word) {
			return word, true
		}
	}
	return "", false
}

func isNoName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

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
