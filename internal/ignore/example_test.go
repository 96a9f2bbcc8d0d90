package ignore_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/ampersat/ampersat/internal/ignore"
)

func ExampleListFS() {
	tree := fstest.MapFS{
		".gitignore":      {Data: []byte("*.log\nbuild/\n")},
		".ampersatignore": {Data: []byte("testdata/big/\n!build/\nbuild/*.o\n")},
		"main.go":         {},
		"debug.log":       {},
		"build/main.o":    {},
		"build/report":    {},
		"testdata/big/a":  {},
		"testdata/small":  {},
	}
	listing, err := ignore.ListFS(context.Background(), tree, ".", ignore.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, file := range listing.Files {
		fmt.Println(file.Path)
	}
	// Output:
	// .ampersatignore
	// .gitignore
	// build/report
	// main.go
	// testdata/small
}

func ExampleIgnored() {
	root, err := os.MkdirTemp("", "ignore")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	os.WriteFile(filepath.Join(root, ".gitignore"), []byte("# local\n.env\n"), 0o644)
	os.WriteFile(filepath.Join(root, ".env"), nil, 0o644)

	ignored, source, err := ignore.Ignored(context.Background(), root, ".env")
	fmt.Println(ignored, source, err)
	// Output: true .gitignore:2:.env <nil>
}

func ExampleMatcher() {
	m := ignore.NewMatcher(fstest.MapFS{
		".gitignore":     {Data: []byte("*.txt\n")},
		"doc/.gitignore": {Data: []byte("!*.txt\n/draft/\n")},
	})
	for _, file := range []string{"a.txt", "doc/a.txt", "doc/draft/a.txt", "main.go"} {
		ignored, by, err := m.Match(file, false)
		fmt.Printf("%s: %t %s %v\n", file, ignored, by, err)
	}
	// Output:
	// a.txt: true .gitignore:1:*.txt <nil>
	// doc/a.txt: false doc/.gitignore:1:!*.txt <nil>
	// doc/draft/a.txt: true doc/.gitignore:2:/draft/ <nil>
	// main.go: false  <nil>
}
