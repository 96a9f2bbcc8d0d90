package tool

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/internal/wording"
)

const (
	// maxPattern is the longest regular expression that is taken, and maxProgram
	// how many steps it may come to: a file is looked at that many times at
	// worst.
	maxPattern, maxProgram = 4 << 10, 4_000
)

// pattern is a regular expression that is held against lines. Matching takes
// time linear in the text, whatever the expression.
type pattern struct {
	// expression is for texts of many lines: ^ and $, and \A and \z, are the
	// ends of a line.
	expression *regexp.Regexp
	// foreign finds the same in ripgrep, or more. It is empty for what it would
	// miss.
	foreign string
}

func parsePattern(text string, ignoreCase bool) (pattern, error) {
	switch {
	case text == "":
		return pattern{}, fmt.Errorf("the pattern is empty")
	case len(text) > maxPattern:
		return pattern{}, fmt.Errorf("the pattern has %s bytes; up to %s are taken", wording.Number(len(text)), wording.Number(maxPattern))
	}
	flags := syntax.Perl
	if ignoreCase {
		flags |= syntax.FoldCase
	}
	tree, err := syntax.Parse(text, flags)
	if err != nil {
		return pattern{}, fmt.Errorf("%w (RE2 syntax: neither look-around nor back-references)", err)
	}
	byLine(tree)
	if program, err := syntax.Compile(tree.Simplify()); err != nil || len(program.Inst) > maxProgram {
		return pattern{}, fmt.Errorf("the pattern is too complicated: repeat less")
	}
	var p pattern
	if p.expression, err = regexp.Compile(tree.String()); err != nil {
		return pattern{}, err
	}
	// ripgrep does not find \B beside letters that are not ASCII, nor all of \b where
	// a line begins behind an empty one.
	bound := has(tree, syntax.OpWordBoundary) && has(tree, syntax.OpBeginLine)
	if !bound && !has(tree, syntax.OpNoWordBoundary) && endsSimply(tree) {
		p.foreign = foreign(tree)
	}
	return p, nil
}

// byLine makes the ends of the text those of a line, and lets nothing match the
// end of a line itself, so that no match is longer than one.
func byLine(tree *syntax.Regexp) {
	nothing := false
	switch tree.Op {
	case syntax.OpBeginText:
		tree.Op = syntax.OpBeginLine
	case syntax.OpEndText:
		tree.Op = syntax.OpEndLine
		tree.Flags &^= syntax.WasDollar
	case syntax.OpAnyChar:
		tree.Op = syntax.OpAnyCharNotNL
	case syntax.OpLiteral:
		nothing = slices.Contains(tree.Rune, '\n')
	case syntax.OpCharClass:
		tree.Rune = withoutNewline(tree.Rune)
		nothing = len(tree.Rune) == 0
	}
	if nothing {
		tree.Op, tree.Rune = syntax.OpNoMatch, nil
	}
	for _, sub := range tree.Sub {
		byLine(sub)
	}
}

// withoutNewline takes the newline out of a class, which is pairs of a first and
// a last character.
func withoutNewline(class []rune) []rune {
	var rest []rune
	for i := 0; i+1 < len(class); i += 2 {
		low, high := class[i], class[i+1]
		if low > '\n' || high < '\n' {
			rest = append(rest, low, high)
			continue
		}
		if low < '\n' {
			rest = append(rest, low, '\n'-1)
		}
		if high > '\n' {
			rest = append(rest, '\n'+1, high)
		}
	}
	return rest
}

// endsSimply reports whether the end of a line, if it is asked for at all, is the
// last thing that is.
func endsSimply(tree *syntax.Regexp) bool {
	switch tree.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		return !has(tree, syntax.OpEndLine)
	case syntax.OpConcat:
		for i, sub := range tree.Sub {
			rest := tree.Sub[i+1:]
			if has(sub, syntax.OpEndLine) && slices.ContainsFunc(rest, func(after *syntax.Regexp) bool {
				return has(after, syntax.OpBeginLine) || has(after, syntax.OpWordBoundary)
			}) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return !endsSimply(sub) })
}

func has(tree *syntax.Regexp, op syntax.Op) bool {
	return tree.Op == op || slices.ContainsFunc(tree.Sub, func(sub *syntax.Regexp) bool { return has(sub, op) })
}

// foreign writes an expression so that ripgrep finds with it all that ours does
// in the lines without their ends: there a carriage return still stands before
// some ends, and words are made of all letters, not of those of ASCII. Classes
// are spelled out already.
func foreign(tree *syntax.Regexp) string {
	expression := beforeReturn(tree).String()
	var b strings.Builder
	for i := 0; i < len(expression); i++ {
		if expression[i] != '\\' || i+1 == len(expression) {
			b.WriteByte(expression[i])
			continue
		}
		i++
		if expression[i] == 'b' {
			b.WriteString(`(?-u:\b)`)
			continue
		}
		b.WriteByte('\\')
		b.WriteByte(expression[i])
	}
	return b.String()
}

// beforeReturn is a tree in which a carriage return may stand before the end of
// a line.
func beforeReturn(tree *syntax.Regexp) *syntax.Regexp {
	again := *tree
	again.Sub = make([]*syntax.Regexp, len(tree.Sub))
	for i, sub := range tree.Sub {
		again.Sub[i] = beforeReturn(sub)
	}
	if tree.Op == syntax.OpEndLine {
		carriage := &syntax.Regexp{Op: syntax.OpLiteral, Rune: []rune{'\r'}}
		maybe := &syntax.Regexp{Op: syntax.OpQuest, Sub: []*syntax.Regexp{carriage}}
		return &syntax.Regexp{Op: syntax.OpConcat, Sub: []*syntax.Regexp{maybe, &again}}
	}
	return &again
}
