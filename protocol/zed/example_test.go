package zed_test

import (
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/protocol/zed"
)

func ExampleParse() {
	for _, uri := range []string{
		"file:///src/main.rs?column=3#L5:15",
		"zed:///agent/git-diff?base=main",
		"zed:///agent/unheard-of",
	} {
		m, err := zed.Parse(uri, zed.Posix)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%+v\n", m.Kind())
	}
	// Output:
	// selection
	// git-diff
	// parse zed uri "zed:///agent/unheard-of": zed has no such kind of mention
}

func ExampleURI() {
	uri, err := zed.URI(mention.File{Path: `C:\notes\100%.md`}, zed.Windows)
	fmt.Println(uri, err)

	_, err = zed.URI(mention.Agent{Name: "reviewer"}, zed.Windows)
	fmt.Println(errors.Is(err, zed.ErrNoURI))
	// Output:
	// file:///C:/notes/100%25.md <nil>
	// true
}

// A model wrote a link. The file may be called "a b.rs" or "a%20b.rs".
func ExampleParseLink() {
	const target = "/src/a%20b.rs:42"
	m, _ := zed.ParseLink(target, zed.Posix)
	fmt.Println(m.(mention.Selection).Path)
	if m, ok := zed.ParseLinkLiteral(target, zed.Posix); ok {
		fmt.Println(m.(mention.Selection).Path)
	}
	// Output:
	// /src/a b.rs
	// /src/a%20b.rs
}

func ExampleFindLinks() {
	link, _ := zed.Link(mention.Selection{Path: "/src/main.rs", First: 5, Last: 15}, zed.Posix)
	text := "Explain " + link + ", please."
	fmt.Println(text)
	for _, ref := range zed.FindLinks(text, zed.Posix) {
		fmt.Println(ref.Mention.Kind(), ref.Start, ref.End)
	}
	// Output:
	// Explain [@main.rs (5:15)](file:///src/main.rs#L5:15), please.
	// selection 8 52
}
