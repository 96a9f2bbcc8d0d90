package fs_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"pgregory.net/rapid"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/source/fs"
)

// read resolves a file that holds some bytes.
func read(t interface{ Fatal(...any) }, data string, limit int) ampersat.Content {
	r := fs.Over(fstest.MapFS{"f": {Data: []byte(data)}})
	c, err := r.Resolve(testContext(t), ampersat.Query{Mention: file("f"), Asker: person, Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func in16(text string, high, low int) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		pair := [2]byte{}
		pair[high], pair[low] = byte(unit>>8), byte(unit)
		b.Write(pair[:])
	}
	return b.String()
}

// in32 writes the lowest three bytes of each character at their places.
func in32(text string, low, middle, high int) string {
	var b strings.Builder
	for _, r := range text {
		unit := [4]byte{}
		unit[low], unit[middle], unit[high] = byte(r), byte(r>>8), byte(r>>16)
		b.Write(unit[:])
	}
	return b.String()
}

func TestEncodings(t *testing.T) {
	latin, _ := charmap.ISO8859_1.NewEncoder().String("Größe\n")
	koi, _ := charmap.KOI8R.NewEncoder().String("привет, мир\n")
	jis, _ := japanese.ISO2022JP.NewEncoder().String("日本語\n")
	sjis, _ := japanese.ShiftJIS.NewEncoder().String("日本語\n")
	for _, test := range []struct{ name, data, text, note string }{
		{"UTF-8", "Größe 日本\n", "Größe 日本\n", ""},
		{"UTF-8 with a mark", "\xEF\xBB\xBFGröße\n", "Größe\n", ""},
		{"UTF-16, little end first", "\xFF\xFE" + in16("Größe 🙂\r\n", 1, 0), "Größe 🙂\r\n", "read as UTF-16"},
		{"UTF-16, big end first", "\xFE\xFF" + in16("Größe 🙂\r\n", 0, 1), "Größe 🙂\r\n", "read as UTF-16"},
		{"UTF-16 with half a pair", "\xFF\xFE" + in16("abc", 1, 0) + "\x3d\xd8", "abc\uFFFD", "read as UTF-16, in which 1 character not valid"},
		{"UTF-16 with U+FFFD itself", "\xFE\xFF" + in16("a\uFFFDb", 0, 1), "a\uFFFDb", "read as UTF-16"},
		{"UTF-32, little end first", "\xFF\xFE\x00\x00" + in32("Größe 🙂\r\n", 0, 1, 2), "Größe 🙂\r\n", "read as UTF-32"},
		{"UTF-32, big end first", "\x00\x00\xFE\xFF" + in32("Größe 🙂\r\n", 3, 2, 1), "Größe 🙂\r\n", "read as UTF-32"},
		{"UTF-32 with U+FFFD itself, and no character", "\xFF\xFE\x00\x00" + in32("a\uFFFDbcd", 0, 1, 2) + "\x00\x00\xFF\x00", "a\uFFFDbcd\uFFFD", "read as UTF-32, in which 1 character not valid"},
		{"UTF-16 that declares itself", in16(`<?xml version="1.0" encoding="UTF-16"?><a>Größe</a>`, 1, 0), `<?xml version="1.0" encoding="UTF-16"?><a>Größe</a>`, "read as UTF-16"},
		{"UTF-16 that declares itself, big end first", in16(`<?xml version="1.0" encoding="UTF-16"?><a>日本</a>`, 0, 1), `<?xml version="1.0" encoding="UTF-16"?><a>日本</a>`, "read as UTF-16"},
		{"UTF-16 that is plainly HTML", in16("\r\n<!DOCTYPE html>日本", 1, 0), "\r\n<!DOCTYPE html>日本", "read as UTF-16"},
		{"UTF-16 that declares itself in a comment", in16("# -*- coding: utf-16le -*-\n日本\n", 1, 0), "# -*- coding: utf-16le -*-\n日本\n", "read as UTF-16"},
		{"XML", `<?xml version="1.0" encoding="ISO-8859-1"?>` + latin, `<?xml version="1.0" encoding="ISO-8859-1"?>Größe` + "\n", "read as windows-1252"},
		{"HTML", "<html><meta charset=koi8-r>" + koi, "<html><meta charset=koi8-r>привет, мир\n", "read as koi8-r"},
		{"older HTML", `<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">` + koi, `<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">привет, мир` + "\n", "read as koi8-r"},
		{"Python", "#!/usr/bin/python\n# -*- coding: latin-1 -*-\n" + latin, "#!/usr/bin/python\n# -*- coding: latin-1 -*-\nGröße\n", "read as windows-1252"},
		{"Emacs, with its ends of lines", ";; -*- coding: iso-8859-1-unix -*-\n" + latin, ";; -*- coding: iso-8859-1-unix -*-\nGröße\n", "read as windows-1252"},
		{"Vim", "\" vim: set fileencoding=shift_jis:\n" + sjis, "\" vim: set fileencoding=shift_jis:\n日本語\n", "read as shift_jis"},
		{"escape sequences", "# coding: iso-2022-jp\n" + jis, "# coding: iso-2022-jp\n日本語\n", "read as iso-2022-jp"},
		{"valid UTF-8 whatever it says", "# coding: latin-1\nGröße\n", "# coding: latin-1\nGröße\n", ""},
		{"escape sequences of a terminal", "\x1b[31mred\x1b[0m\n", "\x1b[31mred\x1b[0m\n", ""},
		{"a declaration of nothing known", "# coding: klingon\nGr\xf6\xdfe and more\n", "# coding: klingon\nGr\uFFFD\uFFFDe and more\n", "not valid UTF-8: 2 bytes replaced"},
		{"invalid UTF-8", "good \xff bad\n", "good \uFFFD bad\n", "not valid UTF-8: 1 byte replaced"},
		{"U+FFFD itself", "good \uFFFD\n", "good \uFFFD\n", ""},
		{"SVG", `<svg xmlns="http://www.w3.org/2000/svg"/>`, `<svg xmlns="http://www.w3.org/2000/svg"/>`, ""},
		{"empty", "", "", ""},
		{"BM begins words too", "BMW and MZ, RIFF, ID3\n", "BMW and MZ, RIFF, ID3\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := read(t, test.data, 0)
			// What had to be replaced is not all of the file.
			lossy := strings.Contains(test.note, "replaced") || strings.Contains(test.note, "not valid")
			if c.Text != test.text || c.Note != test.note || c.MIME != "" || (c.Shown != "") != lossy {
				t.Errorf("have %q, %q, %q; want %q, %q", c.Text, c.Note, c.Shown, test.text, test.note)
			}
			digest := sha(test.text)
			if lossy { // which other bytes would have become, too
				digest = sha(test.data)
			}
			if string(c.Source) != digest || c.Size != int64(len(test.data)) {
				t.Errorf("digest %s of %d bytes", c.Source, c.Size)
			}
		})
	}
}

func TestBinariesAreDescribed(t *testing.T) {
	for _, test := range []struct{ data, mime, text string }{
		{"text\x00text", "application/octet-stream", "[binary file (application/octet-stream), 9 bytes: not text]\n"},
		{strings.Repeat("x", 20_000) + "\x00", "application/octet-stream", "[binary file (application/octet-stream), 20,001 bytes: not text]\n"},
		{"\xFF\xFE\x00\x00x\x00\x00\x00\x00\x00\x00\x00", "application/octet-stream", "[binary file (application/octet-stream), 12 bytes: not text]\n"},
		{"\xFF\xFE\x00\x00xxxxyyyyzzzz", "application/octet-stream", "[binary file (application/octet-stream), 16 bytes: not text]\n"},
		{"\xFF\xFEx\x00\x00\x00y\x00", "application/octet-stream", "[binary file (application/octet-stream), 8 bytes: not text]\n"},
		{in16("no mark and no markup", 1, 0), "application/octet-stream", "[binary file (application/octet-stream), 42 bytes: not text]\n"},
		{in16("<<< < 3", 1, 0), "application/octet-stream", "[binary file (application/octet-stream), 14 bytes: not text]\n"},
		{in16("<?xml?>", 1, 0) + "\x00\x00\x00\x00", "application/octet-stream", "[binary file (application/octet-stream), 18 bytes: not text]\n"},
		{"\xc1\xc2\xc3\xc4\xc5", "application/octet-stream", "[binary file (application/octet-stream), 5 bytes: not text]\n"},
		{"\x7fELF\x02\x01", "application/x-elf", "[ELF program (application/x-elf), 6 bytes: not text]\n"},
		{"PK\x03\x04 word/document.xml", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "[Word document (application/vnd.openxmlformats-officedocument.wordprocessingml.document), 22 bytes: not text]\n"},
		{"\x1f\x8b\x08", "application/gzip", "[gzip file (application/gzip), 3 bytes: not text]\n"},
		{"RIFF\x00\x00\x00\x00WAVE", "audio/wav", "[WAV audio (audio/wav), 12 bytes: not text]\n"},
	} {
		c := read(t, test.data, 0)
		if c.MIME != test.mime || c.Text != test.text || c.Shown != "described only" || string(c.Source) != sha(test.data) || c.Tree != "" {
			t.Errorf("%q: %+v", test.data[:min(len(test.data), 20)], c)
		}
	}
}

// Whatever the bytes, the text is valid, and what is valid is the bytes.
func TestTextIsValidOrTheBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "data")
		judgeText(t, data, 0)
		judgeText(t, data, rapid.IntRange(1, 40).Draw(t, "limit"))
	})
}

func judgeText(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, data string, limit int) {
	c := read(t, data, limit)
	if !utf8.ValidString(c.Text) || !utf8.ValidString(c.Tail) {
		t.Fatalf("%q and %q are not valid", c.Text, c.Tail)
	}
	if c.Shown == "" && strings.Contains(c.Text+c.Tail, "\x00") {
		t.Fatalf("%q and %q: a zero byte is no text", c.Text, c.Tail)
	}
	if c.Size != int64(len(data)) {
		t.Fatalf("size %d of %d", c.Size, len(data))
	}
	whole := limit == 0 || len(data) <= limit
	// A picture is read as a whole, whatever the limit of its text.
	picture := strings.HasPrefix(c.MIME, "image/")
	if whole != (c.Source != "") && !picture {
		t.Fatalf("source %q of %d bytes, of which %d may be read", c.Source, len(data), limit)
	}
	plain := c.MIME == "" && c.Note == "" && !strings.HasPrefix(data, "\uFEFF")
	switch {
	case plain && whole && (c.Text != data || string(c.Source) != sha(data)):
		t.Fatalf("%q became %q", data, c.Text)
	case plain && !whole && !(strings.HasPrefix(data, c.Text) && strings.HasSuffix(data, c.Tail) && len(c.Text)+len(c.Tail) <= limit):
		t.Fatalf("%q became %q and %q", data, c.Text, c.Tail)
	}
}

func FuzzText(f *testing.F) {
	f.Add([]byte("plain"), 0)
	f.Add([]byte("\xff\xfea\x00"), 3)
	f.Add([]byte("\xff\xfe\x00\x00a\x00\x00\x00b\x00\x00\x00"), 9)
	f.Add([]byte(in16("<?xml?><a/>", 1, 0)), 9)
	f.Add([]byte("<meta charset=shift_jis>\x93\xfa"), 8)
	f.Add([]byte("# coding: iso-2022-jp\n\x1b$B"), 0)
	f.Add([]byte("BM\x00\x00"), 3)
	f.Fuzz(func(t *testing.T, data []byte, limit int) {
		if strings.HasPrefix(string(data), "%PDF-") {
			t.Skip("a document")
		}
		judgeText(t, string(data), min(max(limit, 0), 1<<16))
	})
}

// Files that differ only in what could not be read are not the same, neither
// among each other nor as one that holds U+FFFD, and the model is told.
func TestAttackDifferentFilesThatReadTheSame(t *testing.T) {
	sources := map[string]string{}
	for data, shown := range map[string]string{
		"caf\uFFFD and more\n":           "",
		"caf\xff and more\n":             "with 1 byte replaced that is not valid UTF-8",
		"caf\xfe and more\n":             "with 1 byte replaced that is not valid UTF-8",
		"\xEF\xBB\xBFcaf\xfe and more\n": "with 1 byte replaced that is not valid UTF-8",
	} {
		c := read(t, data, 0)
		if c.Text != "caf\uFFFD and more\n" || c.Shown != shown {
			t.Errorf("%q: %q, %q", data, c.Text, c.Shown)
		}
		if other, known := sources[string(c.Source)]; known {
			t.Errorf("%q and %q are the same", data, other)
		}
		sources[string(c.Source)] = data
	}
	if c := read(t, "caf\xff\xfe and more\n", 0); c.Shown != "with 2 bytes replaced that are not valid UTF-8" {
		t.Errorf("%q", c.Shown)
	}
	if c := read(t, "\xFF\xFE"+in16("abcd", 1, 0)+"\x3d\xd8", 0); c.Shown != "with 1 character replaced that is not valid UTF-16" {
		t.Errorf("%q", c.Shown)
	}
}

// Of lines, what was replaced in them is told.
func TestLinesTellWhatWasReplaced(t *testing.T) {
	data := "first \uFFFD\nsecond \xff\xfe line\nthird\n" + strings.Repeat("more\n", 100)
	for _, limit := range []int{0, 60} { // in a file that is read whole, and in one that is not
		for _, test := range []struct {
			first, last int
			text, shown string
		}{
			{1, 1, "first \uFFFD\n", ""},
			{1, 2, "first \uFFFD\nsecond \uFFFD\uFFFD line\n", "with 2 bytes replaced that are not valid UTF-8"},
			{3, 3, "third\n", ""},
		} {
			r := fs.New(fs.Config{FS: fstest.MapFS{"f": {Data: []byte(data)}}, Limits: fs.Limits{Text: limit}})
			c, err := r.Resolve(t.Context(), ampersat.Query{Mention: lines("f", test.first, test.last), Asker: person})
			if err != nil || c.Text != test.text || c.Shown != test.shown {
				t.Errorf("limit %d: %q, %q, %v", limit, c.Text, c.Shown, err)
			}
		}
	}
	r := fs.Over(fstest.MapFS{"f": {Data: []byte(data)}})
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: lines("f", 2, 3), Asker: person, Limit: 12})
	want := "the first 10 bytes of lines 2-3; with 1 byte replaced that is not valid UTF-8"
	if err != nil || c.Text != "second \uFFFD" || c.Shown != want {
		t.Errorf("%q, %q, %v", c.Text, c.Shown, err)
	}
}
