package zed

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/mention"
)

// URI writes m as Zed does, so that [Parse] in the same style gives it back.
// If no URI does, the error wraps [ErrNoURI].
//
// A path must be absolute in that style. Zed opens what the URI says, and what
// a relative path or a namespace is relative to is known only to us.
func URI(m mention.Mention, style Style) (string, error) {
	uri, err := write(m, style)
	if err != nil {
		kind := "nil"
		if m != nil {
			kind = string(m.Kind())
		}
		return "", fmt.Errorf("write zed uri of %s mention: %w", kind, err)
	}
	return uri, nil
}

func write(m mention.Mention, style Style) (string, error) {
	if m, ok := m.(mention.Unknown); ok {
		return foreignURI(m)
	}
	spellings, err := spell(m, style)
	if err != nil {
		return "", err
	}
	// Reading back is how the first spelling that loses nothing is chosen: a
	// file URI cannot hold every path, nor a query every name.
	meant := said(m, style)
	for _, uri := range spellings {
		if read, err := parse(uri, style); err == nil && read == meant {
			return uri, nil
		}
	}
	return "", fmt.Errorf("zed would read something else: %w", ErrNoURI)
}

// said returns m without what a URI does not say.
func said(m mention.Mention, style Style) mention.Mention {
	switch m := m.(type) {
	case mention.Image:
		return mention.Image{Name: m.Name}
	case mention.Directory:
		return mention.Directory{Path: style.trimDirectory(m.Path)}
	default:
		return m
	}
}

// spell returns the URIs that may say m, best first.
func spell(m mention.Mention, style Style) ([]string, error) {
	switch m := m.(type) {
	case mention.File:
		return spellPath(m.Namespace, m.Path, style, "", "", "file", "")
	case mention.Directory:
		path := style.trimDirectory(m.Path)
		slash := "/"
		if style.endsInSeparator(path) {
			slash = ""
		}
		return spellPath(m.Namespace, path, style, slash, "", "directory", "")
	case mention.Symbol:
		return spellSymbol(m, style)
	case mention.Selection:
		return spellSelection(m, style)
	case mention.URL:
		return spelled(m.URL, m.URL)
	case mention.Image:
		return spelled(m.Name, agentRoot, "pasted-image?name=", escapeForm(m.Name))
	case mention.Session:
		return spelled(m.ID+m.Name, agentRoot, "thread/", m.ID, "?name=", escapeForm(m.Name))
	case mention.Diagnostics:
		return spellDiagnostics(m)
	case mention.Terminal:
		if m.Lines < 0 {
			return nil, fmt.Errorf("%d lines: %w", m.Lines, ErrNoURI)
		}
		return spelled("", agentRoot, "terminal-selection?lines=", strconv.Itoa(m.Lines))
	case mention.GitDiff:
		if m.Base == "" || m != (mention.GitDiff{Base: m.Base}) {
			return nil, fmt.Errorf("only a diff of the work tree against a base has one: %w", ErrNoURI)
		}
		return spelled(m.Base, agentRoot, "git-diff?base=", escapeForm(m.Base))
	default:
		return nil, fmt.Errorf("zed has no such kind: %w", ErrNoURI)
	}
}

// spelled is the one spelling made of parts. It says text, which must be UTF-8.
func spelled(text string, parts ...string) ([]string, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("it is not UTF-8: %w", ErrNoURI)
	}
	return []string{strings.Join(parts, "")}, nil
}

// spellPath returns a file URI, and the URI of Zed's own that holds the path
// as a parameter and so can hold any.
func spellPath(namespace, path string, style Style, slash, suffix, kind, agentSuffix string) ([]string, error) {
	if err := checkPath(namespace, path, style); err != nil {
		return nil, err
	}
	return []string{
		"file://" + escapePath(path, style) + slash + suffix,
		agentRoot + kind + "?path=" + escapeForm(path) + agentSuffix,
	}, nil
}

func checkPath(namespace, path string, style Style) error {
	switch {
	case namespace != "":
		return fmt.Errorf("it has a namespace, %.40q: %w", namespace, ErrNoURI)
	case !style.isAbsolute(path):
		return fmt.Errorf("%.200q is not an absolute %s path: %w", path, style, ErrNoURI)
	case !utf8.ValidString(path):
		return fmt.Errorf("%.200q is not UTF-8: %w", path, ErrNoURI)
	}
	return nil
}

// escapePath writes path as the path of a file URI.
func escapePath(path string, style Style) string {
	if style == Windows {
		return "/" + escapeName(strings.ReplaceAll(path, `\`, "/"))
	}
	// A first name that looks like a drive is not one here, but some parsers
	// would read /C:x as /C:/x, and /C| as /C:.
	if len(path) > 2 && isLetter(path[1]) && (path[2] == ':' || path[2] == '|') {
		return path[:2] + string(appendEscape(nil, path[2])) + escapeName(path[3:])
	}
	return escapeName(path)
}

func spellSelection(m mention.Selection, style Style) ([]string, error) {
	if m.First > 0 && m.Last == 0 {
		return nil, fmt.Errorf("line %d to the end: name the last line: %w", m.First, ErrNoURI)
	}
	if err := checkLines(m.First, m.Last); err != nil {
		return nil, err
	}
	if m.Column < 0 {
		return nil, fmt.Errorf("column %d: %w", m.Column, ErrNoURI)
	}
	lines, column := fragment(m.First, m.Last), ""
	if m.Column > 0 {
		column = "column=" + strconv.Itoa(m.Column)
	}
	inQuery, furtherInQuery := "", ""
	if column != "" {
		inQuery, furtherInQuery = "?"+column, "&"+column
	}
	if m.Path == "" && m.Namespace == "" {
		return []string{agentRoot + "untitled-buffer" + inQuery + lines}, nil
	}
	return spellPath(m.Namespace, m.Path, style, "", inQuery+lines, "selection", furtherInQuery+lines)
}

func spellSymbol(m mention.Symbol, style Style) ([]string, error) {
	lines := ""
	if m.First != 0 || m.Last != 0 {
		if err := checkLines(m.First, m.Last); err != nil {
			return nil, err
		}
		lines = fragment(m.First, m.Last)
	}
	switch {
	case m.Name == "":
		return nil, fmt.Errorf("it has no name: %w", ErrNoURI)
	case !utf8.ValidString(m.Name):
		return nil, fmt.Errorf("its name %.80q is not UTF-8: %w", m.Name, ErrNoURI)
	}
	return spellPath(m.Namespace, m.Path, style, "", "?symbol="+escapeForm(m.Name)+lines, "symbol/"+m.Name, lines)
}

func spellDiagnostics(m mention.Diagnostics) ([]string, error) {
	if m.Path != "" {
		return nil, fmt.Errorf("zed's diagnostics have no path, these have %.200q: %w", m.Path, ErrNoURI)
	}
	var query []string
	if m.Warnings {
		query = append(query, "include_warnings=true")
	}
	if !m.Errors {
		query = append(query, "include_errors=false")
	}
	uri := agentRoot + "diagnostics"
	if len(query) > 0 {
		uri += "?" + strings.Join(query, "&")
	}
	return []string{uri}, nil
}

func fragment(first, last int) string {
	return "#L" + strconv.Itoa(first) + ":" + strconv.Itoa(last)
}

func checkLines(first, last int) error {
	if first < 1 || last < first {
		return fmt.Errorf("lines %d to %d: %w", first, last, ErrNoURI)
	}
	return nil
}
