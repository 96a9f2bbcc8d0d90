package mention

import "strings"

// place is where a mentioned file is: a path, perhaps in a namespace.
type place struct {
	namespace, path string
	// isFile says that it was called a file, so that a star is just a star.
	isFile bool
}

// interpretPath interprets a path that was written without quotes: lines or a
// symbol at its end first, then what the rest is, which locate tells.
func interpretPath(token string, locate func(path string) place) (m Mention, suffixed bool) {
	path, lines, name := splitSuffix(token)
	p := locate(path)
	if !isDrive(path) { // where a backslash is a separator
		p.path = unescape(p.path)
	}
	switch {
	case lines.first > 0:
		return p.selection(lines), true
	case name != "":
		return p.symbol(unescape(name)), true
	}
	return p.plain(), false
}

// plain returns the whole file, folder or pattern at a place.
func (p place) plain() Mention {
	path := cleanPath(p.path)
	switch {
	case path == "":
		return nil
	case !p.isFile && strings.ContainsAny(path, "*?"):
		return Glob{Namespace: p.namespace, Pattern: path}
	case isFolder(path):
		return Directory{Namespace: p.namespace, Path: cleanFolder(path)}
	}
	return File{Namespace: p.namespace, Path: path}
}

func (p place) selection(r lineRange) Mention {
	path := cleanPath(p.path)
	if path == "" {
		return nil
	}
	return Selection{Namespace: p.namespace, Path: path, First: r.first, Last: r.last, Column: r.column}
}

func (p place) symbol(name string) Mention {
	path := cleanPath(p.path)
	if path == "" {
		return nil
	}
	return Symbol{Namespace: p.namespace, Path: path, Name: name}
}

// cleanPath takes off a leading "./", which only says that a path is meant.
func cleanPath(path string) string {
	for strings.HasPrefix(path, "./") {
		path = strings.TrimLeft(path[2:], "/")
		if path == "" {
			return "."
		}
	}
	return path
}

// cleanFolder takes off trailing slashes, except for a root.
func cleanFolder(path string) string {
	folder := strings.TrimRight(path, "/")
	if isDrive(path) {
		folder = strings.TrimRight(path, `/\`)
		if len(folder) == 2 {
			return path[:3]
		}
	}
	if folder == "" && path != "" {
		return "/"
	}
	return folder
}

// isFolder reports whether a path names a folder: it ends in a slash or dots.
func isFolder(path string) bool {
	if strings.HasSuffix(path, "/") || isDrive(path) && strings.HasSuffix(path, `\`) {
		return true
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	return last == "." || last == ".."
}

// lineRange is the lines at the end of a mention. None is the zero value; with
// no last line they go to the end of the file.
type lineRange struct{ first, last, column int }

// splitSuffix takes the lines or the symbol off the end of a token.
func splitSuffix(token string) (path string, lines lineRange, symbol string) {
	if i := strings.LastIndexByte(token, '#'); i > 0 && i+1 < len(token) {
		if r, ok := parseLines(token[i:]); ok {
			return token[:i], r, ""
		}
		if isSymbolName(token[i+1:]) && token[i-1] != '/' {
			return token[:i], lineRange{}, token[i+1:]
		}
	}
	// The digits, dashes and colons at the end, and the L of L10; at most two of
	// the colons are the suffix: path:10-20:5.
	start := len(token)
	for start > 0 && (isDigit(token[start-1]) || token[start-1] == '-' || token[start-1] == ':' || token[start-1] == 'L') {
		start--
	}
	tail := token[start:]
	for colons := strings.Count(tail, ":"); colons > 2; colons-- {
		tail = tail[strings.IndexByte(tail, ':')+1:]
	}
	for i := strings.IndexByte(tail, ':'); i >= 0; {
		at := len(token) - len(tail) + i
		if r, ok := parseLines(tail[i:]); ok && at > 0 {
			return token[:at], r, ""
		}
		next := strings.IndexByte(tail[i+1:], ':')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return token, lineRange{}, ""
}

// parseLines reads :10, :10-20, :10-, :10:5, :10-20:5, #L10:20, and all but the
// last with a # in place of the colon. An L may stand before a line, as in the
// addresses that hosts of code give to lines. Lines are counted from one.
func parseLines(s string) (lineRange, bool) {
	if len(s) < 2 {
		return lineRange{}, false
	}
	var r lineRange
	rest, hash := s[1:], s[0] == '#'
	if !hash && s[0] != ':' {
		return lineRange{}, false
	}
	var ok bool
	if r.first, rest, ok = leadingNumber(strings.TrimPrefix(rest, "L")); !ok {
		return lineRange{}, false
	}
	r.last = r.first
	switch to, found := strings.CutPrefix(rest, "-"); {
	case found && to == "":
		return lineRange{first: r.first}, true
	case found:
		if r.last, rest, ok = leadingNumber(strings.TrimPrefix(to, "L")); !ok {
			return lineRange{}, false
		}
	}
	if after, found := strings.CutPrefix(rest, ":"); found {
		n, left, ok := leadingNumber(after)
		switch {
		case !ok:
			return lineRange{}, false
		case !hash:
			r.column = n
		case r.last == r.first:
			r.last = n
		}
		rest = left
	}
	return r, rest == ""
}

// looksLikeLines reports whether what follows a path and its colon was meant to
// be lines, though it may be none: 0, -5, 10..20, L3-x.
func looksLikeLines(s string) bool {
	for _, sign := range [...]string{"-", "+", "L"} {
		if rest, found := strings.CutPrefix(s, sign); found {
			s = rest
			break
		}
	}
	return s != "" && isDigit(s[0])
}

// leadingNumber reads a number from the front of s. It is not ok for zero and
// for what no file has lines for.
func leadingNumber(s string) (n int, rest string, ok bool) {
	digits := 0
	for digits < len(s) && isDigit(s[digits]) {
		digits++
	}
	if digits == 0 || digits > 9 {
		return 0, s, false
	}
	for i := range digits {
		n = n*10 + int(s[i]-'0')
	}
	return n, s[digits:], n > 0
}

func number(s string) (int, bool) {
	n, rest, ok := leadingNumber(s)
	return n, ok && rest == ""
}

// isSymbolName reports whether what follows a # can be a symbol. With a slash
// it is rather a path: docs/C#/intro.md.
func isSymbolName(s string) bool {
	return s != "" && !strings.ContainsAny(unescape(s), `/\`)
}
