package symbol

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCode shows what of a text is code: strings are written as quotes here, and
// comments as blanks.
func TestCode(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.py", "x = 'a' # b\ny = \"\"\"p\nq\\\"\"\"\"\nz", "x = \"\"\"    \ny = \"\"\"\"\n\"\"\"\"\"\"\nz"},
		{"a.py", "x = 'a\ny = 1", "x = \"\"\ny = 1"},
		{"a.py", "x = 'a\\\nb'\ny", "x = \"\"\"\n\"\"\ny"},
		{"a.ts", "a = `b${c(`d`, {e: '}'})}f\ng`; h", "a = " + strings.Repeat(`"`, 22) + "\n\"\"; h"},
		{"a.ts", "a = /[`/]/; b / c; // d", "a = \"\"\"\"\"\"; b / c;     "},
		{"a.ts", "return /`/; x = a++ / b; y = `${ /`/ }`", "return \"\"\"; x = a++ / b; y = \"\"\"\"\"\"\"\"\"\""},
		{"a.ts", "<p>don't {\n}", "<p>don\"\"\"\"\n}"},
		{"a.rs", "fn f<'a>(x: &'a str) -> char { '\"' } /* a /* b */ c */ '\\''", "fn f<'a>(x: &'a str) -> char { \"\"\" }                   \"\"\"\""},
		{"a.rs", "r#\"a\"b\n\"# + br\"\\\" + \"c\nd\" + attr", "\"\"\"\"\"\"\n\"\" + b\"\"\"\" + \"\"\n\"\" + attr"},
		{"a.cpp", "R\"x(a)\")x\" 1'000'000 'a' u8\"b\\\"c\"", "\"\"\"\"\"\"\"\"\"\" 1'000'000 \"\"\" u8\"\"\"\"\"\""},
		{"a.php", "it's <?php $a = <<<'X'\nb\n  X; 'c' ?> don't <? # d ?> e", "it's <?php $a = \"\"\"\"\"\"\n\"\n\"\"\"; \"\"\" ?> don't <?     ?> e"},
		{"a.php", "<?php #[A]\n1 <<<X", "<?php #[A]\n1 <<<X"},
		{"a.rb", "f(<<~A, <<-'B') # c\n x\nA\ny\n  B\nclass << self; a <<b\nb\n", "f(\"\"\"\", \"\"\"\"\"\")    \n\"\"\n\"\n\"\n\"\"\"\nclass << self; a <<b\nb\n"},
		{"a.rb", "=begin\nclass A\n=end x\nclass B", "      \n       \n      \nclass B"},
		{"a.sh", "a \"$(b \"c)\" 'd)')\ne\" $# # f's\ncat <<X <<<X 1<<y\n'\nX\ng", "a \"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\n\"\" $#      \ncat \"\"\" <<<X 1<<y\n\"\n\"\ng"},
		{"a.kt", "a = \"\"\"b\\\"\"\" + 'c'", "a = \"\"\"\"\"\"\"\" + \"\"\""},
		{"a.swift", "#\"a\"b\"# #if \"\"\"c\n\"\"\"", "\"\"\"\"\"\"\" #if \"\"\"\"\n\"\"\""},
		{"a.cs", "@\"a\"\"\\\" + \"b\"", "\"\"\"\"\"\"\" + \"\"\""},
		{"a.lua", "--[[ a\n]] b = [==[ ]] ]==] -- c", "      \n   b = " + strings.Repeat(`"`, 12) + "     "},
		{"a.go", "a := `b\n\\` + '\"'", "a := \"\"\n\"\" + \"\"\""},
		{"a.java", "/* a", "    "},
	} {
		if got, _ := code(c.text, tongueOf(c.name)); got != c.want {
			t.Errorf("%s: %q\nhave %q\nwant %q", c.name, c.text, got, c.want)
		}
	}
}

// known is a file of each way to write comments and strings.
var known = []string{"a.go", "a.c", "a.ts", "a.java", "a.kt", "a.groovy", "a.dart", "a.swift", "a.rs", "a.cs", "a.proto", "a.php", "a.py", "a.rb", "a.sh", "a.lua"}

// pieces are what the ways to write comments and strings are made of.
var pieces = []string{
	"\"", "'", "`", "\"\"\"", "'''", "\\", "\n", "\r\n", "/", "*", "/*", "*/", "//", "#", "${", "$(", "{", "}", "(", ")", "[", "]", "r", "b", "R\"", "r#\"", "\"#", "<<", "<<<", "<<~", "X", "\nX\n",
	"<?", "?>", "=begin", "=end", "--", "[[", "]]", "=", "@\"", " ", "\t", "a", "é", "\xff", "class A {\n", "def f(\n", "@a(\n", "x:\n", "return ", "++", "f() {\n", "\n\n",
}

// Whatever the text, nothing moves: it has the same length and the same lines, and
// of each line it is known what it begins in.
func TestCodeStaysInPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(known).Draw(t, "name")
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces"), "")
		masked, begins := code(text, tongueOf(name))
		if len(masked) != len(text) || len(begins) != strings.Count(text, "\n")+1 {
			t.Fatalf("%d of %d bytes, %d lines", len(masked), len(text), len(begins))
		}
		for i := range len(text) {
			if masked[i] != text[i] && masked[i] != inString && masked[i] != inComment || (masked[i] == '\n') != (text[i] == '\n') {
				t.Fatalf("%q is %q at %d", text, masked, i)
			}
		}
		for _, l := range parse(name, text) {
			if int(l.end) > len(begins) || l.level < 0 {
				t.Fatalf("%+v", l)
			}
		}
		for _, d := range layoutDeclarations(name, text) {
			if d.first < 1 || d.last < d.first || d.last > len(begins) {
				t.Fatalf("%q: %+v of %d lines", text, d, len(begins))
			}
		}
	})
}

// TestCodeIsReadOnce holds that ten times the text takes ten times the steps,
// whatever is begun in it and never ended.
func TestCodeIsReadOnce(t *testing.T) {
	check := func(name, piece string, size int) {
		steps := func(size int) int {
			s := newScanner(strings.Repeat(piece, size/len(piece)), tongueOf(name))
			s.scan()
			return s.steps
		}
		small, large := steps(size), steps(10*size)
		if large > 11*small || large > 8*10*size {
			t.Errorf("%s: %q: %d steps, and %d for ten times of it", name, piece, small, large)
		}
	}
	for _, piece := range []string{
		"=/[", "/*", "/", "`${", "\"$(", "r#", "r####\"", "#", "<<X ", "<<X\n", "<<X\nX\n", "<<<X\nX;", "[=", "--[=[", "R\"(", "R\"x", "'", "\"", "\\", "'''\"\"\"", "{", "}", "@\"\"", "?>", "<?", "=begin\n", "\n=end", "X\n", "\n", " ", "é",
	} {
		for _, name := range known {
			check(name, piece, 1<<12)
		}
	}
	check("a.ts", "=/[`${", 1<<20)
	check("a.sh", "\"$(<<X\n", 1<<20)
	check("a.rs", "r#\"/*'", 1<<20)
}
