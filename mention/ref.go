package mention

import (
	"strings"
	"unicode"
)

// Ref is a mention found in a text.
type Ref struct {
	// Mention is the reading that the grammar prefers.
	Mention Mention
	// Written is the mention as it stands in the text, with its @.
	Written string
	// Start and End are byte offsets: text[Start:End] == Written.
	Start, End int
	// Bare marks a bare word such as @param or @alice. It is a mention only if
	// an agent, a file or a directory has exactly that name.
	Bare bool
	// Alternatives are further readings that begin at the same @, best first.
	// If the preferred reading names nothing that exists and one of these
	// does, that one was meant.
	Alternatives []Reading
}

// Reading is another way to read the mention that begins at a [Ref]'s Start.
type Reading struct {
	Mention Mention
	// End is where this reading ends in the text.
	End int
}

// Meant reports whether the person plainly meant something, so that it
// deserves a word if it is not there. It is so for what is quoted, prefixed
// (./ ../ ~/ file: user: and the like), has lines or a symbol, or ends in a
// well-known file extension. It is not so for @angular/core, @app.route,
// @/components/X.vue or @user:matrix.org: if nothing of that name exists they are
// plain text.
func (r Ref) Meant() bool {
	if r.Bare {
		return false
	}
	body := strings.TrimPrefix(r.Written, "@")
	if _, quoted := quoteAt(body, 0); quoted {
		return true
	}
	for _, prefix := range [...]string{"./", "../", "~/", "file:", "folder:", "terminal:"} {
		if strings.HasPrefix(body, prefix) {
			return true
		}
	}
	if strings.HasPrefix(body, "/") {
		return false
	}
	switch m := r.Mention.(type) {
	case File:
		return hasKnownExtension(m.Path) || hasBadLines(m.Path) || isPrefix(m.Namespace) && !isHost(m.Path)
	case Directory:
		return isPrefix(m.Namespace)
	case Glob:
		return hasKnownExtension(m.Pattern) || strings.Contains(m.Pattern, "/") || isPrefix(m.Namespace)
	case Selection:
		return hasLetter(m.Path)
	case Symbol:
		return hasLetter(m.Path)
	}
	return true
}

// hasBadLines reports whether a path ends in what was meant to be lines and is
// none, such as main.go:0 or main.go:3-x.
func hasBadLines(path string) bool {
	file, rest, ok := strings.Cut(path, ":")
	return ok && looksLikeLines(rest) && hasKnownExtension(file)
}

// isHost tells the matrix.org of @user:matrix.org from a path.
func isHost(path string) bool {
	host, _, _ := strings.Cut(path, ":")
	return strings.Contains(host, ".") && !strings.ContainsAny(host, `/\`)
}

// hasLetter tells main:30 from a time of day.
func hasLetter(path string) bool {
	return strings.ContainsFunc(path, unicode.IsLetter)
}

// Namespaced returns what stands before and after the colon of a mention such
// as @jira:ABC-1, without quotes. It is not ok where there is no colon, or
// where the word before it is reserved. Whoever knows that the name is a
// custom scheme takes the rest from here, since for [Find] it is a file.
func (r Ref) Namespaced() (name, rest string, ok bool) {
	body := strings.TrimPrefix(r.Written, "@")
	name, rest, ok = strings.Cut(body, ":")
	if !ok || rest == "" || !isNamespace(name) || isReserved(name) || isDrive(body) || hasScheme(body) {
		return "", "", false
	}
	f := finder{text: rest}
	if content, end, quoted := f.quoted(0); quoted && end == len(rest) {
		return name, content, true
	}
	return name, unescape(rest), true
}

// isBare reports whether a token is a bare word.
func isBare(m Mention, token string) bool {
	file, ok := m.(File)
	return ok && file.Namespace == "" && !strings.ContainsAny(token, `./\:"'`)
}
