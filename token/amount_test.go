package token

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseCount(t *testing.T) {
	for _, test := range []struct {
		text string
		want int
		fail string
	}{
		{text: "1", want: 1},
		{text: "2000", want: 2000},
		{text: "60_000", want: 60_000},
		{text: "2k", want: 2000},
		{text: "32K", want: 32_000},
		{text: "1m", want: 1_000_000},
		{text: "2147483647", want: 2147483647},
		{text: "2147483648", fail: `"2147483648" is more tokens than there can be`},
		{text: "99999999999999999999", fail: `"99999999999999999999" is more tokens than there can be`},
		{text: "3000m", fail: `"3000m" is more tokens than there can be`},
		{text: "0", fail: `"0" leaves no token`},
		{text: "0k", fail: `"0k" leaves no token`},
		{text: "-5", fail: `"-5" leaves no token`},
		{text: "-99999999999999999999", fail: `"-99999999999999999999" leaves no token`},
		{text: "abc", fail: `"abc" is not a number of tokens; write it like 2000 or 32k`},
		{text: "1.5k", fail: "is not a number"},
		{text: "k", fail: "is not a number"},
		{text: "", fail: "is not a number"},
		{text: "2kk", fail: "is not a number"},
		{text: "0x10", fail: "is not a number"},
		{text: "2 k", fail: "is not a number"},
	} {
		n, err := ParseCount(test.text)
		switch {
		case test.fail == "" && (err != nil || n != test.want):
			t.Errorf("%q: have %d, %v, want %d", test.text, n, err, test.want)
		case test.fail != "" && (err == nil || !strings.Contains(err.Error(), test.fail)):
			t.Errorf("%q: have %d, %v, want %s", test.text, n, err, test.fail)
		}
	}
}

// TestParseCountReadsEveryNumber that there can be, in each of its spellings.
func TestParseCountReadsEveryNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 2147).Draw(t, "n")
		for suffix, factor := range map[string]int{"": 1, "k": 1_000, "_000": 1_000, "m": 1_000_000} {
			if have, err := ParseCount(strconv.Itoa(n) + suffix); err != nil || have != n*factor {
				t.Fatalf("%d%s: have %d, %v", n, suffix, have, err)
			}
		}
	})
}
