package fs_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/symbol"
)

// became runs a prompt and tells what became of what was typed in it.
func (p place) became(t *testing.T, prompt string) []string {
	t.Helper()
	_, stack := p.prepare(t, prompt)
	var all []string
	for _, r := range stack.Reports {
		if r.Parent < 0 {
			all = append(all, strings.Join([]string{r.Written, string(r.Outcome), r.Reason}, " | "))
		}
	}
	return all
}

func TestLinesThatAreMisspelt(t *testing.T) {
	p := newPlace(t, map[string]string{
		"n.txt": strings.Repeat("line\n", 200), "s.go": "package s\n", "Makefile": "all:\n", "a b.md": "a", "sub/x.md": "x",
		".ampersat/collections/base/n.md": "n", "C#/n.md": "n",
	})
	for written, want := range map[string]string{
		"@n.txt:-5":              "@n.txt:-5 | missing | -5 is no range of lines: write @n.txt:10-20",
		"@n.txt:10..20":          "@n.txt:10..20 | missing | 10..20 is no range of lines: write @n.txt:10-20",
		"@n.txt:10–20":           "@n.txt:10–20 | missing | 10–20 is no range of lines: write @n.txt:10-20",
		"@n.txt:3-x":             "@n.txt:3-x | missing | 3-x is no range of lines: write @n.txt:10-20",
		"@n.txt:1-3,7-9":         "@n.txt:1-3,7-9 | missing | 1-3,7-9 are several ranges: write one mention for each, such as @n.txt:10-20",
		"@n.txt:0":               "@n.txt:0 | missing | lines are counted from one: write @n.txt:10-20",
		"@Makefile:0":            "@Makefile:0 | missing | lines are counted from one: write @Makefile:10-20",
		"@C#/n.md:0":             "@C#/n.md:0 | missing | lines are counted from one: write @C#/n.md:10-20",
		"@base:n.md:0":           "@base:n.md:0 | missing | lines are counted from one: write @base:n.md:10-20",
		`@"a b.md":0`:            `@"a b.md":0 | missing | lines are counted from one: write @"a b.md":10-20`,
		"@Makefile:all":          "@Makefile:all | missing | all is no line of Makefile: for a symbol write @Makefile#all",
		"@s.go:Server":           "@s.go | loaded | Server is no line of s.go: for a symbol write @s.go#Server",
		"@s.go:Server.Close":     "@s.go | loaded | Server.Close is no line of s.go: for a symbol write @s.go#Server.Close",
		`@"a b.md":Top`:          `@"a b.md" | loaded | Top is no line of a b.md: for a symbol write @"a b.md"#Top`,
		"@s.go:これを見て":            "@s.go | loaded | ",
		"@n.txt:10-":             "@n.txt:10- | loaded | ",
		"@n.txt:L10-L12":         "@n.txt:L10-L12 | loaded | ",
		"@n.txt:201-":            "@n.txt:201- | missing | the file has 200 lines",
		"@gone.txt:0":            "@gone.txt:0 | missing | nothing there; looked in " + p.dir + ", .ampersat/context, ~/.ampersat/context",
		"@sub:0":                 "",
		"@nobody:says":           "",
		"@terminal:0":            "@terminal:0 | missing | not a number of lines: write @terminal:200 for the last 200",
		"@terminal:abc":          "@terminal:abc | missing | not a number of lines: write @terminal:200 for the last 200",
		"@base:nope":             "@base:nope | missing | nothing there; looked in .ampersat/collections/base, ~/.ampersat/collections/base",
		"@base:dir/nope":         "@base:dir/nope | missing | nothing there; looked in .ampersat/collections/base, ~/.ampersat/collections/base",
		"@base:none/":            "@base:none/ | missing | nothing there; looked in .ampersat/collections/base, ~/.ampersat/collections/base",
		"@user:nope":             "@user:nope | missing | nothing there; looked in ~/.ampersat",
		"@project:nope":          "@project:nope | missing | nothing there; looked in .ampersat",
		"@user:matrix.org":       "",
		"@unheard:nope":          "",
		"@file:sub":              "@file:sub | missing | it is a folder: write @sub/",
		"@folder:s.go":           "@folder:s.go | missing | it is a file: write @s.go",
		"@folder:sub @file:s.go": "@folder:sub | loaded | \n@file:s.go | loaded | ",
	} {
		if have := strings.Join(p.became(t, written), "\n"); have != want {
			t.Errorf("have %s\nwant %s", have, want)
		}
	}
}

// What a file may not see is not told to it.
func TestMisspeltLinesTellNothingOfWhatIsOutside(t *testing.T) {
	p := newPlace(t, map[string]string{"in/a.md": "a", "out.md": "b"})
	c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file("../out.md:0"), Base: p.dir + "/in", Asker: inFile(p.dir + "/in")})
	denied(t, c, err, access.ReasonOutside)
	c, err = fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: file("out.md:0"), Base: p.dir + "/in", Asker: inFile(p.dir + "/in")})
	if miss := missing(t, c, err, ampersat.Missing); miss.Meant {
		t.Errorf("%+v", miss)
	}
}

func TestLinesToTheEnd(t *testing.T) {
	p := newPlace(t, map[string]string{"n.txt": "1\n2\n3\n4", "empty.txt": ""})
	c := p.load(t, lines("n.txt", 3, 0))
	if c.Text != "3\n4" || c.Lines != "3-4" || c.Shown != "" || c.Mention != lines("n.txt", 3, 4) {
		t.Errorf("%+v", c)
	}
	c = p.load(t, lines("n.txt", 4, 0))
	if c.Text != "4" || c.Lines != "4" {
		t.Errorf("%+v", c)
	}
	for _, m := range []ampersat.Query{{Mention: lines("n.txt", 5, 0)}, {Mention: lines("empty.txt", 1, 0)}} {
		c, err := p.ask(t, m.Mention)
		missing(t, c, err, ampersat.Missing)
	}
	c, err := fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: lines("n.txt", 2, 0), Asker: person, Limit: 3})
	must(t, err)
	if c.Text != "2\n3" || c.Shown != "the first 3 bytes of lines 2 to the end" {
		t.Errorf("%+v", c)
	}
	// The same, of a file that is too long to be read whole for it.
	long := strings.Repeat(strings.Repeat("x", 1023)+"\n", 9<<10)
	write(t, p.dir, map[string]string{"long.txt": long})
	c, err = fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: lines("long.txt", 9<<10, 0), Asker: person, Limit: 1 << 20})
	must(t, err)
	if c.Text != long[:1024] || c.Lines != "9216" || c.Shown != "" {
		t.Errorf("%d bytes, lines %s, shown %q", len(c.Text), c.Lines, c.Shown)
	}
	c, err = fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: lines("long.txt", 2, 0), Asker: person, Limit: 3 << 10})
	must(t, err)
	if c.Text != long[:3<<10] || c.Shown != "the first 3,072 bytes of lines 2 to the end" {
		t.Errorf("%d bytes, lines %s, shown %q", len(c.Text), c.Lines, c.Shown)
	}
}

// A star makes a pattern in any quotes. In single ones a file that is called so
// comes first.
func TestStarsInQuotes(t *testing.T) {
	p := newPlace(t, map[string]string{"docs/a.md": "a", "docs/b.md": "b", "x*.txt": "star", "xy.txt": "y"})
	for written, want := range map[string][]string{
		`@"docs/*.md"`:  {`@"docs/*.md" loaded`, "  @docs/a.md loaded", "  @docs/b.md loaded"},
		`@'docs/*.md'`:  {`@'docs/*.md' loaded`, "  @docs/a.md loaded", "  @docs/b.md loaded"},
		`@'x*.txt'`:     {`@'x*.txt' loaded`},
		`@file:x*.txt`:  {`@file:x*.txt loaded`},
		`@'none/*.md'`:  {`@'none/*.md' missing`},
		`@file:'y*.md'`: {`@file:'y*.md' missing`},
	} {
		if told, _ := p.prepare(t, written); !cmp.Equal(want, told) {
			t.Errorf("-want +got\n%s", cmp.Diff(want, told))
		}
	}
}

// What a colon or a hash is part of is found, whatever else it may mean.
func TestSignsInNames(t *testing.T) {
	p := newPlace(t, map[string]string{"a#b.md": "hash", "a:10": "colon"})
	files := fs.New(p.config)
	var mux ampersat.Mux
	mux.Handle(files, fs.Kinds()...)
	mux.Handle(&symbol.Resolver{Files: files}, mention.KindSymbol)
	for _, written := range []string{"@a#b.md", "@file:a#b.md", "@a:10", "@file:a:10"} {
		stack, err := (&ampersat.Pipeline{Resolver: &mux}).Prepare(t.Context(), ampersat.Ask(written))
		must(t, err)
		if len(stack.Reports) != 1 || stack.Reports[0].Written != written || stack.Reports[0].Outcome != ampersat.Loaded {
			t.Errorf("%+v", stack.Reports)
		}
	}
}
