package mcp

import (
	"net/url"
	"strings"
)

// template is a URI with holes in it, as RFC 6570 writes it. Of its many forms
// {name} and {+name} are understood; from another on, a template is not completed.
type template []hole

// hole is an argument and the literal text before it. The last one may have no
// name, and then is only the text at the end.
type hole struct {
	before string
	name   string
	// open says that the value may have slashes in it.
	open bool
}

// parseTemplate reads a template as far as it is understood.
func parseTemplate(text string) template {
	var t template
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		if !found {
			return append(t, hole{before: text})
		}
		name, after, closed := strings.Cut(rest, "}")
		name, open := strings.CutPrefix(name, "+")
		if !closed || name == "" || strings.ContainsAny(name, "/?#&;.,*:{|!@=") {
			return append(t, hole{before: before})
		}
		t = append(t, hole{before: before, name: name, open: open})
		text = after
	}
	return t
}

// typed is where in a template somebody is who types a URI.
type typed struct {
	// head is what stands before the argument that is being typed, and args
	// the arguments in it.
	head string
	args map[string]string
	// name and value are the argument that is being typed; name is empty where
	// the literal text is not all there yet, and then head is the text up to
	// the next argument.
	name, value string
	open        bool
	// after is the literal text that follows the argument, and more says that
	// another argument follows that.
	after string
	more  bool
}

// match finds out where in the template a text ends that somebody types. It is
// not ok if the text does not fit.
func (t template) match(text string) (at typed, ok bool) {
	at.args = map[string]string{}
	for i, h := range t {
		if !strings.HasPrefix(text, h.before) {
			at.head += h.before
			at.more = h.name != ""
			return at, strings.HasPrefix(h.before, text)
		}
		at.head += h.before
		text = text[len(h.before):]
		if h.name == "" {
			return at, text == ""
		}
		at.after, at.more = "", false
		if i+1 < len(t) {
			at.after, at.more = t[i+1].before, t[i+1].name != ""
		}
		end := -1
		if at.after != "" {
			end = strings.Index(text, at.after)
		}
		if end < 0 && h.takes(text) {
			at.name, at.value, at.open = h.name, unescaped(text), h.open
			return at, true
		}
		if end < 0 {
			// The text after the argument may have been begun.
			end = min(len(text), max(0, len(text)-len(at.after)+1))
			for end < len(text) && !strings.HasPrefix(at.after, text[end:]) {
				end++
			}
		}
		if !h.takes(text[:end]) {
			return at, false
		}
		at.args[h.name] = unescaped(text[:end])
		at.head += text[:end]
		text = text[end:]
	}
	return at, text == ""
}

// takes reports whether a text may be the value of the argument.
func (h hole) takes(text string) bool { return h.open || !strings.ContainsAny(text, "/?#") }

// with is the URI with a value for the argument that is being typed, up to the
// next argument.
func (at typed) with(value string) string {
	if !at.open {
		value = url.PathEscape(value)
	}
	return at.head + value + at.after
}

func unescaped(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}
