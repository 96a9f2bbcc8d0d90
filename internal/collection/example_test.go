package collection_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing/fstest"

	"github.com/ampersat/ampersat/internal/collection"
)

// What is installed is a copy with a name, and where it came from is recorded.
func Example() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	library := collection.New(collection.Config{
		Dir: dir, UserDir: filepath.Join(dir, "user"),
		Index: fstest.MapFS{
			"expertise/collection.yaml": {Data: []byte("name: expertise\nversion: 1.2\n")},
			"expertise/go.md":           {Data: []byte("Handle errors.")},
		},
	})
	ctx := context.Background()
	result, err := library.Install(ctx, collection.Request{Source: "expertise", Scope: collection.User})
	fmt.Println(result.Name, result.Files, err)

	entries, _ := library.List()
	for _, e := range entries {
		fmt.Println(e.Name, e.Scope, e.State, e.Version)
	}
	_, err = library.Install(ctx, collection.Request{Source: "expertise", Scope: collection.User})
	fmt.Println(err)

	// Output:
	// expertise 2 <nil>
	// expertise user installed 1.2
	// install expertise: expertise is installed already, from expertise; update it, or remove it first
}
