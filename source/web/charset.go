package web

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/htmlindex"
)

// mediaType splits what a server says of an answer into the type and the name
// of the encoding, in lower case.
func mediaType(kind string) (name, encoding string) {
	name, parameters, err := mime.ParseMediaType(kind)
	if err != nil {
		name, _, _ = strings.Cut(kind, ";")
	}
	return strings.ToLower(strings.TrimSpace(name)), strings.ToLower(parameters["charset"])
}

// pageUTF8 returns the HTML of a page in UTF-8: by its byte order mark, by what
// the server says, by what it says itself, else as browsers do. A page that is
// valid UTF-8 is UTF-8, though a server's default says otherwise.
func pageUTF8(data []byte, kind string) []byte {
	if _, label := mediaType(kind); utf8.Valid(data) && !shifting(label) && bytes.IndexByte(data, 0) < 0 {
		return bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	}
	head := data[:min(len(data), 1024)]
	encoding, _, _ := charset.DetermineEncoding(head, kind)
	decoded, err := encoding.NewDecoder().Bytes(data)
	if err != nil {
		return bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	return bytes.TrimPrefix(decoded, []byte("\xEF\xBB\xBF"))
}

// shifting reports whether an encoding has no bytes above 127, so that text in
// it looks like ASCII.
func shifting(label string) bool { return label == "iso-2022-jp" || label == "hz-gb-2312" }

// textUTF8 returns a text in UTF-8 if the server says what it is in. What it
// says nothing of, or nothing that is known, is left to who decodes it.
func textUTF8(data []byte, label string) (text []byte, note string) {
	if label == "" || hasMark(data) || utf8.Valid(data) && !shifting(label) && bytes.IndexByte(data, 0) < 0 {
		return data, ""
	}
	encoding, err := htmlindex.Get(label)
	if err != nil {
		return data, ""
	}
	name, err := htmlindex.Name(encoding)
	if err != nil || name == "utf-8" || name == "replacement" {
		return data, ""
	}
	decoded, err := encoding.NewDecoder().Bytes(data)
	if err != nil {
		return data, ""
	}
	return decoded, "read as " + name
}

// hasMark reports whether a text begins with a byte order mark.
func hasMark(data []byte) bool {
	for _, mark := range []string{"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"} {
		if bytes.HasPrefix(data, []byte(mark)) {
			return true
		}
	}
	return false
}
