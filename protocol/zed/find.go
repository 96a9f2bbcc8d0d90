package zed

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/mention"
)

// Link writes m as it stands in a text: [@main.rs](file:///src/main.rs).
// [FindLinks] gives it back. Brackets that would end the link early are written
// otherwise: in the name as round ones, in the URI as escapes. Only a web
// address comes back with these escapes. The error is that of [URI].
func Link(m mention.Mention, style Style) (string, error) {
	uri, err := URI(m, style)
	if err != nil {
		return "", err
	}
	if !balanced(uri, '(', ')') {
		uri = strings.NewReplacer("(", "%28", ")", "%29").Replace(uri)
		read, err := Parse(uri, style)
		if _, web := m.(mention.URL); err != nil || !web && read != said(m, style) {
			return "", fmt.Errorf("write zed link of %s mention: its brackets would end it: %w", m.Kind(), ErrNoURI)
		}
	}
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, Name(m, style, 0))
	if !balanced(name, '[', ']') {
		name = strings.NewReplacer("[", "(", "]", ")").Replace(name)
	}
	return "[@" + name + "](" + uri + ")", nil
}

func balanced(text string, open, closing byte) bool {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case open:
			depth++
		case closing:
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// FindLinks returns the links in text that are mentions: [@name](uri), where
// the name may have brackets in it and the URI round ones, if they balance. A
// link whose URI [Parse] does not read is not one. It takes linear time.
func FindLinks(text string, style Style) []mention.Ref {
	var refs []mention.Ref
	names, targets := matchBrackets(text)
	end := 0
	for _, name := range names {
		if name.open < end || name.close == 0 {
			continue
		}
		end = name.close + 1
		for len(targets) > 0 && targets[0].open < end {
			targets = targets[1:]
		}
		if len(targets) == 0 || targets[0].open != end || targets[0].close == 0 {
			continue
		}
		target := targets[0]
		end = target.close + 1
		if m, err := Parse(text[target.open+1:target.close], style); err == nil {
			refs = append(refs, mention.Ref{
				Mention: m, Written: text[name.open:end], Start: name.open, End: end,
			})
		}
	}
	return refs
}

// span is a pair of brackets; close is zero if there is no closing one.
type span struct{ open, close int }

// matchBrackets returns, in the order of the text, the square brackets that
// begin with [@ and the round ones that follow a ]. Both kinds nest, each for
// itself.
func matchBrackets(text string) (names, targets []span) {
	// The stacks hold, for each bracket that is open, its place in the result,
	// or -1 if nobody asks for it.
	var squares, rounds []int
	for i := range len(text) {
		switch text[i] {
		case '[':
			names, squares = open(names, squares, i, strings.HasPrefix(text[i:], "[@"))
		case ']':
			squares = shut(names, squares, i)
		case '(':
			targets, rounds = open(targets, rounds, i, i > 0 && text[i-1] == ']')
		case ')':
			rounds = shut(targets, rounds, i)
		}
	}
	return names, targets
}

func open(spans []span, stack []int, at int, asked bool) ([]span, []int) {
	if !asked {
		return spans, append(stack, -1)
	}
	return append(spans, span{open: at}), append(stack, len(spans))
}

func shut(spans []span, stack []int, at int) []int {
	if len(stack) == 0 {
		return stack
	}
	top := len(stack) - 1
	if place := stack[top]; place >= 0 {
		spans[place].close = at
	}
	return stack[:top]
}
