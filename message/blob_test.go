package message

import (
	"testing"

	"github.com/ampersat/ampersat/blob"
	"github.com/google/go-cmp/cmp"
)

func TestBlobsOfAMessage(t *testing.T) {
	a, b, c, d := blob.Of([]byte("a")), blob.Of([]byte("b")), blob.Of([]byte("c")), blob.Of([]byte("d"))
	result, err := PartResult("call_1", Text{Text: "blob"}, Context{Names: []string{"d.png"}, Parts: []Part{Image{Source: InBlob("image/png", d)}}})
	if err != nil {
		t.Fatal(err)
	}
	m := Message{Role: Developer, Content: Of(
		Text{Text: "look"}, Image{Source: InBlob("image/png", a)}, Image{Source: Inline("image/png", []byte("x"))},
		Context{Names: []string{"b.pdf"}, Parts: []Part{Document{Source: InBlob("application/pdf", b)}, Image{Source: InBlob("image/png", c)}}},
		TextResult("call_0", "a blob of text"), result,
	)}
	if diff := cmp.Diff([]blob.Digest{a, b, c, d}, m.Blobs()); diff != "" {
		t.Errorf("-want +have\n%s", diff)
	}
}
