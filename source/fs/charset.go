package fs

import (
	"bytes"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// unmarked16 tells UTF-16 that has no byte order mark: what begins as markup
// does, or declares that it is, if every other byte of that is zero.
func unmarked16(head []byte) (order unicode.Endianness, is bool) {
	if len(head) < 8 || (head[0] == 0) == (head[1] == 0) {
		return unicode.LittleEndian, false
	}
	order, at := unicode.LittleEndian, 0
	if head[0] == 0 {
		order, at = unicode.BigEndian, 1
	}
	var ascii []byte
	for ; at < min(len(head), 2048) && head[at] != 0 && head[at] < 0x80 && at^1 < len(head) && head[at^1] == 0; at += 2 {
		ascii = append(ascii, head[at])
	}
	if len(ascii) < 4 {
		return unicode.LittleEndian, false
	}
	if text := bytes.TrimLeft(ascii, " \t\r\n"); len(text) > 1 && text[0] == '<' {
		if next := text[1] | 0x20; text[1] == '?' || text[1] == '!' || next >= 'a' && next <= 'z' {
			return order, true
		}
	}
	for _, label := range labels(ascii) {
		if strings.HasPrefix(label, "utf-16") || strings.HasPrefix(label, "utf16") {
			return order, true
		}
	}
	return unicode.LittleEndian, false
}

// declaration returns the encoding that a text says it is in, at its
// beginning, and its name; nil if it says none that is known.
func declaration(head []byte) (name string, declared encoding.Encoding) {
	for _, label := range labels(head[:min(len(head), 1024)]) {
		found, err := htmlindex.Get(label)
		if err != nil {
			continue
		}
		name, err := htmlindex.Name(found)
		// A declaration that can be read as ASCII is not in UTF-16.
		if err != nil || strings.HasPrefix(name, "utf-") || name == "replacement" || name == "x-user-defined" {
			continue
		}
		return name, found
	}
	return "", nil
}

// labels returns what stands where texts name their encodings:
//
//	<?xml version="1.0" encoding="iso-8859-1"?>
//	<meta charset="koi8-r">, <meta … content="text/html; charset=koi8-r">
//	@charset "iso-8859-1";
//	# -*- coding: latin-1 -*-           in the first two lines
//	vim: set fileencoding=latin1:       in the first five
func labels(head []byte) []string {
	var found []string
	lower := bytes.ToLower(head)
	add := func(text []byte, keys ...string) {
		for _, key := range keys {
			if _, rest, ok := bytes.Cut(text, []byte(key)); ok {
				if label := label(rest); label != "" {
					found = append(found, label)
				}
			}
		}
	}
	if bytes.HasPrefix(lower, []byte("<?xml")) {
		declaration, _, _ := bytes.Cut(lower, []byte("?>"))
		add(declaration, "encoding")
	}
	for rest := lower; ; {
		_, after, ok := bytes.Cut(rest, []byte("<meta"))
		if !ok {
			break
		}
		element, _, _ := bytes.Cut(after, []byte(">"))
		add(element, "charset")
		rest = after
	}
	if bytes.HasPrefix(lower, []byte("@charset")) {
		add(lower, "@charset")
	}
	for n, line := range bytes.SplitN(lower, []byte("\n"), 6) {
		if n < 2 {
			add(line, "coding")
		}
		if n < 5 && (bytes.Contains(line, []byte("vim:")) || bytes.Contains(line, []byte("vi:")) || bytes.Contains(line, []byte("ex:"))) {
			add(line, "fileencoding", "fenc")
		}
	}
	return found
}

// label reads = or :, perhaps a quote, and a name.
func label(text []byte) string {
	text = bytes.TrimLeft(text, " \t")
	unassigned := bytes.TrimLeft(text, "=:")
	quoted := bytes.TrimLeft(unassigned, " \t\"'")
	if len(quoted) == len(text) {
		return ""
	}
	end := bytes.IndexFunc(quoted, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r))
	})
	if end < 0 {
		end = len(quoted)
	}
	name := string(quoted[:end])
	// Editors say which ends of lines they mean too.
	for _, ends := range []string{"-unix", "-dos", "-mac"} {
		name = strings.TrimSuffix(name, ends)
	}
	if name == "latin-1" {
		name = "latin1"
	}
	return name
}
