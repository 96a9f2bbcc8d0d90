package web

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// maxNesting is how deep lists and quotes are indented. Each level is
	// written before every line in it: a page of a megabyte that is nested
	// five hundred deep would become many hundreds of them.
	maxNesting = 8
	// maxSpans is how many cells of tables may come from other cells that say
	// they span them.
	maxSpans = 10_000
)

// tidy prepares a page for the converter: links that lead somewhere from
// anywhere, pictures that say what they show, headings without marks to click
// on, and nothing that would become many times its size.
func tidy(root *html.Node, base *url.URL) {
	spans := 0
	var visit func(n *html.Node, depth int, inCell bool)
	visit = func(n *html.Node, depth int, inCell bool) {
		if n.Type == html.TextNode && inCell {
			n.Data = strings.ReplaceAll(n.Data, "|", `\|`)
		}
		switch n.DataAtom {
		case atom.A:
			tidyLink(n, base)
		case atom.Img:
			tidyImage(n, base)
		case atom.Ul, atom.Ol, atom.Blockquote:
			if depth++; depth > maxNesting {
				n.Data, n.DataAtom = "div", atom.Div
			}
		case atom.Li:
			if depth > maxNesting {
				n.Data, n.DataAtom = "div", atom.Div
			}
		case atom.Pre:
			inCell = false
		case atom.Td, atom.Th:
			inCell = true
			if spans += extraCells(n); spans > maxSpans {
				n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "colspan" || a.Key == "rowspan" })
			}
		}
		for child := n.FirstChild; child != nil; {
			next := child.NextSibling
			if level(n) > 0 && isMark(child) {
				n.RemoveChild(child)
			} else {
				visit(child, depth, inCell)
			}
			child = next
		}
	}
	visit(root, 0, false)
}

// extraCells is how many cells a cell says it spans besides itself.
func extraCells(cell *html.Node) int {
	cells := 1
	for _, key := range []string{"colspan", "rowspan"} {
		if !hasAttr(cell, key) {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSpace(attr(cell, key)))
		if err != nil || n > 1000 {
			return maxSpans + 1
		}
		cells *= max(n, 1)
	}
	return cells - 1
}

// tidyLink makes a link absolute, or mere text if it leads nowhere.
func tidyLink(n *html.Node, base *url.URL) {
	href := strings.TrimSpace(attr(n, "href"))
	var link *url.URL
	if href != "" && !strings.HasPrefix(href, "#") {
		if to, err := base.Parse(href); err == nil {
			switch to.Scheme {
			case "http", "https", "mailto", "ftp":
				link = to
			}
		}
	}
	if link == nil {
		n.Data, n.DataAtom, n.Attr = "span", atom.Span, nil
		return
	}
	link.User = nil
	n.Attr = []html.Attribute{{Key: "href", Val: link.String()}}
}

// tidyImage makes the address of a picture absolute. One that does not say
// what it shows is nothing to a reader of text.
func tidyImage(n *html.Node, base *url.URL) {
	alt := strings.Join(strings.Fields(attr(n, "alt")), " ")
	source, err := base.Parse(strings.TrimSpace(attr(n, "src")))
	n.Attr = nil
	if alt == "" {
		n.Data, n.DataAtom = "span", atom.Span
		return
	}
	if err != nil || source.Scheme != "http" && source.Scheme != "https" {
		n.Type, n.Data, n.DataAtom = html.TextNode, alt, 0
		return
	}
	source.User = nil
	n.Attr = []html.Attribute{{Key: "src", Val: source.String()}, {Key: "alt", Val: alt}}
}

// isMark reports whether a node in a heading is there to be clicked on.
func isMark(n *html.Node) bool {
	if n.DataAtom != atom.A {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(textOf(n))) {
	case "", "#", "¶", "§", "🔗", "link", "permalink", "anchor", "\u200b", "[link]":
		for d := range n.Descendants() {
			if d.DataAtom == atom.Img {
				return false
			}
		}
		return true
	}
	return false
}
