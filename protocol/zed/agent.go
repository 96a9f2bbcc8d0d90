package zed

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/mention"
)

const agentRoot = "zed:///agent/"

// agentURI is what a reader of one of Zed's own kinds is given.
type agentURI struct {
	text  string
	style Style
	reference
	// rest is what follows the kind in the path.
	rest  string
	query []pair
}

// agentKinds lists Zed's own kinds. All but diagnostics are told by the
// beginning of the path; none of these is the beginning of another.
func agentKinds() []agentKind {
	return []agentKind{
		{"thread/", agentURI.thread},
		{"rule/", agentURI.rule},
		{"diagnostics", agentURI.diagnostics},
		{"pasted-image", agentURI.pastedImage},
		{"untitled-buffer", agentURI.untitledBuffer},
		{"symbol/", agentURI.symbol},
		{"file", agentURI.file},
		{"directory", agentURI.directory},
		{"selection", agentURI.selection},
		{"terminal-selection", agentURI.terminalSelection},
		{"git-diff", agentURI.gitDiff},
		{"merge-conflict", agentURI.mergeConflict},
		{"skill", agentURI.skill},
	}
}

type agentKind struct {
	prefix string
	read   func(agentURI) (mention.Mention, error)
}

func parseAgent(r reference, text string, style Style) (mention.Mention, error) {
	if path, ok := strings.CutPrefix(r.path, "/agent/"); ok {
		for _, kind := range agentKinds() {
			if rest, ok := strings.CutPrefix(path, kind.prefix); ok {
				return kind.read(agentURI{text, style, r, rest, parseForm(r.query)})
			}
		}
	}
	return nil, errors.New("zed has no such kind of mention")
}

func (u agentURI) thread() (mention.Mention, error) {
	name, given, err := only(u.query, "name")
	switch {
	case err != nil:
		return nil, err
	case !given:
		return nil, errors.New("the thread has no name")
	case u.rest == "":
		return nil, errors.New("the thread has no id")
	}
	return mention.Session{ID: u.rest, Name: name}, nil
}

func (u agentURI) rule() (mention.Mention, error) {
	if _, given, err := only(u.query, "name"); err != nil {
		return nil, err
	} else if !given {
		return nil, errors.New("the rule has no name")
	}
	return foreignMention(kindRule, u.text)
}

func (u agentURI) diagnostics() (mention.Mention, error) {
	if u.rest != "" {
		return nil, errors.New("zed has no such kind of mention")
	}
	m := mention.Diagnostics{Errors: true}
	for _, p := range u.query {
		switch p.name {
		case "include_errors":
			m.Errors = p.value == "true"
		case "include_warnings":
			m.Warnings = p.value == "true"
		default:
			return nil, allow(u.query, "include_errors", "include_warnings")
		}
	}
	return m, nil
}

func (u agentURI) pastedImage() (mention.Mention, error) {
	name, given, err := only(u.query, "name")
	if err != nil {
		return nil, err
	}
	if !given {
		name = "Image"
	}
	return mention.Image{Name: name}, nil
}

func (u agentURI) untitledBuffer() (mention.Mention, error) {
	if err := allow(u.query, "column"); err != nil {
		return nil, err
	}
	return orNil(parseSelection(u.reference, u.query, ""))
}

func (u agentURI) symbol() (mention.Mention, error) {
	path, err := u.path("path")
	if err != nil {
		return nil, err
	}
	at, err := parseSelection(u.reference, nil, path)
	if err != nil {
		return nil, err
	}
	if u.rest == "" {
		return nil, errors.New("the symbol has no name")
	}
	return mention.Symbol{Path: path, Name: u.rest, First: at.First, Last: at.Last}, nil
}

func (u agentURI) file() (mention.Mention, error) {
	path, err := u.path("path")
	if err != nil {
		return nil, err
	}
	return mention.File{Path: path}, nil
}

func (u agentURI) directory() (mention.Mention, error) {
	path, err := u.path("path")
	if err != nil {
		return nil, err
	}
	return mention.Directory{Path: u.style.trimDirectory(path)}, nil
}

func (u agentURI) selection() (mention.Mention, error) {
	path, err := u.path("path", "column")
	if err != nil {
		return nil, err
	}
	return orNil(parseSelection(u.reference, u.query, path))
}

// path returns the path in the query, in which only these names may be.
func (u agentURI) path(allowed ...string) (string, error) {
	if err := allow(u.query, allowed...); err != nil {
		return "", err
	}
	if len(allowed) == 1 && len(u.query) > 1 {
		return "", errors.New("it has more than one path")
	}
	path, given := value(u.query, "path")
	if !given {
		return "", errors.New("it has no path")
	}
	if !u.style.isAbsolute(path) {
		return "", fmt.Errorf("its path %.200q is not an absolute %s path", path, u.style)
	}
	return path, nil
}

func (u agentURI) terminalSelection() (mention.Mention, error) {
	text, given, err := only(u.query, "lines")
	if err != nil {
		return nil, err
	}
	lines, ok := parseNumber(text)
	if given && !ok {
		return nil, fmt.Errorf("its line count %.40q is not a number", text)
	}
	return mention.Terminal{Lines: lines}, nil
}

func (u agentURI) gitDiff() (mention.Mention, error) {
	base, given, err := only(u.query, "base")
	switch {
	case err != nil:
		return nil, err
	case !given:
		base = "main"
	case base == "":
		// Without a base a diff of ours is against HEAD, which is not meant.
		return nil, errors.New("the diff has no base")
	}
	return mention.GitDiff{Base: base}, nil
}

func (u agentURI) mergeConflict() (mention.Mention, error) {
	if _, _, err := only(u.query, "path"); err != nil {
		return nil, err
	}
	return foreignMention(kindMergeConflict, u.text)
}

func (u agentURI) skill() (mention.Mention, error) {
	if err := allow(u.query, "name", "source", "path"); err != nil {
		return nil, err
	}
	for _, name := range []string{"name", "source", "path"} {
		count := 0
		for _, p := range u.query {
			if p.name == name {
				count++
			}
		}
		if count != 1 {
			return nil, fmt.Errorf("the skill has %d times a %s, want one", count, name)
		}
	}
	return foreignMention(kindSkill, u.text)
}

// orNil keeps a failed selection from being a mention.
func orNil(m mention.Selection, err error) (mention.Mention, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}
