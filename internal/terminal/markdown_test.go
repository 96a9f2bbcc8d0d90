package terminal

import (
	"errors"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

// rendered returns what the pieces of a text look like, with styles spelled out.
func rendered(columns int, pieces ...string) string {
	return renderedAs(true, columns, pieces...)
}

func renderedAs(styled bool, columns int, pieces ...string) string {
	var out strings.Builder
	m := NewMarkdown(&out, columns, styled)
	for _, piece := range pieces {
		if _, err := m.Write([]byte(piece)); err != nil {
			panic(err)
		}
	}
	if err := m.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

var names = strings.NewReplacer(plain, "‹/›", bold, "‹b›", faint, "‹f›", italic, "‹i›", underline, "‹u›", codeStyle, "‹c›")

func TestMarkdown(t *testing.T) {
	for _, c := range []struct {
		name, text string
		columns    int
		want       string
	}{
		{"a paragraph", "one\ntwo three\n", 0, "one two three\n"},
		{"words are not broken", "aaa bbb ccc", 7, "aaa bbb\nccc\n"},
		{"two paragraphs and too many empty lines", "a\n\n\n\nb", 0, "a\n\nb\n"},
		{"bold, italic, code", "a **b c** *d* _e_ `f g` h", 0, "a ‹/›‹b›b‹/› ‹b›c‹/›‹/› ‹/›‹i›d‹/›‹/› ‹/›‹i›e‹/›‹/› ‹/›‹c›f‹/› ‹c›g‹/›‹/› h\n"},
		{"marks that are none", "2 * 3 snake_case_name 4*5", 0, "2 * 3 snake_case_name 4*5\n"},
		{"an escape", `\*not\* \x`, 0, "*not* \\x\n"},
		{"a heading", "# Title of *it*\ntext", 0, "‹b›Title‹/› ‹b›of‹/› ‹b›‹/›‹b›‹i›it‹/›‹b›‹/›‹/›\ntext\n"},
		{"a list", "- one\n- two words\n  - deep\n1. first", 10, "‹f›• ‹/›one\n‹f›• ‹/›two\n  words\n  ‹f›• ‹/›deep\n‹f›1. ‹/›first\n"},
		{"a quote", "> said\n> more", 0, "‹f›▏ ‹/›said\n‹f›▏ ‹/›more\n"},
		{"a fence", "```go\na := *b\n\n# no\n```\nx", 0, "‹f›│ ‹/›a := *b\n‹f›│ ‹/›\n‹f›│ ‹/›# no\nx\n"},
		{"a fence that does not end", "~~~\na", 0, "‹f›│ ‹/›a\n"},
		{"a longer fence", "````\n```\n````", 0, "‹f›│ ‹/›```\n"},
		{"a rule", "a\n\n---\n", 0, "a\n\n‹f›────────────────────────────────────────‹/›\n"},
		{"a table", "| a | bb |\n|---|:-:|\n| **x** | y\\|z |\nend", 0,
			"‹b›a‹/›  ‹b›bb‹/›\n‹f›──────‹/›\n‹/›‹b›x‹/›‹/›  y|z\nend\n"},
		{"rows that are no table", "| a |\n| b |\n", 0, "| a |\n| b |\n"},
		{"code that is moved in", "so:\n\n    a *b* := c\n      d\n\nend", 0, "so:\n\n‹f›│ ‹/›a *b* := c\n‹f›│ ‹/›  d\n\nend\n"},
		{"what is moved in below an item is no code", "- one\n\n    more of *it*\n", 0, "‹f›• ‹/›one\n\nmore of ‹/›‹i›it‹/›‹/›\n"},
		{"lines that are broken", "one  \ntwo\\\nthree\nfour\\\\\nfive", 0, "one\ntwo\nthree four\\ five\n"},
		{"a line of an item that is broken", "- one  \n  two", 0, "‹f›• ‹/›one\n  two\n"},
		{"a heading that is underlined", "Title\n=====\ntext", 0, "Title\n‹f›────────────────────────────────────────‹/›\ntext\n"},
		{"references", "&lt;T&gt; &amp; `&lt;` &#27;[31m", 0, "<T> & ‹/›‹c›&lt;‹/›‹/› \\x1b[31m\n"},
		{"addresses have no references", "https://x.y/?a=1&region=eu&copy=2&lt=5&amp;b=3; &#10; &nosuch; &amp", 0, "https://x.y/?a=1&region=eu&copy=2&lt=5&b=3; &#10; &nosuch; &amp\n"},
		{"a table that is too wide", "| name | what it is |\n|--|--|\n| a | one two three |\n| b | four |\n", 12,
			"‹b›name:‹/› a\n‹b›what‹/› ‹b›it‹/› ‹b›is:‹/›\n  one two\n  three\n‹f›─‹/›\n‹b›name:‹/› b\n‹b›what‹/› ‹b›it‹/› ‹b›is:‹/›\n  four\n"},
		{"a head of several words in a narrow terminal", "| a b c | x y z w |\n|--|--|\n| 1 2 | 3 |\n", 7,
			"‹b›a‹/› ‹b›b‹/› ‹b›c:‹/›\n  1 2\n‹b›x‹/› ‹b›y‹/› ‹b›z‹/›\n  ‹b›w:‹/› 3\n"},
		{"a column of numbers", "| n | what | c |\n|--:|:--|:-:|\n| 1 | a | x |\n| 100 | b | yyyy | more |\n", 0,
			"  ‹b›n‹/›  ‹b›what‹/›   ‹b›c‹/›\n‹f›─────────────────────‹/›\n  1  a      x\n100  b     yyyy  more\n"},
		{"code in an item", "- one\n\n      a *b*\n        c\n\n  more\n\n      d\n\nend\n", 0,
			"‹f›• ‹/›one\n\n  ‹f›│ ‹/›a *b*\n  ‹f›│ ‹/›  c\n\nmore\n\n  ‹f›│ ‹/›d\n\nend\n"},
		{"code in an item of an item", "1. one\n   - two\n\n         a\n\n   of one\n\n       b\n", 0,
			"‹f›1. ‹/›one\n   ‹f›• ‹/›two\n\n     ‹f›│ ‹/›a\n\nof one\n\n   ‹f›│ ‹/›b\n"},
		{"an item that goes on moved in", "- one\n      two\n", 0, "‹f›• ‹/›one two\n"},
		{"preformatted text", "so\n<pre>\n a  *b*\n\n&lt;c&gt;\n</pre>\nend", 0, "so\n‹f›│ ‹/› a  *b*\n‹f›│ ‹/›\n‹f›│ ‹/›<c>\nend\n"},
		{"preformatted code", "<pre class=\"x\"><code class=\"go\">a\n  b</code></pre> and *more*", 0, "‹f›│ ‹/›a\n‹f›│ ‹/›  b\nand ‹/›‹i›more‹/›‹/›\n"},
		{"preformatted on one line", "<PRE>İİİa  b</PRE>", 0, "‹f›│ ‹/›İİİa  b\n"},
		{"preformatted escapes", "<pre>&#27;[2J\x1b[2J", 0, "‹f›│ ‹/›\\x1b[2J\\x1b[2J\n"},
		{"what is no preformatted text", "<pre a<b>c\n<prefix> <pre a", 0, "<pre a<b>c <prefix> <pre a\n"},
		{"a link", "see [the page](https://x.y/z_(a)) now [x]", 0, "see ‹u›the‹/› ‹u›page‹/› ‹f›(https://x.y/z_(a))‹/› now [x]\n"},
		{"escape sequences are shown", "a \x1b[31mred `\x07`\n```\n\x1b]0;t\x07\n```\n", 0, "a \\x1b[31mred ‹/›‹c›\\x07‹/›‹/›\n‹f›│ ‹/›\\x1b]0;t\\x07\n"},
	} {
		if have := names.Replace(rendered(c.columns, c.text)); have != c.want {
			t.Errorf("%s:\nhave %q\nwant %q", c.name, have, c.want)
		}
	}
}

// piece draws the Markdown that models write, and some that they do not.
var piece = rapid.SampledFrom([]string{
	"word", " ", " ", "  \n", "\\\n", "\n    ", "====\n", "&lt;", "\n", "\n\n", "*", "**", "`", "```\n", "# ", "- ", "1. ", "> ", "| a | b |\n", "|---|---|\n", "[label](http://x.y)", "[", "](", ")",
	"<pre>", "<pre a", "</pre>", "<code>", "      ", "|--:|:-:|\n", "_", "\\", "é", "日本", "---\n", "a_b", "~~~", "\x1b[2J", "\t", "long enough to be told from a mark ",
})

func TestMarkdownDoesNotDependOnThePieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		columns := rapid.SampledFrom([]int{0, 1, 10, 40}).Draw(t, "columns")
		var pieces []string
		for rest := whole; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "cut")
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		a, b := rendered(columns, whole), rendered(columns, pieces...)
		if a != b {
			t.Fatalf("%q in pieces %q:\n%q\n%q", whole, pieces, a, b)
		}
		for _, style := range []string{plain, bold, faint, italic, underline, codeStyle} {
			a = strings.ReplaceAll(a, style, "")
		}
		if strings.ContainsRune(a, '\x1b') {
			t.Fatalf("%q lets an escape through: %q", whole, a)
		}
	})
}

// Everything that the text says is shown: the words that another reader of
// Markdown finds are all there, in order.
func TestMarkdownLosesNoWord(t *testing.T) {
	document := strings.Join([]string{
		"# Heading with `code`", "", "A paragraph with **bold words**, *leaning ones* and", "a [link](https://example.org/a).", "",
		"- first item", "- second with _emphasis_", "", "1. one", "2. two", "", "> quoted words", "", "```go", "func main() {}", "```", "", "Last.",
	}, "\n")
	var shown strings.Builder
	shown.WriteString(rendered(20, document))
	have := strings.Join(strings.Fields(stripped(shown.String())), " ")
	source := []byte(document)
	at := 0
	err := ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var words string
		switch n := n.(type) {
		case *ast.Text:
			words = string(n.Segment.Value(source))
		case *ast.FencedCodeBlock:
			words = string(n.Lines().Value(source))
		}
		if !entering || words == "" {
			return ast.WalkContinue, nil
		}
		for _, word := range strings.Fields(words) {
			i := strings.Index(have[at:], word)
			if i < 0 {
				return ast.WalkStop, errors.New("lost: " + word)
			}
			at += i + len(word)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Errorf("%v\n%s", err, have)
	}
}

func stripped(text string) string {
	for _, style := range []string{plain, bold, faint, italic, underline, codeStyle} {
		text = strings.ReplaceAll(text, style, "")
	}
	return text
}

// Without styles everything is laid out all the same, and no mark is lost.
func TestMarkdownWithoutStyles(t *testing.T) {
	document := "## A *title*\nSome **bold words** and `code` here.\n\n- an item\n- [a link](https://a.b)\n\n> said\n\n| a | b |\n|---|---|\n| **x** | long |\n\n```\ncode\n```\n\n---\n"
	want := "## A *title*\nSome **bold\nwords** and\n`code` here.\n\n• an item\n• a link\n  (https://a.b)\n\n▏ said\n\na      b\n───────────\n**x**  long\n\n│ code\n\n───────────────\n"
	if have := renderedAs(false, 15, document); have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	// Where marks stay, so does what says that one is none.
	const escaped = "\\*not emphasised\\* and **bold**, \\_\\`\\\\\n"
	if have := renderedAs(false, 0, escaped); have != escaped {
		t.Errorf("have %s\nwant %s", have, escaped)
	}
	rapid.Check(t, func(t *rapid.T) {
		whole := strings.Join(rapid.SliceOfN(piece, 0, 40).Draw(t, "text"), "")
		if have := renderedAs(false, 20, whole); strings.ContainsRune(have, '\x1b') {
			t.Fatalf("%q has escapes: %q", whole, have)
		}
	})
}

type brokenTerminal struct{}

func (brokenTerminal) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestMarkdownReportsABrokenTerminal(t *testing.T) {
	m := NewMarkdown(brokenTerminal{}, 0, true)
	if _, err := m.Write([]byte("a line\n\n")); err == nil {
		t.Error("no error")
	}
	if err := m.Close(); err == nil {
		t.Error("no error at the end")
	}
}
