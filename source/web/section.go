package web

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// anchor is the node that a fragment names: by its id, or the name of a link.
func anchor(doc *html.Node, fragment string) *html.Node {
	var named *html.Node
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch id := attr(n, "id"); {
		case id == fragment, id == "user-content-"+fragment:
			return n
		case named == nil && n.DataAtom == atom.A && attr(n, "name") == fragment:
			named = n
		}
	}
	return named
}

// narrow takes out of a page what does not belong to the section that a node
// stands for. It is not ok if it stands for none.
func narrow(root, target *html.Node) bool {
	places := number(root)
	if _, ok := places[target]; !ok {
		return false
	}
	start, end, ok := extent(root, target, places)
	if ok {
		prune(root, start, end, places)
	}
	return ok
}

// span is where a node begins and ends, in the order of the page.
type span struct{ start, end int }

func number(root *html.Node) map[*html.Node]span {
	places := map[*html.Node]span{}
	at := 0
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		start := at
		at++
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			visit(child)
		}
		places[n] = span{start, at}
	}
	visit(root)
	return places
}

// extent is where the section of a node begins and ends. With a heading that is
// up to the next one that is no lower; a term ends with its definition; what
// holds more than its heading is the section itself.
func extent(root, target *html.Node, places map[*html.Node]span) (start, end int, ok bool) {
	heading := headingFor(root, target, places)
	switch {
	case heading != nil:
		start, end = places[heading].start, places[root].end
		for n := range root.Descendants() {
			if at := places[n]; at.start >= places[heading].end && level(n) > 0 && level(n) <= level(heading) && at.start < end {
				end = at.start
			}
		}
		return start, end, true
	case target.DataAtom == atom.Dt:
		start, end = places[target].start, places[target].end
		for n := target.NextSibling; n != nil && n.DataAtom != atom.Dt; n = n.NextSibling {
			end = places[n].end
		}
		return start, end, true
	case isBlock(target) && strings.TrimSpace(textOf(target)) != "":
		return places[target].start, places[target].end, true
	}
	return 0, 0, false
}

// headingFor is the heading that a node stands for: itself, the one it is in,
// the only thing in it, or the one that follows where the node is empty.
func headingFor(root, target *html.Node, places map[*html.Node]span) *html.Node {
	for n := target; n != nil && n != root.Parent; n = n.Parent {
		if level(n) > 0 {
			return n
		}
	}
	text := strings.TrimSpace(textOf(target))
	var next *html.Node
	for n := range root.Descendants() {
		if places[n].start <= places[target].start {
			continue
		}
		if level(n) > 0 {
			next = n
			break
		}
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" && places[n].start >= places[target].end {
			break
		}
	}
	if next == nil {
		return nil
	}
	inside := places[next].end <= places[target].end
	if inside && strings.TrimSpace(textOf(next)) == text || !inside && text == "" {
		return next
	}
	return nil
}

// level is that of a heading, 0 for what is none.
func level(n *html.Node) int {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(n.Data[1] - '0')
	}
	return 0
}

func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Section, atom.Article, atom.Div, atom.Table, atom.Pre, atom.Ul, atom.Ol, atom.Dl, atom.Dd, atom.Figure, atom.Blockquote, atom.Details, atom.Li, atom.Aside:
		return true
	}
	return false
}

// prune takes out what lies wholly before or after.
func prune(n *html.Node, start, end int, places map[*html.Node]span) {
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		switch at := places[child]; {
		case at.end <= start || at.start >= end:
			n.RemoveChild(child)
		case at.start < start || at.end > end:
			prune(child, start, end, places)
		}
		child = next
	}
}
