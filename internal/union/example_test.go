package union_test

import (
	"fmt"

	"github.com/ampersat/ampersat/internal/union"
)

func ExampleSplit() {
	name, rest, err := union.Split([]byte(`{"path":"a.md","kind":"file"}`), "kind")
	fmt.Println(name, rest, err)
	// Output: file {"path":"a.md"} <nil>
}

func ExampleJoin() {
	object, err := union.Join("kind", "file", struct {
		Path string `json:"path"`
	}{"a.md"})
	fmt.Println(object, err)
	// Output: {"kind":"file","path":"a.md"} <nil>
}
