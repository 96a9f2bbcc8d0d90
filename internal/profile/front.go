package profile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// The largest file and front matter that are read. The text of a profile is sent
// with every request; who has a megabyte to say mentions a file, which has a
// budget.
const (
	maxFile  = 1 << 20
	maxFront = 64 << 10
)

// document is a file in its two parts.
type document struct {
	// front is the mapping of the front matter, nil if there is none.
	front *yaml.Node
	// frontLine is how many lines stand before the YAML.
	frontLine int
	// body is the text after it, without blank lines around it, and bodyLine the
	// line that it begins in, counted from one.
	body     string
	bodyLine int
}

// parse takes a file apart. Byte order marks and CRLF are read as what they
// stand for; what no text has is refused with its place.
func parse(file string, data []byte) (document, error) {
	fail := func(line, column int, format string, args ...any) (document, error) {
		return document{}, Problems{{At: Position{file, line, column}, What: fmt.Sprintf(format, args...)}}
	}
	if len(data) > maxFile {
		return fail(0, 0, "it is longer than %d MB; put long text into files of its own and mention them", maxFile>>20)
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return fail(1, 1, "it is UTF-16; save it as UTF-8")
	}
	text := unixLines(strings.TrimPrefix(string(data), "\ufeff"))
	if at := strings.IndexByte(text, 0); at >= 0 {
		line, column := lineColumn(text, at)
		return fail(line, column, "a zero byte: it is not text")
	}
	if !utf8.ValidString(text) {
		line, column := lineColumn(text, invalidAt(text))
		return fail(line, column, "bytes that are not UTF-8; save it as UTF-8")
	}

	before, ok := opening(text)
	if !ok {
		if at := misplaced(text); at > 0 {
			return fail(at, 1, "front matter stands at the beginning of a file, not at its end")
		}
		return document{body: trimBody(text), bodyLine: 1 + blankLines(text)}, nil
	}
	lines := strings.SplitAfter(text, "\n")
	end := -1
	for i := before; i < len(lines); i++ {
		if isFence(lines[i], "---") || isFence(lines[i], "...") {
			end = i
			break
		}
	}
	if end < 0 {
		return fail(before, 1, "the front matter has no end; put --- on a line of its own after it")
	}
	// These end a line in YAML, and for no editor.
	front := strings.NewReplacer("\u0085", " ", "\u2028", " ", "\u2029", " ").Replace(strings.Join(lines[before:end], ""))
	if len(front) > maxFront {
		return fail(before, 1, "the front matter is longer than %d KB", maxFront>>10)
	}
	rest := strings.Join(lines[end+1:], "")
	doc := document{frontLine: before, body: trimBody(rest), bodyLine: end + 2 + blankLines(rest)}
	node, problem := readYAML(front)
	if problem != nil {
		problem.At.File = file
		problem.At.Line += before
		return document{}, Problems{problem}
	}
	doc.front = node
	return doc, nil
}

// unixLines makes line ends of all sorts the one.
func unixLines(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// opening reports whether a text begins with front matter, and how many lines
// stand before the YAML. Comments and blank lines may come first, as in any
// YAML, if what follows is plainly ours: a heading and a rule are Markdown.
func opening(text string) (before int, ok bool) {
	lines := strings.SplitAfterN(text, "\n", 12)
	for i, line := range lines {
		switch {
		case isFence(line, "---"):
			return i + 1, i == 0 || i+1 < len(lines) && beginsWithKey(lines[i+1])
		case i == 11 || strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "#"):
			return 0, false
		}
	}
	return 0, false
}

// beginsWithKey reports whether a line is the beginning of front matter that
// only a profile or an agent would have.
func beginsWithKey(line string) bool {
	return strings.HasPrefix(line, "profile:") || strings.HasPrefix(line, "meta:")
}

// misplaced returns the line of front matter that closes a file, zero if there
// is none.
func misplaced(text string) int {
	lines := strings.Split(strings.TrimRight(text, " \t\n"), "\n")
	last := len(lines) - 1
	if last < 2 || !isFence(lines[last], "---") {
		return 0
	}
	for i := last - 1; i > 0 && last-i < 200; i-- {
		if isFence(lines[i], "---") {
			if beginsWithKey(lines[i+1]) {
				return i + 1
			}
			return 0
		}
	}
	return 0
}

func isFence(line, fence string) bool {
	return strings.HasPrefix(line, fence) && strings.TrimRight(line, " \t\r\n") == fence
}

// trimBody takes off the blank lines around a text.
func trimBody(text string) string {
	return strings.TrimRight(text[blankBytes(text):], " \t\r\n")
}

// blankBytes is how long the blank lines at the beginning are.
func blankBytes(text string) int {
	blank := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			break
		}
		blank += len(line)
	}
	return blank
}

func blankLines(text string) int { return strings.Count(text[:blankBytes(text)], "\n") }

// lineColumn is the place of a byte in a text.
func lineColumn(text string, at int) (line, column int) {
	line = 1 + strings.Count(text[:at], "\n")
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	return line, 1 + utf8.RuneCountInString(text[begin:at])
}

// invalidAt is where a text stops being UTF-8.
func invalidAt(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return len(text)
}

// readYAML parses front matter as far as its nodes: nothing is expanded. It
// returns nil for front matter that says nothing.
func readYAML(text string) (*yaml.Node, *Problem) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var doc yaml.Node
	if err := yaml.Load([]byte(text), &doc); err != nil {
		var syntax *yaml.LoadError
		switch {
		case !errors.As(err, &syntax):
			return nil, &Problem{At: Position{Line: 1, Column: 1}, What: "the front matter is not YAML: " + err.Error()}
		case strings.Contains(syntax.Message, "no documents"):
			return nil, nil // nothing but comments
		}
		at := Position{Line: max(syntax.Mark.Line, 1), Column: max(syntax.Mark.Column, 1)}
		return nil, &Problem{At: at, What: "the front matter is not YAML: " + syntax.Message}
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}
