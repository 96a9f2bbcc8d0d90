package profile

import (
	"strings"
	"testing"
)

func TestFrontMatter(t *testing.T) {
	const front = "---\nprofile:\n  name: dev\n---\n"
	for _, c := range []struct {
		name, text string
		profile    string // what the front matter calls it
		body       string
		line       int
		wrong      string
	}{
		{name: "front matter and body", text: front + "\nBe kind.\n", profile: "dev", body: "Be kind.", line: 6},
		{name: "no front matter is all body", text: "Be kind.\n\nAlways.\n", body: "Be kind.\n\nAlways.", line: 1},
		{name: "blank lines before a body count", text: "\n\nBe kind.", body: "Be kind.", line: 3},
		{name: "nothing at all", text: "", line: 1},
		{name: "front matter that says nothing", text: "---\n---\nBe kind.", body: "Be kind.", line: 3},
		{name: "front matter of comments", text: "---\n# nothing yet\n---\nBe kind.", body: "Be kind.", line: 4},
		{name: "its end is the end of the file", text: strings.TrimSuffix(front, "\n"), profile: "dev", line: 5},
		{name: "its end is the end of the file, with a line end", text: front, profile: "dev", line: 5},
		{name: "dots end it too", text: "---\nprofile: {name: dev}\n...\nBe kind.", profile: "dev", body: "Be kind.", line: 4},
		{name: "white space behind the dashes", text: "--- \nprofile: {name: dev}\n---\t\nBe kind.", profile: "dev", body: "Be kind.", line: 4},
		{name: "CRLF", text: strings.ReplaceAll(front+"Be\nkind.\n", "\n", "\r\n"), profile: "dev", body: "Be\nkind.", line: 5},
		{name: "CR", text: strings.ReplaceAll(front+"Be\nkind.\n", "\n", "\r"), profile: "dev", body: "Be\nkind.", line: 5},
		{name: "what only YAML takes for a line end", text: "---\nprofile:\n  description: a\u2028b\u0085c\n  name: dev\n---\nx", profile: "dev", body: "x", line: 6},
		{name: "its line is the editor's", text: "---\nprofile: {description: a\u2028b}\nname\n---\n", wrong: "f.md:4:1: the front matter is not YAML: could not find expected ':'"},
		{name: "a byte order mark", text: "\ufeff" + front + "Be kind.", profile: "dev", body: "Be kind.", line: 5},
		{name: "a byte order mark without front matter", text: "\ufeffBe kind.", body: "Be kind.", line: 1},
		{name: "a comment before it", text: "# ~/.ampersat/profiles/dev.md\n" + front + "Be kind.", profile: "dev", body: "Be kind.", line: 6},
		{name: "a heading and a rule are Markdown", text: "# Title\n---\nname: x\n---\n", body: "# Title\n---\nname: x\n---", line: 1},
		{name: "a rule in the body", text: front + "One.\n\n---\n\nTwo.", profile: "dev", body: "One.\n\n---\n\nTwo.", line: 5},
		{name: "dashes inside a value do not end it", text: "---\nprofile:\n  name: dev\n  description: a --- b\n---\nx", profile: "dev", body: "x", line: 6},
		{name: "more dashes are no fence", text: "----\nx", body: "----\nx", line: 1},

		{name: "no end", text: "---\nprofile:\n  name: dev\n", wrong: "f.md:1:1: the front matter has no end; put --- on a line of its own after it"},
		{name: "nothing but a beginning", text: "---", wrong: "f.md:1:1: the front matter has no end; put --- on a line of its own after it"},
		{name: "at the end of the file", text: "Be kind.\n\n---\nprofile:\n  name: dev\n---\n", wrong: "f.md:3:1: front matter stands at the beginning of a file, not at its end"},
		{name: "not YAML", text: "---\nprofile: [1,\n---\nx", wrong: "f.md:3:1: the front matter is not YAML: did not find expected node content"},
		{name: "a tab", text: "---\nprofile:\n\tname: dev\n---\n", wrong: "f.md:3:1: the front matter is not YAML: found character that cannot start any token"},
		{name: "an alias of nothing", text: "---\nprofile: *x\n---\n", wrong: "f.md:2:10: the front matter is not YAML: unknown anchor 'x' referenced"},
		{name: "UTF-16", text: "\xff\xfe-\x00", wrong: "f.md:1:1: it is UTF-16; save it as UTF-8"},
		{name: "a zero byte", text: front + "ab\x00c", wrong: "f.md:5:3: a zero byte: it is not text"},
		{name: "not UTF-8", text: front + "é\nab\xffc", wrong: "f.md:6:3: bytes that are not UTF-8; save it as UTF-8"},
		{name: "50 MB", text: front + strings.Repeat("all work and no play\n", 50<<20/21), wrong: "f.md: it is longer than 1 MB; put long text into files of its own and mention them"},
		{name: "a long front matter", text: "---\n#" + strings.Repeat(" ", 70<<10) + "\n---\nx", wrong: "f.md:1:1: the front matter is longer than 64 KB"},
		{name: "nested without end", text: "---\n" + strings.Repeat("[", 20_000) + "\n---\n", wrong: "f.md:2:10001: the front matter is not YAML: exceeded max depth of 10000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := parse("f.md", []byte(c.text))
			if err != nil || c.wrong != "" {
				if err == nil || err.Error() != c.wrong {
					t.Fatalf("have %v\nwant %s", err, c.wrong)
				}
				return
			}
			l, problems := readLayer("f.md", doc)
			if len(problems) > 0 || l.name != c.profile || doc.body != c.body || doc.bodyLine != c.line {
				t.Errorf("name %q, body %q in line %d, problems %v", l.name, doc.body, doc.bodyLine, problems)
			}
		})
	}
}

func TestSuggestion(t *testing.T) {
	names := []string{"name", "version", "description", "model", "extends"}
	for word, want := range map[string]string{
		"nmae": "name", "Model": "model", "modle": "model", "extend": "extends", "descripton": "description", "zzz": "", "": "",
		strings.Repeat("x", 1000): "",
	} {
		if have := suggestion(word, names); (want == "") != (have == "") || !strings.Contains(have, want) {
			t.Errorf("%.20s: have %q, want %q", word, have, want)
		}
	}
}
