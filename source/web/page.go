package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// markdown is a page as a model reads it.
type markdown struct {
	title, text string
	// found says that the page has the section that was asked for, and text is
	// that.
	found bool
}

// readPage makes Markdown of HTML in UTF-8, of the whole page or of a section
// of it. Whoever wrote the page may have meant harm: panics of the converter
// are errors, and it goes no further when nobody waits any more.
func readPage(ctx context.Context, source []byte, at *url.URL, section string) (m markdown, err error) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case p == errStopped:
			err = ctx.Err()
		default:
			err = failed("the page cannot be read: %v", p)
		}
	}()
	doc, err := html.ParseWithOptions(&patient{ctx, bytes.NewReader(source)}, html.ParseOptionEnableScripting(false))
	if ctx.Err() != nil {
		return markdown{}, ctx.Err()
	}
	if err != nil {
		// It is nested deeper than a page can be.
		return markdown{text: words(source)}, nil
	}
	m.title = titleOf(doc)
	base := baseOf(doc, at)
	var target *html.Node
	if section != "" {
		if target = anchor(doc, section); target == nil {
			return m, nil
		}
	}
	body := readable(doc, target)
	if target != nil {
		if m.found = narrow(body, target); !m.found {
			return m, nil
		}
	}
	tidy(body, base)
	raw, err := newConverter().ConvertNode(body, converter.WithContext(ctx))
	if err != nil {
		return markdown{}, fmt.Errorf("convert the page: %w", err)
	}
	m.text = titled(m.title, string(raw), m.found)
	return m, nil
}

// titled puts the title above a page that does not begin with it.
func titled(title, text string, isSection bool) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	if title != "" && !isSection && !strings.HasPrefix(text, "# ") {
		text = "# " + title + "\n\n" + text
	}
	return text + "\n"
}

var errStopped = errors.New("stopped")

// newConverter returns what turns HTML into Markdown.
func newConverter() *converter.Converter {
	// Text stays as it is written on the page. What is escaped and what not is
	// decided in time that is quadratic in the length of the page, and a reader
	// of text is better served by snake_case than by snake\\_case.
	c := converter.NewConverter(converter.WithEscapeMode(converter.EscapeModeDisabled), converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(),
		strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(
			// Padding would make a table of one long cell many times its size.
			table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
			table.WithHeaderPromotion(true),
			table.WithSkipEmptyRows(true),
		),
	))
	c.Register.Renderer(func(ctx converter.Context, _ converter.Writer, _ *html.Node) converter.RenderStatus {
		if ctx.Err() != nil {
			panic(errStopped)
		}
		return converter.RenderTryNext
	}, converter.PriorityEarly)
	return c
}

// patient reads for as long as somebody waits.
type patient struct {
	ctx  context.Context
	from io.Reader
}

// Read implements [io.Reader].
func (p *patient) Read(buffer []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.from.Read(buffer)
}

// titleOf is the title of a page, in one line.
func titleOf(doc *html.Node) string {
	title := ""
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Title && n.Namespace == "" {
			title = textOf(n)
			break
		}
	}
	if title == "" {
		for n := range doc.Descendants() {
			if n.DataAtom == atom.Meta && attr(n, "property") == "og:title" {
				title = attr(n, "content")
				break
			}
		}
	}
	title = strings.Join(strings.Fields(title), " ")
	const long = 300
	if len(title) > long {
		title = strings.ToValidUTF8(title[:long], "") + "…"
	}
	return title
}

// baseOf is what the links of a page are relative to.
func baseOf(doc *html.Node, at *url.URL) *url.URL {
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Base && attr(n, "href") != "" {
			if base, err := at.Parse(attr(n, "href")); err == nil {
				return base
			}
			break
		}
	}
	return at
}

// words is what stands between the tags, for a page whose tags make no sense.
func words(source []byte) string {
	var b strings.Builder
	tokens := html.NewTokenizer(bytes.NewReader(source))
	hidden := false
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken, html.EndTagToken:
			name, _ := tokens.TagName()
			isHidden := string(name) == "script" || string(name) == "style"
			hidden = isHidden && !hidden
		case html.TextToken:
			if text := strings.TrimSpace(string(tokens.Text())); text != "" && !hidden {
				b.WriteString(text)
				b.WriteByte('\n')
			}
		}
	}
}

// attr is the value of an attribute, empty if there is none.
func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key && a.Namespace == "" {
			return true
		}
	}
	return false
}

// textOf is the text in a node.
func textOf(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}
