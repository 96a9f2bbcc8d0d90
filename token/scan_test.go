package token

import (
	"math"
	"strings"
	"testing"
)

// Short words with something behind them are priced at a glance, the others
// letter by letter. The price is the same.
func TestWordsCostTheSameAtAGlance(t *testing.T) {
	const tail = "................"
	cost := func(text string) int {
		cost, end := scan(text, math.MaxInt)
		if end != len(text) {
			t.Fatalf("%q: stopped at %d", text, end)
		}
		return cost
	}
	long := strings.Repeat("x", 12)
	behind := cost(long+tail) - cost(long)
	for _, before := range []string{" ", "\n", "a ", "\t", "   ", "A1b2C3d4E5 "} {
		for _, first := range []string{"", "a", "X", "HT", "é", "1"} {
			for n := range 12 {
				word := before + first + strings.Repeat("b", n)
				if kinds[word[len(word)-1]] != lower {
					continue
				}
				alone := cost(word)
				if have := cost(word+tail) - behind; have != alone {
					t.Errorf("%q costs %d, and %d with something behind it", word, alone, have)
				}
				// The limit is kept to the thousandth.
				if _, end := scan(word+tail, alone); end != len(word) {
					t.Errorf("%q: %d fit into what %d cost", word, end, len(word))
				}
				if have, end := scan(word+tail, alone-1); end >= len(word) || have != cost(word[:end]) {
					t.Errorf("%q: %d fit into less than %d cost", word, end, len(word))
				}
			}
		}
	}
}
