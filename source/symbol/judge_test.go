package symbol

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

// TestLayoutAgreesWithTheGoParser reads the Go of this repository by its layout
// alone, and has the parser as the judge: what it calls a function or a method
// must be found, with the same comment and the same end.
func TestLayoutAgreesWithTheGoParser(t *testing.T) {
	right, wrong := 0, 0
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || filepath.Ext(path) != ".go" || strings.Contains(path, "testdata") || strings.Contains(path, ".cache") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found := map[[2]int]bool{}
		for _, d := range layoutDeclarations(path, string(data)) {
			found[[2]int{d.first, d.last}] = true
		}
		lines := strings.Split(string(data), "\n")
		for _, d := range goDeclarations(string(data)) {
			isFunc := false
			for _, line := range lines[d.first-1 : min(d.last, len(lines))] {
				isFunc = isFunc || strings.HasPrefix(line, "func ")
			}
			if !isFunc {
				continue
			}
			if found[[2]int{d.first, d.last}] {
				right++
			} else if wrong++; wrong < 20 {
				t.Logf("%s:%d-%d: %s", path, d.first, d.last, d.name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d right, %d wrong", right, wrong)
	// Texts in backquotes and labels may begin in the first column.
	if right < 1000 || wrong*1000 > right {
		t.Errorf("%d right, %d wrong", right, wrong)
	}
}

// TestHeadingsAgreeWithGoldmark has goldmark as the judge of what is a heading at
// the top level. What is indented below an item of a list is not asked about:
// here it counts like the rest, there it belongs to the item.
func TestHeadingsAgreeWithGoldmark(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"# One", "## Two ##", "### Three", "####### Seven", "#Not", "#", "text", "more text", "===", "---", "- - -", "```", "~~~", "````go", "    # indented", "   # three spaces",
		"", "", "<!-- # a", "-->", "<div>", "</div>", "<script>", "</script>", "> # quoted", "> text", "# with `code` #", "\\# escaped", "***",
	})
	rapid.Check(t, func(t *rapid.T) {
		source := "x\n\n" + strings.Join(rapid.SliceOfN(line, 0, 12).Draw(t, "lines"), "\n") + "\n"
		var want, have []int
		document := goldmark.DefaultParser().Parse(text.NewReader([]byte(source)))
		for node := document.FirstChild(); node != nil; node = node.NextSibling() {
			if h, ok := node.(*ast.Heading); ok && h.Lines().Len() > 0 {
				want = append(want, strings.Count(source[:h.Lines().At(0).Start], "\n")+1)
			}
		}
		for _, d := range headings(source) {
			if d.name != "" {
				have = append(have, d.first)
			}
		}
		if len(want) != len(have) {
			t.Fatalf("%q: have %v, want %v", source, have, want)
		}
		for i := range want {
			if want[i] != have[i] {
				t.Fatalf("%q: have %v, want %v", source, have, want)
			}
		}
	})
}

func FuzzFind(f *testing.F) {
	for _, seed := range []string{"package a\nfunc F() {}\n", "# A\n\nB\n---\n", "class A:\n  def f(self):\n    pass\n", "impl<T> A for B<T> {\n  fn f() {\n  }\n}\n", "\tx(\n) {\n", "func (", "#"} {
		f.Add(seed)
	}
	for i := range pieces {
		f.Add(strings.Join(append(pieces[i:len(pieces):len(pieces)], pieces[:i]...), ""))
	}
	f.Fuzz(func(t *testing.T, source string) {
		total := strings.Count(source, "\n") + 1
		for _, name := range append([]string{"a.md", "a.unknown"}, known...) {
			for _, d := range find(name, source) {
				if d.first < 1 || d.last < d.first || d.last > total {
					t.Fatalf("%s: %q: %+v of %d lines", name, source, d, total)
				}
				if _, selected, _ := lines(source, d.first, d.last); selected == "" {
					t.Fatalf("%s: %q: %+v is nothing", name, source, d)
				}
			}
		}
	})
}
