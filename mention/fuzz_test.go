package mention

import (
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// FuzzFind cuts any text at its mentions and joins it again, and checks what a
// ref promises.
func FuzzFind(f *testing.F) {
	for _, seed := range []string{
		"Compare @docs/api.md with @internal/server.go:40-90 and @diff:main.", `@"a \"b\".md":3 @'x` + "\n", "@task:a(b \\) (c)) @“x y” **@a.md**",
		"```\n@a\n```\n- > `@b` @c:d:e#f", "@a(((((", "@x:\"y\"#\"z\"", "@C:\\x\\:3", "\xff@\xfe@a\xff", "@diagnostics:all:\"x\"", "@file:///x#L1-L2",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		end := 0
		for _, ref := range Find(s) {
			if ref.Start < end || ref.End <= ref.Start || ref.End > len(s) || s[ref.Start] != '@' || ref.Written != s[ref.Start:ref.End] {
				t.Fatalf("%q: bad ref %+v after %d", s, ref, end)
			}
			end = ref.End
			for _, m := range append([]Reading{{ref.Mention, ref.End}}, ref.Alternatives...) {
				if m.Mention == nil || m.End <= ref.Start || m.End > len(s) {
					t.Fatalf("%q: bad reading %+v", s, m)
				}
				if written := s[ref.Start:m.End]; !strings.ContainsAny(written, "\"'“‘«(\\") && len(strings.Fields(written)) > 1 {
					t.Fatalf("%q: %q passes white space", s, written)
				}
				// What was read can be written, and means the same again.
				if spelling := m.Mention.String(); spelling != "" {
					if again := Find(spelling); len(again) != 1 || again[0].Mention != m.Mention {
						t.Fatalf("%q: %#v is written %q, which reads as %+v", s, m.Mention, spelling, again)
					}
				} else if _, ok := m.Mention.(GitDiff); !ok {
					t.Fatalf("%q: %#v cannot be written", s, m.Mention)
				}
			}
			ref.Meant()
			ref.Namespaced()
		}
	})
}

// fragments is what the documents are made of that the judge compares.
var fragments = []string{
	"x", "x", "x ", " ", "\n", "\n", "\n\n", "`", "`", "``", "```", "````", "\\", "~~~", "~~~~", "> ", ">", "- ", "* ", "1. ", "2) ", "10. ", "-", "  ", "   ", "# ", "---\n", "===\n", "```\n", "~~~ x\n", "\n> ", "\n  ", "\n- ",
}

// emptyItem is a line that begins a list item and nothing in it. With another
// list inside, goldmark loses track of the item; commonmark.js, the reference
// implementation, does not. TestCode has such items, as the reference reads
// them.
var emptyItem = regexp.MustCompile(`(?m)^[ >]*(([-*]|\d+[.)]) +)*([-*]|\d+[.)]) *$`)

// lastSlash is a line with a backslash at its end that goldmark takes for the escape
// of what the next line begins with: one with spaces behind it, which is literal, and
// the third of three, which is a line break.
var lastSlash = regexp.MustCompile(`(?m)(\\\\\\|\\ +)$`)

// FuzzCodeAgreesWithGoldmark builds documents of paragraphs, lists, quotes,
// spans and fences. Every x in them is code for us if and only if it is for
// goldmark, an independent implementation of CommonMark.
func FuzzCodeAgreesWithGoldmark(f *testing.F) {
	f.Add([]byte{10, 4, 0, 4, 10, 4, 0})
	f.Add([]byte{17, 7, 0, 4, 0, 7, 5, 0})
	f.Add([]byte{15, 28, 0, 30, 0, 6, 0})
	f.Fuzz(func(t *testing.T, choices []byte) {
		if len(choices) > 200 {
			return
		}
		var b strings.Builder
		for _, c := range choices {
			b.WriteString(fragments[int(c)%len(fragments)])
		}
		source := b.String() + "\n" // goldmark loses the end of an unfinished line
		if emptyItem.MatchString(source) || lastSlash.MatchString(source) {
			return
		}
		judged, other := goldmarkCode(source)
		ours := make([]bool, len(source))
		for _, r := range codeRegions(source) {
			for i := r.start; i < r.end; i++ {
				ours[i] = true
			}
		}
		for i := range len(source) {
			if source[i] == 'x' && !other[i] && ours[i] != judged[i] {
				t.Fatalf("%q: byte %d: code is %t for us and %t for goldmark", source, i, ours[i], judged[i])
			}
		}
	})
}

// goldmarkCode marks the bytes that are in code spans and fences, and those in
// indented code, which is ordinary text for us.
func goldmarkCode(source string) (code, indented []bool) {
	code, indented = make([]bool, len(source)), make([]bool, len(source))
	mark := func(marks []bool, segment text.Segment) {
		for i := segment.Start; i < segment.Stop; i++ {
			marks[i] = true
		}
	}
	document := goldmark.DefaultParser().Parse(text.NewReader([]byte(source)))
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.CodeSpan:
			for child := n.FirstChild(); child != nil; child = child.NextSibling() {
				if t, ok := child.(*ast.Text); ok {
					mark(code, t.Segment)
				}
			}
		case *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				mark(code, n.Lines().At(i))
			}
			if n.Info != nil {
				mark(code, n.Info.Segment)
			}
		case *ast.CodeBlock:
			for i := range n.Lines().Len() {
				mark(indented, n.Lines().At(i))
			}
		}
		return ast.WalkContinue, nil
	})
	return code, indented
}
