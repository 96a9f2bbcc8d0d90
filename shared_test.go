package ampersat

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// Contents are shared by all that mention them: nobody changes one after it was
// accepted, whatever is renamed, translated, described, cut or read again.
func TestNobodyChangesWhatWasFetched(t *testing.T) {
	p := &Pipeline{Blobs: new(blob.Memory), Resolver: ResolverFunc(func(_ context.Context, q Query) (Content, error) {
		name := q.Mention.String()
		c := Content{Name: "one name for all", ID: name, Text: strings.Repeat(name+" says @b.md\n", 400), Tree: "/", MIME: "application/pdf", Size: 1 << 30}
		switch {
		case strings.Contains(name, "pdf"):
			c.Tree, c.Parts, c.PartTokens = "", []message.Part{message.Document{Source: message.AtURL("x")}}, 5000
		case strings.Contains(name, "png"):
			c.Tree, c.Parts = "", []message.Part{message.Image{Source: message.AtURL("x")}}
		case q.Mention.Kind() == mention.KindGlob:
			return Content{Name: name, Files: []Content{{Mention: mention.File{Path: "g.md"}, Text: "in a pattern"}, {Text: "AKIAIEQH746YNG7BY3A4", Name: "AKIAIEQH746YNG7BY3A4"}}}, nil
		case q.Limit < mostBytes && strings.Contains(name, "long"):
			c.Tail = "the end"
		case strings.Contains(name, "long"):
			c.Size = 0
		}
		return c, nil
	})}
	for _, budget := range []int{0, 100, 700, 3000} {
		turn := Ask("@a.md @./a.md @a.md @b.pdf @c.png @d.md:1-3 @long.md @*.go @missing@ @e.pdf")
		turn.Asker.Origin, turn.Budget.Turn, turn.NoImages = "person", budget, true
		was := blob.Of([]byte("was"))
		turn.View.Messages = []message.Message{
			{Role: message.Developer, Content: message.Of(message.Context{Names: []string{"one name for all"}, Source: was, Body: was, Text: "was"})},
			{Role: message.User, Content: message.Say("hi")},
		}
		x := newExpansion(p, turn)
		if err := x.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := map[*Content]string{}
		for _, f := range x.fetched {
			before[f.content] = fmt.Sprintf("%+v", *f.content)
		}
		seen := turn.View.read()
		x.tellApart(seen)
		if err := x.readOn(t.Context(), seen); err != nil {
			t.Fatal(err)
		}
		blocks := part(x.fold(), seen)
		for _, b := range blocks {
			p.translate(b, turn)
			if err := p.compare(t.Context(), b, seen); err != nil {
				t.Fatal(err)
			}
		}
		fitted, notice := p.fitBeside(blocks, x.gaps(), nil, turn, seen)
		p.place(turn, x, fitted, notice)
		for content, was := range before {
			if is := fmt.Sprintf("%+v", *content); is != was {
				t.Errorf("budget %d:\n%.300s\nwas\n%.300s", budget, is, was)
			}
		}
		if !reflect.DeepEqual(noContent, Content{}) {
			t.Errorf("nothing is something: %+v", noContent)
		}
	}
}
