package editor

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPlain(t *testing.T) {
	for _, c := range []struct{ name, output, want string }{
		{"nothing", "", ""},
		{"plain text", "one\ntwo\n", "one\ntwo\n"},
		{"no line end", "one", "one\n"},
		{"carriage returns before line ends", "one\r\ntwo\r\n", "one\ntwo\n"},
		{"colours", "\x1b[1;31mred\x1b[0m and \x1b[38:2:1:2:3mtrue\x1b[m\n", "red and true\n"},
		{"tabs stay", "\tif x {\n\t\tgo()\n", "\tif x {\n\t\tgo()\n"},
		{"a tab over text only moves", "abcdefghij\rX\tY\n", "XbcdefghYj\n"},
		{"a tab that is overwritten in part", "\tx\rab\n", "ab      x\n"},
		{"tabs far to the right", strings.Repeat("x", 600) + "\ty\n", strings.Repeat("x", 600) + "\ty\n"},
		{"white space at the ends of lines", "a  \nb\t\n \n\n", "a\nb\n"},
		{"a title", "\x1b]0;make: all\a$ make\n", "$ make\n"},
		{"a title that ends with a terminator", "\x1b]0;make\x1b\\$ make\n", "$ make\n"},
		{"a link", "\x1b]8;;https://go.dev\x1b\\Go\x1b]8;;\x1b\\!\n", "Go!\n"},
		{"a title without an end is text", "\x1b]0;make\nall\n", "0;make\nall\n"},
		{"a picture", "a\x1bPq#0;2;0;0;0~~@@\x1b\\b\n", "ab\n"},
		{"an application's message", "a\x1b_G f=100\x1b\\b\x1b^c\x1b\\d\x1bXe\x1b\\f\n", "abdf\n"},
		{"controls of eight bits", "a\x9b31mb\u009b0mc\u009d0;t\u009cd\n", "abcd\n"},
		{"a character set", "\x1b(0lqqk\x1b(B text\x1b)0\x0eq\x0fq\n", "┌──┐ text─q\n"},
		{"other controls", "a\x00b\x07c\x7fd\n", "abcd\n"},
		{"backspaces", "abc\b\b\bxy\n", "xyc\n"},
		{"an overstrike", "a\b_b\n", "_b\n"},
		{"a progress bar", " 10%\r 50%\r100%\ndone\n", "100%\ndone\n"},
		{"a shorter line over a longer one", "downloading\rdone\n", "doneloading\n"},
		{"a line erased and written anew", "downloading\r\x1b[Kdone\n", "done\n"},
		{"erased up to the cursor", "abcdef\b\b\x1b[1K\n", "     f\n"},
		{"erased as a whole", "abc\x1b[2Kd\n", "   d\n"},
		{"bars of several lines", "a 1\nb 1\n\x1b[2Aa 2\nb 2\n", "a 2\nb 2\n"},
		{"lines before and after", "a\nb\nc\n\x1b[3F\x1b[2KA\x1b[3EZ\n", "A\nb\nc\nZ\n"},
		{"up no further than there is", "a\n\x1b[99Ab\n", "b\n"},
		{"columns by number", "abc\x1b[2GX\x1b[6GY\n", "aXc  Y\n"},
		{"characters inserted, removed and erased", "abcdef\r\x1b[2@\x1b[4G\x1b[P\x1b[X\n", "  a def\n"},
		{"repeated", "=\x1b[5b>\n", "======>\n"},
		{"saved and restored", "ab\x1b7cd\x1b8X\n", "abXd\n"},
		{"erased below", "a\nb\nc\n\x1b[3A\x1b[Jd\n", "d\n"},
		{"the screen cleared", "before\n\x1b[H\x1b[2Jafter\n", "before\nafter\n"},
		{"the screen cleared with what scrolled out", "before\n\x1b[H\x1b[2J\x1b[3Jafter\n", "after\n"},
		{"drawn again and again", "\x1b[H\x1b[2Jtime 1\nload 1\n\x1b[Htime 2\nload 2\n", "time 2\nload 2\n"},
		{"erased from above the screen, and moved", "\x1b[2S\x1b8\x1b[J\x1bMx\n", "x\n"},
		{"erased from above the screen, and forgotten", "\x1b[2S\x1b8\x1b[J\x1b[3Jx\n", "x\n"},
		{"lines inserted and deleted", "a\nb\nc\x1b[H\x1b[L\x1b[3;1H\x1b[M\n", "\na\nc\n"},
		{"an editor that was left", "$ vi\n\x1b[?1049h\x1b[H\x1b[2J~\n~\n\x1b[?1049l$ ls\n", "$ vi\n$ ls\n"},
		{"an editor that runs", "$ vi\n\x1b[?1049h\x1b[H\x1b[2Jtext\n~\n", "$ vi\ntext\n~\n"},
		{"an alternate screen that was entered before", "rest\n\x1b[?1049l$ ls\n", "rest\n$ ls\n"},
		{"a sequence that is broken off", "a\x1b[31", "a\n"},
		{"a sequence within a sequence", "a\x1b[3\x1b[1mb\n", "ab\n"},
		{"an escape at the end", "a\x1b", "a\n"},
		{"wide characters", "日本語\r\x1b[2Cx\n", "日x 語\n"},
		{"half of a wide character", "日本\r\x1b[Cx\n", " x本\n"},
		{"marks", "e\u0301a\r\x1b[Cb\n", "e\u0301b\n"},
		{"a mark on nothing", "\u0301a\n", "a\n"},
		{"a family", "👩\u200d👧 x\n", "👩\u200d👧 x\n"},
		{"not UTF-8", "a\xffb\xc3\n", "a\uFFFDb\uFFFD\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if have := Plain(c.output); have != c.want {
				t.Errorf("%q\nhave %q\nwant %q", c.output, have, c.want)
			}
		})
	}
}

// checkPlain holds what is true of every output.
func checkPlain(t interface{ Fatalf(string, ...any) }, output string) {
	plain := Plain(output)
	if !utf8.ValidString(plain) {
		t.Fatalf("%q: not UTF-8: %q", output, plain)
	}
	for _, r := range plain {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			t.Fatalf("%q: a control character is left: %q", output, plain)
		}
	}
	if strings.HasSuffix(plain, "\n\n") || strings.Contains(plain, " \n") {
		t.Fatalf("%q: white space is left: %q", output, plain)
	}
	if again := Plain(plain); again != plain {
		t.Fatalf("%q: have %q, and of that %q", output, plain, again)
	}
}

func FuzzPlain(f *testing.F) {
	for _, seed := range []string{
		"a\rb\n", "\x1b[2J\x1b[H", "\x1b]0;t\a", "\x1bPx\x1b\\", "日\b\u0301", "\t\bx", "\x1b[?1049hx\x1b[?1049l", "\u009b3A", "\x1b[5L\x1b[9S\x1bM\x1bc", "a\x1b[20Cb\tc\rd",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, output string) { checkPlain(t, output) })
}

// TestPlainOfSequences is the fuzz test with outputs that are made of what
// terminals understand, which random bytes seldom are.
func TestPlainOfSequences(t *testing.T) {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{"a", "word", " ", "日", "\u0301", "\t", "\r", "\n", "\b", "\x1b7", "\x1b8", "\x1bM", "\x1bD", "\x1bc", "\x1b(0", "\x1b(B", "\x1b]0;t\a", "\x1b[?1049h", "\x1b[?1049l", "\xff", "\x9b"}),
		rapid.Custom(func(t *rapid.T) string {
			return "\x1b[" + rapid.SampledFrom([]string{"", "1", "2", "3", "5;7", "40", "9999999999"}).Draw(t, "numbers") +
				rapid.StringOfN(rapid.RuneFrom([]rune("ABCDEFGHJKLMPSX@bdfsu`m")), 1, 1, -1).Draw(t, "final")
		}),
	)
	rapid.Check(t, func(t *rapid.T) {
		checkPlain(t, strings.Join(rapid.SliceOfN(piece, 0, 60).Draw(t, "output"), ""))
	})
}

// TestPlainIsLinear counts cells, not seconds: what a few bytes ask for again
// and again must not grow with what was written before.
func TestPlainIsLinear(t *testing.T) {
	const n = 1 << 14
	long := strings.Repeat("x", n)
	for name, output := range map[string]string{
		"strings without an end":         strings.Repeat("\x1b]", n) + strings.Repeat("\x1bP", n),
		"far columns":                    strings.Repeat("\x1b[9999Cx\n", n),
		"a long line, left and entered":  long + strings.Repeat("\x1bDx", n),
		"a long line, erased":            long + strings.Repeat("\x1b[2Kx", n),
		"a long line, erased before":     long + strings.Repeat("\x1b[1Kx", n),
		"a long line, inserted":          long + "\r" + strings.Repeat("\x1b[@", n),
		"a long line, removed":           long + "\r" + strings.Repeat("\x1b[P", n),
		"many rows":                      strings.Repeat("\x1b[9999S\x1b[9999B", n),
		"lines inserted":                 strings.Repeat("x\n", n) + strings.Repeat("\x1b[9999L\x1b[9999M", n),
		"screens":                        strings.Repeat("\x1b[2J\x1b[3J\x1b[1J\x1b[J\x1b[9999;9999Hx", n),
		"marks":                          "e" + strings.Repeat("\u0301", n),
		"alternate screens":              strings.Repeat("\x1b[?1049hx\x1b[?1049l", n),
		"a sequence without an end":      strings.Repeat("\x1b["+strings.Repeat("1;", 200), n/200),
		"tabs":                           strings.Repeat("\t", n),
		"repeated":                       strings.Repeat("x\x1b[9999b\n", n),
		"moving up and down and erasing": strings.Repeat("x\n\x1b[9999A\x1b[J\x1b[9999B", n),
	} {
		t.Run(name, func(t *testing.T) {
			term := &terminal{screen: newScreen(0), strings: map[string]int{}}
			term.write(output)
			cells := 0
			for _, row := range term.screen.rows {
				cells += len(row)
			}
			if most := (mostColumns + tabStop) * (len(output) + 1) / 4; cells > most || len(term.screen.rows) > 2*mostLines+assumedRows {
				t.Errorf("%d bytes make %d cells in %d rows", len(output), cells, len(term.screen.rows))
			}
		})
	}
}
