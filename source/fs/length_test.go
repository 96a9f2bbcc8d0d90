package fs_test

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	iofs "io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

// claims is a file that says another size than it has.
type claims struct {
	io.Reader
	size int64
}

func (c claims) Stat() (iofs.FileInfo, error) { return sized{c.size}, nil }
func (c claims) Close() error                 { return nil }

// A file system of somebody's own may not know how long its files are: before one
// is read, of one that it would have to unpack, ever.
func TestFileThatIsLongerThanItSays(t *testing.T) {
	text := strings.Repeat("a line of text\n", 1000) // 15,000 bytes
	pdf := document(page1, page2)
	image := encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, flag(40, 30)) })
	for _, size := range []int64{-1 << 63, -1, 0, 1, 3, 14_999, 15_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			asked := func(data string, q ampersat.Query) ampersat.Content {
				t.Helper()
				q.Asker = person
				c, err := over(fs.Limits{}, func() iofs.File { return claims{strings.NewReader(data), size} }).Resolve(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				return c
			}
			if c := asked(text, ampersat.Query{Mention: file("f")}); c.Text != text || c.Size != 15_000 || c.Shown != "" || string(c.Source) != sha(text) {
				t.Errorf("%d bytes of %d, %q", len(c.Text), c.Size, c.Shown)
			}
			if c := asked(text, ampersat.Query{Mention: file("f"), Limit: 600}); len(c.Text) > 600 || c.Source != "" || c.Shown == "" && c.Tail == "" {
				t.Errorf("%d bytes of %d, %q", len(c.Text), c.Size, c.Shown)
			}
			if c := asked(text, ampersat.Query{Mention: lines("f", 999, 999)}); c.Text != "a line of text\n" || c.Shown != "" {
				t.Errorf("%q, %q", c.Text, c.Shown)
			}
			if size > int64(len(pdf)) {
				return
			}
			if c := asked(pdf, ampersat.Query{Mention: file("f")}); len(c.Parts) != 1 || !strings.Contains(c.Text, "last line") || string(c.Source) != sha(pdf) || c.Size != int64(len(pdf)) {
				t.Errorf("%q, %d bytes, note %q, shown %q", c.Text, c.Size, c.Note, c.Shown)
			}
			if c := asked(pdf, ampersat.Query{Mention: file("f"), Limit: 100}); len(c.Parts) != 1 || string(c.Source) != sha(pdf) || c.Size != int64(len(pdf)) {
				t.Errorf("%q, %d bytes, note %q, shown %q", c.Text, c.Size, c.Note, c.Shown)
			}
			if c := asked(image, ampersat.Query{Mention: file("f")}); len(c.Parts) != 1 || c.Size != int64(len(image)) {
				t.Errorf("%+v", c)
			}
		})
	}
}

// What stands where a file says that it ends is not shown as its end.
func TestLongFileThatIsLongerThanItSays(t *testing.T) {
	text := strings.Repeat("a line of text\n", 1000)
	r := over(fs.Limits{}, func() iofs.File { return claims{strings.NewReader(text), 7_000} })
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person, Limit: 4_000})
	if err != nil || c.Text != text[:3_000] || c.Tail != "" || c.Shown != "the first 3,000 bytes: it is longer than it says" {
		t.Errorf("%d bytes, tail %q, shown %q, %v", len(c.Text), c.Tail, c.Shown, err)
	}
}

// In one turn each gets as much of it as it asked for, whoever was first.
func TestFileThatIsLongerThanItSaysInATurn(t *testing.T) {
	text := strings.Repeat("a line of text\n", 1000)
	for _, limits := range [][]int{{600, 0}, {0, 600}, {600, 700}} {
		r := over(fs.Limits{}, func() iofs.File { return claims{strings.NewReader(text), 15} })
		memory := new(ampersat.Memory)
		for _, limit := range limits {
			want := text
			if limit > 0 {
				want = text[:limit]
			}
			c, err := r.Resolve(t.Context(), ampersat.Query{Mention: file("f"), Asker: person, Limit: limit, Memory: memory})
			if err != nil || c.Text != want || (c.Shown == "") != (limit == 0) {
				t.Errorf("limits %v: %d bytes for %d, %q, %v", limits, len(c.Text), limit, c.Shown, err)
			}
		}
	}
}

// A pattern asks for sizes before it reads.
func TestPatternOfFilesThatDoNotKnowTheirSize(t *testing.T) {
	tree := unsized{fstest.MapFS{"a.md": {Data: []byte("text of a\n")}, "b.md": {Data: []byte("text of b\n")}}}
	c, err := fs.Over(tree).Resolve(t.Context(), ampersat.Query{Mention: mention.Glob{Pattern: "*.md"}, Asker: person})
	if err != nil || len(c.Files) != 2 || c.Files[0].Text != "text of a\n" || c.Files[1].Text != "text of b\n" {
		t.Errorf("%+v, %v", c, err)
	}
}

// unsized is a tree whose files do not know how long they are.
type unsized struct{ fstest.MapFS }

func (u unsized) Open(name string) (iofs.File, error) {
	f, err := u.MapFS.Open(name)
	if err != nil || name == "." {
		return f, err
	}
	return claims{f, -1}, nil
}

func (u unsized) Stat(name string) (iofs.FileInfo, error) {
	f, err := u.Open(name)
	if err != nil {
		return nil, err
	}
	return f.Stat()
}
