package profile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat/token"
	"go.yaml.in/yaml/v4"
)

// What front matter may grow to when its aliases are followed, and how deep it
// may be nested. A few lines of YAML can stand for a billion values.
const (
	maxValues = 10_000
	maxDepth  = 32
)

// fields reads nodes into Go values and collects what is wrong with them, so
// that a person sees all of it at once.
type fields struct {
	file     string
	offset   int // lines before the YAML
	problems Problems
	left     int // values that may still be read
}

func newFields(file string, doc document) *fields {
	return &fields{file: file, offset: doc.frontLine, left: maxValues}
}

func (f *fields) at(n *yaml.Node) Position {
	return Position{f.file, n.Line + f.offset, n.Column}
}

func (f *fields) wrong(n *yaml.Node, format string, args ...any) {
	f.problems = append(f.problems, &Problem{At: f.at(n), What: fmt.Sprintf(format, args...)})
}

// follow returns the node that an alias stands for.
func follow(n *yaml.Node) *yaml.Node {
	for range maxDepth {
		if n.Kind != yaml.AliasNode || n.Alias == nil {
			break
		}
		n = n.Alias
	}
	return n
}

// field is a key that is known, and what reads its value.
type field struct {
	name string
	read func(value *yaml.Node)
}

// mapping reads a mapping with the given keys and no others. What names it in
// errors.
func (f *fields) mapping(n *yaml.Node, what string, known ...field) {
	n = follow(n)
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		f.wrong(n, "%s is %s; it must be keys and values", what, describe(n))
		return
	}
	for key, value := range f.pairs(n) {
		i := slices.IndexFunc(known, func(k field) bool { return k.name == key.Value })
		if i < 0 {
			names := make([]string, len(known))
			for i, k := range known {
				names[i] = k.name
			}
			hint := suggestion(key.Value, names)
			if hint == "" {
				hint = "; there are " + strings.Join(names, ", ")
			}
			f.wrong(key, "unknown key %q in %s%s", key.Value, what, hint)
			continue
		}
		known[i].read(value)
	}
}

// pairs visits the keys and values of a mapping. A key that is there twice is
// an error: which of the two counts is anybody's guess.
func (f *fields) pairs(n *yaml.Node) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		seen := map[string]*yaml.Node{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := follow(n.Content[i]), n.Content[i+1]
			switch before, twice := seen[key.Value]; {
			case key.Kind != yaml.ScalarNode:
				f.wrong(key, "a key must be a word, this is %s", describe(key))
			case key.Value == "<<":
				f.wrong(key, "merge keys are not read here; use extends")
			case twice:
				f.wrong(key, "the key %q is there twice, first in line %d", key.Value, before.Line+f.offset)
			default:
				seen[key.Value] = key
				if !yield(key, value) {
					return
				}
			}
		}
	}
}

// text reads a scalar as it is written.
func (f *fields) text(n *yaml.Node, what string, into *string) bool {
	n = follow(n)
	if n.Kind != yaml.ScalarNode {
		f.wrong(n, "%s is %s; it must be a single text", what, describe(n))
		return false
	}
	if !isNull(n) {
		*into = strings.TrimSpace(n.Value)
	}
	return !isNull(n)
}

// oneOf reads a word out of a few.
func (f *fields) oneOf(n *yaml.Node, what string, into *string, words ...string) bool {
	var word string
	if !f.text(n, what, &word) {
		return false
	}
	if !slices.Contains(words, word) {
		hint := suggestion(word, words)
		if hint == "" {
			hint = "; use one of " + strings.Join(words, ", ")
		}
		f.wrong(n, "%s cannot be %q%s", what, word, hint)
		return false
	}
	*into = word
	return true
}

// share reads a part of a whole, more than none and at most all.
func (f *fields) share(n *yaml.Node, what string, into **float64) {
	n = follow(n)
	value, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || err != nil || math.IsNaN(value) || value <= 0 || value > 1 {
		f.wrong(n, "%s is %s; it must be a number above 0 and at most 1", what, describe(n))
		return
	}
	*into = &value
}

// count reads a whole number, not less than least.
func (f *fields) count(n *yaml.Node, what string, least int, into **int) {
	n = follow(n)
	value, err := strconv.Atoi(strings.ReplaceAll(n.Value, "_", ""))
	if n.Kind != yaml.ScalarNode || err != nil || value < least || value > math.MaxInt32 {
		f.wrong(n, "%s is %s; it must be a whole number, %d or more", what, describe(n), least)
		return
	}
	*into = &value
}

// tokens reads a number of tokens.
func (f *fields) tokens(n *yaml.Node, what string, into **int) {
	n = follow(n)
	if n.Kind != yaml.ScalarNode {
		f.wrong(n, "%s is %s; it must be a number of tokens, such as 2000 or 32k", what, describe(n))
		return
	}
	value, err := token.ParseCount(n.Value)
	if err != nil {
		f.wrong(n, "%s: %s", what, err)
		return
	}
	*into = &value
}

// list visits the items of a list. A single item stands for a list of one.
func (f *fields) list(n *yaml.Node, visit func(item *yaml.Node)) {
	n = follow(n)
	switch {
	case isNull(n):
	case n.Kind == yaml.SequenceNode:
		for _, item := range n.Content {
			if !f.spend(item) {
				return
			}
			visit(item)
		}
	default:
		visit(n)
	}
}

// words reads a list of texts.
func (f *fields) words(n *yaml.Node, what string) []string {
	words := []string{}
	f.list(n, func(item *yaml.Node) {
		var word string
		switch ok := f.text(item, "an item of "+what, &word); {
		case !ok || !f.isWord(item, what):
		case word == "":
			f.wrong(item, "an item of %s is empty", what)
		case slices.Contains(words, word):
			f.wrong(item, "%s has %q twice", what, word)
		default:
			words = append(words, word)
		}
	})
	return words
}

// isWord refuses what is no text: 5, true.
func (f *fields) isWord(n *yaml.Node, what string) bool {
	switch n = follow(n); n.Tag {
	case "!!int", "!!float", "!!bool":
		f.wrong(n, "an item of %s is %s, which names nothing; if something is called so, put it in quotes", what, n.Value)
		return false
	}
	return true
}

// spend counts a value against what front matter may grow to.
func (f *fields) spend(n *yaml.Node) bool {
	f.left--
	if f.left == 0 {
		f.wrong(n, "the front matter grows to more than %d values", maxValues)
	}
	return f.left > 0
}

// value reads anything: what a module's configuration holds.
func (f *fields) value(n *yaml.Node, depth int) any {
	n = follow(n)
	if !f.spend(n) {
		return nil
	}
	if depth > maxDepth {
		f.wrong(n, "it is nested deeper than %d levels", maxDepth)
		f.left = 0 // once is enough
		return nil
	}
	switch n.Kind {
	case yaml.MappingNode:
		mapping := map[string]any{}
		for key, value := range f.pairs(n) {
			mapping[key.Value] = f.value(value, depth+1)
		}
		return mapping
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, f.value(item, depth+1))
			if f.left <= 0 {
				break
			}
		}
		return list
	}
	return f.scalar(n)
}

// scalar reads a single value by its type in YAML. Dates and the like stay the
// text that they are.
func (f *fields) scalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool", "!!int", "!!float":
		var value any
		if err := n.Decode(&value); err != nil {
			f.wrong(n, "%q cannot be read: %v", n.Value, err)
			return nil
		}
		if number, ok := value.(float64); ok && (math.IsNaN(number) || math.IsInf(number, 0)) {
			f.wrong(n, "%q is no number that can be used", n.Value)
			return nil
		}
		return value
	}
	return n.Value
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.ShortTag() == "!!null" }

// describe says what a node is, for errors.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys and values"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		if isNull(n) {
			return "empty"
		}
		if len(n.Value) > 40 {
			return strconv.Quote(n.Value[:40]) + "…"
		}
		return strconv.Quote(n.Value)
	}
	return "nothing"
}
