package mention

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// interpret says what a token without quotes names, and whether lines or a
// symbol were read from its end.
func interpret(token string) (m Mention, suffixed bool) {
	if isURL(token) {
		return URL{token}, false
	}
	word, arg, colon := strings.Cut(token, ":")
	if !colon {
		if m := keyword(word); m != nil {
			return m, false
		}
		return interpretPath(token, splitNamespace)
	}
	if arg == "" {
		return nil, false
	}
	if m, suffixed, ok := reserved(word, arg, false); ok {
		return m, suffixed
	}
	switch {
	case hasScheme(token):
		return URL{token}, false
	case isNamespace(word) && hasScheme(arg):
		return Resource{Server: word, URI: arg}, false
	}
	m, suffixed = interpretPath(token, splitNamespace)
	if !suffixed && isNamespace(word) && isURI(arg) {
		return Resource{Server: word, URI: arg}, false
	}
	return m, suffixed
}

// interpretQuoted says what a quoted argument names after a prefix. It is
// taken as it is: nothing is read from its end. What isFile is no pattern.
func interpretQuoted(prefix, content string, isFile bool) Mention {
	if prefix == "" {
		if isURL(content) || hasScheme(content) {
			return URL{content}
		}
		return place{path: content, isFile: isFile}.plain()
	}
	word, level, _ := strings.Cut(prefix, ":")
	if isDiagnostics(word) {
		return diagnostics(level, content)
	}
	if isPrefix(word) {
		return place{namespace: word, path: content, isFile: isFile}.plain()
	}
	if m, _, ok := reserved(word, content, true); ok {
		return m
	}
	switch {
	case !isNamespace(word):
		return nil
	case isURI(content):
		return Resource{Server: word, URI: content}
	}
	return place{namespace: word, path: content, isFile: isFile}.plain()
}

// quotedPlace returns the path that a suffix behind the quotes belongs to.
func quotedPlace(prefix, content string) (place, bool) {
	switch prefix {
	case "":
		return place{path: content}, !isURL(content) && !hasScheme(content)
	case "file":
		return place{path: content}, true
	}
	if isReserved(prefix) && !isPrefix(prefix) || !isNamespace(prefix) || isURI(content) {
		return place{}, false
	}
	return place{namespace: prefix, path: content}, true
}

// keyword returns what a reserved word means that stands alone.
func keyword(word string) Mention {
	switch word {
	case "diff", "git-diff":
		return GitDiff{}
	case "diagnostics", "problems":
		return Diagnostics{Errors: true}
	case "terminal":
		return Terminal{}
	}
	return nil
}

// isReserved reports whether a word before a colon is no namespace.
func isReserved(word string) bool {
	switch word {
	case "file", "folder", "url", "agent", "task", "session", "commit", "diff", "git-diff",
		"diagnostics", "problems", "terminal", "user", "project":
		return true
	}
	return false
}

// isPrefix reports whether a reserved word names a place for files.
func isPrefix(word string) bool { return word == "user" || word == "project" }

func isDiagnostics(word string) bool { return word == "diagnostics" || word == "problems" }

func isLevel(word string) bool { return word == "all" || word == "errors" || word == "warnings" }

// reserved reads the argument of a reserved word. It is not ok if the word is
// not reserved or cannot take the argument.
func reserved(word, arg string, quoted bool) (m Mention, suffixed, ok bool) {
	literal := arg
	if !quoted {
		literal = unescape(arg)
	}
	switch word {
	case "file":
		if quoted {
			return calledFile(literal).plain(), false, true
		}
		m, suffixed := interpretPath(arg, calledFile)
		return m, suffixed, m != nil
	case "folder":
		return Directory{Path: cleanFolder(cleanPath(literal))}, false, true
	case "user", "project":
		m, suffixed := interpretPath(arg, func(path string) place { return place{namespace: word, path: path} })
		return m, suffixed, m != nil
	case "url":
		return URL{arg}, false, true
	case "agent":
		return Agent{literal}, false, true
	case "task":
		return Subtask{Agent: literal}, false, true
	case "session":
		return Session{ID: literal}, false, true
	case "commit":
		return GitDiff{Commit: literal}, false, true
	case "diff", "git-diff":
		return gitDiff(literal, quoted), false, true
	case "diagnostics", "problems":
		if level, path, found := strings.Cut(literal, ":"); isLevel(level) {
			if !found || path != "" {
				return diagnostics(level, path), false, true
			}
		}
		return diagnostics("", literal), false, true
	case "terminal":
		if lines, ok := number(arg); ok {
			return Terminal{Lines: lines}, false, true
		}
	}
	return nil, false, false
}

// calledFile is the place that follows file: or, in file:///etc/hosts, file://.
func calledFile(path string) place {
	if strings.HasPrefix(path, "///") {
		path = path[2:]
	}
	return place{path: path, isFile: true}
}

// gitDiff reads the argument of @diff. In quotes, staged is a branch.
func gitDiff(arg string, quoted bool) GitDiff {
	if arg == "staged" && !quoted {
		return GitDiff{Staged: true}
	}
	if base, head, ok := strings.Cut(arg, "..."); ok {
		return GitDiff{Base: base, Head: head, MergeBase: true}
	}
	base, head, _ := strings.Cut(arg, "..")
	return GitDiff{Base: base, Head: head}
}

func diagnostics(level, path string) Diagnostics {
	return Diagnostics{
		Errors:   level != "warnings",
		Warnings: level == "all" || level == "warnings",
		Path:     cleanFolder(cleanPath(path)),
	}
}

// splitNamespace takes the namespace off a token, if it has one.
func splitNamespace(token string) place {
	word, path, found := strings.Cut(token, ":")
	if !found || path == "" || !isNamespace(word) || isDrive(token) || isReserved(word) && !isPrefix(word) {
		return place{path: token}
	}
	return place{namespace: word, path: path}
}

// isNamespace reports whether a word before a colon can be a namespace. A
// file name is none: @main.go:the is not in the namespace main.go.
func isNamespace(word string) bool {
	if word == "" || word[0] == '.' || word[0] == '-' {
		return false
	}
	for _, r := range word {
		if r < utf8.RuneSelf && classes[r]&inName == 0 || r >= utf8.RuneSelf && !unicode.IsLetter(r) {
			return false
		}
	}
	return !hasKnownExtension(word)
}

// isDrive reports whether s begins with a drive and a slash, such as C:\.
func isDrive(s string) bool {
	return len(s) >= 3 && isLetter(s[0]) && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

func isURL(s string) bool {
	const http, https = "http://", "https://"
	return len(s) > len(http) && strings.EqualFold(s[:len(http)], http) ||
		len(s) > len(https) && strings.EqualFold(s[:len(https)], https)
}

// schemeLength returns the length of a URI scheme and its colon. One letter is
// a drive, not a scheme.
func schemeLength(s string) int {
	for i := range len(s) {
		c := s[i]
		switch {
		case isLetter(c), i > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
		case c == ':' && i > 1:
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// hasScheme reports whether s begins with a scheme and two slashes.
func hasScheme(s string) bool {
	n := schemeLength(s)
	return n > 0 && len(s) > n+2 && s[n:n+2] == "//"
}

// isURI reports whether s begins with a scheme, as in urn:isbn:0451450523.
func isURI(s string) bool {
	n := schemeLength(s)
	return n > 0 && len(s) > n && (strings.IndexByte(s[:n], '.') < 0 || hasScheme(s))
}
