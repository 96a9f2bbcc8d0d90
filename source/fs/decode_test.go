package fs_test

import (
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/source/fs"
)

// TestDecode holds that bytes from elsewhere become what a file of them would,
// but belong to no tree.
func TestDecode(t *testing.T) {
	r := fs.New(fs.Config{Limits: fs.Limits{Media: 100}})
	c, err := r.Decode(t.Context(), "x", []byte("plain @a.md"), 0)
	must(t, err)
	if c.Text != "plain @a.md" || c.Name != "x" || c.Tree != "" || c.Source != blob.Of([]byte(c.Text)) || c.Size != 11 {
		t.Errorf("%+v", c)
	}
	c, err = r.Decode(t.Context(), "x", []byte(strings.Repeat("first\n", 100)+strings.Repeat("last\n", 100)), 200)
	must(t, err)
	if !strings.HasPrefix(c.Text, "first") || !strings.HasSuffix(c.Tail, "last\n") || len(c.Text)+len(c.Tail) > 200 || c.Source != "" || c.Size != 1100 {
		t.Errorf("%+v", c)
	}
	c, err = r.Decode(t.Context(), "x", []byte("%PDF-1.4"+strings.Repeat(" ", 200)), 0)
	must(t, err)
	if len(c.Parts) > 0 || c.MIME != "application/pdf" || !strings.Contains(c.Note, "more than the 100 bytes") || c.Shown != "described only" {
		t.Errorf("%+v", c)
	}
	c, err = r.Decode(t.Context(), "x", []byte("broken \xff text that goes on"), 0)
	must(t, err)
	if !strings.Contains(c.Shown, "replaced") || !strings.Contains(c.Note, "not valid UTF-8") {
		t.Errorf("%+v", c)
	}
	c, err = r.Decode(t.Context(), "x", []byte{0, 1, 2, 3}, 0)
	must(t, err)
	if c.MIME != "application/octet-stream" {
		t.Errorf("%+v", c)
	}
}

// Of bytes that are too many the end is sent, as of a file. Wherever that begins in
// a key, it is the key.
func TestAttackDecodedTailThatBeginsInAKey(t *testing.T) {
	r := fs.New(fs.Config{})
	tailsBeginWithTheKey(t, func(text string, held int) (ampersat.Content, error) {
		return r.Decode(t.Context(), "f", []byte(text), held)
	})
}
