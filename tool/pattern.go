package tool

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
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
	// foreign is the same as ripgrep reads it.
	foreign string
}

func parsePattern(text string, ignoreCase bool) (pattern, error) {
	switch {
	case text == "":
		return pattern{}, fmt.Errorf("the pattern is empty")
	case len(text) > maxPattern:
		return pattern{}, fmt.Errorf("the pattern has %s bytes; up to %s are taken", thousands(len(text)), thousands(maxPattern))
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
	p := pattern{foreign: foreign(tree.String())}
	if p.expression, err = regexp.Compile(tree.String()); err != nil {
		return pattern{}, err
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

// foreign writes an expression so that ripgrep takes it for the same. Classes
// are spelled out already; what is left is that words are made of ASCII letters
// here, and of all letters there.
func foreign(expression string) string {
	var b strings.Builder
	for i := 0; i < len(expression); i++ {
		if expression[i] != '\\' || i+1 == len(expression) {
			b.WriteByte(expression[i])
			continue
		}
		i++
		switch c := expression[i]; c {
		case 'b', 'B':
			b.WriteString(`(?-u:\` + string(c) + `)`)
		default:
			b.WriteByte('\\')
			b.WriteByte(c)
		}
	}
	return b.String()
}
