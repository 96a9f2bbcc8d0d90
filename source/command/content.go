package command

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
)

// content is what came, as text. What is no text is described.
func (s Scheme) content(m mention.Custom, out output) ampersat.Content {
	c := ampersat.Content{Name: m.Scheme + ":" + m.Arg, Size: int64(len(out.data))}
	if !out.cut {
		c.Source = blob.Of(out.data)
	} else {
		c.Shown = fmt.Sprintf("the first %d bytes of more", len(out.data))
	}
	if isBinary(out) {
		c.MIME, _, _ = strings.Cut(http.DetectContentType(out.data), ";")
		c.Text, c.Shown = fmt.Sprintf("[%s, %d bytes: not text]\n", c.MIME, len(out.data)), "described only"
		return c
	}
	c.MIME = s.textType(out)
	data := out.data
	if out.cut {
		data = wholeCharacters(data)
	}
	c.Text = string(data)
	if !utf8.Valid(data) {
		c.Text = strings.ToValidUTF8(c.Text, "\uFFFD")
		c.Note = "what is not UTF-8 is replaced by \uFFFD"
		c.Source = ""
	}
	if c.Source != "" {
		c.Source = blob.Of([]byte(c.Text))
	}
	return c
}

// isBinary reports whether what came is no text: it has zeros in it, or begins
// like one of the formats that browsers know.
func isBinary(out output) bool {
	return bytes.IndexByte(out.data, 0) >= 0 || !utf8.Valid(wholeCharacters(out.data)) && !strings.HasPrefix(http.DetectContentType(out.data), "text/")
}

// textType is the type of a text: as configured, as the server says, or JSON if
// it is that. Plain text has none.
func (s Scheme) textType(out output) string {
	kind := s.MIME
	if kind == "" {
		kind = out.mime
	}
	if parsed, _, err := mime.ParseMediaType(kind); err == nil {
		kind = parsed
	}
	switch {
	case kind == "text/plain" && s.MIME == "":
		return ""
	case kind != "" && kind != "application/octet-stream":
		return kind
	}
	text := jsontext.Value(bytes.TrimSpace(out.data))
	if !out.cut && len(text) > 0 && (text[0] == '{' || text[0] == '[') && text.IsValid() {
		return "application/json"
	}
	return ""
}

// wholeCharacters leaves out the beginning of a character at the end.
func wholeCharacters(data []byte) []byte {
	for n := 1; n < utf8.UTFMax && n <= len(data); n++ {
		if b := data[len(data)-n]; utf8.RuneStart(b) {
			if !utf8.FullRune(data[len(data)-n:]) {
				return data[:len(data)-n]
			}
			break
		}
	}
	return data
}
