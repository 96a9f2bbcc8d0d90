package zed

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/mention"
)

// ParseLink reads the target of a link that somebody else wrote, a model for
// instance. It takes what [Parse] takes and beyond that reads plain paths as
// they are written in links: escapes such as %20 are decoded (not those of
// separators), and in the Windows style /C:/a, /c/a and c:/a are C:\a. A file
// URI whose fragment is no line range is the file.
//
// A file may be called a%20b.rs. [ParseLinkLiteral] has the other reading.
func ParseLink(text string, style Style) (mention.Mention, error) {
	m, err := parseLink(text, style)
	if err != nil {
		return nil, &ParseError{Text: text, Reason: err.Error()}
	}
	return m, nil
}

func parseLink(text string, style Style) (mention.Mention, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("it is not UTF-8")
	}
	target := withoutBackticks(text)
	if isPlainPath(target, style) {
		path, fragment, _ := strings.Cut(target, "#")
		return linkedPath(unescapeLink(path), fragment, style)
	}
	if r, err := parseReference(target); err == nil && r.scheme == "file" && r.hasFragment {
		if _, _, ok := parseLines(r.fragment); !ok {
			r.hasFragment = false
			return parseFile(r, style)
		}
	}
	return parse(target, style)
}

// ParseLinkLiteral reads a link without decoding it, for a file whose name
// contains what looks like an escape. It is false if [ParseLink] decodes
// nothing in text, so that there is no other reading.
func ParseLinkLiteral(text string, style Style) (mention.Mention, bool) {
	target := withoutBackticks(text)
	if !utf8.ValidString(target) || !isPlainPath(target, style) {
		return nil, false
	}
	path, fragment, _ := strings.Cut(target, "#")
	if unescapeLink(path) == path {
		return nil, false
	}
	m, err := linkedPath(path, fragment, style)
	return m, err == nil
}

func linkedPath(path, fragment string, style Style) (mention.Mention, error) {
	if style == Windows {
		path = nativeWindows(path)
	}
	return plainPath(path, fragment, style)
}
