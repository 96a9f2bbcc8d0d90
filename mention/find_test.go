package mention

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// found is a ref in short: what was written and what it is.
type found struct {
	Written string
	Mention Mention
}

func findAll(text string) []found {
	var all []found
	for _, ref := range Find(text) {
		all = append(all, found{ref.Written, ref.Mention})
	}
	return all
}

// rule is a text and the mentions in it; no mentions where there are none.
type rule struct {
	text string
	want []found
}

func check(t *testing.T, rules []rule) {
	t.Helper()
	for _, r := range rules {
		if diff := cmp.Diff(r.want, findAll(r.text)); diff != "" {
			t.Errorf("Find(%q): -want +got\n%s", r.text, diff)
		}
	}
}

func one(written string, m Mention) []found { return []found{{written, m}} }

func file(path string) Mention { return File{Path: path} }

func lines(path string, first, last int) Mention {
	return Selection{Path: path, First: first, Last: last}
}

func TestOpening(t *testing.T) {
	t.Run("at the start and after white space", func(t *testing.T) {
		for _, before := range []string{"", " ", "\n", "\t", "\r\n", "\v", "\u00a0", "\u3000", "\u2003", "\ufeff", "\u200b"} {
			check(t, []rule{{before + "@a.md", one("@a.md", file("a.md"))}})
		}
	})
	t.Run("after an opening bracket, a quote or a separator", func(t *testing.T) {
		for _, before := range strings.Split("( [ { < \" ' , ; : | > * _ ~ “ ‘ „ « ‹ （ ［ ｛ 【 「 『 《 〈", " ") {
			check(t, []rule{{"x" + before + "@a.md", one("@a.md", file("a.md"))}})
		}
	})
	t.Run("after an emoji", func(t *testing.T) {
		for _, before := range []string{"👉", "✅", "❤️", "👍🏽", "👩‍💻", "1️⃣", "⭐", "🇫🇷", "⏰"} {
			check(t, []rule{{before + "@a.md", one("@a.md", file("a.md"))}})
		}
	})
	t.Run("after a CJK letter or its punctuation", func(t *testing.T) {
		for _, before := range []string{"看", "を", "タ", "ー", "한", "ㄅ", "，", "。", "：", "、", "！"} {
			check(t, []rule{{before + "@a.md", one("@a.md", file("a.md"))}})
		}
	})
	t.Run("not after any other letter or digit", func(t *testing.T) {
		check(t, []rule{
			{"user@example.com", nil}, {"checkout@v4", nil}, {"git@host:x.git", nil}, {"é@a.md", nil}, {"я@a.md", nil},
			{"9@a.md", nil}, {"٣@a.md", nil}, {"HEAD@{1}", nil}, {"alpine@sha256:0123", nil},
		})
	})
	t.Run("not after a full stop, a dash, a slash, an equals sign or another @", func(t *testing.T) {
		check(t, []rule{
			{".@a.md", nil}, {"-@a.md", nil}, {"node_modules/@types", nil}, {"file=@x.md", nil}, {"@@x.md", nil},
			{")@a.md", nil}, {"]@a.md", nil}, {"!@a.md", nil}, {"$@", nil}, {"#@a.md", nil}, {"`@a.md", nil}, {"&@a.md", nil},
		})
	})
	t.Run("an escaped at-sign is literal", func(t *testing.T) {
		check(t, []rule{{`see \@a.md`, nil}, {`\\@a.md`, nil}})
	})
	t.Run("what may follow", func(t *testing.T) {
		check(t, []rule{
			{"@a.md", one("@a.md", file("a.md"))},
			{"@1.md", one("@1.md", file("1.md"))},
			{"@_a.md", one("@_a.md", file("_a.md"))},
			{"@.env", one("@.env", file(".env"))},
			{"@~/a.md", one("@~/a.md", file("~/a.md"))},
			{"@/etc/hosts", one("@/etc/hosts", file("/etc/hosts"))},
			{"@-a.md", one("@-a.md", file("-a.md"))},
			{"@(auth)/page.tsx", one("@(auth)/page.tsx", file("(auth)/page.tsx"))},
			{"@[id].tsx", one("@[id].tsx", file("[id].tsx"))},
			{"@日本.md", one("@日本.md", file("日本.md"))},
			{"@été.md", one("@été.md", file("été.md"))},
		})
	})
	t.Run("what may not follow", func(t *testing.T) {
		check(t, []rule{
			{"@", nil}, {"@ a.md", nil}, {"@\n", nil}, {"@{1}", nil}, {"@*", nil}, {"@@", nil}, {"@#x", nil}, {"@,", nil},
			{"@:10", nil}, {"@=x", nil}, {"@🎉.md", nil}, {"@—", nil}, {"@$5", nil},
		})
	})
	t.Run("a quoted at-sign", func(t *testing.T) {
		check(t, []rule{{`split('@') + 'x'`, nil}, {`strings.Cut(s, "@") and "b"`, nil}})
	})
}

func TestCode(t *testing.T) {
	here := one("@a.md", file("a.md"))
	check(t, []rule{
		{"`@a.md`", nil},
		{"``@a.md``", nil},
		{"`` ` @a.md ``", nil},
		{"`x` @a.md `y`", here},
		{"a stray ` and @a.md", here},
		{"`` and ` @a.md", here},
		{"`x\n@a.md`", nil},
		{"`x\n\n@a.md`", here},               // a span does not leave its paragraph
		{"\\`@a.md`", nil},                   // directly after a backtick
		{"\\` @a.md `", here},                // the first is escaped
		{"`\\` @a.md", here},                 // a backslash escapes nothing in code
		{"x \\\\\\\n\\\\```\n@a.md```", nil}, // the third of them is a line break
		{"\\  \n  \\```@a.md``", nil},        // the second escapes one backtick
		{"```\n@a.md\n```", nil},
		{"```\n@a.md\n```\n@a.md", here},
		{"~~~\n@a.md\n~~~", nil},
		{"````\n```\n@a.md\n````\n@a.md", here},
		{"```\n@a.md\n~~~", nil},
		{"```\n@a.md", nil}, // unclosed runs to the end
		{"   ```\n@a.md\n   ```", nil},
		{"```go @a.md\n```", nil},
		{"``` a`b\n@a.md", here}, // no fence: a backtick in the info
		{"~~~ a`b\n@a.md\n~~~", nil},
		{"> ```\n> @a.md\n\n@a.md", here}, // the fence ends with its quote
		{"- ```\n  @a.md\n\n@a.md", here}, // and with its list item
		{"- ```\n  @a.md\n  ```\n  @a.md", here},
		{"1. ```\n   @a.md\n   ```", nil},
		{"- `x\n- @a.md`", here}, // nor does a span leave its item
		{"# `x\n@a.md`", here},   // or its heading
		{"> `x\n@a.md`", nil},    // but a lazy line goes on
		{"para\n    ```\n    @a.md", here},
		{"para\n\n    @a.md\n", here}, // indented code is ordinary text
		{"<pre>\n@a.md\n</pre>", here},
		{"text ```@a.md``` text", nil},
		{"- \n  10. \n  ~~~ x\n@a.md", here}, // empty items, as commonmark.js reads them
		{"- * * \n\n\n  ~~~~\n  \n> @a.md", here},
		{"- \n  * x\n  ```\n@a.md", here},
		{"-\n\n  ```\n@a.md", nil},
		{"```\r\n@a.md\r\n```\r\n@a.md", here},
	})
}

func TestEnd(t *testing.T) {
	here := one("@a.md", file("a.md"))
	t.Run("at white space, quotes and separators", func(t *testing.T) {
		for _, after := range strings.Split("\" ' ` < > | , ; ” “ ’ ‘ » « › — … 。 、 ， ： ； ！ ？ ） 】 」 （ \u00a0 \u3000 \n", " ") {
			check(t, []rule{{"@a.md" + after + "x", here}})
		}
	})
	t.Run("at an unbalanced closing bracket", func(t *testing.T) {
		check(t, []rule{
			{"(@a.md)", here}, {"[@a.md]", here}, {"{@a.md}", here}, {"<@a.md>", here}, {"(@a.md])", here}, {"[@a.md](x)", here}, {"@a.md).", here},
		})
	})
	t.Run("balanced brackets stay", func(t *testing.T) {
		check(t, []rule{
			{"@app/(auth)/[id]/page.tsx", one("@app/(auth)/[id]/page.tsx", file("app/(auth)/[id]/page.tsx"))},
			{"(@app/(auth)/x.ts)", one("@app/(auth)/x.ts", file("app/(auth)/x.ts"))},
			{"@a{b}.md", one("@a{b}.md", file("a{b}.md"))},
		})
	})
	t.Run("trailing punctuation goes", func(t *testing.T) {
		for _, after := range []string{".", ":", "!", "?", "...", "?!", ".:", "(", "([{", ".(", "(."} {
			check(t, []rule{{"see @a.md" + after, here}, {"see @a.md" + after + " x", here}})
		}
	})
	t.Run("a possessive goes", func(t *testing.T) {
		check(t, []rule{{"@a.md's", here}, {"@a.md’s tests", here}, {"@a.md.'s", here}})
	})
	t.Run("emphasis that also stands before goes", func(t *testing.T) {
		check(t, []rule{
			{"**@a.md**", here}, {"*@a.md*", here}, {"_@a.md_", here}, {"__@a.md__", here}, {"~~@a.md~~", here}, {"**_@a.md_**", here}, {"**@a.md.**", here}, {"**@a.md**.", here},
			{"_@a_b.md_", one("@a_b.md", file("a_b.md"))},
			{"@__init__", one("@__init__", file("__init__"))},
			{"@a.md_", one("@a.md_", file("a.md_"))},
		})
	})
	t.Run("dots inside stay", func(t *testing.T) {
		check(t, []rule{
			{"@docs/10.0.0.0-AUTH.md.", one("@docs/10.0.0.0-AUTH.md", file("docs/10.0.0.0-AUTH.md"))},
			{"@../..", one("@../..", Directory{Path: "../.."})},
			{"@..", nil}, {"@...", nil}, {"@.", nil},
		})
	})
	t.Run("at-signs inside stay", func(t *testing.T) {
		check(t, []rule{
			{"@icons/logo@2x.png", one("@icons/logo@2x.png", file("icons/logo@2x.png"))},
			{"@node_modules/@types/x.ts", one("@node_modules/@types/x.ts", file("node_modules/@types/x.ts"))},
		})
	})
}

func TestKinds(t *testing.T) {
	kinds := []struct {
		written string
		want    Mention
	}{
		{`@docs/api.md`, file("docs/api.md")},
		{`@./docs/api.md`, file("docs/api.md")},
		{`@"My Notes/a b.md"`, file("My Notes/a b.md")},
		{`@"a \"b\".md"`, file(`a "b".md`)},
		{`@"a\\"`, file(`a\`)},
		{`@"a\b.md"`, file(`a\b.md`)},
		{`@'a b.md'`, file("a b.md")},
		{`@“a b.md”`, file("a b.md")},
		{`@my\ notes.md`, file("my notes.md")},
		{`@a\,b\;c.md`, file("a,b;c.md")},
		{`@dir\sub\a.md`, file(`dir\sub\a.md`)},
		{`@~/x.md`, file("~/x.md")},
		{`@/abs/x`, file("/abs/x")},
		{`@C:\x.md`, file(`C:\x.md`)},
		{`@C:/x.md`, file("C:/x.md")},
		{`@"C:\Program Files\x.txt"`, file(`C:\Program Files\x.txt`)},
		{`@C:\x.md:3`, lines(`C:\x.md`, 3, 3)},
		{`@file:diff`, file("diff")},
		{`@./diff`, file("diff")},
		{`@file:a*b`, file("a*b")},
		{`@file:"a b*.md"`, file("a b*.md")},
		{`@file:///etc/hosts`, file("/etc/hosts")},
		{`@file:main.go:3-4`, lines("main.go", 3, 4)},
		{`@internal/`, Directory{Path: "internal"}},
		{`@"My Notes/"`, Directory{Path: "My Notes"}},
		{`@./`, Directory{Path: "."}},
		{`@../`, Directory{Path: ".."}},
		{`@~/`, Directory{Path: "~"}},
		{`@/`, Directory{Path: "/"}},
		{`@C:\`, Directory{Path: `C:\`}},
		{`@"C:\dir\"`, Directory{Path: `C:\dir`}},
		{`@folder:src`, Directory{Path: "src"}},
		{`@folder:"my src/"`, Directory{Path: "my src"}},
		{`@src/**/*.go`, Glob{Pattern: "src/**/*.go"}},
		{`@"my src/*.{go,md}"`, Glob{Pattern: "my src/*.{go,md}"}},
		{`@f.go:10-20`, lines("f.go", 10, 20)},
		{`@f.go:10`, lines("f.go", 10, 10)},
		{`@f.go:10-`, lines("f.go", 10, 0)},
		{`@f.go:L10-L20`, lines("f.go", 10, 20)},
		{`@f.go:L10-20`, lines("f.go", 10, 20)},
		{`@f.go:L10`, lines("f.go", 10, 10)},
		{`@f.go:L10-`, lines("f.go", 10, 0)},
		{`@f.go#L10-`, lines("f.go", 10, 0)},
		{`@"a b.go":L10-L20`, lines("a b.go", 10, 20)},
		{`@"a b.go":10-`, lines("a b.go", 10, 0)},
		{`@URL:10`, lines("URL", 10, 10)},
		{`@f.go:10:5`, Selection{Path: "f.go", First: 10, Last: 10, Column: 5}},
		{`@f.go#L10-20`, lines("f.go", 10, 20)},
		{`@f.go#L10-L20`, lines("f.go", 10, 20)},
		{`@f.go#L10`, lines("f.go", 10, 10)},
		{`@f.go#L10:20`, lines("f.go", 10, 20)},
		{`@f.go#10-20`, lines("f.go", 10, 20)},
		{`@"a b.go":10-20`, lines("a b.go", 10, 20)},
		{`@'a b.go'#L10-L20`, lines("a b.go", 10, 20)},
		{`@a\ b.go:3`, lines("a b.go", 3, 3)},
		{`@Makefile:3`, lines("Makefile", 3, 3)},
		{`@f.go#Server.Close`, Symbol{Path: "f.go", Name: "Server.Close"}},
		{`@doc.md#Install`, Symbol{Path: "doc.md", Name: "Install"}},
		{`@doc.md#"Getting started"`, Symbol{Path: "doc.md", Name: "Getting started"}},
		{`@"my doc.md"#"Getting started"`, Symbol{Path: "my doc.md", Name: "Getting started"}},
		{`@"my doc.md"#Install`, Symbol{Path: "my doc.md", Name: "Install"}},
		{`@docs/C#/intro.md`, file("docs/C#/intro.md")},
		{`@https://go.dev/doc`, URL{"https://go.dev/doc"}},
		{`@HTTP://go.dev`, URL{"HTTP://go.dev"}},
		{`@https://go.dev/doc#L10`, URL{"https://go.dev/doc#L10"}},
		{`@https://localhost:8080`, URL{"https://localhost:8080"}},
		{`@https://en.wikipedia.org/wiki/Go_(game)`, URL{"https://en.wikipedia.org/wiki/Go_(game)"}},
		{`@url:https://go.dev`, URL{"https://go.dev"}},
		{`@"https://go.dev/a,b"`, URL{"https://go.dev/a,b"}},
		{`@docs:file:///guide.md`, Resource{"docs", "file:///guide.md"}},
		{`@docs:http://localhost:8080`, Resource{"docs", "http://localhost:8080"}},
		{`@docs:urn:isbn`, Resource{"docs", "urn:isbn"}},
		{`@docs:"memo://a b"`, Resource{"docs", "memo://a b"}},
		{`@agent:reviewer`, Agent{"reviewer"}},
		{`@agent:"the reviewer"`, Agent{"the reviewer"}},
		{`@task:reviewer(check the error paths)`, Subtask{Agent: "reviewer", Prompt: "check the error paths"}},
		{`@task:reviewer(see @a.md (and @b.md))`, Subtask{Agent: "reviewer", Prompt: "see @a.md (and @b.md)"}},
		{`@task:reviewer(a \) b \( c)`, Subtask{Agent: "reviewer", Prompt: "a ) b ( c"}},
		{"@task:reviewer(two\nlines)", Subtask{Agent: "reviewer", Prompt: "two\nlines"}},
		{`@task:"the reviewer"(x)`, Subtask{Agent: "the reviewer", Prompt: "x"}},
		{`@diagnostics`, Diagnostics{Errors: true}},
		{`@problems`, Diagnostics{Errors: true}},
		{`@diagnostics:all`, Diagnostics{Errors: true, Warnings: true}},
		{`@problems:all`, Diagnostics{Errors: true, Warnings: true}},
		{`@diagnostics:warnings`, Diagnostics{Warnings: true}},
		{`@diagnostics:src/`, Diagnostics{Errors: true, Path: "src"}},
		{`@diagnostics:all:src/a.go`, Diagnostics{Errors: true, Warnings: true, Path: "src/a.go"}},
		{`@diagnostics:all:"my src"`, Diagnostics{Errors: true, Warnings: true, Path: "my src"}},
		{`@diff`, GitDiff{}},
		{`@git-diff`, GitDiff{}},
		{`@diff:staged`, GitDiff{Staged: true}},
		{`@diff:main`, GitDiff{Base: "main"}},
		{`@git-diff:main`, GitDiff{Base: "main"}},
		{`@diff:A..B`, GitDiff{Base: "A", Head: "B"}},
		{`@diff:A...B`, GitDiff{Base: "A", Head: "B", MergeBase: true}},
		{`@diff:HEAD~2..HEAD@{1}`, GitDiff{Base: "HEAD~2", Head: "HEAD@{1}"}},
		{`@diff:v1.2.3..feature/x`, GitDiff{Base: "v1.2.3", Head: "feature/x"}},
		{`@commit:HEAD~1`, GitDiff{Commit: "HEAD~1"}},
		{`@terminal`, Terminal{}},
		{`@terminal:200`, Terminal{Lines: 200}},
		{`@session:01J5`, Session{ID: "01J5"}},
		{`@jira:ABC-1`, File{Namespace: "jira", Path: "ABC-1"}},
		{`@foundation:context/AGENTS.md`, File{Namespace: "foundation", Path: "context/AGENTS.md"}},
		{`@foundation:"a b.md"`, File{Namespace: "foundation", Path: "a b.md"}},
		{`@foundation:context/`, Directory{Namespace: "foundation", Path: "context"}},
		{`@foundation:**/*.md`, Glob{Namespace: "foundation", Pattern: "**/*.md"}},
		{`@foundation:a.md:3-4`, Selection{Namespace: "foundation", Path: "a.md", First: 3, Last: 4}},
		{`@foundation:a.md#Install`, Symbol{Namespace: "foundation", Path: "a.md", Name: "Install"}},
		{`@user:notes.md`, File{Namespace: "user", Path: "notes.md"}},
		{`@project:context/x.md`, File{Namespace: "project", Path: "context/x.md"}},
	}
	for _, k := range kinds {
		// Alone, in a sentence, in brackets and at the end of one.
		check(t, []rule{
			{k.written, one(k.written, k.want)},
			{"see " + k.written + " now", one(k.written, k.want)},
			{"(" + k.written + ")", one(k.written, k.want)},
			{"look at " + k.written + ".", one(k.written, k.want)},
			{k.written + ", then", one(k.written, k.want)},
		})
	}
}

func TestReservedWords(t *testing.T) {
	check(t, []rule{
		{"@diff-tool", one("@diff-tool", file("diff-tool"))},
		{"@git-diff-view/react", one("@git-diff-view/react", file("git-diff-view/react"))},
		{"@Diff", one("@Diff", file("Diff"))},
		{"@diff/x.md", one("@diff/x.md", file("diff/x.md"))},
		{"@file", one("@file", file("file"))},
		{"@agent", one("@agent", file("agent"))},
		{"@diff: see", one("@diff", GitDiff{})},
		{"@terminal:", one("@terminal", Terminal{})},
		{"@terminal:abc", one("@terminal:abc", file("terminal:abc"))},
		{`@diff:"staged"`, one(`@diff:"staged"`, GitDiff{Base: "staged"})},
	})
}

func TestLinesThatAreNone(t *testing.T) {
	check(t, []rule{
		{"@a.md:0", one("@a.md:0", file("a.md:0"))},
		{"@a.md:-5", one("@a.md:-5", file("a.md:-5"))},
		{"@a.md:10..20", one("@a.md:10..20", file("a.md:10..20"))},
		{"@a.md:10–20", one("@a.md:10–20", file("a.md:10–20"))},
		{"@a.md:L10-x", one("@a.md:L10-x", file("a.md:L10-x"))},
		{"@a.md:1-3,7-9.", one("@a.md:1-3,7-9", file("a.md:1-3,7-9"))},
		{"@a.md#L1,L7,9", one("@a.md#L1,L7,9", file("a.md#L1,L7,9"))},
		{"@file:a.md:1,7", one("@file:a.md:1,7", file("a.md:1,7"))},
		{"@a.md:1, 2 or 3", one("@a.md:1", lines("a.md", 1, 1))},
		{"@a.md:1,b", one("@a.md:1", lines("a.md", 1, 1))},
		{"@a.md:1234567890", one("@a.md:1234567890", file("a.md:1234567890"))},
		{`@"a b.md":x`, one(`@"a b.md":x`, file("a b.md:x"))}, // or the file, and x
		{`@"a b.md":0`, one(`@"a b.md":0`, file("a b.md:0"))},
		{`@"a b.md":1-3,7-9`, one(`@"a b.md":1-3,7-9`, file("a b.md:1-3,7-9"))},
		{`@"a b.md": x`, one(`@"a b.md"`, file("a b.md"))},
		{`@"a b.md":"x"`, one(`@"a b.md"`, file("a b.md"))},
		{"@a.md:20-10", one("@a.md:20-10", lines("a.md", 20, 10))}, // said when resolved
	})
}

func TestQuotes(t *testing.T) {
	check(t, []rule{
		{`@"unclosed`, nil},
		{"@\"over\nlines\"", nil},
		{"@\"over\\\nlines\"", one("@\"over\\\nlines\"", file("over\nlines"))},
		{`@""`, nil},
		{`@"a"b`, one(`@"a"`, file("a"))},
		{`@file:""`, one(`@file`, file("file"))},
		{`"@a.md"`, one("@a.md", file("a.md"))},
		{`'@"a b.md"'`, one(`@"a b.md"`, file("a b.md"))},
	})
}

func TestAlternatives(t *testing.T) {
	type reading struct {
		Text    string
		Mention Mention
	}
	for _, c := range []struct {
		text string
		want []reading
	}{
		{"@README.md", nil},
		{"@README.md.", []reading{{"@README.md.", file("README.md.")}}},
		{"@README.md. x", []reading{{"@README.md.", file("README.md.")}}},
		{"@what?", []reading{{"@what?", Glob{Pattern: "what?"}}}},
		{"@logs/12:30.txt", []reading{{"@logs/12:30", lines("logs/12", 30, 30)}}},
		{"@f.go:10", []reading{{"@f.go:10", file("f.go:10")}}},
		{"@f.go#Close", []reading{{"@f.go#Close", file("f.go#Close")}}},
		{"@README.mdを見て", []reading{{"@README.md", file("README.md")}}},
		{"@main.go:10を", []reading{{"@main.go:10", lines("main.go", 10, 10)}}},
		{"@main.go(line 3)", []reading{{"@main.go", file("main.go")}}},
		{"@main.go:0", nil}, // not all of it
		{"@main.go:-2", nil},
		{"@main.go:2..3", nil},
		{"@main.go:2–3", nil},
		{"@main.go:2-3,5", nil},
		{`@"main.go":0`, nil},
		{`@"main.go":2,5`, nil},
		{"@main.go:2-", []reading{{"@main.go:2-", file("main.go:2-")}}},
		{"@main.go:10th", []reading{{"@main.go:10", lines("main.go", 10, 10)}}},
		{"@a:10", []reading{{"@a:10", File{Namespace: "a", Path: "10"}}, {"@a:10", file("a:10")}}},
		{"@file:a:10", []reading{{"@file:a:10", file("a:10")}}},
		{"@file:a#b.md", []reading{{"@file:a#b.md", file("a#b.md")}}},
		{"@user:a:10", []reading{{"@user:a:10", File{Namespace: "user", Path: "a:10"}}}},
		{`@"a b.md":x`, []reading{{`@"a b.md"`, file("a b.md")}}},
		{`@'a*.md'`, []reading{{`@'a*.md'`, Glob{Pattern: "a*.md"}}}},
		{`@base:'a*.md'`, []reading{{`@base:'a*.md'`, Glob{Namespace: "base", Pattern: "a*.md"}}}},
		{`@"a*.md"`, nil},
		{`@file:'a*.md'`, nil},
		{"@main.go:the", []reading{{"@main.go", file("main.go")}}},
		{"_see @main.go_", []reading{{"@main.go", file("main.go")}}},
		{"**see @main.go**", []reading{{"@main.go", file("main.go")}}},
		{"@a.md@b.md", []reading{{"@a.md", file("a.md")}}},
		{`@"foundation:a b.md"`, []reading{{`@"foundation:a b.md"`, File{Namespace: "foundation", Path: "a b.md"}}}},
	} {
		refs := Find(c.text)
		if len(refs) != 1 {
			t.Errorf("Find(%q): %d mentions", c.text, len(refs))
			continue
		}
		var got []reading
		for _, r := range refs[0].Alternatives {
			got = append(got, reading{c.text[refs[0].Start:r.End], r.Mention})
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("alternatives of %q: -want +got\n%s", c.text, diff)
		}
	}
}

func TestBareWords(t *testing.T) {
	for text, want := range map[string]bool{
		"@param": true, "@dataclass": true, "@alice": true, "@Makefile.": true, "@my-agent": true, "@C#": true, "@import(\"std\")": true,
		"@a.md": false, "@src/": false, "@a/b": false, "@x:y": false, `@"param"`: false, "@diff": false, "@agent:x": false,
	} {
		refs := Find(text)
		if len(refs) != 1 || refs[0].Bare != want {
			t.Errorf("Find(%q): bare should be %t: %+v", text, want, refs)
		}
	}
}

func TestMeant(t *testing.T) {
	for text, want := range map[string]bool{
		`@"x"`: true, "@'x y'": true, "@./x": true, "@../x": true, "@~/x": true, "@file:x": true, "@x:10": true, "@x#L3": true, "@x#Name": true,
		"@docs/api.md": true, "@README.MD": true, "@a.tar.gz": true, "@src/*.go": true, "@foundation:a.md": true, "@main.go:0": true, "@main.go:3-x": true, "@main.go:-5": true, "@main.go:L3-x": true, "@main.go:1,2": true,
		"@user:nope": true, "@user:dir/nope": true, "@user:dir/": true, "@project:nope": true, "@project:*": true, "@terminal:0": true, "@terminal:abc": true, "@foundation:nope": false,
		"@angular/core": false, "@app.route": false, "@types/node@18": false, "@/components/x": false, "@/components/X.vue": false, "@alice": false,
		"@alice@mastodon.social": false, "@user:matrix.org": false, "@12:30": false, "@src/": false,
		"@https://go.dev": true, "@diff": true, "@agent:x": true, "@terminal": true, "@task:x(y)": true, "@session:1": true,
	} {
		refs := Find(text)
		if len(refs) != 1 || refs[0].Meant() != want {
			t.Errorf("Find(%q): meant should be %t: %+v", text, want, refs)
		}
	}
}

func TestNamespaced(t *testing.T) {
	for text, want := range map[string][2]string{
		"@jira:ABC-1": {"jira", "ABC-1"}, "@jira:ABC:10": {"jira", "ABC:10"}, `@jira:"two words"`: {"jira", "two words"}, `@jira:two\ words`: {"jira", "two words"},
		"@docs:file:///x": {"docs", "file:///x"}, "@user:x": {}, "@file:x": {}, "@a.md": {}, `@C:\x`: {}, "@https://x": {}, "@a.md:10": {},
	} {
		refs := Find(text)
		if len(refs) != 1 {
			t.Fatalf("Find(%q): %+v", text, refs)
		}
		name, rest, ok := refs[0].Namespaced()
		if ok != (want[0] != "") || name != want[0] || rest != want[1] {
			t.Errorf("%s: have %q %q", text, name, rest)
		}
	}
}

func TestSeveral(t *testing.T) {
	check(t, []rule{
		{"Compare @docs/api.md with @internal/server.go:40-90 and @diff:main", []found{
			{"@docs/api.md", file("docs/api.md")},
			{"@internal/server.go:40-90", lines("internal/server.go", 40, 90)},
			{"@diff:main", GitDiff{Base: "main"}},
		}},
		{"@a.md,@b.md;@c.md|@d.md", []found{{"@a.md", file("a.md")}, {"@b.md", file("b.md")}, {"@c.md", file("c.md")}, {"@d.md", file("d.md")}}},
	})
}

func TestInvalidUTF8(t *testing.T) {
	check(t, []rule{
		{"\xff @a.md \xfe", one("@a.md", file("a.md"))},
		{"@a\xff.md x", one("@a\xff.md", file("a\xff.md"))},
		{"\xff@a.md", nil},
	})
}
