package fs

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/ledongthuc/pdf"
)

// fontOf returns a font of a PDF, with a stream that it may point to as 5 0 R.
func fontOf(t testing.TB, font, stream string) pdf.Font {
	t.Helper()
	var b bytes.Buffer
	var offsets []int
	object := func(text string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), text)
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	object("<< /Type /Page /Parent 2 0 R /Resources << /Font << /F 4 0 R >> >> >>")
	object(font)
	object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream))
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	reader, err := pdf.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return reader.Page(1).Font("F")
}

// What the parser's own way knows is the same.
func TestPDFFontAgreesWithTheParser(t *testing.T) {
	var visible []byte
	for b := range 256 {
		if b >= ' ' && b != 0x7f {
			visible = append(visible, byte(b))
		}
	}
	differences := "/Differences [65 /alpha /fi 100 /uni20AC /germandbls /g17 /Euro /one /quotedblleft /afii10017]"
	for name, font := range map[string]string{
		"its own":     "<< /Type /Font /Subtype /Type1 >>",
		"WinAnsi":     "<< /Type /Font /Subtype /TrueType /Encoding /WinAnsiEncoding >>",
		"MacRoman":    "<< /Type /Font /Subtype /TrueType /Encoding /MacRomanEncoding >>",
		"differences": "<< /Type /Font /Subtype /Type1 /Encoding << " + differences + " >> >>",
	} {
		theirs := fontOf(t, font, "")
		ours := newPDFFont(theirs.V)
		for _, b := range visible {
			raw := string([]byte{b})
			want, have := theirs.Encoder().Decode(raw), ours.decode(raw)
			// They do not know where differences begin from, nor a name by its
			// number.
			if want != have && !(name == "differences" && (b >= 0x80 || b == 100)) && want != "\uFFFD" && want != "•" {
				t.Errorf("%s: %#x is %q, theirs says %q", name, b, have, want)
			}
		}
	}
	if have := newPDFFont(fontOf(t, "<< /Subtype /Type1 /Encoding << /BaseEncoding /WinAnsiEncoding "+differences+" >> >>", "").V).decode("ABd\x93\x94z"); have != "αﬁ€“”z" {
		t.Errorf("%q", have)
	}
}

// A font that says what its codes stand for is believed, whatever its encoding
// is called.
func TestPDFFontSaysItself(t *testing.T) {
	for name, c := range map[string]struct{ font, program, raw, want string }{
		"single bytes": {
			"<< /Subtype /TrueType /Encoding /WinAnsiEncoding /ToUnicode 5 0 R >>",
			"1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <01> <0048> <02> <00660066> endbfchar",
			"\x01\x02i", "Hffi",
		},
		"two bytes": {
			"<< /Subtype /Type0 /Encoding /Identity-H /ToUnicode 5 0 R >>",
			"/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) >> def % a comment\n" +
				"1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n2 beginbfrange\n<0041><0043><0061>\n<0100> <0101> [<0078> <D83DDE00>]\nendbfrange\nendcmap",
			"\x00\x41\x00\x43\x01\x01\x01\x00\x09\x09", "ac😀x\uFFFD",
		},
		"one and two bytes": {
			"<< /Subtype /Type0 /Encoding /Identity-H /ToUnicode 5 0 R >>",
			"2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange 2 beginbfchar <41> <0041> <8041> <0042> endbfchar",
			"A\x80AA", "ABA",
		},
		"its text is UTF-16": {"<< /Subtype /Type0 /Encoding /UniGB-UCS2-H >>", "", "\x00A\x4e\x2d", "A中"},
		"it says nothing":    {"<< /Subtype /Type0 /Encoding /Identity-H >>", "", "\x00A\x00", "\uFFFD\uFFFD"},
	} {
		if have := newPDFFont(fontOf(t, c.font, c.program).V).decode(c.raw); have != c.want {
			t.Errorf("%s: %q, want %q", name, have, c.want)
		}
	}
}

// Whatever stands in the table of a font, reading it ends, and soon.
func TestAttackTableOfAFont(t *testing.T) {
	for name, program := range map[string]string{
		"a range of all codes": "1 beginbfrange <00000000> <FFFFFFFF> <0000> endbfrange",
		"ranges of all codes":  strings.Repeat("<0000> <FFFE> <0000> endbfrange ", 10_000),
		"comments":             strings.Repeat("%\n", 500_000),
		"brackets":             strings.Repeat("[", 1_000_000),
		"codes without an end": strings.Repeat("<41", 300_000),
		"strings and no lists": strings.Repeat("<41>", 250_000),
		"half of a range":      "<41> <42> endbfrange <41> endbfchar <4> endcodespacerange",
		"nothing in between":   "<> <> <> endbfrange <> <> endbfchar <> <> endcodespacerange",
		"empty brackets":       "<41> <45> [] endbfrange <41> <45> [<>] endbfrange <41> <45> <00> endbfrange",
		"lengths that differ":  "<41> <4141> <0000> endbfrange <41> <4141> endcodespacerange",
		"digits that are none": "<4G> <zz> endbfchar",
	} {
		m := readCodeMap(program)
		if len(m.text) > mostCodes {
			t.Errorf("%s: %d codes", name, len(m.text))
		}
		for _, raw := range []string{"A", "AB\x00", "\xff\xff\xff\xff"} {
			for _, composite := range []bool{false, true} {
				if n := m.length(raw, composite); n < 1 || n > len(raw) {
					t.Errorf("%s: a code of %d bytes", name, n)
				}
			}
		}
	}
}
