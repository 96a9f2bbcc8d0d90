package token

import "unicode/utf8"

// runeWeights are the weights of runes beyond ASCII, by kind: what one costs,
// and what the first of a run of its kind costs in addition.
var runeWeights = [kindCount]struct{ each, first int }{
	latin:    {336, 247},
	cyrillic: {146, 709},
	semitic:  {185, 703},
	indic:    {253, 410},
	han:      {673, 23},
	kana:     {752, 36},
	hangul:   {616, 205},
	wideMark: {1011, 11},
	typeset:  {904, 294},
	symbol:   {1184, 0},
	emoji:    {1980, 0},
	joiner:   {797, 0},
	broken:   {1000, 0},
}

// runeKind returns the kind of a rune beyond ASCII, as decoded from size
// bytes. Blocks of one script that lie together are told apart only where
// tokenizers treat them differently.
func runeKind(r rune, size int) kind {
	switch {
	case r == utf8.RuneError && size == 1:
		return broken
	case r < 0x00C0: // Latin-1 signs
		return typeset
	case r < 0x0300:
		return latin
	case r < 0x0370: // combining accents
		return joiner
	case r < 0x0590: // Greek, Cyrillic, Armenian
		return cyrillic
	case r < 0x0900: // Hebrew, Arabic, Syriac
		return semitic
	case r < 0x1100: // Devanagari to Georgian
		return indic
	case r < 0x1200:
		return hangul
	case r < 0x1E00:
		return indic
	case r < 0x1F00: // Vietnamese
		return latin
	case r < 0x2000: // Greek with accents
		return cyrillic
	case r == 0x200D:
		return joiner
	case r < 0x2070: // dashes, quotes
		return typeset
	case r < 0x2E80: // arrows, mathematics, box drawing, dingbats
		return symbol
	case r < 0x3000: // radicals
		return han
	case r < 0x3040: // ideographic punctuation
		return wideMark
	case r < 0x3400: // Hiragana, Katakana
		return kana
	case r < 0xA000:
		return han
	case r < 0xAC00:
		return indic
	case r < 0xD7B0:
		return hangul
	case r < 0xF900: // private use
		return symbol
	case r < 0xFB00:
		return han
	case r < 0xFE00:
		return semitic
	case r < 0xFE10: // variation selectors
		return joiner
	case r < 0xFE70:
		return wideMark
	case r < 0xFF00:
		return semitic
	case r < 0x10000: // full-width forms
		return wideMark
	case r < 0x20000: // pictographs, and scripts that are rare
		return emoji
	case r < 0xE0000:
		return han
	default: // tags
		return joiner
	}
}
