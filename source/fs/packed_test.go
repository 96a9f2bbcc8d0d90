package fs_test

import (
	"bytes"
	"compress/lzw"
	"encoding/ascii85"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/source/fs"
)

// aToken is put together here, so that nothing in this file looks like one.
const aToken = "gh" + "p_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5"

// aKey is one that must begin and end a word.
const aKey = "AK" + "IAIEQH746YNG7BY3A4"

const (
	notExtracted  = "its text could not be extracted: "
	notSearched   = "a part of it could not be searched for secrets"
	tooMuch       = notExtracted + "its structure would take too much to read; " + notSearched
	packedOddly   = notExtracted + "it is packed in a way that is not read; " + notSearched
	shownAsItIs   = "BT /F1 12 Tf 72 720 Td (the token " + aToken + ") Tj ET"
	shownInPieces = "BT /F1 12 Tf 72 720 Td [(gh) -20 (p_" + "aB3dE5gH7jK9)] TJ (mN1pQ3sT5vW7) Tj <795A39624431664733684A35> Tj ET"
)

// aBomb is more than is unpacked of one stream.
func aBomb() string { return strings.Repeat(" ", 17<<20) }

// readPatiently resolves a file, however slow the machine is.
func readPatiently(t *testing.T, data string, limit int) ampersat.Content {
	t.Helper()
	r := fs.New(fs.Config{FS: fstest.MapFS{"f": {Data: []byte(data)}}, Limits: fs.Limits{Time: 5 * time.Minute}})
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person, Limit: limit})
	must(t, err)
	return c
}

// inPages is a document with a page for each of the contents, and other objects
// from the ninth on.
func inPages(resources, content string, others ...string) string {
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [4 0 R 6 0 R] /Count 2 >>",
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
		"<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
		stream("/Filter /FlateDecode", pack("BT /F1 12 Tf 72 720 Td (first page) Tj ET")),
		"<< /Type /Page /Parent 2 0 R /Contents 7 0 R /Resources << " + resources + " >> >>",
		content,
		"null",
	}
	return assemble(append(objects, others...)...)
}

// A file sends all of its bytes, and not only those that become text.
func TestAttackSecretPackedInADocument(t *testing.T) {
	flate := func(text string) string { return stream("/Filter /FlateDecode", pack(text)) }
	fonts := "/Font << /F1 3 0 R >>"
	in85 := func(text string) string {
		packed := pack(text)
		out := make([]byte, ascii85.MaxEncodedLen(len(packed)))
		return string(out[:ascii85.Encode(out, []byte(packed))]) + "~>"
	}
	var inLZW bytes.Buffer
	w := lzw.NewWriter(&inLZW, lzw.MSB, 8)
	_, err := w.Write([]byte(aToken))
	must(t, err)
	must(t, w.Close())
	// A font whose codes only its own table tells: each is that of the letter
	// and 128.
	shifted := strings.Map(func(r rune) rune { return r + 128 }, aToken)
	var codes strings.Builder
	for _, r := range shifted {
		fmt.Fprintf(&codes, "%02x", r)
	}
	table := "1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <A0> <FF> <0020> endbfrange"
	for _, c := range []struct {
		name, data string
		limit      int
		text       bool // whether it is in the text, where the pipeline looks
		note       string
	}{
		{"beside a bomb", document(shownAsItIs, aBomb()), 0, false, tooMuch},
		{"in pieces, beside a bomb", document(shownInPieces, aBomb()), 0, false, tooMuch},
		{"in pieces, not packed, beside a bomb", inPages(fonts, stream("", shownInPieces), flate(strings.Repeat("[", 1<<20))), 0, false, tooMuch},
		{"after brackets that never close", inPages(fonts, flate("x"), stream("/Filter /DCTDecode", "((((("), "<< /Title (gh\\160_"+aToken[4:]+") >>"), 0, false, ""},
		{"in a piece that the page draws", inPages(fonts+" /XObject << /X 9 0 R >>", flate("/X Do"),
			stream("/Type /XObject /Subtype /Form /Resources << "+fonts+" >> /Filter /FlateDecode", pack(shownAsItIs))), 0, true, ""},
		{"in a piece of a piece, with the fonts of the page", inPages(fonts+" /XObject << /X 9 0 R >>", flate("/X Do"),
			stream("/Subtype /Form /Resources << "+fonts+" /XObject << /Y 10 0 R >> >>", "/Y Do"),
			stream("/Subtype /Form /Filter /FlateDecode", pack(shownInPieces))), 0, true, ""},
		{"on a page that is not shown", inPages(fonts, flate(shownAsItIs)), 20, false, "text of 1 of 2 pages"},
		{"on a page that is not shown, in codes", inPages("/Font << /F1 9 0 R >>", flate("BT /F1 1 Tf <"+codes.String()+"> Tj ET"),
			"<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 10 0 R >>", flate(table)), 20, false, "text of 1 of 2 pages"},
		{"in a title, in two bytes a letter", inPages(fonts, flate("x"), "<< /Title <FEFF"+hex.EncodeToString([]byte(in16(aToken, 0, 1)))+"> >>"), 0, false, ""},
		{"in a title among packed objects", inPages(fonts, flate("x"), flate("1 0 << /Title (\xFE\xFF"+in16(aToken, 0, 1)+") >>")), 0, false, ""},
		{"in a file that is attached", inPages(fonts, flate("x"), stream("/Type /EmbeddedFile /Filter [ /FlateDecode ]", pack("token="+aToken+"\n"))), 0, false, ""},
		{"packed twice", inPages(fonts, flate("x"), stream("/Filter [/ASCII85Decode /FlateDecode]", in85(aToken))), 0, false, packedOddly},
		{"packed twice the same", inPages(fonts, flate("x"), stream("/Filter [/FlateDecode/FlateDecode]", pack(pack(aToken)))), 0, false, ""},
		{"packed twice the same, with digits between", inPages(fonts, flate("x"),
			stream("/Filter [/FlateDecode/ASCIIHexDecode/FlateDecode]", pack(hex.EncodeToString([]byte(pack(aToken)))+">"))), 0, false, packedOddly},
		{"packed in an old way", inPages(fonts, flate("x"), stream("/Filter /LZWDecode", inLZW.String())), 0, false, packedOddly},
		{"in digits", inPages(fonts, flate("x"), stream("/Filter /ASCIIHexDecode", hex.EncodeToString([]byte(aToken[:9]))+"\n"+hex.EncodeToString([]byte(aToken[9:]))+">")), 0, false, packedOddly},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := readPatiently(t, c.data, c.limit)
			if have := strings.Contains(content.Text, aToken); have != c.text || content.Note != c.note {
				t.Errorf("in the text: %v; note %q", have, content.Note)
			}
			if !c.text && len(content.Secrets) == 0 {
				t.Error("it was not found")
			}
			for _, f := range content.Secrets {
				if f.Rule != "github-token" || f.In == "" || f.Line != 0 || f.Start != 0 || f.End != 0 {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// What cannot be unpacked is no reason to refuse a document, but it is told.
func TestDocumentsThatAreNotSearchedWhole(t *testing.T) {
	fonts := "/Font << /F1 3 0 R >>"
	for name, c := range map[string]struct{ other, note string }{
		"a picture":         {stream("/Subtype /Image /Filter /DCTDecode", "\xFF\xD8\xFF"), ""},
		"a packed picture":  {stream("/Subtype /Image /Filter [/FlateDecode /DCTDecode]", pack("\xFF\xD8\xFF")), ""},
		"nothing":           {stream("/Filter /FlateDecode", ""), ""},
		"another way":       {stream("/Filter /RunLengthDecode", "\x80"), notSearched},
		"encrypted":         {stream("/Filter /FlateDecode", "scrambled"), notSearched},
		"broken off":        {stream("/Filter /FlateDecode", pack(strings.Repeat("text and ", 900))[:30]), notSearched},
		"differences":       {stream("/Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >>", pack("\x02abcd")), notSearched},
		"a table":           {stream("/Type /XRef /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 4 >>", pack("\x02abcd")), ""},
		"a piece of itself": {stream("/Subtype /Form /Filter /FlateDecode /Resources << /XObject << /X 9 0 R >> >>", pack("/X Do")), notSearched},
	} {
		c0 := readPatiently(t, inPages(fonts+" /XObject << /X 9 0 R >>", stream("/Filter /FlateDecode", pack("/X Do")), c.other), 0)
		if c0.Note != c.note || len(c0.Secrets) > 0 || len(c0.Parts) != 1 || !strings.Contains(c0.Text, "first page") {
			t.Errorf("%s: %q, %v, %q", name, c0.Note, c0.Secrets, c0.Text)
		}
	}
}

func TestAttackSecretInThePropertiesOfAPicture(t *testing.T) {
	small := flag(20, 10)
	inPNG := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, small) })
	chunk := func(kind, body string) string {
		text := string(binary.BigEndian.AppendUint32(nil, uint32(len(body)))) + kind + body
		return inPNG[:33] + text + string(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(kind+body)))) + inPNG[33:]
	}
	inJPEG := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, small, nil) })
	segment := func(marker byte, body string) string {
		return inJPEG[:2] + "\xFF" + string([]byte{marker}) + string(binary.BigEndian.AppendUint16(nil, uint16(len(body)+2))) + body + inJPEG[2:]
	}
	inGIF := encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, small, nil) })
	comment := "!\xFE\x0a" + aToken[:10] + "\x1e" + aToken[10:] + "\x00"
	named := "!\xFF\x0bXY DataXY01\x41" + aKey + strings.Repeat(" ", 0x41-len(aKey)) + "\x00"
	lossy, err := os.ReadFile("testdata/webp/small-lossy.webp")
	must(t, err)
	properties := in16(aToken, 1, 0)
	piece := func(kind, body string) string {
		return kind + string(binary.LittleEndian.AppendUint32(nil, uint32(len(body)))) + body
	}
	for _, c := range []struct {
		name, data string
		found      int
		note       string
	}{
		{"nothing", inPNG, 0, ""},
		{"a packed comment", chunk("zTXt", "Comment\x00\x00"+pack("see "+aToken)), 1, ""},
		{"a packed text", chunk("iTXt", "Comment\x00\x01\x00en\x00Kommentar\x00"+pack(aToken)), 1, ""},
		{"a packed comment that is a bomb", chunk("zTXt", "Comment\x00\x00"+pack(aToken+strings.Repeat(" ", 17<<20))), 1, notSearched},
		{"a comment that is broken", chunk("zTXt", "Comment\x00\x00xx"), 0, notSearched},
		{"two bytes a letter in a JPEG", segment(0xE1, "Exif\x00\x00UNICODE\x00"+in16(aToken, 1, 0)), 1, ""},
		{"the high byte first", segment(0xE1, "Exif\x00\x00UNICODE\x00"+in16(aToken, 0, 1)), 1, ""},
		{"blocks in a GIF", inGIF[:len(inGIF)-1] + comment + ";", 1, ""},
		{"two bytes a letter in a WebP", string(lossy) + piece("EXIF", properties), 1, ""},
		{"two bytes a letter after a byte", segment(0xE1, "\x01\x02"+in16(aKey, 1, 0)), 1, ""},
		{"a key up to the sum of a chunk", chunk("tEXt", "Comment\x00"+endsInALetter(t, "tEXtComment\x00", aKey)), 1, ""},
		{"a key at the beginning of a chunk", chunk("prVt", aKey+" and more"), 1, ""},
		{"a name that is a key", chunk("zTXt", aKey+"\x00\x00"+pack("text")), 1, ""},
		{"a chunk that is a key", chunk("eXIf", aToken), 1, ""},
		{"a chunk that is cut off", inPNG + "\x00\x00\x01\x00prVt" + aKey, 1, ""},
		{"a comment whose length is a letter", segment(0xFE, aKey+strings.Repeat(" ", 0x41-2-len(aKey))), 1, ""},
		{"a comment between two scans", inJPEG[:len(inJPEG)-2] + "\xFF\xFE\x00\x41" + aKey + strings.Repeat(" ", 0x41-2-len(aKey)) + "\xFF\xD9", 1, ""},
		{"a text after a number in what a camera wrote", segment(0xE1, "Exif\x00\x00"+written(aKey)), 1, ""},
		{"the same in a PNG", chunk("eXIf", written(aKey)), 1, ""},
		{"the same in a WebP", string(lossy) + piece("EXIF", written(aKey)), 1, ""},
		{"more directories than are looked at", segment(0xE1, "Exif\x00\x00"+nested(aKey, 40)), 0, notSearched},
		{"many values at one place", chunk("eXIf", crowded(1<<20, 40)), 0, notSearched},
		{"an extension in a GIF", inGIF[:len(inGIF)-1] + named + ";", 1, ""},
		{"a key before the next chunk of a WebP", string(lossy) + piece("EXIF", "ab"+"  "+aKey) + piece("XMP ", "text"), 1, ""},
		{"a chunk of a WebP that nobody knows", string(lossy) + piece("ABCD", "ab"+"  "+aKey) + piece("EFGH", "text"), 1, ""},
		{"in one of the pictures of a WebP", string(lossy) + "ANMF\x2c\x00\x00\x00" + strings.Repeat("a", 16) + piece("ABCD", aKey) + "EFGH\x00\x00\x00\x00", 1, ""},
	} {
		content := read(t, c.data, 0)
		if len(content.Secrets) != c.found || content.Note != c.note || len(content.Parts) != 1 {
			t.Errorf("%s: %v, %q, %d parts", c.name, content.Secrets, content.Note, len(content.Parts))
		}
	}
	// What is drawn anew says nothing any more.
	large := encoded(t, func(b *bytes.Buffer) error {
		return jpeg.Encode(b, image.NewGray(image.Rect(0, 0, 1700, 10)), nil)
	})
	if c := read(t, large[:2]+segment(0xFE, aToken)[2:][:4+len(aToken)]+large[2:], 0); len(c.Secrets) > 0 || !strings.HasPrefix(c.Note, "scaled") {
		t.Errorf("scaled: %v, %q", c.Secrets, c.Note)
	}
}

// endsInALetter puts words before a text until the sum of the chunk, which
// follows on it, begins with a letter.
func endsInALetter(t *testing.T, before, text string) string {
	for n := range 1000 {
		some := fmt.Sprintf("%d %s", n, text)
		if first := crc32.ChecksumIEEE([]byte(before+some)) >> 24; first >= 'a' && first <= 'z' {
			return some
		}
	}
	t.Fatal("there is no such text")
	return ""
}

// entry is one of a directory in what a camera writes, the high byte first.
func entry(tag, kind uint16, count, value int) string {
	b := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, tag), kind)
	return string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, uint32(count)), uint32(value)))
}

// written is what a camera writes: a number of hundredths, whose last byte is a d,
// a text in a directory of its own, and one letter more.
func written(text string) string {
	const header, hundredths = "MM\x00\x2a\x00\x00\x00\x08", "\x00\x00\x00\x01\x00\x00\x00\x64"
	first := "\x00\x02" + entry(0x011A, 5, 1, 56) + entry(0x8769, 4, 1, 38) + "\x00\x00\x00\x00"
	second := "\x00\x01" + entry(0x9286, 7, len(text), 64) + "\x00\x00\x00\x00"
	return header + first + second + hundredths + text + "d"
}

// nested is a text in the last of many directories, after a letter.
func nested(text string, directories int) string {
	out := "MM\x00\x2a\x00\x00\x00\x08"
	for i := range directories {
		out += "\x00\x01" + entry(0x9286, 7, len(text), 8+18*directories+1)
		if i < directories-1 {
			out = out[:len(out)-12] + entry(0x8769, 4, 1, len(out)+4)
		}
		out += "\x00\x00\x00\x00"
	}
	return out + "d" + text + "d"
}

// crowded is many values that are one.
func crowded(size, values int) string {
	out := "MM\x00\x2a\x00\x00\x00\x08" + string(binary.BigEndian.AppendUint16(nil, uint16(values)))
	for range values {
		out += entry(0x9286, 7, size, 10)
	}
	return out + strings.Repeat(" ", size)
}

// What is found in parts blocks as what is found in text does, and is allowed the
// same way.
func TestAttackSecretSentInAPart(t *testing.T) {
	inPNG := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, flag(20, 10)) })
	inJPEG := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, flag(20, 10), nil) })
	p := newPlace(t, map[string]string{
		"bytes.pdf":  strings.Replace(document(page1), "/Type /Catalog", "/Type /Catalog /Note ("+aToken+")", 1),
		"packed.pdf": document(page1, shownAsItIs, aBomb()),
		"after.png":  inPNG + aToken,
		"in.jpg":     inJPEG[:2] + "\xFF\xFE\x00" + string(rune(2+len(aToken))) + aToken + inJPEG[2:],
		"fine.png":   inPNG,
		"fine.pdf":   document(page1),
	})
	p.config.Limits.Time = 5 * time.Minute
	const prompt = "@bytes.pdf @packed.pdf @after.png @in.jpg @fine.png @fine.pdf"
	told, stack := p.prepare(t, prompt)
	if diff := cmp.Diff([]string{"@bytes.pdf blocked", "@packed.pdf blocked", "@after.png blocked", "@in.jpg blocked", "@fine.png loaded", "@fine.pdf loaded"}, told); diff != "" {
		t.Error(diff)
	}
	if len(stack.Blobs) != 2 {
		t.Errorf("%d parts are sent", len(stack.Blobs))
	}
	for i, want := range []string{"github-token in its bytes (gh" + "p_…, 40 bytes)", "github-token in a packed part (gh" + "p_…, 40 bytes)", "github-token in its bytes"} {
		if reason := stack.Reports[i].Reason; !strings.Contains(reason, "it holds secrets: "+want) {
			t.Errorf("%s", reason)
		}
	}
	memory := new(access.Memory)
	for _, name := range []string{"bytes.pdf", "packed.pdf", "after.png", "in.jpg"} {
		must(t, memory.Allow(access.Secret{Name: filepath.Join(p.dir, name), Once: true}))
	}
	p.config.Consent = memory
	for _, want := range []string{"loaded", "blocked"} { // once
		told, _ = p.prepare(t, prompt)
		if diff := cmp.Diff([]string{"@bytes.pdf " + want, "@packed.pdf " + want, "@after.png " + want, "@in.jpg " + want, "@fine.png loaded", "@fine.pdf loaded"}, told); diff != "" {
			t.Error(diff)
		}
	}
}
