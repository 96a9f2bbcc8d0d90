package terminal

import "testing"

func TestShow(t *testing.T) {
	for text, want := range map[string]string{
		"plain\tand\n": "plain\tand\n", "\x1b[31m": `\x1b[31m`, "a\rb": `a\x0db`, "a\r\nb": "a\nb", "\xff": `\xff`, "\u202e": `\u202e`, "日本é": "日本é",
	} {
		if have := Show(text); have != want {
			t.Errorf("%q: %q, want %q", text, have, want)
		}
	}
}

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "日本": 4, "é": 1, "e\u0301": 1, bold + "ab" + plain: 2, "ab\x1b[3": 2} {
		if have := Width(text); have != want {
			t.Errorf("%q: %d, want %d", text, have, want)
		}
	}
}
