package symbol

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// layoutDeclarations returns what a file of any language declares, as far as its
// words and its indentation tell.
func layoutDeclarations(text string) []declaration {
	all := parse(text)
	var found []declaration
	var open []int    // indices in found of what the line is nested in
	var columns []int // and how deep these are indented
	ends := closers{all, 20 * len(all)}
	for i := range all {
		column, blank := indentation(all[i].text)
		if blank {
			continue
		}
		for len(open) > 0 && column <= columns[len(columns)-1] {
			open, columns = open[:len(open)-1], columns[:len(columns)-1]
		}
		name, container := declares(all, i)
		if name == "" {
			continue
		}
		if len(open) > 0 {
			name = found[open[len(open)-1]].name + "." + name
		}
		last := ends.of(i)
		found = append(found, declaration{name: name, first: commented(all, i) + 1, last: last + 1})
		open, columns = append(open, len(found)-1), append(columns, column)
		if container { // it only adds to what is declared elsewhere
			found[len(found)-1].first = 0
		}
	}
	return slices.DeleteFunc(found, func(d declaration) bool { return d.first == 0 })
}

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
	text := strings.TrimSpace(all[i].text)
	if isComment(text) {
		return "", false
	}
	rest := text
	for {
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
}

// isBinding reports whether a word declares a value.
func isBinding(word string) bool {
	return slices.Contains([]string{"const", "let", "var", "val", "static"}, word)
}

// opens reports whether something is nested in a line.
func (l line) opens() bool {
	text := strings.TrimRight(l.text, " \t\r\n")
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
	text := strings.TrimRight(all[i].text, " \t\r\n")
	if strings.HasSuffix(text, ";") || strings.HasSuffix(text, ",") {
		return false
	}
	if strings.HasSuffix(text, "{") || strings.HasSuffix(text, "=>") || strings.HasSuffix(text, "}") {
		return true
	}
	next := i + 1
	return next < len(all) && strings.TrimSpace(all[next].text) == "{" || strings.HasSuffix(text, "(") && opensLater(all, i)
}

// opensLater reports whether the line that closes a list of parameters opens a
// body.
func opensLater(all []line, i int) bool {
	end := all[i].end
	return end < len(all) && strings.HasPrefix(strings.TrimSpace(all[end].text), ")") && strings.HasSuffix(strings.TrimSpace(all[end].text), "{")
}

// closers knows where declarations end.
type closers struct {
	all []line
	// budget is how many lines may be looked through for braces, in all.
	budget int
}

// of returns the index of the last line of what begins at a line.
func (c *closers) of(i int) int {
	column, _ := indentation(c.all[i].text)
	last := c.all[i].end - 1
	inside := i + 1
	for inside <= last && strings.TrimSpace(c.all[inside].text) == "" {
		inside++
	}
	if inside > last && strings.HasSuffix(strings.TrimRight(c.all[i].text, " \t\r\n"), "{") {
		return c.brace(i) // what is in it is not indented
	}
	for next := last + 1; next < len(c.all); next = last + 1 {
		at, blank := indentation(c.all[next].text)
		text := strings.TrimSpace(c.all[next].text)
		if blank || at != column || !closes(text) && text != "{" {
			break
		}
		last = c.all[next].end - 1
		if text[0] != ')' && text[0] != '{' && !c.all[next].opens() {
			break
		}
	}
	for last > i {
		if _, blank := indentation(c.all[last].text); !blank {
			break
		}
		last--
	}
	return last
}

// brace returns the index of the line that closes the brace at the end of a line,
// or that line itself if none does.
func (c *closers) brace(i int) int {
	depth := 0
	for at := i; at < len(c.all) && c.budget > 0; at++ {
		c.budget--
		depth += strings.Count(c.all[at].text, "{") - strings.Count(c.all[at].text, "}")
		if depth <= 0 {
			return at
		}
	}
	return i
}

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

// commented returns the index of the first line of the comments and attributes
// directly above a declaration.
func commented(all []line, i int) int {
	column, _ := indentation(all[i].text)
	first := i
	inBlock := false
	for up := i - 1; up >= 0; up-- {
		text := strings.TrimSpace(all[up].text)
		at, blank := indentation(all[up].text)
		ends := strings.HasSuffix(text, "*/")
		switch {
		case blank && !inBlock:
			return first
		case inBlock || ends:
			inBlock = !strings.HasPrefix(text, "/*")
		case at != column || !isComment(text) && !isAttribute(text):
			return first
		}
		if !inBlock {
			first = up
		}
	}
	return first
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
