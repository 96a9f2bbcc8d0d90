package zed

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/mention"
)

// Parse reads a URI as Zed does: a file URI, one of Zed's own under
// zed:///agent/, a web address, or a plain absolute path, which may carry a
// position (a.rs:4:2, a.cs(4,2), a.rs#L4). One pair of backticks around it is
// taken off. The path is kept as it is written; nothing is decoded outside of
// URIs. The error is a [*ParseError].
func Parse(text string, style Style) (mention.Mention, error) {
	m, err := parse(text, style)
	if err != nil {
		return nil, &ParseError{Text: text, Reason: err.Error()}
	}
	return m, nil
}

func parse(text string, style Style) (mention.Mention, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not UTF-8")
	}
	text = withoutBackticks(text)
	if isPlainPath(text, style) {
		path, fragment, _ := strings.Cut(text, "#")
		return plainPath(path, fragment, style)
	}
	r, err := parseReference(text)
	if err != nil {
		return nil, err
	}
	switch r.scheme {
	case "file":
		return parseFile(r, style)
	case "zed":
		return parseAgent(r, text, style)
	default:
		return mention.URL{URL: tidy(text)}, nil
	}
}

func withoutBackticks(text string) string {
	if inner, ok := strings.CutPrefix(text, "`"); ok {
		if inner, ok = strings.CutSuffix(inner, "`"); ok {
			return inner
		}
	}
	return text
}

func isPlainPath(text string, style Style) bool {
	return style.isAbsolute(text) && !strings.Contains(text, "://")
}

// plainPath reads a path that is not in a URI. A fragment that is no line
// range says nothing.
func plainPath(path, fragment string, style Style) (mention.Mention, error) {
	if first, last, ok := parseLines(fragment); ok {
		return mention.Selection{Path: path, First: first, Last: last}, nil
	}
	path, at := cutPosition(path, style)
	if !at.hasRow {
		return wholePath(path, style), nil
	}
	if at.row == 0 {
		return nil, errors.New("lines count from one")
	}
	m := mention.Selection{Path: path, First: at.row, Last: at.row}
	if at.hasColumn {
		m.Column = max(1, at.column)
	}
	return m, nil
}

// wholePath is a directory if path ends in a separator, else a file.
func wholePath(path string, style Style) mention.Mention {
	if style.endsInSeparator(path) {
		return mention.Directory{Path: style.trimDirectory(path)}
	}
	return mention.File{Path: path}
}

func parseFile(r reference, style Style) (mention.Mention, error) {
	path := unescapePath(r.path)
	if style == Windows {
		path = nativeWindows(unescapePath(strings.TrimLeft(r.path, "/")))
	}
	if !style.isAbsolute(path) {
		return nil, fmt.Errorf("its path is not an absolute %s path", style)
	}
	query := parseForm(r.query)
	name, isSymbol := value(query, "symbol")
	if isSymbol && name == "" {
		return nil, errors.New("the symbol has no name")
	}
	if !r.hasFragment {
		if isSymbol {
			return mention.Symbol{Path: path, Name: name}, nil
		}
		return wholePath(path, style), nil
	}
	if err := allow(query, "symbol", "column"); err != nil {
		return nil, err
	}
	selection, err := parseSelection(r, query, path)
	if err != nil || !isSymbol {
		return selection, err
	}
	return mention.Symbol{Path: path, Name: name, First: selection.First, Last: selection.Last}, nil
}

// parseSelection reads the lines and the column of a selection in path.
func parseSelection(r reference, query []pair, path string) (mention.Selection, error) {
	if !r.hasFragment {
		return mention.Selection{}, errors.New("a selection needs a line range such as #L5:15")
	}
	first, last, ok := parseLines(r.fragment)
	if !ok {
		return mention.Selection{}, fmt.Errorf("its fragment %.40q is not a line range such as L5:15", r.fragment)
	}
	m := mention.Selection{Path: path, First: first, Last: last}
	if text, given := value(query, "column"); given {
		if m.Column, ok = parseNumber(text); !ok || m.Column == 0 {
			return mention.Selection{}, fmt.Errorf("its column %.40q is not a number from 1", text)
		}
	}
	return m, nil
}

// value returns the first value of name in query.
func value(query []pair, name string) (string, bool) {
	for _, p := range query {
		if p.name == name {
			return p.value, true
		}
	}
	return "", false
}

// allow refuses a query with other names than these.
func allow(query []pair, names ...string) error {
next:
	for _, p := range query {
		for _, name := range names {
			if p.name == name {
				continue next
			}
		}
		return fmt.Errorf("its parameter %.40q is not known", p.name)
	}
	return nil
}

// only returns the value of name, which must be all there is in query.
func only(query []pair, name string) (string, bool, error) {
	if err := allow(query, name); err != nil {
		return "", false, err
	}
	if len(query) > 1 {
		return "", false, fmt.Errorf("it has more than one %s", name)
	}
	text, given := value(query, name)
	return text, given, nil
}
