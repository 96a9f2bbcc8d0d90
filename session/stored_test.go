package session_test

import (
	"testing"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/sessiontest"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The quick way to read an entry reads what the long way does.
func TestDecodeStoredIsDecode(t *testing.T) {
	same := func(t rapid.TB, data jsontext.Value) {
		t.Helper()
		quick, err := session.DecodeStored(data)
		long, err2 := session.Decode(data)
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%s: %v, and %v", data, err, err2)
		}
		if diff := cmp.Diff(long, quick); diff != "" {
			t.Fatalf("%s:\n%s", data, diff)
		}
	}
	for _, data := range []string{
		`{"kind":"said","message":{"role":"user","content":"a \\\" } ] \\"}}`,
		`{"kind":"said","message":{"role":"user","content":"a"},"message":{"role":"user","content":"b"}}`,
		`{"kind":"said","message":{"role":"user","content":"a"},"kind":"note"}`,
		`{"kind":"said","message":{"role":"user","content":"a"},"prepared":-1}`,
		`{"kind":"said","message":{"role":"user","content":"a"},"later":{"x":1}}`,
		`{"kind":"said","message":{"role":"","content":"a"}}`,
		`{"kind":"said","message":{"role":"user"}}`,
		`{"kind":"said","message":{"role":"user","content":"a"} , "prepared":7}`,
		`{"kind":"said","message":"a"}`,
		`{"kind":"said","message":7,"x":{}}`,
		`{"kind":"said","message":{"role":"user","content":"a"}`,
		`{"kind":"said","message":{"role":"user","content":"a`,
		`{"kind":"said","message":`,
		`{"kind":"prepared","provider":"p","digest":"x"}`,
	} {
		same(t, jsontext.Value(data))
	}
	for _, e := range sessiontest.Entries() {
		data, err := session.Encode(e)
		if err != nil {
			t.Fatal(err)
		}
		same(t, data)
	}
	rapid.Check(t, func(t *rapid.T) {
		data, err := session.Encode(sessiontest.AnyEntry().Draw(t, "entry"))
		if err != nil {
			t.Fatal(err)
		}
		same(t, data)
	})
}
