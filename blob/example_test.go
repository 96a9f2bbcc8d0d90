package blob_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/blob"
)

func ExampleMemory() {
	ctx := context.Background()
	var store blob.Memory
	digest, _ := store.Put(ctx, []byte("a picture"))
	fmt.Println(digest.Short())

	data, err := store.Get(ctx, digest)
	fmt.Println(string(data), err)

	_, err = store.Get(ctx, blob.Of([]byte("another")))
	fmt.Println(errors.Is(err, blob.ErrNotFound))
	// Output:
	// 92b2fa580289
	// a picture <nil>
	// true
}

func ExampleParse() {
	_, err := blob.Parse("sha256:beef")
	fmt.Println(err)
	// Output: parse digest "sha256:beef": want 64 lower-case hexadecimal digits after "sha256:"
}
