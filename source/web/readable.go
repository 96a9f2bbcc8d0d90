package web

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readable returns the part of a page that people come for, and takes out of
// the page what is around it and between. It would rather keep a menu than lose
// a paragraph: what goes is what the page itself marks as something else, what
// is not shown, lists of links by the side, and where a page marks nothing, the
// tenth of its text that is apart from the rest. Nothing that holds keep goes.
func readable(doc, keep *html.Node) *html.Node {
	held := map[*html.Node]bool{}
	for n := keep; n != nil; n = n.Parent {
		held[n] = true
	}
	body := doc
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Body {
			body = n
			break
		}
	}
	remove(body, func(n *html.Node) bool { return !held[n] && isNeverContent(n) })
	weights := weigh(body)
	root := mainPart(body, weights)
	if keep != nil && !within(keep, root) {
		root = body
	}
	// What was weighed is enough to judge by: what is removed on the way only
	// makes the rest lighter.
	remove(root, func(n *html.Node) bool { return !held[n] && isBeside(n, root, weights[n]) })
	return root
}

// remove takes the nodes below a node out for which judge says so.
func remove(n *html.Node, judge func(*html.Node) bool) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if judge(child) {
			n.RemoveChild(child)
		} else {
			remove(child, judge)
		}
		child = next
	}
}

// isNeverContent reports whether a node is no text for people, or is not shown.
func isNeverContent(n *html.Node) bool {
	if n.Type == html.CommentNode {
		return true
	}
	if n.Type != html.ElementNode {
		return false
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Iframe, atom.Object, atom.Embed, atom.Canvas, atom.Svg,
		atom.Button, atom.Input, atom.Select, atom.Textarea, atom.Dialog, atom.Link, atom.Meta:
		return true
	}
	style := strings.ReplaceAll(strings.ToLower(attr(n, "style")), " ", "")
	return hasAttr(n, "hidden") && attr(n, "hidden") != "until-found" ||
		strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") ||
		attr(n, "aria-hidden") == "true" && n.DataAtom != atom.A && n.DataAtom != atom.Code && n.DataAtom != atom.Pre
}

// weight is how much text is in a node, and how much of it is in links.
type weight struct{ text, links int }

// plain is the text that is not in links.
func (w weight) plain() int { return w.text - w.links }

// isLinks reports whether most of the text is in links.
func (w weight) isLinks() bool { return w.links*2 > w.text }

func weigh(root *html.Node) map[*html.Node]weight {
	weights := map[*html.Node]weight{}
	var visit func(n *html.Node, inLink bool) weight
	visit = func(n *html.Node, inLink bool) weight {
		var w weight
		if n.Type == html.TextNode {
			if w.text = len(strings.TrimSpace(n.Data)); inLink {
				w.links = w.text
			}
			return w
		}
		inLink = inLink || n.DataAtom == atom.A
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			in := visit(child, inLink)
			w.text += in.text
			w.links += in.links
		}
		weights[n] = w
		return w
	}
	visit(root, false)
	return weights
}

// mainPart is the node that holds what the page is about: what it marks as
// such, if there is text in it, else the one that nine tenths of it are in.
func mainPart(body *html.Node, weights map[*html.Node]weight) *html.Node {
	all := weights[body].plain()
	var best *html.Node
	for n := range body.Descendants() {
		if n.DataAtom == atom.Main || attr(n, "role") == "main" {
			if best == nil || weights[n].plain() > weights[best].plain() {
				best = n
			}
		}
	}
	if best != nil && (weights[best].plain()*3 >= all || weights[best].plain() >= 2000) {
		return best
	}
	if best = articles(body, weights); best != nil && weights[best].plain()*2 >= all {
		return best
	}
	root := body
	for {
		var next *html.Node
		for child := root.FirstChild; child != nil; child = child.NextSibling {
			switch child.DataAtom {
			case atom.Div, atom.Section, atom.Article, atom.Main, atom.Center, atom.Form, atom.Table, atom.Tbody, atom.Tr, atom.Td:
				if weights[child].plain()*10 >= all*9 {
					next = child
				}
			}
		}
		if next == nil {
			break
		}
		root = next
	}
	// A table is one only as a whole.
	for root.DataAtom == atom.Table || root.DataAtom == atom.Tbody || root.DataAtom == atom.Tr {
		root = root.Parent
	}
	return root
}

// articles is the innermost node that holds all articles of a page.
func articles(body *html.Node, weights map[*html.Node]weight) *html.Node {
	var first, root *html.Node
	for n := range body.Descendants() {
		if n.DataAtom != atom.Article || weights[n].text == 0 {
			continue
		}
		if first == nil {
			first, root = n, n
			continue
		}
		for !within(n, root) {
			root = root.Parent
		}
	}
	return root
}

func within(n, root *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == root {
			return true
		}
	}
	return false
}

// isBeside reports whether a node is a menu, a banner, a list of related pages:
// something beside what the page is about.
func isBeside(n, root *html.Node, w weight) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch attr(n, "role") {
	case "navigation", "search", "banner", "contentinfo", "menu", "menubar", "dialog", "alertdialog":
		return true
	case "complementary":
		return w.isLinks()
	}
	switch n.DataAtom {
	case atom.Nav:
		return true
	case atom.Header:
		// That of a page, and not that of an article, which holds its title.
		return n.Parent == root && root.DataAtom == atom.Body && !holdsTitle(n)
	case atom.Footer:
		return n.Parent == root && root.DataAtom == atom.Body || w.isLinks()
	case atom.Aside:
		return w.isLinks()
	case atom.Div, atom.Section, atom.Ul, atom.Ol, atom.Td, atom.P, atom.Span, atom.A, atom.Form:
		return isNamedBeside(attr(n, "class")+" "+attr(n, "id"), w)
	}
	return false
}

func holdsTitle(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.DataAtom == atom.H1 {
			return true
		}
	}
	return false
}

// isNamedBeside judges a node by its classes. A name alone is not enough for
// what holds much text.
func isNamedBeside(names string, w weight) bool {
	for name := range strings.FieldsSeq(strings.ToLower(names)) {
		switch name {
		case "linenos", "lineno", "linenumber", "line-numbers", "gutter", "mw-editsection", "mw-jump-link", "skip-link", "noprint", "headerlink":
			return true
		}
		for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' }) {
			switch word {
			case "breadcrumb", "breadcrumbs", "sidebar", "navbar", "nav", "navigation", "menu", "toc", "pagination", "pager", "related", "footer":
				if w.isLinks() {
					return true
				}
			case "cookie", "cookies", "gdpr", "newsletter", "subscribe", "social", "share", "sharing", "advert", "advertisement", "sponsored":
				if w.isLinks() || w.text < 400 {
					return true
				}
			}
		}
	}
	return false
}
