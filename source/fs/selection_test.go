package fs_test

import (
	"cmp"
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

// testContext is the context of a test, or of a property within one.
func testContext(t any) context.Context {
	if t, ok := t.(interface{ Context() context.Context }); ok {
		return t.Context()
	}
	return context.Background()
}

func TestSelections(t *testing.T) {
	five := "one\ntwo\r\nthree\nfour\nfive\n"
	for _, test := range []struct {
		name, data        string
		first, last       int
		text, attr, shown string
	}{
		{"one line", five, 3, 3, "three\n", "3", ""},
		{"a range", five, 2, 4, "two\r\nthree\nfour\n", "2-4", ""},
		{"all of it", five, 1, 5, five, "1-5", ""},
		{"past the end", five, 4, 9, "four\nfive\n", "4-9", "lines 4-5 of 5"},
		{"only the last", five, 5, 9, "five\n", "5-9", "line 5 of 5"},
		{"no newline at the end", "one\ntwo", 2, 2, "two", "2", ""},
		{"an empty line", "one\n\nthree", 2, 2, "\n", "2", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := fs.Over(fstest.MapFS{"f": {Data: []byte(test.data)}})
			c, err := r.Resolve(t.Context(), ampersat.Query{Mention: lines("f", test.first, test.last), Asker: person})
			if err != nil || c.Text != test.text || c.Lines != test.attr || c.Shown != test.shown {
				t.Errorf("%q %q %q, %v", c.Text, c.Lines, c.Shown, err)
			}
			if string(c.Source) != sha(test.data) || c.Size != int64(len(test.data)) || c.Tree != "." {
				t.Errorf("%+v", c)
			}
		})
	}
}

func TestSelectionsThatAreMissing(t *testing.T) {
	tree := fstest.MapFS{"five": {Data: []byte("1\n2\n3\n4\n5\n")}, "one": {Data: []byte("1")}, "empty": {}, "folder/f": {}, "zip": {Data: []byte("PK\x03\x04")}, "bin": {Data: []byte("a\x00")}}
	for _, test := range []struct {
		m       mention.Selection
		outcome ampersat.Outcome
		reason  string
	}{
		{mention.Selection{Path: "five", First: 6, Last: 9}, ampersat.Missing, "the file has 5 lines"},
		{mention.Selection{Path: "one", First: 2, Last: 2}, ampersat.Missing, "the file has 1 line"},
		{mention.Selection{Path: "empty", First: 1, Last: 1}, ampersat.Missing, "the file has 0 lines"},
		{mention.Selection{Path: "five", First: 4, Last: 2}, ampersat.Missing, "line 2 comes before line 4"},
		{mention.Selection{Path: "five"}, ampersat.Missing, "lines are counted from one"},
		{mention.Selection{First: 1, Last: 2}, ampersat.Missing, "there is no path"},
		{mention.Selection{Path: "folder", First: 1, Last: 2}, ampersat.Missing, "it is a folder, which has no lines"},
		{mention.Selection{Path: "none", First: 1, Last: 2}, ampersat.Missing, "nothing there"},
		{mention.Selection{Path: "zip", First: 1, Last: 2}, ampersat.Failed, "it is a ZIP archive, which has no lines"},
		{mention.Selection{Path: "bin", First: 1, Last: 2}, ampersat.Failed, "it is a binary file, which has no lines"},
	} {
		c, err := fs.Over(tree).Resolve(t.Context(), ampersat.Query{Mention: test.m, Asker: person})
		if miss := missing(t, c, err, test.outcome); miss.Reason != test.reason {
			t.Errorf("%v: %q, want %q", test.m, miss.Reason, test.reason)
		}
	}
}

func TestColumnIsNoted(t *testing.T) {
	r := fs.Over(fstest.MapFS{"f": {Data: []byte("one\n")}})
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: mention.Selection{Path: "f", First: 1, Last: 1, Column: 3}, Asker: person})
	if err != nil || c.Text != "one\n" || c.Note != "column 3" {
		t.Errorf("%+v, %v", c, err)
	}
}

// The judge splits the text into lines. A selection is some of them and never
// the whole file, whether it was read whole or not, and whatever was read of it
// before. It knows what it was cut from.
func TestSelectionNeverWidens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := rapid.StringMatching(`([a-zé]{0,9}\r?\n?){0,30}`).Draw(t, "data")
		limit := rapid.SampledFrom([]int{0, 8, 64}).Draw(t, "limit")
		held := rapid.SampledFrom([]int{0, 8, 64}).Draw(t, "held")
		all := strings.SplitAfter(data, "\n")
		if all[len(all)-1] == "" {
			all = all[:len(all)-1]
		}
		r := fs.New(fs.Config{FS: fstest.MapFS{"f": {Data: []byte(data)}}, Limits: fs.Limits{Text: held}})
		if held > 0 {
			limit = min(cmp.Or(limit, held), held)
		}
		memory := new(ampersat.Memory)
		for range rapid.IntRange(1, 3).Draw(t, "mentions") {
			first := rapid.IntRange(1, 20).Draw(t, "first")
			last := first + rapid.IntRange(0, 20).Draw(t, "more")
			c, err := r.Resolve(context.Background(), ampersat.Query{Mention: lines("f", first, last), Asker: person, Limit: limit, Memory: memory})
			if first > len(all) {
				if err == nil {
					t.Fatalf("%q came of %d lines", c.Text, len(all))
				}
				continue
			}
			want := strings.Join(all[first-1:min(last, len(all))], "")
			cut := limit > 0 && len(want) > limit
			switch {
			case err != nil:
				t.Fatal(err)
			case cut && (!strings.HasPrefix(want, c.Text) || len(c.Text) > limit || c.Shown == ""):
				t.Fatalf("have %q, %q of %q", c.Text, c.Shown, want)
			case !cut && c.Text != want:
				t.Fatalf("have %q, want %q", c.Text, want)
			case !cut && (c.Shown != "") != (last > len(all)):
				t.Fatalf("%q is said to be %q", c.Text, c.Shown)
			case c.Within != data || c.Within[:c.At] != strings.Join(all[:first-1], ""):
				t.Fatalf("%q is said to stand at %d of %q", c.Text, c.At, c.Within)
			}
		}
	})
}

// In another encoding, and too long to be read whole, lines are lines too.
func TestSelectionOfALargeFileInUTF16(t *testing.T) {
	data := "\xFF\xFE" + in16(strings.Repeat("eine Größe 🙂\r\n", 1000)+"letzte\r\n", 1, 0)
	r := fs.New(fs.Config{FS: fstest.MapFS{"f": {Data: []byte(data)}}, Limits: fs.Limits{Text: 1000}})
	c, err := r.Resolve(t.Context(), ampersat.Query{Mention: lines("f", 1000, 1001), Asker: person})
	if err != nil || c.Text != "eine Größe 🙂\r\nletzte\r\n" || c.Source != "" || c.Note != "read as UTF-16" {
		t.Errorf("%+v, %v", c, err)
	}
}
