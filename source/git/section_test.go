package git

import (
	"bufio"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Taking the sections as they come holds the same ones as sorting all of them
// by size and taking the smallest while they fit.
func TestSectionsHoldTheSmallest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(0, 300), 0, 30).Draw(t, "lengths")
		room := rapid.IntRange(0, 4000).Draw(t, "room")
		var diff strings.Builder
		var sizes []int
		for i, length := range lengths {
			text := fmt.Sprintf("diff --git a/%d b/%d\n+%s\n", i, i, strings.Repeat("x", length))
			sizes = append(sizes, len(text))
			diff.WriteString(text)
		}
		s := &sections{room: room, withhold: func(string) string { return "" }}
		// A small buffer cuts lines in pieces.
		if err := s.read(bufio.NewReaderSize(strings.NewReader(diff.String()), 64)); err != nil {
			t.Fatal(err)
		}
		var held []int
		for _, c := range s.all {
			if !c.gone {
				held = append(held, c.size)
			}
		}
		slices.Sort(held)
		slices.Sort(sizes)
		var want []int
		for sum, i := 0, 0; i < len(sizes) && sum+sizes[i] <= room; i++ {
			want = append(want, sizes[i])
			sum += sizes[i]
		}
		if !slices.Equal(held, want) {
			t.Fatalf("held %v, want %v", held, want)
		}
		names, text, shown := s.render()
		if len(want) == len(sizes) && (text != diff.String() || names != "" || shown != "") {
			t.Fatalf("all of it fits: names %q, shown %q", names, shown)
		}
		if len(names)+len(text) > room+48 {
			t.Fatalf("%d bytes of names and %d of text in %d", len(names), len(text), room)
		}
	})
}

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		from, to string
		want     int
	}{{"", "", 0}, {"main", "main", 0}, {"mian", "main", 1}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abd", 1}, {"kitten", "sitting", 3}} {
		if have := distance(test.from, test.to); have != test.want {
			t.Errorf("from %q to %q: %d, want %d", test.from, test.to, have, test.want)
		}
	}
}

func TestPathsOfASection(t *testing.T) {
	for name, want := range map[string][2]string{
		"a/x b/x": {"x", "x"}, "a/old b/new": {"old", "new"}, "a/x b/y b/x b/y": {"x b/y", "x b/y"}, `"a/q\"" "b/q\""`: {`q\"`, `q\"`},
	} {
		before, after := paths(name)
		if before != want[0] || after != want[1] {
			t.Errorf("%s: %q %q", name, before, after)
		}
	}
}
