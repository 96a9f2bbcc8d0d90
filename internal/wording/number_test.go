package wording_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/ampersat/ampersat/internal/wording"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 5204: "5,204", 999_999: "999,999", 1_000_000: "1,000,000",
		-7: "-7", -999: "-999", -1000: "-1,000", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if have := wording.Number(n); have != want {
			t.Errorf("%d: %q, want %q", n, have, want)
		}
	}
}

// Without its commas a number is what it was, and between two of them are three
// digits.
func TestNumberIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64().Draw(t, "n")
		written := wording.Number(n)
		if back, err := strconv.ParseInt(strings.ReplaceAll(written, ",", ""), 10, 64); err != nil || back != n {
			t.Fatalf("%d is written %s, read as %d, %v", n, written, back, err)
		}
		for i, group := range strings.Split(strings.TrimPrefix(written, "-"), ",") {
			if len(group) != 3 && (i > 0 || len(group) > 3 || group == "") {
				t.Fatalf("%d is written %s", n, written)
			}
		}
	})
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 files", 1: "1 file", 2: "2 files", 5204: "5,204 files"} {
		if have := wording.Count(n, "file"); have != want {
			t.Errorf("%d: %q, want %q", n, have, want)
		}
	}
}

func TestFirst(t *testing.T) {
	for _, c := range []struct {
		names []string
		most  int
		want  string
	}{
		{nil, 3, ""},
		{[]string{"a"}, 3, "a"},
		{[]string{"a", "b", "c"}, 3, "a, b, c"},
		{[]string{"a", "b", "c", "d"}, 3, "a, b, c and 1 more"},
		{make([]string, 1205), 1, " and 1,204 more"},
	} {
		if have := wording.First(c.names, c.most); have != c.want {
			t.Errorf("%q: %q, want %q", c.names, have, c.want)
		}
	}
}
