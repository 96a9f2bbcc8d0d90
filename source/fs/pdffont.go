package fs

import (
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/charmap"
)

// pdfFont tells what the strings say that a font of a PDF shows. The parser's
// own way of telling needs a table of all glyphs that there are, which is built
// whenever the program starts, and passes over what most fonts say of themselves.
type pdfFont struct {
	// said is what the font itself says of its codes, if it does.
	said *codeMap
	// single is what the codes of one byte are otherwise, nil for fonts with
	// longer ones; utf16 says that their codes are text already.
	single *[256]rune
	utf16  bool
}

func newPDFFont(font pdf.Value) *pdfFont {
	f := new(pdfFont)
	encoding := font.Key("Encoding")
	if font.Key("Subtype").Name() == "Type0" {
		f.utf16 = strings.Contains(encoding.Name(), "UCS2") || strings.Contains(encoding.Name(), "UTF16")
	} else {
		f.single = singleCodes(encoding)
	}
	if says := font.Key("ToUnicode"); says.Kind() == pdf.Stream {
		const longest = 1 << 20
		text, err := io.ReadAll(io.LimitReader(says.Reader(), longest))
		if err == nil {
			f.said = readCodeMap(string(text))
		}
	}
	return f
}

// decode returns what a string says.
func (f *pdfFont) decode(raw string) string {
	if f.utf16 && f.said == nil {
		return fromUTF16(raw)
	}
	var b strings.Builder
	for len(raw) > 0 {
		n := 1
		if f.said != nil {
			n = f.said.length(raw, f.single == nil)
		} else if f.single == nil {
			n = min(2, len(raw))
		}
		code := raw[:n]
		raw = raw[n:]
		switch text, ok := f.said.find(code); {
		case ok:
			b.WriteString(text)
		case n == 1 && f.single != nil:
			b.WriteRune(f.single[code[0]])
		default:
			b.WriteRune(utf8.RuneError)
		}
	}
	return b.String()
}

// singleCodes is the encoding of a font with codes of one byte, with the
// differences to it that the font has.
func singleCodes(encoding pdf.Value) *[256]rune {
	name := encoding.Name()
	if encoding.Kind() == pdf.Dict {
		name = encoding.Key("BaseEncoding").Name()
	}
	table := new([256]rune)
	own := documentCodes()
	for code := range table {
		b := byte(code)
		switch {
		case name == "WinAnsiEncoding":
			table[code] = charmap.Windows1252.DecodeByte(b)
		case name == "MacRomanEncoding":
			table[code] = charmap.Macintosh.DecodeByte(b)
		default:
			table[code] = own[b]
		}
	}
	code := 0
	differences := encoding.Key("Differences")
	for i := range differences.Len() {
		switch d := differences.Index(i); d.Kind() {
		case pdf.Integer:
			code = int(d.Int64())
		case pdf.Name:
			if r := glyphRune(d.Name()); r != 0 && code >= 0 && code < len(table) {
				table[code] = r
			}
			code++
		}
	}
	return table
}

// documentCodes is the encoding that is a PDF's own. It is Latin-1 with other
// signs in the place of control characters.
func documentCodes() (table [256]rune) {
	for code := range table {
		table[code] = rune(code)
		if code < ' ' && code != '\t' && code != '\n' && code != '\r' || code == 0x7F || code == 0xAD {
			table[code] = utf8.RuneError
		}
	}
	copy(table[0x18:], []rune("˘ˇˆ˙˝˛˚˜"))
	copy(table[0x80:], []rune("•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\uFFFD€"))
	return table
}

// fromUTF16 decodes what is in UTF-16, the high byte first.
func fromUTF16(raw string) string {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i])<<8 | uint16(raw[2*i+1])
	}
	return string(utf16.Decode(units))
}
