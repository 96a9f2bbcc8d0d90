package ignore

import (
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// syntax holds every sentence of gitignore(5), and what only shows when one
// tries. Paths that end in a slash are folders.
var syntax = []struct {
	name  string
	rules string // .gitignore
	hides string // paths, separated by blanks
	shows string
}{
	{"a blank line matches nothing", "\n  \n\r\n!\n/\n//\n", "", "a b/ a/b"},
	{"a line that begins with # is a comment", "#a\n", "", "#a a"},
	{"a backslash takes the first # literally", "\\#a\n", "#a b/#a", "a \\#a"},
	{"a # further on is no comment", "a#b\n", "a#b", "a"},
	{"a comment may not be indented", " #a\n", "", "#a"},
	{"trailing spaces are ignored", "a  \n", "a", ""},
	{"a trailing tab is not", "a\t\n", "", "a"},
	{"a backslash keeps a trailing space", "sp\\ \nx\\\n", "", "sp"},
	{"an exclamation mark negates", "*.log\n!keep.log\n", "a.log", "keep.log"},
	{"the last line that matches decides", "!keep.log\n*.log\n", "a.log keep.log", ""},
	{"a backslash takes the first ! literally", "\\!a\n", "!a x/!a", "a"},
	{"a second ! is literal", "x*\n!!x\n", "x", ""},
	{"nothing in a hidden folder is shown again", "d/\n!d/a\n!d/e/\n", "d/ d/a d/e/ d/e/f", ""},
	{"a folder is shown again from the top", "/*\n!/foo\n/foo/*\n!/foo/bar\n", "a foo/a", "foo/ foo/bar foo/bar/b"},
	{"the slash separates folders", "doc/*.txt\n", "doc/a.txt", "doc/s/a.txt x/doc/a.txt a.txt"},
	{"a slash at the beginning anchors", "/a\n", "a a/ a/x", "b/a"},
	{"a slash in the middle anchors", "doc/frotz\n", "doc/frotz doc/frotz/ doc/frotz/x", "a/doc/frotz"},
	{"a slash at the end does not", "frotz/\n", "frotz/ a/frotz/ a/frotz/x", "frotz a/frotz"},
	{"without a slash it matches at any depth", "frotz\n", "frotz a/frotz a/b/frotz/ frotz/x", "frotzen"},
	{"only one slash is taken from the end", "a//\n", "", "a a/"},
	{"only one slash is taken from the beginning", "//a\n", "", "a"},
	{"anchored folders", "/a/\n", "a/ a/x", "a b/a/"},
	{"* matches anything but a slash", "/a*c\n", "ac abc a-b-c", "a/c ab/c"},
	{"* matches a leading dot", "*\n", ".a a b/ b/c", ""},
	{"*.* asks for a dot", "*.*\n", "a.b .a", "ab"},
	{"? matches one byte", "/a?c\n", "abc a.c", "ac a/c abbc"},
	{"? matches no more than a byte", "?\n??b\n", "x \u00e9b", "\u00e9"},
	{"a class", "[abc]x\n", "ax cx", "dx x"},
	{"a range", "[a-cx-z]1\n", "a1 b1 c1 y1", "d1 -1"},
	{"a range backwards holds its beginning", "[c-a]1\n", "c1", "a1 b1 -1"},
	{"[!a]", "[!a]1\n", "b1 -1", "a1 1"},
	{"[^a]", "[^a]1\n", "b1", "a1"},
	{"a closing bracket that comes first belongs to the class", "[]a]1\n[!]b]2\n", "]1 a1 c2", "b1 ]2 b2"},
	{"a hyphen that comes first or last is one", "[-a]1\n[b-]2\n", "-1 a1 -2 b2", "c1 c2"},
	{"a hyphen after a range is one", "[a-c-e]1\n", "a1 -1 e1", "d1"},
	{"backslashes in a class", "[\\]\\\\]1\n[\\a-\\c]2\n", "]1 b2", "a1 -2"},
	{"[[:alpha:]]", "[[:alpha:]]1\n", "a1 Z1", "11 :1 \u00e91"},
	{"[[:digit:][:upper:]_]", "[[:digit:][:upper:]_]x\n", "0x Ax _x", "ax -x"},
	{"[![:space:]]", "[![:space:]]x\n", "ax", "x"},
	{"[[:xdigit:]] and the others", "[[:xdigit:]]x\n[[:punct:]]y\n[[:lower:]]z\n[[:alnum:]]w\n[[:graph:]]v\n[[:print:]]u\n", "fx !y az 9w ~v ~u", "gx ay Az -w"},
	{"a class that does not exist matches nothing", "[[:vowel:]]x\n", "", "ax [x :x"},
	{"a bracket in a class", "[[:a]x\n[[a]y\n", "[x :x ax [y ay", "bx"},
	{"a range ends with a named class", "[a-[:digit:]]x\n", "", "ax 1x bx"},
	{"a class that is not closed matches nothing", "[a\n[!\n[\n*[\n[a-\n[[:alpha:]\n", "", "a [a [ b"},
	{"no class matches a slash", "a[!b]c\nd[/]e\nf[.-0]g\n", "axc", "a/c d/e f/g"},
	{"a backslash at the end matches nothing", "a\\\nb\\/\n*\\\n", "", "a a\\ b/"},
	{"a backslash takes a star literally", "a\\*\n\\?\n\\[b]\n", "a* ? [b]", "ab x b"},
	{"a backslash takes a letter literally", "\\a\\b\n", "ab", "\\a\\b"},
	{"**/ at the beginning", "**/foo\n", "foo a/foo a/b/foo foo/", "xfoo a/xfoo"},
	{"**/ before folders", "**/foo/bar\n", "foo/bar a/foo/bar", "bar foo/a/bar"},
	{"/** at the end", "abc/**\n", "abc/x abc/d/ abc/d/y", "abc/ x/abc/x"},
	{"/**/ in the middle", "a/**/b\n", "a/b a/x/b a/x/y/b", "x/a/b ab a/xb"},
	{"** elsewhere is a star", "/a**c\n/?b**/d\n", "abc xbb/d", "a/c a/b/c xbb/e/d xb/c/d"},
	{"/**/ twice", "a/**/b/**/c\n", "a/b/c a/x/b/y/z/c", "a/c b/c"},
	{"**/* is everything", "**/*\n", "a a/ a/b", ""},
	{"** alone is everything", "**\n", "a a/ a/b", ""},
	{"more stars are two", "a/***/b\n", "a/b a/x/y/b", ""},
	{"**/ after a literal beginning", "p**/q\n", "pq px/y/q p/q", "xp/q"},
	{"** before an escaped slash", "a/**\\/b\n", "a/x/b a/x/y/b", "a/b"},
	{"* between slashes is one folder", "a/*/b\n", "a/x/b", "a/b a/x/y/b"},
	{"* in every place", "*a*/*b*\n", "xay/ubv a/b", "a b xay/u"},
	{"a byte order mark is skipped", "\ufeffa\n", "a", "b"},
	{"a byte order mark before a comment", "\ufeff#a\nb\n", "b", "#a"},
	{"CRLF", "a\r\n!b\r\nd/\r\n", "a d/", "b d"},
	{"one CR goes, not two", "a\r\r\n", "", "a"},
	{"CR before the trailing spaces stays", "a\r  \n", "", "a"},
	{"no line end at the end", "a\nb", "a b", ""},
	{"a NUL ends the line", "ab\x00cd\n", "ab", "abcd ab\\0cd"},
	{"no Unicode folding, no case folding", "\u00e9\nA\n", "\u00e9 A", "e\u0301 a"},
	{"invalid UTF-8 is bytes", "\xff*\n", "\xff \xffa", "a"},
	{"./ is not taken away", "./a\n", "", "a"},
	{"../ leads nowhere", "../a\nb/../c\n", "", "a c"},
	{"spaces at the beginning count", " a\n", "", "a"},
}

func TestSyntax(t *testing.T) {
	for _, c := range syntax {
		t.Run(c.name, func(t *testing.T) {
			m := NewMatcher(fstest.MapFS{".gitignore": {Data: []byte(c.rules)}})
			eachPath(c.hides, c.shows, func(file string, folder, want bool) {
				have, by, err := m.Match(file, folder)
				if err != nil || have != want {
					t.Errorf("%q, folder %t: ignored %t by %q, want %t (error %v)", file, folder, have, by, want, err)
				}
			})
		})
	}
}

// The table itself is held against git.
func TestSyntaxByGit(t *testing.T) {
	for _, c := range syntax {
		t.Run(c.name, func(t *testing.T) {
			r := newRepository(t)
			fill(t, r.dir, map[string]string{".gitignore": c.rules})
			eachPath(c.hides, c.shows, func(file string, folder, want bool) {
				if folder {
					fill(t, r.dir, map[string]string{file + "/": ""})
				}
			})
			judge := r.oracle()
			eachPath(c.hides, c.shows, func(file string, folder, want bool) {
				if folder != isFolder(filepath.Join(r.dir, file)) {
					return // the table asks for both, the disk has one
				}
				by, err := judge.ask(file)
				if err != nil {
					t.Fatal(err)
				}
				if have := by.Pattern != "" && !strings.HasPrefix(by.Pattern, "!"); have != want {
					t.Errorf("%q, folder %t: git says %t by %q, the table %t", file, folder, have, by, want)
				}
			})
		})
	}
}

func eachPath(hides, shows string, yield func(file string, folder, hidden bool)) {
	for i, list := range []string{hides, shows} {
		for _, file := range strings.Fields(list) {
			file = strings.ReplaceAll(file, `ab\0cd`, "abcd")
			name, folder := strings.CutSuffix(file, "/")
			yield(name, folder, i == 0)
		}
	}
}

func TestSyntaxOfTrailingSpaces(t *testing.T) {
	for text, want := range map[string]string{
		"":          "",
		"   ":       "",
		"a b  ":     "a b",
		`a\ `:       `a\ `,
		`a\  `:      `a\ `,
		`a \ \   `:  `a \ \ `,
		`a\\ `:      `a\\`,
		`a \`:       `a \`,
		"a \t":      "a \t",
		`a\\\    b`: `a\\\    b`,
	} {
		if have := trimBlanks(text); have != want {
			t.Errorf("%q: have %q, want %q", text, have, want)
		}
	}
}

// A naive matcher takes 2^n steps for these. The bound is the length of the
// text, squared, times that of the pattern.
func TestMatchingIsPolynomial(t *testing.T) {
	for _, c := range []struct{ glob, text string }{
		{strings.Repeat("a*", 50) + "b", strings.Repeat("a", 1000)},
		{strings.Repeat("*a", 50) + "b", strings.Repeat("a", 1000)},
		{strings.Repeat("?*", 50) + "b", strings.Repeat("a", 1000)},
		{strings.Repeat("[a-z]*", 50) + "b", strings.Repeat("a", 1000)},
		{strings.Repeat("**/", 50) + "b", strings.Repeat("a/", 500)},
		{strings.Repeat("**/a/", 50) + "b", strings.Repeat("a/", 500)},
		{strings.Repeat("**/*a*/", 30) + "b", strings.Repeat("aaaa/", 200)},
		{strings.Repeat("**/a*a*a*/", 20) + "b", strings.Repeat("aaaaaaaa/", 100)},
	} {
		w, possible := compile(c.glob)
		if !possible {
			t.Fatalf("%s: not compiled", c.glob)
		}
		matched, steps := w.match(c.text)
		if matched {
			t.Errorf("%.20s...: matched", c.glob)
		}
		if bound := len(c.text) * len(c.glob) * 8; steps > bound {
			t.Errorf("%.20s...: %d steps for %d and %d bytes, more than %d", c.glob, steps, len(c.glob), len(c.text), bound)
		}
	}
}

func TestRuleString(t *testing.T) {
	for want, r := range map[string]Rule{
		"":                                {},
		".gitignore:3:*.log":              {File: ".gitignore", Line: 3, Pattern: "*.log"},
		"a/.hg:folder of version control": versionControlRule("a/.hg"),
	} {
		if have := r.String(); have != want {
			t.Errorf("have %q, want %q", have, want)
		}
	}
}
