package config

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat/token"
	"go.yaml.in/yaml/v4"
)

// maxNodes is how many nodes of a file are looked at, each as often as aliases
// name it: an alias bomb of some lines stands for millions.
const maxNodes = 50_000

// maxMistakes is after how many mistakes a file is not one of ours.
const maxMistakes = 100

// decoder walks the nodes of one file along the shape of [Config].
type decoder struct {
	file     Origin // without a line
	place    place
	settings []Setting
	problems Problems
	nodes    int
}

func (d *decoder) origin(n *yaml.Node) Origin {
	o := d.file
	o.Line, o.Column = n.Line, n.Column
	return o
}

// fault notes a problem with what is at path.
func (d *decoder) fault(n *yaml.Node, path []string, format string, args ...any) {
	d.problems = append(d.problems, Problem{d.origin(n), name(path) + ": " + fmt.Sprintf(format, args...), path})
}

// decode reads a node into the place of path.
func (d *decoder) decode(n *yaml.Node, s shape, path []string) {
	node, ok := d.enter(n)
	if !ok {
		return
	}
	switch {
	case !s.isGroup():
		d.leaf(n, node, s, path)
	case s.isEntry && (isNull(node) || node.Kind == yaml.MappingNode && len(node.Content) == 0):
		d.fault(n, path, "there is nothing in it; write its keys, or leave it out")
	case isNull(node):
		// A heading whose keys are all commented out.
	case node.Kind != yaml.MappingNode:
		d.fault(n, path, "%s, where keys with values belong", describe(node))
	default:
		d.group(node, s, path)
	}
}

// enter counts a node, and follows it if it is an alias.
func (d *decoder) enter(n *yaml.Node) (*yaml.Node, bool) {
	d.nodes++
	if d.nodes > maxNodes {
		if d.nodes == maxNodes+1 {
			d.fault(n, nil, "too much configuration: more than %d values, counting each as often as aliases name it", maxNodes)
		}
		return nil, false
	}
	if n.Kind == yaml.AliasNode {
		return n.Alias, n.Alias != nil
	}
	return n, true
}

func (d *decoder) group(node *yaml.Node, s shape, path []string) {
	seen := map[string]int{}
	for i := 0; i+1 < len(node.Content) && d.nodes <= maxNodes && len(d.problems) < maxMistakes; i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		switch {
		case key.Tag == "!!merge":
			d.fault(key, path, "merging with << is not read; write the keys out")
			continue
		case key.Kind != yaml.ScalarNode || isNull(key):
			d.fault(key, path, "a key that is no word")
			continue
		}
		inner := append(path[:len(path):len(path)], key.Value)
		if line, twice := seen[key.Value]; twice {
			d.fault(key, inner, "it is there twice, first in line %d", line)
			continue
		}
		seen[key.Value] = key.Line
		child, ok := s.child(key.Value)
		if !ok {
			d.fault(key, inner, "there is no such key%s", didYouMean(key.Value, s.keys()))
			continue
		}
		d.decode(value, child, inner)
	}
}

// leaf reads a value. Problems are placed at n, where it is used; node is n, or
// what it is an alias of.
func (d *decoder) leaf(n, node *yaml.Node, s shape, path []string) {
	value, err := d.value(node, s.typ)
	if err != nil {
		d.fault(n, path, "%s", err)
		return
	}
	if value == nil {
		return
	}
	d.settings = append(d.settings, Setting{
		Key: dotted(path), Value: format(reflect.ValueOf(value)), From: d.origin(n), path: path, value: value, trust: s.trust,
	})
}

// value returns the value of a node, or nil if it says nothing.
func (d *decoder) value(node *yaml.Node, typ reflect.Type) (any, error) {
	switch typ {
	case reflect.TypeFor[Secret]():
		return d.secret(node)
	case reflect.TypeFor[Text]():
		return d.text(node)
	}
	if typ.Kind() == reflect.Slice {
		return d.list(node, typ)
	}
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	text, err := scalar(node)
	if err != nil {
		return nil, err
	}
	if typ.Kind() == reflect.Bool && node.Tag != "!!bool" || typ.Kind() != reflect.Bool && node.Tag == "!!bool" {
		return nil, fmt.Errorf("%s, where %s belongs", describe(node), wanted(typ))
	}
	return parse(text, typ, d.place)
}

// scalar returns the text of a value that is one.
func scalar(node *yaml.Node) (string, error) {
	switch {
	case isNull(node):
		return "", fmt.Errorf("it has no value; give it one or leave the key out")
	case node.Kind != yaml.ScalarNode:
		return "", fmt.Errorf("%s, where a single value belongs", describe(node))
	case strings.HasPrefix(node.Tag, "!") && !strings.HasPrefix(node.Tag, "!!") || node.Tag == "!!binary":
		return "", fmt.Errorf("the tag %s means nothing here", strconv.Quote(node.Tag))
	}
	return node.Value, nil
}

func (d *decoder) list(node *yaml.Node, typ reflect.Type) (any, error) {
	switch {
	case isNull(node):
		return nil, nil
	case node.Kind != yaml.SequenceNode:
		return nil, fmt.Errorf("%s, where a list belongs; write [a, b]", describe(node))
	}
	list := reflect.MakeSlice(typ, 0, len(node.Content))
	for _, n := range node.Content {
		item, ok := d.enter(n)
		if !ok {
			return nil, nil
		}
		value, err := d.value(item, typ.Elem())
		if err != nil {
			return nil, fmt.Errorf("item %d: %w", list.Len()+1, err)
		}
		list = reflect.Append(list, reflect.ValueOf(value))
	}
	return list.Interface(), nil
}

// wanted says in words what belongs in a place.
func wanted(typ reflect.Type) string {
	switch {
	case typ.Kind() == reflect.Bool:
		return "true or false"
	case typ.Kind() == reflect.Int:
		return "a number"
	case typ.Kind() == reflect.Float64:
		return "a number from 0 to 1"
	}
	return "text"
}

// parse reads a value as it is written in a file, in a variable and after a
// flag.
func parse(text string, typ reflect.Type, at place) (any, error) {
	switch typ {
	case reflect.TypeFor[Duration]():
		return parseDuration(text)
	case reflect.TypeFor[Size]():
		return parseSize(text)
	case reflect.TypeFor[Tokens]():
		n, err := token.ParseCount(text)
		return Tokens(n), err
	case reflect.TypeFor[Path]():
		return at.path(text)
	case reflect.TypeFor[Decimal]():
		return parseDecimal(text)
	}
	switch typ.Kind() {
	case reflect.Int:
		return parseInt(text)
	case reflect.Float64:
		return parseFraction(text)
	case reflect.Bool:
		return parseBool(text)
	}
	if strings.ContainsRune(text, 0) {
		return nil, fmt.Errorf("it holds a zero byte")
	}
	return text, nil
}

// format writes a value for people.
func format(v reflect.Value) string {
	switch value := v.Interface().(type) {
	case []string:
		return formatList(value)
	case []Path:
		list := make([]string, len(value))
		for i, path := range value {
			list[i] = string(path)
		}
		return formatList(list)
	case *bool:
		if value == nil {
			return ""
		}
		return strconv.FormatBool(*value)
	default:
		return fmt.Sprint(value)
	}
}

// formatList writes a list as YAML would, in one line.
func formatList(list []string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, item := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		if item == "" || strings.ContainsAny(item, ", []{}\"'#&*!|>%@`\n\t") {
			item = strconv.Quote(item)
		}
		b.WriteString(item)
	}
	b.WriteByte(']')
	return b.String()
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// describe says what a node is. The value of one that should be something else
// is not repeated, since it may be a key.
func describe(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "it has keys of its own"
	case yaml.SequenceNode:
		return "it is a list"
	}
	switch n.Tag {
	case "!!bool":
		return "it is true or false (put it in quotes if it is text)"
	case "!!int", "!!float":
		return "it is a number"
	}
	return "it is a single value"
}

// name is the path for people; the whole file has none.
func name(path []string) string {
	if len(path) == 0 {
		return "the file"
	}
	return dotted(path)
}
