package fs_test

import (
	"bytes"
	"fmt"
	iofs "io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/text/encoding/htmlindex"
	"pgregory.net/rapid"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/source/fs"
)

// declared writes a text in an encoding that it names in its first line.
func declared(t *testing.T, name, text string) string {
	t.Helper()
	e, err := htmlindex.Get(name)
	must(t, err)
	data, err := e.NewEncoder().String("# coding: " + name + "\n" + text)
	must(t, err)
	return data
}

// inEncodings is a text, after a first line that some need, in what is not UTF-8.
func inEncodings(t *testing.T, text string) map[string]string {
	asian := strings.ReplaceAll(text, "ö", "語")
	const first = "\u0a00\u0a0a\u010a\u0a41\u4100\u410a\u0041🙂\n"
	return map[string]string{
		"UTF-16, little end first": "\xFF\xFE" + in16(first+text, 1, 0),
		"UTF-16, big end first":    "\xFE\xFF" + in16(first+text, 0, 1),
		"UTF-16 without a mark":    in16("<!-- -->"+first+text, 1, 0),
		"UTF-32, little end first": "\xFF\xFE\x00\x00" + in32(first+text, 0, 1, 2),
		"UTF-32, big end first":    "\x00\x00\xFE\xFF" + in32(first+text, 3, 2, 1),
		"Latin 1":                  declared(t, "iso-8859-1", text),
		"GB 18030":                 declared(t, "gb18030", asian),
		"Shift JIS":                declared(t, "shift_jis", asian),
		"Big5":                     declared(t, "big5", asian),
		"EUC-JP":                   declared(t, "euc-jp", asian),
	}
}

// inOddPieces is a file system whose reads may end in the middle of a character.
type inOddPieces struct{ *counted }

func (o inOddPieces) Open(name string) (iofs.File, error) {
	file, err := o.counted.Open(name)
	if err != nil {
		return nil, err
	}
	return oddFile{file.(countedFile)}, nil
}

type oddFile struct{ countedFile }

func (f oddFile) Read(buffer []byte) (int, error) {
	return f.countedFile.Read(buffer[:min(len(buffer), 997)])
}

// However many lines of a long file are mentioned that is not UTF-8, it is gone
// through once, and the lines are those that stand there. Characters such as U+0A00
// have the bytes of a newline and are none.
func TestLinesOfALongFileInAnotherEncodingAreFoundOnce(t *testing.T) {
	const count = 40_000
	var text strings.Builder
	for i := range count {
		fmt.Fprintf(&text, "line %d is schön\r\n", i+2)
	}
	for name, data := range inEncodings(t, text.String()) {
		tree := &counted{MapFS: fstest.MapFS{"f": {Data: []byte(data)}}}
		r := fs.New(fs.Config{FS: inOddPieces{tree}, Limits: fs.Limits{Text: 100_000}})
		memory := new(ampersat.Memory)
		const mentions = 60
		random := rand.New(rand.NewPCG(3, 4))
		for i := range mentions {
			line := 2 + random.IntN(count)
			if i == 0 {
				line = count // all of it, once
			}
			c, err := r.Resolve(t.Context(), ampersat.Query{Mention: lines("f", line, line), Asker: person, Memory: memory})
			if err != nil || !strings.HasPrefix(c.Text, fmt.Sprintf("line %d is sch", line)) || !strings.HasSuffix(c.Text, "n\r\n") || strings.Count(c.Text, "\n") != 1 {
				t.Fatalf("%s, line %d: %q, %v", name, line, c.Text, err)
			}
			if before := c.Within[:c.At]; line > 10 && !strings.Contains(before, fmt.Sprintf("line %d is sch", line-9)) {
				t.Fatalf("%s, line %d stands after %q", name, line, before[max(0, len(before)-80):])
			}
		}
		// For each what is before it and after it, and what is read on to it from a
		// mark, in characters of up to four bytes.
		if got, most := tree.bytes.Load(), int64(2*len(data)+mentions*10*(64<<10)); got > most {
			t.Errorf("%s: %d bytes were read of %d, at most %d are needed", name, got, len(data), most)
		}
	}
}

// An encoding that switches alphabets can only be read from its beginning. That is
// done so often, and then refused.
func TestLinesOfALongFileThatSwitchesAlphabets(t *testing.T) {
	data := declared(t, "iso-2022-jp", strings.Repeat("日本語\n", 40_000))
	tree := &counted{MapFS: fstest.MapFS{"f": {Data: []byte(data)}}}
	r := fs.New(fs.Config{FS: tree, Limits: fs.Limits{Text: 100_000}})
	memory := new(ampersat.Memory)
	found := 0
	for i := range 60 {
		c, err := r.Resolve(t.Context(), ampersat.Query{Mention: lines("f", 39_900+i, 39_900+i), Asker: person, Memory: memory})
		if err == nil {
			if found++; c.Text != "日本語\n" || found <= i {
				t.Fatalf("%d: %q", i, c.Text)
			}
			continue
		}
		if miss := missing(t, c, err, ampersat.Failed); !strings.Contains(miss.Reason, "gone through too often in this turn; mention fewer of its lines") {
			t.Fatal(miss.Reason)
		}
	}
	if got := tree.bytes.Load(); found < 10 || got > int64(20*len(data)) {
		t.Errorf("%d were found, %d bytes were read of %d", found, got, len(data))
	}
}

// In encodings without a unit a newline is a byte of its own, whatever stands
// before it: lines can be told before they are decoded.
func TestNewlineIsPartOfNoOtherCharacter(t *testing.T) {
	for _, name := range []string{
		"ibm866", "iso-8859-2", "iso-8859-8", "iso-8859-8-i", "koi8-r", "macintosh", "windows-1252", "windows-874", "x-mac-cyrillic",
		"gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr",
	} {
		e, err := htmlindex.Get(name)
		must(t, err)
		rapid.Check(t, func(t *rapid.T) {
			raw := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.ByteMin(0x80), rapid.Just(byte('\n')), rapid.ByteRange('0', '9')), 0, 40).Draw(t, "raw")
			decoded, err := e.NewDecoder().Bytes(raw)
			if err != nil || bytes.Count(decoded, []byte("\n")) != bytes.Count(raw, []byte("\n")) {
				t.Fatalf("%s: %q is %q, %v", name, raw, decoded, err)
			}
			for at, b := range raw {
				if b != '\n' {
					continue
				}
				before, _ := e.NewDecoder().Bytes(raw[:at+1])
				after, _ := e.NewDecoder().Bytes(raw[at+1:])
				if string(before)+string(after) != string(decoded) {
					t.Fatalf("%s: %q is %q, in pieces %q and %q", name, raw, decoded, before, after)
				}
			}
		})
	}
}
