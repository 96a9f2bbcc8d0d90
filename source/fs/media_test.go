package fs_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/fs"
)

// flag is an image whose four quarters tell which way up it is: red and green
// above blue and white.
func flag(width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{255, 255, 255, 255}
			switch left, upper := x < width/2, y < height/2; {
			case left && upper:
				c = color.RGBA{255, 0, 0, 255}
			case upper:
				c = color.RGBA{0, 255, 0, 255}
			case left:
				c = color.RGBA{0, 0, 255, 255}
			}
			picture.SetRGBA(x, y, c)
		}
	}
	return picture
}

// quarters names the colours of the quarters of an image, row by row.
func quarters(t *testing.T, picture image.Image) string {
	t.Helper()
	b := picture.Bounds()
	name := func(x, y int) string {
		red, green, blue, _ := picture.At(b.Min.X+x, b.Min.Y+y).RGBA()
		switch high := func(v uint32) bool { return v > 0x8000 }; {
		case high(red) && high(green) && high(blue):
			return "w"
		case high(red):
			return "r"
		case high(green):
			return "g"
		case high(blue):
			return "b"
		}
		return "?"
	}
	w, h := b.Dx(), b.Dy()
	return name(w/4, h/4) + name(3*w/4, h/4) + name(w/4, 3*h/4) + name(3*w/4, 3*h/4)
}

func encoded(t *testing.T, write func(b *bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	must(t, write(&b))
	return b.String()
}

// sent returns the image of a content, decoded, and its type.
func sent(t *testing.T, c ampersat.Content) (image.Image, string) {
	t.Helper()
	if len(c.Parts) != 1 || c.Text != "" || c.Shown != "" {
		t.Fatalf("no image: %q, %q, %q", c.Text, c.Shown, c.Note)
	}
	part := c.Parts[0].(message.Image)
	data, err := part.Source.Bytes(c.Blobs)
	must(t, err)
	picture, format, err := image.Decode(bytes.NewReader(data))
	must(t, err)
	if "image/"+format != part.Source.MIME {
		t.Errorf("%s is said to be %s", format, part.Source.MIME)
	}
	return picture, part.Source.MIME
}

func TestImages(t *testing.T) {
	small, large := flag(40, 20), flag(2000, 500)
	asPNG := func(p image.Image) string { return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, p) }) }
	asJPEG := func(p image.Image) string {
		return encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, p, nil) })
	}
	asGIF := func(p image.Image) string {
		return encoded(t, func(b *bytes.Buffer) error { return gif.Encode(b, p, nil) })
	}
	for _, test := range []struct {
		name, data    string
		mime, as      string
		width, height int
		note          string
	}{
		{"PNG", asPNG(small), "image/png", "image/png", 40, 20, ""},
		{"JPEG", asJPEG(small), "image/jpeg", "image/jpeg", 40, 20, ""},
		{"GIF", asGIF(small), "image/gif", "image/gif", 40, 20, ""},
		{"large PNG", asPNG(large), "image/png", "image/png", 1568, 392, "scaled from 2,000x500 to 1,568x392 pixels"},
		{"large JPEG", asJPEG(large), "image/jpeg", "image/jpeg", 1568, 392, "scaled from 2,000x500 to 1,568x392 pixels"},
		{"large GIF", asGIF(large), "image/gif", "image/png", 1568, 392, "scaled from 2,000x500 to 1,568x392 pixels"},
		{"BMP", encoded(t, func(b *bytes.Buffer) error { return bmp.Encode(b, small) }), "image/bmp", "image/png", 40, 20, "sent as image/png"},
		{"TIFF", encoded(t, func(b *bytes.Buffer) error { return tiff.Encode(b, small, nil) }), "image/tiff", "image/png", 40, 20, "sent as image/png"},
	} {
		t.Run(test.name, func(t *testing.T) {
			// A limit on text is none on images.
			for _, limit := range []int{0, 100} {
				c := read(t, test.data, limit)
				picture, as := sent(t, c)
				if size := picture.Bounds(); size.Dx() != test.width || size.Dy() != test.height || quarters(t, picture) != "rgbw" {
					t.Errorf("%v %s", size, quarters(t, picture))
				}
				if c.MIME != test.mime || as != test.as || c.Note != test.note || string(c.Source) != sha(test.data) || c.Tree != "" {
					t.Errorf("%s as %s, %q, %s", c.MIME, as, c.Note, c.Source)
				}
				if test.note == "" && string(c.Blobs[c.Source]) != test.data {
					t.Error("what fits is not sent as it is")
				}
			}
		})
	}
}

// What a camera held sideways writes is upright after it was scaled, and also
// where it need not have been.
func TestPhotographsAreTurnedUpright(t *testing.T) {
	// Which quarters the sensor saw, for each orientation, row by row.
	sensor := map[int]string{1: "rgbw", 2: "grwb", 3: "wbgr", 4: "bwrg", 5: "rbgw", 6: "gwrb", 7: "wgbr", 8: "brwg"}
	colours := map[byte]color.RGBA{'r': {255, 0, 0, 255}, 'g': {0, 255, 0, 255}, 'b': {0, 0, 255, 255}, 'w': {255, 255, 255, 255}}
	for turned, seen := range sensor {
		widths := []int{80}
		if turned == 6 {
			widths = append(widths, 1600) // which is scaled as well
		}
		for _, width := range widths {
			height := width / 2
			picture := image.NewRGBA(image.Rect(0, 0, width, height))
			for y := range height {
				for x := range width {
					picture.SetRGBA(x, y, colours[seen[2*(2*y/height)+2*x/width]])
				}
			}
			data := encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, picture, nil) })
			upright, _ := sent(t, read(t, data[:2]+exif(turned)+data[2:], 0))
			if have := quarters(t, upright); have != "rgbw" {
				t.Errorf("orientation %d, %d wide: %s", turned, width, have)
			}
			if size := upright.Bounds(); (size.Dx() > size.Dy()) != (turned < 5) {
				t.Errorf("orientation %d: %v", turned, size)
			}
		}
	}
}

// exif is the segment of a JPEG that says how it is turned.
func exif(orientation int) string {
	body := "Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00" + string(rune(orientation)) + "\x00\x00\x00\x00\x00\x00"
	return "\xFF\xE1" + string(binary.BigEndian.AppendUint16(nil, uint16(len(body)+2))) + body
}

// bomb is a PNG of a hundred gigapixels that is a few hundred bytes long.
func bomb(width, height uint32) string {
	chunk := func(kind, data string) string {
		sum := crc32.ChecksumIEEE([]byte(kind + data))
		return string(binary.BigEndian.AppendUint32(nil, uint32(len(data)))) + kind + data + string(binary.BigEndian.AppendUint32(nil, sum))
	}
	header := string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)) + "\x08\x06\x00\x00\x00"
	return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", pack(strings.Repeat("\x00", 1000))) + chunk("IEND", "")
}

func pack(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(data))
	w.Close()
	return b.String()
}

func TestAttackImageBomb(t *testing.T) {
	before := heap()
	for _, test := range []struct{ data, note string }{
		{bomb(300_000, 300_000), "its 300,000x300,000 pixels are more than are decoded"},
		{bomb(8_000, 8_000), "its 8,000x8,000 pixels are more than are decoded"},
		{bomb(1<<31-1, 1<<31-1), "cannot be decoded"},
		{bomb(10, 10)[:60], "it cannot be decoded"},
		{"\xFF\xD8\xFF\xE0\x00\x10JFIF", "it cannot be decoded"},
		{"GIF89a\xff\xff\xff\xff\x00\x00\x00", "more than are decoded"},
		{"II*\x00\xff\xff\xff\xff", "it cannot be decoded"},
	} {
		c := read(t, test.data, 0)
		if len(c.Parts) > 0 || c.Shown != "described only" || !strings.Contains(c.Note, test.note) {
			t.Errorf("%.20q: %q, %q", test.data, c.Shown, c.Note)
		}
	}
	if grown := heap() - before; grown > 64<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// What is longer than media may be is described, whether all of it was read or not,
// and whether it is a file or came from elsewhere.
func TestMediaThatAreTooLongAreDescribed(t *testing.T) {
	data := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, flag(400, 200)) })
	r := fs.New(fs.Config{FS: fstest.MapFS{"f": {Data: []byte(data)}}, Limits: fs.Limits{Media: 100}})
	decoded, err := r.Decode(t.Context(), "f", []byte(data), 0)
	must(t, err)
	whole, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person})
	must(t, err)
	cut, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person, Limit: 50})
	must(t, err)
	for name, c := range map[string]ampersat.Content{"decoded": decoded, "whole": whole, "cut": cut} {
		if c.Shown != "described only" || c.Note != "more than the 100 bytes that are read" || (c.Source == "") != (name == "cut") || len(c.Parts) > 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// document writes a PDF with one stream for each page.
func document(pages ...string) string {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"}
	var kids []string
	for _, page := range pages {
		kids = append(kids, fmt.Sprintf("%d 0 R", len(objects)+1))
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>", len(objects)+2),
			stream("/Filter /FlateDecode", pack(page)))
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(pages))
	return assemble(objects...)
}

// stream is an object of a PDF with data in it.
func stream(dictionary, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dictionary, len(data), data)
}

// assemble writes a PDF of objects, the first of which is its catalog.
func assemble(objects ...string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var table strings.Builder
	for i, object := range objects {
		fmt.Fprintf(&table, "%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %[1]d /Root 1 0 R >>\nstartxref\n%[3]d\n%%%%EOF\n", len(objects)+1, table.String(), b.Len())
	return b.String()
}

const (
	page1 = "BT /F1 12 Tf 72 720 Td (Hello, ) Tj (world) Tj 0 -14 Td [(Ker) -20 (ned) -300 (words)] TJ T* (caf\\351) Tj ET"
	page2 = "BT /F1 12 Tf 1 0 0 1 72 720 Tm (Second) Tj 1 0 0 1 172 720 Tm (page) Tj 1 0 0 1 72 700 Tm (last line) ' ET"
)

func TestDocuments(t *testing.T) {
	data := document(page1, page2)
	c := read(t, data, 0)
	want := "[page 1]\nHello, world\nKerned words\ncafé\n[page 2]\nSecond page\nlast line\n"
	if c.Text != want || c.Note != "" || c.Shown != "" || c.MIME != "application/pdf" || string(c.Source) != sha(data) {
		t.Errorf("%q, note %q, shown %q", c.Text, c.Note, c.Shown)
	}
	part, ok := c.Parts[0].(message.Document)
	if !ok || part.Title != "f" || string(c.Blobs[part.Source.Digest]) != data {
		t.Errorf("%+v", part)
	}
	if c := read(t, document(page1), 0); strings.Contains(c.Text, "[page") {
		t.Errorf("%q", c.Text)
	}
	if c := read(t, document(page1, page2), 45); c.Note != "text of 1 of 2 pages" || len(c.Text) > 60 || len(c.Parts) != 1 {
		t.Errorf("%q, %q", c.Text, c.Note)
	}
	if c := read(t, document("0 0 100 100 re f"), 0); c.Note != "there is no text in it" || len(c.Parts) != 1 {
		t.Errorf("%q, %q", c.Text, c.Note)
	}
	if c := read(t, data[:len(data)/2], 0); c.Note != "it is damaged: its end is missing" || c.Shown != "described only" || len(c.Parts) > 0 {
		t.Errorf("%q, %q", c.Text, c.Note)
	}
}

// Small files that would take gigabytes, or all of the stack, if a parser
// believed them.
func TestAttackDocumentBomb(t *testing.T) {
	tail := "\nstartxref\n9\n%%EOF\n"
	alone := func(dictionary, data string) string {
		return fmt.Sprintf("%%PDF-1.5\n1 0 obj\n<< %s /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream\nendobj%s", dictionary, len(data), data, tail)
	}
	before := heap()
	for name, data := range map[string]string{
		"a table of a trillion":      alone("/Type /XRef /Size 1000000000000 /W [1 2 1]", pack("x")),
		"a table with a hidden name": alone("/Type /XRef /#53ize 1000000000000 /W [1 2 1]", pack("x")),
		"an entry far away":          "%PDF-1.4\nxref\n999999999 1\n0000000000 65535 f \ntrailer\n<< /Size 2 >>" + tail,
		"an index far away":          alone("/Type /XRef /Size 1 /Index [999999999 1] /W [1 2 1]", pack("xxxx")),
		"wide columns":               alone("/Type /XRef /Size 1 /W [1 2 1] /DecodeParms << /Predictor 12 /Columns 99999999999 >>", pack("xxxx")),
		"deep brackets":              "%PDF-1.4\n1 0 obj\n" + strings.Repeat("[", 1<<20) + tail,
		"deep brackets, packed":      document(strings.Repeat("[", 1<<20)),
		"deep folders, packed":       document(strings.Repeat("<<", 1<<20)),
		"a gigabyte of zeros":        document(strings.Repeat("(", 20<<20)),
	} {
		var c ampersat.Content
		within(t, 30*time.Second, func() { c = read(t, data, 0) })
		refused := c.Note == "its text could not be extracted: its structure would take too much to read; a part of it could not be searched for secrets" ||
			c.Note == "its text could not be extracted: it takes too long; a part of it could not be searched for secrets"
		if !refused || c.Text != "" {
			t.Errorf("%s: %q, %.40q", name, c.Note, c.Text)
		}
	}
	if grown := heap() - before; grown > 1<<30 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

// A page that is its own parent and child is left after some time, and nobody
// goes on reading it.
func TestAttackDocumentLoop(t *testing.T) {
	data := strings.Replace(document(page1), "/Kids [4 0 R] /Count 1", "/Kids [2 0 R] /Count 9", 1)
	r := fs.New(fs.Config{FS: fstest.MapFS{"f": {Data: []byte(data)}}, Limits: fs.Limits{Time: 100 * time.Millisecond}})
	within(t, time.Minute, func() {
		c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person})
		if err != nil || len(c.Parts) != 1 || !strings.HasPrefix(c.Note, "its text could not be extracted: it takes too long") {
			t.Errorf("%+v, %v", c, err)
		}
	})
}

// readSoon resolves a file within bounds that leave time for many.
func readSoon(t *testing.T, data []byte) (c ampersat.Content) {
	limits := fs.Limits{Decoded: 1 << 18, Time: 50 * time.Millisecond}
	r := fs.New(fs.Config{FS: fstest.MapFS{"f": {Data: data}}, Limits: limits})
	within(t, time.Minute, func() {
		var err error
		if c, err = r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person, Limit: 1000}); err != nil {
			t.Error(err)
		}
	})
	return c
}

func FuzzDocument(f *testing.F) {
	f.Add([]byte(document(page1, page2)))
	f.Add([]byte(document("BT (x) Tj")))
	f.Fuzz(func(t *testing.T, data []byte) {
		// What is no document may be a text, of which bytes have been replaced.
		c, most := readSoon(t, data), 3*1100
		if c.MIME == "application/pdf" {
			most = 1100
		}
		if len(c.Text) > most {
			t.Errorf("%d bytes of text", len(c.Text))
		}
	})
}

func FuzzImage(f *testing.F) {
	for _, data := range []string{bomb(10, 10), "\xFF\xD8\xFF" + exif(6), "GIF89a", "RIFF\x00\x00\x00\x00WEBPVP8X", "BM\x00\x00", "II*\x00"} {
		f.Add([]byte(data))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := readSoon(t, data)
		if strings.HasPrefix(c.MIME, "image/") && c.MIME != "image/x-icon" && (len(c.Parts) == 0) != (c.Shown == "described only") {
			t.Errorf("%+v", c)
		}
	})
}
