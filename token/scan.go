package token

import (
	"math/bits"
	"unicode/utf8"
)

// kind is what the scanner takes a byte, or a rune, for.
type kind uint8

const (
	mark    kind = iota // ASCII punctuation and control characters
	oneMark             // a single one without a space before it: tokenizers take it into the word behind it
	space
	lineEnd
	digit
	lower
	upper
	wide // a byte of a rune beyond ASCII; never the kind of a piece

	latin    // é, ß, ł: they stand in words with ASCII letters
	cyrillic // and Greek, Armenian
	semitic  // Hebrew, Arabic
	indic    // Devanagari, Thai and most other scripts
	han
	kana
	hangul
	wideMark // ideographic and full-width punctuation
	typeset  // dashes, curly quotes, signs
	symbol   // arrows, mathematics, box drawing, dingbats
	emoji
	joiner // what glues emoji and accents together
	broken // a byte that is not UTF-8

	kindCount
)

// kinds tells the kind of a byte. What is not listed is a mark, the zero value.
// The table is data: nothing runs at start-up.
var kinds = [256]kind{
	'\t': space, '\v': space, '\f': space, ' ': space, '\n': lineEnd, '\r': lineEnd,

	'0': digit, digit, digit, digit, digit, digit, digit, digit, digit, digit,
	'A': upper, upper, upper, upper, upper, upper, upper, upper, upper, upper, upper, upper, upper,
	upper, upper, upper, upper, upper, upper, upper, upper, upper, upper, upper, upper, upper,
	'a': lower, lower, lower, lower, lower, lower, lower, lower, lower, lower, lower, lower, lower,
	lower, lower, lower, lower, lower, lower, lower, lower, lower, lower, lower, lower, lower,
	0x80: wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
	wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
	wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
	wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
	wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
	wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
	wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
	wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
}

// The longest pieces that are read at once. A text is cut between pieces, so
// this is how many bytes of a budget a cut may waste.
const (
	longestPiece = 32
	longestSpace = 64
)

// Pieces of base64 and hex (capitals, then small letters; or digits) are mostly
// shortPiece bytes long or less, and hardly ever longer than mixedPiece.
const shortPiece, mixedPiece = 5, 8

// scan adds up what the pieces of text cost, in parts of a [unit]. It stops
// before the piece with which the cost would exceed limit, and returns where.
//
// A piece is what tokenizers consider at once: a word, a run of digits, of
// white space or of punctuation, a rune of another script. What it costs
// depends on itself and on a bounded stretch before it, never on what follows.
// So a beginning costs no more than the whole, and two texts cost together what
// they cost alone, up to a constant: the pieces that the cut goes through.
func scan(text string, limit int) (cost, end int) {
	prev := lineEnd
	// mixed has a bit for each of the last pieces, set if that was a short one
	// that stood directly behind another: base64 and hex are nothing else.
	mixed := uint8(0)

	for i := 0; i < len(text); {
		k := kinds[text[i]]
		if k == space && i+1 < len(text) && kinds[text[i+1]] != space {
			// A single space is free, as part of what follows.
			i++
			prev, k = space, kinds[text[i]]
		}
		// What most text is made of: a word of a few small letters, perhaps with
		// a capital. The two are apart because a processor guesses which one it
		// is, and need not wait for the answer.
		if (prev == space || prev == lineEnd) && len(text)-i > 8 {
			n, price := 8, 0
			switch k {
			case lower:
				if n = fewLower(text[i:]); n < 8 {
					price = wordStart[prev] + letters[n]
				}
			case upper:
				if n = fewLower(text[i+1:]) + 1; n > 1 && n < 9 {
					price = wordStart[prev] + capital + letters[n]
				}
			}
			if price > 0 {
				if cost+price > limit {
					return cost, i
				}
				cost += price
				mixed = shift(mixed, false)
				prev = lower
				i += n
				continue
			}
		}
		start, before := i, cost
		switch k {
		case lower, upper:
			stop := min(len(text), start+longestPiece)
			if k == upper {
				for i++; i < stop && kinds[text[i]] == upper; i++ {
				}
			}
			caps := i - start
			i = skipLower(text, i, stop)
			n := i - start
			k = lower
			attached := prev == lower || prev == digit
			mixed = shift(mixed, attached && n <= shortPiece)
			if attached && n <= mixedPiece && alternates(mixed) {
				cost += mixedLetters + n*mixedLetter
				break
			}
			cost += wordStart[prev]
			if caps > 1 {
				cost += capitalsCost(caps, n)
			} else {
				cost += caps*capital + lettersCost(n)
			}

		case digit:
			stop := min(len(text), start+longestPiece)
			for i++; i < stop && kinds[text[i]] == digit; i++ {
			}
			n := i - start
			mixed = shift(mixed, prev == lower && n <= shortPiece)
			switch {
			case prev == digit:
				cost += n * furtherDigit
			case prev == lower && alternates(mixed):
				cost += mixedDigits + (n-1)*mixedDigit
			default:
				cost += firstDigit + max(0, n-3)*furtherDigit
				if prev == space {
					cost += digitsAfterSpace
				}
			}

		case space:
			stop := min(len(text), start+longestSpace)
			for i++; i < stop && kinds[text[i]] == space; i++ {
			}
			if i-start > 1 {
				cost += spaces
			}

		case lineEnd:
			stop := min(len(text), start+longestSpace)
			for i++; i < stop && kinds[text[i]] == lineEnd; i++ {
			}
			if prev == mark || prev == oneMark {
				cost += lineBreakAfterMark
			} else {
				cost += lineBreak
			}

		case mark:
			stop := min(len(text), start+longestPiece)
			free := 2
			switch prev {
			case space:
				cost += markAfterSpace
			case lineEnd:
				cost += markAfterBreak
			case mark: // of a longer run
				free = 0
				if text[i] == text[i-1] {
					cost += markAgain
				} else {
					cost += markOther
				}
			default:
				cost += markAfterWord
			}
			for i++; i < stop && kinds[text[i]] == mark; i++ {
				switch {
				case free > 0:
					free--
				case text[i] == text[i-1]:
					cost += markAgain
				default:
					cost += markOther
				}
			}
			if i-start == 1 && prev != space && prev != mark {
				k = oneMark
			}
			mixed = shift(mixed, false)

		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			i += size
			k = runeKind(r, size)
			weight := &runeWeights[k]
			cost += weight.each
			if k != prev && !(k == latin && prev == lower) {
				cost += weight.first
			}
		}
		if cost > limit {
			return before, start
		}
		prev = k
	}
	return cost, len(text)
}

// shift adds a piece to the history that scan keeps.
func shift(mixed uint8, short bool) uint8 {
	mixed <<= 1
	if short {
		mixed |= 1
	}
	return mixed
}

// alternates reports whether half of the last pieces were short and stood
// directly behind another.
func alternates(mixed uint8) bool {
	return bits.OnesCount8(mixed) >= 4
}

// skipLower returns where the small letters end that begin at text[i], at most
// at stop.
func skipLower(text string, i, stop int) int {
	for stop-i >= 8 {
		n := fewLower(text[i:])
		i += n
		if n < 8 {
			return i
		}
	}
	for i < stop && kinds[text[i]] == lower {
		i++
	}
	return i
}

// fewLower returns how many small letters text begins with, at most eight; it is
// at least as long. The eight bytes are looked at together: most words end among
// them, and a loop that ends at an unforeseeable byte is what would cost the
// time.
func fewLower(text string) int {
	const high, low7 = 0x8080808080808080, 0x7f7f7f7f7f7f7f7f
	const fromA, beyondZ = 0x0101010101010101 * (0x80 - 'a'), 0x0101010101010101 * (0x7f - 'z')
	b := text[:8]
	word := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
	other := ((word&low7 + fromA) &^ (word&low7 + beyondZ) &^ word & high) ^ high
	return bits.TrailingZeros64(other) / 8
}
