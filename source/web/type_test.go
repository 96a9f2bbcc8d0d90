package web_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
)

func picture(t testing.TB) string {
	var b bytes.Buffer
	must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))))
	return b.String()
}

// document is a PDF of one page.
func document(text string) string {
	var b strings.Builder
	var at []int
	object := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>")
	stream := "BT /F1 12 Tf 20 100 Td (" + text + ") Tj ET"
	object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.String()
}

// TestTypes holds what becomes of an answer by its type, and of one whose type
// is not what the server says.
func TestTypes(t *testing.T) {
	const page = "<!DOCTYPE html><title>T</title><p>Para</p>"
	json := `{"a": [1, 2],  "b": "<p>"}` + "\n"
	for name, test := range map[string]struct {
		kind, body string
		text       string // what the text is, or begins with if it ends in …
		mime       string
		parts      int
		note       string
	}{
		"json":                        {kind: "application/json", body: json, text: json},
		"json, called html":           {kind: "text/html", body: json, text: json, note: "the server calls it text/html, and it is JSON"},
		"text":                        {kind: "text/plain; charset=utf-8", body: "a\r\n  b\n", text: "a\r\n  b\n"},
		"html, called text":           {kind: "text/plain", body: page, text: page},
		"markdown":                    {kind: "text/markdown", body: "# T\n\n| a |\n|---|\n", text: "# T\n\n| a |\n|---|\n"},
		"html":                        {kind: "text/html", body: page, text: "# T\n\nPara\n", mime: "text/html", note: `"T"`},
		"xhtml":                       {kind: "application/xhtml+xml", body: `<?xml version="1.0"?>` + page, text: "# T\n\nPara\n", mime: "text/html", note: `"T"`},
		"html without a type":         {kind: "", body: page, text: "# T\n\nPara\n", mime: "text/html", note: `"T"`},
		"html, called a picture":      {kind: "image/png", body: page, text: "# T\n\nPara\n", mime: "text/html", note: `"T"; the server calls it image/png, and it is a web page`},
		"a nonsense type":             {kind: ";;;", body: "words", text: "words"},
		"xml":                         {kind: "application/xml", body: "<a><b/></a>", text: "<a><b/></a>"},
		"svg":                         {kind: "image/svg+xml", body: "<svg></svg>", text: "<svg></svg>"},
		"a picture":                   {kind: "image/png", body: picture(t), mime: "image/png", parts: 1},
		"a picture, called html":      {kind: "text/html", body: picture(t), mime: "image/png", parts: 1, note: "the server calls it text/html, and it is image/png"},
		"a picture, called text":      {kind: "text/plain", body: picture(t), mime: "image/png", parts: 1, note: "the server calls it text/plain, and it is image/png"},
		"a document":                  {kind: "application/pdf", body: document("On paper"), text: "On paper\n", mime: "application/pdf", parts: 1},
		"a document, called anything": {kind: "application/octet-stream", body: document("On paper"), text: "On paper\n", mime: "application/pdf", parts: 1},
		"a program":                   {kind: "application/octet-stream", body: "\x7fELF\x02\x01\x00\x00", text: "[ELF program…", mime: "application/x-elf"},
		"nothing":                     {kind: "text/html", body: "", text: ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := answering(t, test.kind, test.body)
			c := load(t, direct(t, s.URL), s.URL+"/x")
			begin, isBegin := strings.CutSuffix(test.text, "…")
			if isBegin && !strings.HasPrefix(c.Text, begin) || !isBegin && c.Text != test.text {
				t.Errorf("text %q", c.Text)
			}
			if c.MIME != test.mime || len(c.Parts) != test.parts || c.Note != test.note || c.Tree != "" || c.ID != s.URL+"/x" {
				t.Errorf("%s, %d parts, %s, tree %q", c.MIME, len(c.Parts), c.Note, c.Tree)
			}
		})
	}
	s := answering(t, "image/png", picture(t))
	config := direct(t, s.URL)
	config.Decode = nil
	wantMiss(t, config, s.URL, ampersat.Failed, "no web page")
	c := load(t, direct(t, s.URL), s.URL)
	if data, err := c.Parts[0].(message.Image).Source.Bytes(c.Blobs); err != nil || string(data) != picture(t) {
		t.Errorf("the picture is another: %v", err)
	}
}

func TestCharsets(t *testing.T) {
	for name, test := range map[string]struct{ kind, body, want string }{
		"latin1 by the server":      {"text/html; charset=ISO-8859-1", "<p>caf\xe9</p>", "café\n"},
		"latin1 by the page":        {"text/html", `<meta charset="iso-8859-1"><p>caf` + "\xe9</p>", "café\n"},
		"latin1 by nobody":          {"text/html", "<p>caf\xe9</p>", "café\n"},
		"a server that is wrong":    {"text/html; charset=iso-8859-1", "<p>café</p>", "café\n"},
		"shift-jis":                 {"text/html; charset=Shift_JIS", "<p>\x93\xfa\x96{</p>", "日本\n"},
		"utf-16 by its mark":        {"text/html", "\xff\xfe<\x00p\x00>\x00\xe9\x00", "é\n"},
		"a mark":                    {"text/html", "\xef\xbb\xbf<p>é</p>", "é\n"},
		"text in latin1":            {"text/plain; charset=iso-8859-1", "caf\xe9", "café"},
		"text in utf-16":            {"text/plain; charset=utf-16le", "\xe9\x00\n\x00", "é\n"},
		"text in iso-2022-jp":       {"text/plain; charset=iso-2022-jp", "\x1b$BF|K\\\x1b(B", "日本"},
		"text in no known encoding": {"text/plain; charset=klingon", "plain", "plain"},
		"text that is broken":       {"text/plain", "plain text with a \xff in it", "plain text with a \uFFFD in it"},
		"json in latin1":            {"application/json; charset=latin1", "{\"a\":\"\xe9\"}", `{"a":"é"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := answering(t, test.kind, test.body)
			if c := load(t, direct(t, s.URL), s.URL); c.Text != test.want {
				t.Errorf("%q, want %q (%s)", c.Text, test.want, c.Note)
			}
		})
	}
}

func TestStatuses(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var status int
		fmt.Sscanf(r.URL.Path, "/%d", &status)
		if status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "120")
		}
		w.WriteHeader(status)
	})
	config := direct(t, s.URL)
	for status, reason := range map[int]string{
		404: "404 Not Found", 410: "410 Gone", 401: "401 Unauthorized", 403: "403 Forbidden", 429: "try again after 120",
		500: "500 Internal Server Error", 503: "503", 418: "418", 304: "304", 302: "302 Found", 206: "206", 299: "299, which is no status",
	} {
		outcome := ampersat.Failed
		if status == 404 || status == 410 {
			outcome = ampersat.Missing
		}
		wantMiss(t, config, fmt.Sprintf("%s/%d", s.URL, status), outcome, reason)
	}
	if c := load(t, config, s.URL+"/204"); c.Text != "" {
		t.Errorf("%+v", c)
	}
}
