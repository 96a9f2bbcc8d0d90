package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
)

// content makes of an answer what a model can read.
func (r *Resolver) content(ctx context.Context, a answer, limit int) (ampersat.Content, error) {
	name := a.at.String()
	declared, label := mediaType(a.kind)
	isPage, lie := judge(declared, a.data)
	var c ampersat.Content
	var err error
	if isPage {
		c, err = r.page(ctx, a, limit)
	} else if r.config.Decode == nil {
		return ampersat.Content{}, failed("it is no web page, and nothing here can read anything else")
	} else {
		data, note := textUTF8(a.data, label)
		if !strings.HasPrefix(declared, "text/") && !isText(declared) && http.DetectContentType(data) != "text/plain; charset=utf-8" {
			data, note = a.data, ""
		}
		c, err = r.config.Decode(ctx, name, data, limit)
		c.Note = join(c.Note, note)
		if a.fragment != "" && !isDirective(a.fragment) {
			c.Note = join(c.Note, fmt.Sprintf("all of it: #%s is not looked for in what is no web page", a.fragment))
		}
	}
	if err != nil {
		return ampersat.Content{}, err
	}
	if a.cut {
		c.Source = ""
		c.Shown = join(c.Shown, fmt.Sprintf("made of the first %s bytes", wording.Number(len(a.data))))
	}
	c.Name, c.ID = name, name
	c.Tree, c.Folder = "", ""
	if a.from != "" {
		c.Note = join(c.Note, "redirected from "+a.from)
	}
	c.Note = join(c.Note, lie, a.note)
	return c, nil
}

// judge decides whether an answer is a web page. What the bytes plainly are
// counts before what the server says; lie tells where the two differ.
func judge(declared string, data []byte) (isPage bool, lie string) {
	seen, _ := mediaType(http.DetectContentType(data))
	saysPage := declared == "text/html" || declared == "application/xhtml+xml"
	differs := func(what string) string { return fmt.Sprintf("the server calls it %s, and it is %s", declared, what) }
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return false, ""
	case saysPage && (seen == "text/html" || seen == "text/xml"):
		return true, ""
	case saysPage && strings.HasPrefix(seen, "text/"):
		if looksJSON(data) {
			return false, differs("JSON")
		}
		return true, ""
	case saysPage && seen == "application/octet-stream" && hasMark(data):
		return true, ""
	case saysPage:
		return false, differs(seen)
	case seen == "text/html" && (declared == "" || declared == "application/octet-stream"):
		return true, ""
	case seen == "text/html" && !strings.HasPrefix(declared, "text/") && !isText(declared):
		return true, differs("a web page")
	case isBinary(seen) && (strings.HasPrefix(declared, "text/") || isText(declared)):
		return false, differs(seen)
	}
	return false, ""
}

// isText reports whether a type that is not called text is one.
func isText(declared string) bool {
	switch declared {
	case "application/json", "application/xml", "application/javascript", "application/yaml", "application/toml", "application/x-ndjson", "image/svg+xml":
		return true
	}
	return strings.HasSuffix(declared, "+json") || strings.HasSuffix(declared, "+xml") || strings.HasSuffix(declared, "+yaml")
}

// isBinary reports whether what was seen is plainly no text.
func isBinary(seen string) bool {
	return !strings.HasPrefix(seen, "text/") && seen != "application/octet-stream"
}

func looksJSON(data []byte) bool {
	trimmed := bytes.TrimSpace(data)
	last := trimmed[len(trimmed)-1]
	return trimmed[0] == '{' && last == '}' || trimmed[0] == '[' && last == ']'
}

// page makes Markdown of a page.
func (r *Resolver) page(ctx context.Context, a answer, limit int) (ampersat.Content, error) {
	select {
	case r.converting <- struct{}{}:
		defer func() { <-r.converting }()
	case <-ctx.Done():
		return ampersat.Content{}, ctx.Err()
	}
	source := pageUTF8(a.data, a.kind)
	c := ampersat.Content{MIME: "text/html"}
	if len(source) > r.limits.Page {
		source = bytes.ToValidUTF8(source[:r.limits.Page], nil)
		c.Shown = fmt.Sprintf("made of the first %s bytes", wording.Number(r.limits.Page))
	}
	whole, err := readPage(ctx, source, a.at, "")
	if err != nil {
		return ampersat.Content{}, err
	}
	c.Text = whole.text
	if c.Shown == "" {
		c.Source = blob.Of([]byte(whole.text))
	}
	if whole.title != "" {
		c.Note = fmt.Sprintf("%q", whole.title)
	}
	if strings.TrimSpace(whole.text) == "" {
		c.Note = join(c.Note, "there is no text in the page; scripts may put it there")
	}
	if a.fragment != "" && !isDirective(a.fragment) {
		section, err := readPage(ctx, source, a.at, a.fragment)
		switch {
		case err != nil:
			return ampersat.Content{}, err
		case section.found:
			c.Text, c.Symbol = section.text, a.fragment
		default:
			c.Note = join(c.Note, fmt.Sprintf("all of it: there is no section #%s", a.fragment))
		}
	}
	c.Size = int64(len(c.Text))
	if limit > 0 && len(c.Text) > limit {
		c.Text, c.Tail = ends(c.Text, limit)
		c.Source = ""
	}
	return c, nil
}

// ends returns the head and the tail of a text, three parts to one. The tail
// begins with a line. A secret that one of them has a part of is all in it: what
// is left of one does not tell what it is. There is no tail where they meet.
func ends(text string, limit int) (head, tail string) {
	before, from := limit-limit/4, len(text)-limit/4
	if end := strings.IndexByte(text[from:], '\n'); end >= 0 {
		from += end
	}
	cutHead, cutTail := before, from
	for _, f := range access.ScanString("", text) {
		if f.Start < cutHead && f.End > cutHead {
			before = max(before, f.End)
		}
		if f.Start < cutTail && f.End > cutTail {
			from = min(from, f.Start)
		}
	}
	if before >= from {
		return text, ""
	}
	return strings.ToValidUTF8(text[:before], ""), strings.ToValidUTF8(text[from:], "")
}

// isDirective reports whether a fragment is meant for a program and names no
// part of a page: a route of an application, a text to be highlighted.
func isDirective(fragment string) bool {
	return strings.HasPrefix(fragment, ":~:") || strings.HasPrefix(fragment, "!") || strings.HasPrefix(fragment, "/") || fragment == "top"
}
