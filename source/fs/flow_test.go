package fs

import (
	"bytes"
	"strings"
	"testing"
)

// A secret is found once, wherever it lies between the pieces.
func TestAttackSecretBetweenTwoPieces(t *testing.T) {
	token := "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5"
	filler := bytes.Repeat([]byte("and so on. "), 3*flowPiece/11)
	for _, around := range []int{0, flowPiece - flowAgain, flowPiece, 2*flowPiece - 2*flowAgain, 2*flowPiece - flowAgain} {
		for _, offset := range []int{-43, -42, -41, -20, -1, 0, 1} {
			at := around + offset
			if at < 0 {
				continue
			}
			text := bytes.Clone(filler)
			copy(text[at:], " "+token+" ")
			s := new(sieve)
			f := s.flow("here")
			for rest := text; len(rest) > 0; {
				n := min(len(rest), 10_007)
				f.Write(rest[:n])
				rest = rest[n:]
			}
			f.end()
			if found, note := s.result(); len(found) != 1 || note != "" || found[0].In != "here" || found[0].Line != 0 || found[0].End != 0 {
				t.Fatalf("at %d: %v", at, found)
			}
		}
	}
	// Two texts are two, though one flow sees both.
	s := new(sieve)
	f := s.flow("here")
	for _, part := range []string{token[:10], token[10:]} {
		f.Write([]byte(part))
		f.end()
	}
	if found, _ := s.result(); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// However a PDF writes a string, what it says is the same.
func TestStringsOfADocument(t *testing.T) {
	for _, c := range []struct{ written, want string }{
		{`(one) Tj`, "one"},
		{`[(o) -20 (n) 3.5 (e)] TJ`, "one"},
		{`(on) Tj (e) Tj`, "one"},
		{`(on) Tj 0 -14 Td (e) Tj`, "on\ne"},
		{`(on) ' (e) '`, "on\ne"},
		{`/Title (on) /Author (e)`, "on\ne"},
		{`(a \(b\) (c) \\ \156\157)`, `a (b) (c) \ no`},
		{"(o\\\nne)", "one"},
		{"<6f6E\n65>", "one"},
		{"<6f6>", "o`"},
		{"<</A (one)>>", "one"},
		{"<FEFF006f006e0065>", "\xfe\xffone"},
		{"(\xfe\xff\x00o\x00n\x00e)", "\xfe\xffone"},
		{"(on)" + strings.Repeat(" 1", 50) + "(e)", "on\ne"},
		{"(never closed", "never closed"},
		{"no string", ""},
	} {
		// All at once, and byte by byte.
		for _, step := range []int{len(c.written), 1} {
			var b bytes.Buffer
			s := &pdfStrings{to: &b}
			for at := 0; at < len(c.written); at += step {
				s.Write([]byte(c.written[at : at+step]))
			}
			if have := strings.TrimPrefix(b.String(), "\n"); have != c.want && step > 1 || strings.ReplaceAll(have, "\n", "") != strings.ReplaceAll(c.want, "\n", "") {
				t.Errorf("%q, %d at a time: %q, want %q", c.written, step, have, c.want)
			}
		}
	}
}
