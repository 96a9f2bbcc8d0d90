package symbol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// layoutDeclarations returns what a file of any language declares, as far as its
// words and its indentation tell.
func layoutDeclarations(name, text string) []declaration {
	all := parse(name, text)
	tongue := tongueOf(name)
	if tongue != nil {
		attributes(all)
	}
	ends := newClosers(all, tongue)
	var found []declaration
	var open []int // indices in found of what the line is nested in, with columns
	var columns []int32
	free := 0 // the first line that is in no comment of what is above
	for i := range all {
		if all[i].kind != solid {
			continue
		}
		column := all[i].column
		for len(open) > 0 && column <= columns[len(columns)-1] {
			// The bracket after its parameters is not its end yet.
			if column == columns[len(columns)-1] && i < found[open[len(open)-1]].last && continues(all[i].code) {
				break
			}
			open, columns = open[:len(open)-1], columns[:len(columns)-1]
		}
		name, container := declares(all, i)
		if name == "" {
			continue
		}
		if len(open) > 0 {
			name = found[open[len(open)-1]].name + "." + name
		}
		if len(name) > longestName {
			continue
		}
		last := ends.of(i)
		found = append(found, declaration{name: name, first: commented(all, i, free, tongue != nil) + 1, head: i + 1, last: last + 1})
		open, columns = append(open, len(found)-1), append(columns, column)
		free = i + 1
		if container { // it only adds to what is declared elsewhere
			found[len(found)-1].first = 0
		}
	}
	return slices.DeleteFunc(found, func(d declaration) bool { return d.first == 0 })
}

const (
	// longestName is how long a name may be, with all that it is in.
	longestName = 512
	// mostModifiers is how many words may stand before what they modify.
	mostModifiers = 16
)

// The words that stand before the name of what they declare.
var (
	declaring = []string{
		"class", "struct", "interface", "enum", "union", "trait", "protocol", "record", "object", "module", "mod", "namespace", "package",
		"def", "fn", "func", "function", "fun", "sub", "proc", "macro", "macro_rules!", "defmodule", "defp", "defmacro", "defn",
		"type", "typedef", "typealias", "const", "let", "var", "val", "static", "message", "service", "rpc", "actor", "table", "view", "procedure", "trigger",
	}
	// adding are those that begin a block with more of what has that name.
	adding = []string{"impl", "extension"}
	// modifying may stand before those, or before a method without any.
	modifying = []string{
		"export", "default", "public", "private", "protected", "internal", "abstract", "final", "sealed", "open", "override", "virtual", "inline", "async",
		"extern", "unsafe", "pub", "pub(crate)", "pub(super)", "static", "const", "constexpr", "mut", "data", "case", "companion", "suspend", "partial", "readonly", "declare",
		"local", "global", "create", "or", "replace", "temporary", "temp", "if", "not", "exists", "new", "synchronized", "native", "transient", "volatile", "mutating", "get", "set", "fileprivate", "lazy",
	}
	// notNames stand before a bracket and declare nothing.
	notNames = []string{
		"if", "for", "while", "switch", "catch", "return", "else", "elif", "elsif", "unless", "until", "when", "match", "with", "try", "do", "case", "foreach", "using", "lock",
		"synchronized", "super", "this", "assert", "await", "yield", "throw", "new", "delete", "sizeof", "typeof", "except", "raise", "print", "and", "or", "not", "in",
	}
)

// declares returns the name that a line declares, empty if it declares none.
// Container says that the line only adds to it.
func declares(all []line, i int) (name string, container bool) {
	rest := strings.TrimSpace(all[i].code)
	if isComment(rest) {
		return "", false
	}
	for range mostModifiers {
		word, after := firstWord(rest)
		lower := strings.ToLower(word)
		switch {
		case word == "":
			return method(all, i, rest), false
		case slices.Contains(adding, lower):
			return implemented(after), true
		case slices.Contains(declaring, lower) && declaredName(after) != "":
			name := declaredName(after)
			// "const fn f" and "static void f()" go on.
			if slices.Contains(modifying, lower) && (slices.Contains(declaring, strings.ToLower(name)) || method(all, i, after) != "") {
				rest = after
				continue
			}
			if isBinding(lower) && !all[i].opens() && !strings.ContainsAny(after, "=:") {
				return "", false
			}
			return name, false
		case slices.Contains(modifying, lower):
			rest = after
		default:
			return method(all, i, rest), false
		}
	}
	return "", false
}

// isBinding reports whether a word declares a value.
func isBinding(word string) bool {
	return slices.Contains([]string{"const", "let", "var", "val", "static"}, word)
}

// opens reports whether something is nested in a line.
func (l line) opens() bool {
	text := strings.TrimRight(l.code, " \t\r\n")
	return strings.HasSuffix(text, "{") || strings.HasSuffix(text, ":") || strings.HasSuffix(text, "(")
}

// firstWord cuts the first word of a line, with what Rust and C# put behind it.
func firstWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, " \t")
	end := strings.IndexFunc(text, func(r rune) bool { return !isNameRune(r) && r != '!' })
	if end < 0 {
		return text, ""
	}
	if strings.HasPrefix(text[end:], "(crate)") || strings.HasPrefix(text[end:], "(super)") {
		end += len("(crate)")
	}
	if end < len(text) && text[end] != ' ' && text[end] != '\t' && text[:end] != "impl" {
		return "", text
	}
	return text[:end], strings.TrimLeft(text[end:], " \t")
}

func isNameRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '$'
}

// declaredName is the name at the beginning of a text: Go's receivers and type
// parameters before it are passed, the parts of a qualified name are kept.
func declaredName(text string) string {
	text = strings.TrimLeft(text, " \t*&")
	if strings.HasPrefix(text, "(") { // a receiver
		owner, rest, ok := strings.Cut(text, ")")
		if !ok {
			return ""
		}
		fields := strings.FieldsFunc(owner, func(r rune) bool { return !isNameRune(r) })
		name := declaredName(rest)
		if len(fields) == 0 || name == "" {
			return ""
		}
		if bracket := strings.IndexByte(owner, '['); bracket >= 0 {
			fields = strings.FieldsFunc(owner[:bracket], func(r rune) bool { return !isNameRune(r) })
		}
		return fields[len(fields)-1] + "." + name
	}
	end := 0
	for end < len(text) {
		r, size := utf8.DecodeRuneInString(text[end:])
		switch {
		case isNameRune(r), r == '?' || r == '!', r == '.' && end > 0, r == '~':
			end += size
			continue
		case strings.HasPrefix(text[end:], "::"):
			end += 2
			continue
		}
		break
	}
	name := strings.Trim(strings.ReplaceAll(text[:end], "::", "."), ".?!")
	if name == "" || unicode.IsDigit(rune(name[0])) {
		return ""
	}
	return name
}

// implemented is the type that an impl is for: Foo in "impl<T> Show for Foo<T>".
func implemented(text string) string {
	if strings.HasPrefix(text, "<") {
		depth := 0
		for i, r := range text {
			if r == '<' {
				depth++
			}
			if r == '>' {
				if depth--; depth == 0 {
					text = strings.TrimLeft(text[i+1:], " ")
					break
				}
			}
		}
	}
	if _, after, ok := strings.Cut(text, " for "); ok {
		text = after
	}
	return declaredName(text)
}

// method is the name before the first bracket of a line that begins a body:
// "int Server::close(bool now) {", "close(now) {", "close = (now) => {".
func method(all []line, i int, text string) string {
	bracket := strings.IndexByte(text, '(')
	if bracket < 0 || !hasBody(all, i) {
		return ""
	}
	before := strings.TrimRight(text[:bracket], " \t")
	if assigned := strings.IndexAny(before, "=:"); assigned > 0 && !strings.Contains(before, "::") {
		value := strings.TrimSpace(before[assigned+1:])
		if value != "" && value != "function" && value != "async" && value != "async function" {
			return ""
		}
		before = strings.TrimRight(before[:assigned], " \t")
	}
	start := strings.LastIndexFunc(before, func(r rune) bool { return !isNameRune(r) && r != ':' && r != '~' && r != '.' }) + 1
	name := declaredName(before[start:])
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	first, _, _ = strings.Cut(first, "(")
	if name == "" || slices.Contains(notNames, name) || slices.Contains(notNames, first) {
		return ""
	}
	return name
}

// hasBody reports whether a declaration goes on: in lines below it that are
// nested, or in a bracket on a line of its own.
func hasBody(all []line, i int) bool {
	text := strings.TrimRight(all[i].code, " \t\r\n")
	if strings.HasSuffix(text, ";") || strings.HasSuffix(text, ",") {
		return false
	}
	if strings.HasSuffix(text, "{") || strings.HasSuffix(text, "=>") || strings.HasSuffix(text, "}") {
		return true
	}
	next := i + 1
	return next < len(all) && strings.TrimSpace(all[next].code) == "{" || strings.HasSuffix(text, "(") && opensLater(all, i)
}

// opensLater reports whether the line that closes a list of parameters opens a
// body.
func opensLater(all []line, i int) bool {
	end := int(all[i].end)
	if end >= len(all) {
		return false
	}
	code := strings.TrimSpace(all[end].code)
	return strings.HasPrefix(code, ")") && strings.HasSuffix(code, "{")
}
