package mention_test

import (
	"fmt"

	"github.com/ampersat/ampersat/mention"
)

func ExampleFind() {
	text := "Compare @docs/api.md with @internal/server.go:40-90 and @diff:main."
	for _, ref := range mention.Find(text) {
		fmt.Printf("%-9s %s\n", ref.Mention.Kind(), ref.Written)
	}
	// Output:
	// file      @docs/api.md
	// selection @internal/server.go:40-90
	// git-diff  @diff:main
}

// A mention is a value of its own type. Switch over it to know what is meant.
func ExampleMention() {
	for _, ref := range mention.Find(`Explain @main.go:3-9 and @"My Notes/a b.md" to @alice`) {
		switch m := ref.Mention.(type) {
		case mention.Selection:
			fmt.Printf("lines %d to %d of %s\n", m.First, m.Last, m.Path)
		case mention.File:
			fmt.Printf("file %s, only a word: %t\n", m.Path, ref.Bare)
		}
	}
	// Output:
	// lines 3 to 9 of main.go
	// file My Notes/a b.md, only a word: false
	// file alice, only a word: true
}

// What can be read in several ways keeps the other readings, for whoever can
// look what exists.
func ExampleRef_alternatives() {
	text := "Have you seen @README.md?"
	ref := mention.Find(text)[0]
	fmt.Println(ref.Written)
	for _, r := range ref.Alternatives {
		fmt.Println("or", text[ref.Start:r.End])
	}
	// Output:
	// @README.md
	// or @README.md?
}

func ExampleFile_String() {
	fmt.Println(mention.File{Path: "docs/api.md"})
	fmt.Println(mention.File{Path: "My Notes/a b.md"})
	fmt.Println(mention.File{Path: "diff"}) // not the difference, a file of that name
	fmt.Println(mention.Selection{Path: "a b.go", First: 3, Last: 9})
	// Output:
	// @docs/api.md
	// @"My Notes/a b.md"
	// @./diff
	// @"a b.go":3-9
}

func ExampleEncode() {
	value, err := mention.Encode(mention.Symbol{Path: "f.go", Name: "Server.Close"})
	fmt.Println(string(value), err)
	// Output: {"kind":"symbol","path":"f.go","name":"Server.Close"} <nil>
}
