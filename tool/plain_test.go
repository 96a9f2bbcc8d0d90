package tool

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func plainly(chunks ...string) string {
	var b strings.Builder
	var p plain
	for _, chunk := range chunks {
		p.write([]byte(chunk), func(line []byte) { b.Write(line) })
	}
	p.end(func(line []byte) { b.Write(line) })
	return b.String()
}

func TestPlain(t *testing.T) {
	for said, want := range map[string]string{
		"plain\n":                              "plain\n",
		"no end":                               "no end",
		"\x1b[1;31mred\x1b[0m":                 "red",
		"a\r\nb\r\n":                           "a\nb\n",
		"10%\r20%\r100%\ndone\n":               "100%\ndone\n",
		"kept\r":                               "kept",
		"ab\bc\n":                              "ac\n",
		"\b\bé\b\n":                            "\n",
		"\x1b]0;a title\x07text":               "text",
		"\x1b]8;;http://x\x1b\\link\x1b]8;;\a": "link",
		"\x1bP1;2q...\x1b\\after":              "after",
		"\x1b(Bcharset":                        "charset",
		"\x1b7saved\x1b8":                      "saved",
		"bell\a tab\t nul\x00 del\x7f":         "bell tab\t nul del",
		"\u009b31mred\u0085next":               "rednext",
		"\u009d0;title\aafter":                 "after",
		"café ½ £":                             "café ½ £",
		"\xc2\x00\x9b31m":                      "\uFFFD\x9b31m",
		"\xc2\x1b[m\x9b31m":                    "\uFFFD\x9b31m",
		"\xc2é\b\x9b31m":                       "\uFFFD\x9b31m",
		"\xc2\xc2½":                            "\uFFFD\uFFFD½",
		"\x1b[38;5;\nnext":                     "\nnext",
		"\x1b]never ends\nnext":                "\nnext",
		"\x1b]x\x1b[1mtext":                    "text",
		"\x1b":                                 "",
		"\x1b[2K\x1b[1Gagain":                  "again",
	} {
		if have := plainly(said); have != want {
			t.Errorf("%q: have %q, want %q", said, have, want)
		}
	}
}

// However it comes, in whatever pieces, it is the same, and nothing is left that
// a terminal would obey.
func TestPropertyPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOf(rapid.SampledFrom([]string{"a", "é", "\x1b", "[", "]", "31", "m", ";", "\a", "\\", "\n", "\r", "\b", "\x00", "\xc2", "\x9b", "\x9d", "P", "(", "B", "\xff", "\x7f", "½"})).Draw(t, "pieces")
		whole := plainly(strings.Join(pieces, ""))
		if have := plainly(pieces...); have != whole {
			t.Fatalf("in pieces it is %q, and else %q", have, whole)
		}
		for i, r := range whole {
			if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r <= 0x9f {
				t.Fatalf("%q has %q at %d", whole, r, i)
			}
		}
		var o output
		if _, err := o.Write([]byte(strings.Join(pieces, ""))); err != nil || !utf8.ValidString(o.text()) {
			t.Fatalf("%q", o.text())
		}
	})
}

// Head and tail are kept whole, what is between is counted, and memory is not
// used for it.
func TestPropertyOutputIsCapped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Repeat(rapid.SampledFrom([]string{"x", "é", "long "}).Draw(t, "word"), rapid.IntRange(1, 5_000).Draw(t, "length"))
		if rapid.Bool().Draw(t, "lines") {
			line += "\n"
		}
		var o output
		said := 0
		for range rapid.IntRange(1, 100).Draw(t, "times") {
			if _, err := o.Write([]byte(line)); err != nil {
				t.Fatal(err)
			}
			said += len(line)
			if cap(o.tail) > 8*maxOutput || cap(o.plain.line) > 4*maxLine {
				t.Fatalf("%d and %d bytes are held", cap(o.tail), cap(o.plain.line))
			}
		}
		text := o.text()
		kept := len(o.head) + len(o.tail)
		if kept+o.lost != said || len(text) > maxOutput+100 || !utf8.ValidString(text) {
			t.Fatalf("of %d bytes %d are kept and %d lost; the text has %d", said, kept, o.lost, len(text))
		}
		if o.lost == 0 && text != strings.Repeat(line, said/len(line)) {
			t.Fatalf("%.100q", text)
		}
		if o.lost > 0 && kept < maxOutput/2 {
			t.Fatalf("%d bytes are lost, and only %d kept", o.lost, kept)
		}
	})
}
