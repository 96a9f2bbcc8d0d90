package secrets

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"
)

// maker makes texts that a regular expression matches.
type maker struct {
	*rand.Rand
	// more is how often an open repetition goes on past its minimum.
	more int
}

// secret makes what a rule calls the secret: its first group, or the whole of
// the expression if it has none.
func (m maker) secret(expr string) (string, error) {
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return "", err
	}
	if group := firstGroup(tree); group != nil {
		tree = group
	}
	var b strings.Builder
	m.write(&b, tree)
	return b.String(), nil
}

func firstGroup(tree *syntax.Regexp) *syntax.Regexp {
	if tree.Op == syntax.OpCapture {
		return tree
	}
	for _, sub := range tree.Sub {
		if group := firstGroup(sub); group != nil {
			return group
		}
	}
	return nil
}

func (m maker) write(b *strings.Builder, tree *syntax.Regexp) {
	switch tree.Op {
	case syntax.OpLiteral:
		text := string(tree.Rune)
		if tree.Flags&syntax.FoldCase != 0 {
			text = strings.ToLower(text)
		}
		b.WriteString(text)
	case syntax.OpCharClass:
		b.WriteByte(m.oneOf(tree.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte("abcdefghijkmnpqrstuvwxyz23456789"[m.IntN(32)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range tree.Sub {
			m.write(b, sub)
		}
	case syntax.OpAlternate:
		m.write(b, tree.Sub[m.IntN(len(tree.Sub))])
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		least, most := tree.Min, tree.Max
		switch tree.Op {
		case syntax.OpStar:
			least, most = 0, -1
		case syntax.OpPlus:
			least, most = 1, -1
		case syntax.OpQuest:
			least, most = 0, 1
		}
		if most < 0 {
			most = least + m.more
		}
		for range least + m.IntN(most-least+1) {
			m.write(b, tree.Sub[0])
		}
	}
}

// oneOf picks a printable ASCII character of a class, each as likely. Of the
// characters that rules allow in base64 and tokens, = is left out: it stands at
// their end, and rules allow it anywhere only because that is shorter.
func (m maker) oneOf(ranges []rune) byte {
	var set []byte
	for i := 0; i < len(ranges); i += 2 {
		for r := max(ranges[i], '!'); r <= min(ranges[i+1], '~'); r++ {
			if r != '=' {
				set = append(set, byte(r))
			}
		}
	}
	if len(set) == 0 {
		return ' '
	}
	return set[m.IntN(len(set))]
}
