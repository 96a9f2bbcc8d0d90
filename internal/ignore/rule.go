package ignore

import (
	"bytes"
	"strconv"
	"strings"
)

// Rule is the line that decided about a path. The zero Rule is none.
type Rule struct {
	File    string // where it is written, relative to the root if it is within reach
	Line    int    // counted from 1; 0 if it is no line of a file
	Pattern string // as written, less trailing blanks
}

// String is "file:line:pattern".
func (r Rule) String() string {
	switch {
	case r == Rule{}:
		return ""
	case r.Line == 0:
		return r.File + ":" + r.Pattern
	}
	return r.File + ":" + strconv.Itoa(r.Line) + ":" + r.Pattern
}

// pattern is one compiled line.
type pattern struct {
	text    string
	line    int
	negated bool // !
	folder  bool // matches folders only
	name    bool // without a slash: matches the last element, at any depth
	way     way
	literal string // what wayLiteral, waySuffix and wayPrefix compare with
	glob    wild   // of wayGlob, and what follows the literal of wayPrefix
}

// way is how a pattern is compared. Most lines need no glob.
type way uint8

const (
	wayLiteral way = iota // equal to the literal
	waySuffix             // ends in the literal: *.log
	wayGlob
	wayPrefix // begins with the literal, and the glob matches the rest
)

// parsePattern reads one line, without its line end. It reports false for a
// line that matches nothing.
func parsePattern(text string) (pattern, bool) {
	if nul := strings.IndexByte(text, 0); nul >= 0 {
		text = text[:nul] // no name holds one, and to git the line ends there
	}
	text = trimBlanks(text)
	p := pattern{text: text}
	glob, negated := strings.CutPrefix(text, "!")
	p.negated = negated
	glob, p.folder = strings.CutSuffix(glob, "/")
	p.name = !strings.Contains(glob, "/")
	// Only the slash that anchors goes: another one stays and matches nothing.
	glob, _ = strings.CutPrefix(glob, "/")
	if glob == "" {
		return p, false
	}
	plain := 0
	for plain < len(glob) && !special(glob[plain]) {
		plain++
	}
	switch {
	case plain == len(glob):
		p.way, p.literal = wayLiteral, glob
		return p, true
	case p.name && glob[0] == '*' && !strings.ContainsAny(glob[1:], `*?[\`):
		p.way, p.literal = waySuffix, glob[1:]
		return p, true
	case p.name || plain == 0:
		p.way = wayGlob
	default:
		// The plain beginning is compared apart, as git does, which shows: to
		// the glob that is left its own start is the start of a segment, so
		// that a**/b matches ab and ax/y/b.
		p.way, p.literal, glob = wayPrefix, glob[:plain], glob[plain:]
	}
	var possible bool
	p.glob, possible = compile(glob)
	return p, possible
}

// trimBlanks removes trailing spaces, but not one that a backslash precedes.
// Tabs stay.
func trimBlanks(text string) string {
	keep := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(text) {
				return text
			}
		}
		keep = i + 1
	}
	return text[:keep]
}

// matches is asked with the path as seen from the folder of the pattern's file,
// and with its last element.
func (p *pattern) matches(path, name string, folder bool) bool {
	if p.folder && !folder {
		return false
	}
	if p.name {
		path = name
	}
	switch p.way {
	case wayLiteral:
		return path == p.literal
	case waySuffix:
		return strings.HasSuffix(path, p.literal)
	case wayPrefix:
		rest, begins := strings.CutPrefix(path, p.literal)
		if !begins {
			return false
		}
		path = rest
	}
	matched, _ := p.glob.match(path)
	return matched
}

// ruleFile is the patterns of one file.
type ruleFile struct {
	file     string // where it is, seen from the base of the scope
	cut      int    // how much of a path lies above the file's folder
	patterns []pattern
	negates  bool // at least one is negated
}

// parseFile reads a file of patterns. cut is the length of its folder's path,
// including the slash after it.
func parseFile(file string, cut int, text []byte) *ruleFile {
	f := &ruleFile{file: file, cut: cut}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		line = strings.TrimSuffix(line, "\r")
		if p, possible := parsePattern(line); possible {
			p.line = number
			f.patterns = append(f.patterns, p)
			f.negates = f.negates || p.negated
		}
	}
	return f
}

// last returns the last pattern that matches. path is seen from the base of the
// scope; name is its last element.
func (f *ruleFile) last(path, name string, folder bool) *pattern {
	path = path[f.cut:]
	for i := len(f.patterns) - 1; i >= 0; i-- {
		if f.patterns[i].matches(path, name, folder) {
			return &f.patterns[i]
		}
	}
	return nil
}

func (f *ruleFile) rule(p *pattern) Rule { return Rule{File: f.file, Line: p.line, Pattern: p.text} }
