package ampersat

import (
	"strings"
	"testing"
)

// A symbol that has lost its last lines is another, as far as its lines tell that it
// went on; what stands behind it may change.
func TestWhetherAFileHadASymbol(t *testing.T) {
	for name, c := range map[string]struct {
		old, symbol, text string
		want              bool
	}{
		"as it was":                       {"def f\n  x\ndef g\n", "f", "def f\n  x\n", true},
		"on other lines":                  {"import y\n\ndef f\n  x\n", "f", "def f\n  x\n", true},
		"the end of the file":             {"def f\n  x", "f", "def f\n  x\n", true},
		"before, with something behind":   {"def f\n  x\n\ndef g\n", "f", "def f\n  x", true},
		"its last line is gone":           {"def f\n  x\n  y\ndef g\n", "f", "def f\n  x\n", false},
		"its last paragraph is gone":      {"def f\n  x\n\n  y\ndef g\n", "f", "def f\n  x\n", false},
		"the end of a line is gone":       {"const a = 10\n", "a", "const a = 1", false},
		"the second of two":               {"def f\n  x\n  y\ndef f\n  x\ndef g\n", "f", "def f\n  x\n", true},
		"not there":                       {"def g\n", "f", "def f\n", false},
		"a section":                       {"# A\ntext\n# B\n", "A", "# A\ntext\n", true},
		"a section that went on":          {"# A\ntext\n\nmore\n# B\n", "A", "# A\ntext\n", false},
		"a section with one in it":        {"# A\ntext\n## C\n# B\n", "A", "# A\ntext\n", false},
		"a section in another":            {"# A\n## C\ntext\n# B\n", "C", "## C\ntext\n", true},
		"a section of code":               {"# `A`\ntext\n\nmore\n# B\n", "A", "# `A`\ntext\n", false},
		"a section that is closed":        {"# A #\ntext\nmore\n", "A", "# A #\ntext\n", false},
		"an underlined section":           {"A\n===\ntext\n\nmore\n", "A", "A\n===\ntext\n", false},
		"before an underlined section":    {"## A\ntext\n\nB\n=\n", "A", "## A\ntext\n", true},
		"a comment that is no section":    {"# about f\ndef f\n  x\ndef g\n", "f", "# about f\ndef f\n  x\n", true},
		"a comment, and a line that went": {"# about f\ndef f\n  x\n  y\n", "f", "# about f\ndef f\n  x\n", false},
	} {
		file := "a.py"
		if strings.Contains(name, "section") && !strings.Contains(name, "no section") {
			file = "a.md"
		}
		if got := hadSymbol(c.old, &Content{Name: file, Symbol: c.symbol, Text: c.text}); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	if !hadSymbol("def f\n  x and more\n", &Content{Symbol: "f", Text: "def f\n  x", Shown: "the first 9 of 18 bytes"}) {
		t.Error("what is shown of it was there")
	}
}
