package access

import (
	"math"
	"sync"
)

// alphabet is a set of byte classes that a token may be made of.
type alphabet uint16

const (
	digit    alphabet = 1 << iota
	lowerHex          // a-f
	upperHex          // A-F
	lower             // g-z
	upper             // G-Z
	underscore
	hyphen
	dot
	base64Sign // + and /
	padding    // =
	tilde
	percent
)

const (
	hexDigit  = digit | lowerHex
	anyHex    = hexDigit | upperHex
	letter    = lowerHex | lower | upperHex | upper
	upperCase = upperHex | upper
	lowerCase = lowerHex | lower
	alnum     = letter | digit
	word      = alnum | underscore
	dashed    = word | hyphen
	base64    = alnum | base64Sign
	tokenish  = dashed | dot | base64Sign | tilde
)

// classes tells the alphabets of each byte.
var classes = sync.OnceValue(func() *[256]alphabet {
	var table [256]alphabet
	for b := '0'; b <= '9'; b++ {
		table[b] = digit
	}
	for b := 'a'; b <= 'z'; b++ {
		small, capital := lower, upper
		if b <= 'f' {
			small, capital = lowerHex, upperHex
		}
		table[b], table[b-'a'+'A'] = small, capital
	}
	table['_'], table['-'], table['.'] = underscore, hyphen, dot
	table['+'], table['/'], table['='] = base64Sign, base64Sign, padding
	table['~'], table['%'] = tilde, percent
	return &table
})

// run returns how many bytes of text, from its start and at most limit, belong
// to the alphabet.
func (a alphabet) run(text string, limit int) int {
	table := classes()
	n := min(limit, len(text))
	for i := range n {
		if table[text[i]]&a == 0 {
			return i
		}
	}
	return n
}

// back returns how many bytes before text[at], at most limit, belong to the
// alphabet.
func (a alphabet) back(text string, at, limit int) int {
	table := classes()
	n := 0
	for n < limit && n < at && table[text[at-n-1]]&a != 0 {
		n++
	}
	return n
}

// has reports whether b belongs to the alphabet.
func (a alphabet) has(b byte) bool { return classes()[b]&a != 0 }

// entropy is Shannon's, in bits per byte, of how often each byte occurs.
func entropy(text string) float64 {
	if text == "" {
		return 0
	}
	var count [256]int
	for i := range len(text) {
		count[text[i]]++
	}
	bits, total := 0.0, float64(len(text))
	for _, n := range count {
		if n > 0 {
			share := float64(n) / total
			bits -= share * math.Log2(share)
		}
	}
	return bits
}
