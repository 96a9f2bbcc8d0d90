package mention

import (
	"strings"
	"testing"
)

// TestLinearTime counts the bytes that are looked at one by one. Ten times the
// text may take ten times the steps, and not more than a few per byte, for
// texts that are all mentions that never end. Backtracking over any of them
// would take minutes.
func TestLinearTime(t *testing.T) {
	const million = 1_000_000 / raceFactor
	for _, unit := range []string{
		"@", "`", "@(((((", "\"", "'", "@\"", "@'", "@“", "@a:", "@a:\"", "@task:a(", "@task:a(()", "@task:\"a\"(", "@a#\"", "@a.md@", " @\"\\\"", "@\\", " @a\\", "`` ` ",
		"@a.", "@a:1", "@a.md(", "> ", "- ", "* @a_*", "\\(", "@[({", "@a:10:", "```\n", "~~~ ` @a", "@diagnostics:all:\"", "(@a", "~~~\n@a\n", "_@a_",
	} {
		steps := func(size int) int {
			text := strings.Repeat(unit, size/len(unit))
			f := finder{text: text}
			if at := strings.IndexByte(text, '@'); at >= 0 {
				f.find(at)
			} else {
				codeRegions(text)
			}
			return f.steps
		}
		small, large := steps(million), steps(10*million)
		if large > 11*small+1000 || large > 4*10*million {
			t.Errorf("%q: %d steps for 1 MB, %d for 10 MB", unit, small, large)
		}
	}
}

// TestLinearSpans does the same for backticks, whose runs have to pair up: all
// the run lengths there are, none of which comes twice, before many short ones.
func TestLinearSpans(t *testing.T) {
	lookups := func(size int) int {
		var b strings.Builder
		for n := 2; b.Len() < size/2; n++ {
			b.WriteString(strings.Repeat("`", n))
			b.WriteByte(' ')
		}
		b.WriteString(strings.Repeat("` x ", size/8))
		b.WriteString("@a.md")
		text := b.String()
		if refs := Find(text); len(refs) > 1 {
			t.Fatalf("%d mentions", len(refs))
		}
		s := spanScanner{}
		s.append(nil, text, 0, len(text))
		return s.steps
	}
	small, large := lookups(1_000_000/raceFactor), lookups(10_000_000/raceFactor)
	if large > 11*small {
		t.Errorf("%d runs were looked at in 1 MB, %d in 10 MB", small, large)
	}
}
