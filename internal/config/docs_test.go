package config

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// yamlBlock is an example in the documentation.
type yamlBlock struct {
	line int
	text string
}

func yamlBlocks(page string) (blocks []yamlBlock) {
	var open *yamlBlock
	number := 0
	for line := range strings.Lines(page) {
		number++
		switch {
		case open == nil && strings.TrimSpace(line) == "```yaml":
			open = &yamlBlock{line: number}
		case open != nil && strings.TrimSpace(line) == "```":
			blocks = append(blocks, *open)
			open = nil
		case open != nil:
			open.text += line
		}
	}
	return blocks
}

// pattern is a key as the documentation names it: what a person chooses is a
// word in angle brackets.
func pattern(path []string) string {
	s, words := wholeShape(), slices.Clone(path)
	for i, name := range path {
		if s.isMap() {
			words[i] = "*"
		}
		s, _ = s.child(name)
	}
	return strings.Join(words, ".")
}

// allKeys returns every key that is accepted.
func allKeys(s shape, path []string) (keys []string) {
	switch {
	case !s.isGroup():
		return []string{strings.Join(path, ".")}
	case s.isMap():
		inner, _ := s.child("*")
		return allKeys(inner, append(path[:len(path):len(path)], "*"))
	}
	for _, name := range s.keys() {
		inner, _ := s.child(name)
		keys = append(keys, allKeys(inner, append(path[:len(path):len(path)], name))...)
	}
	return keys
}

// TestDocumentation holds docs/config.md and the code together: each key that
// is accepted has its row in a table, each row is a key that is accepted, each
// key is in an example, and each example is valid.
func TestDocumentation(t *testing.T) {
	data, err := os.ReadFile("../../docs/config.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	accepted := allKeys(wholeShape(), nil)
	if len(accepted) < 60 {
		t.Fatalf("only %d keys", len(accepted))
	}
	var rows, variableRows []string
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		word := strings.Trim(strings.TrimSpace(cells[1]), "`")
		if strings.ToUpper(word) == word {
			variableRows = append(variableRows, word+" "+strings.Trim(strings.TrimSpace(cells[2]), "`"))
			continue
		}
		var path []string
		for _, name := range strings.Split(word, ".") {
			if strings.HasPrefix(name, "NAME") {
				name = "*"
			}
			path = append(path, name)
		}
		rows = append(rows, strings.Join(path, "."))
		if s, ok := shapeAt(path); ok && (s.trust != "") != strings.Contains(cells[len(cells)-2], "trust") {
			t.Errorf("%s: needs trust: %v, and the table says otherwise", word, s.trust != "")
		}
	}
	compare(t, "the tables", accepted, rows)

	var shown []string
	for _, block := range yamlBlocks(page) {
		w := newWorld(t, map[string]string{userConfig: block.text})
		for _, problem := range w.problems() {
			t.Errorf("docs/config.md:%d: the example: %s", block.line, problem)
		}
		l, err := Load(w.options())
		if err != nil {
			continue
		}
		for _, s := range l.settings {
			shown = append(shown, pattern(s.path))
		}
	}
	compare(t, "the examples", accepted, shown)

	var known []string
	for _, v := range variables {
		known = append(known, v.name+" "+v.key)
	}
	compare(t, "the table of variables", known, variableRows)
}

// compare reports what is in one list and not in the other.
func compare(t *testing.T, where string, want, have []string) {
	t.Helper()
	for _, key := range want {
		if !slices.Contains(have, key) {
			t.Errorf("%s miss %s", where, key)
		}
	}
	for _, key := range have {
		if !slices.Contains(want, key) {
			t.Errorf("%s have %s, which is not accepted", where, key)
		}
	}
}

// TestEveryFieldHasAKey, because one without would never be read.
func TestEveryFieldHasAKey(t *testing.T) {
	for _, key := range allKeys(wholeShape(), nil) {
		if strings.Contains(key, "..") || strings.HasSuffix(key, ".") || key == "" {
			t.Errorf("%q", key)
		}
	}
	// A kind of value that nothing can read would be accepted as text and panic
	// when it is put in its place.
	for _, key := range allKeys(wholeShape(), nil) {
		s, _ := shapeAt(strings.Split(key, "."))
		switch s.typ.Kind() {
		case reflect.String, reflect.Int, reflect.Int64, reflect.Float64, reflect.Bool, reflect.Pointer, reflect.Slice, reflect.Struct:
		default:
			t.Errorf("%s is a %s", key, s.typ)
		}
	}
}
