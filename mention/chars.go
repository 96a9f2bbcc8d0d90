package mention

import "unicode"

// class is a set of roles that an ASCII character can play.
type class uint8

const (
	opensMention class = 1 << iota // an @ after it may begin a mention
	begins                         // may be the first of a mention
	endsToken                      // ends a mention without quotes
	special                        // needs a look while a token is scanned
	inName                         // may be in a namespace
	escapable                      // may be escaped by a backslash
)

// classes is computed by the compiler's initialiser for arrays: no code runs
// at start-up.
var classes = [128]class{
	'\t': opensMention | endsToken | special | escapable, '\n': opensMention | endsToken | special, '\v': opensMention | endsToken | special,
	'\f': opensMention | endsToken | special, '\r': opensMention | endsToken | special, ' ': opensMention | endsToken | special | escapable,

	'(': opensMention | begins | special | escapable, '[': opensMention | begins | special | escapable, '{': opensMention | special | escapable,
	')': special | escapable, ']': special | escapable, '}': special | escapable,
	'<': opensMention | endsToken | special | escapable, '>': opensMention | endsToken | special | escapable,
	'"': opensMention | begins | endsToken | special | escapable, '\'': opensMention | begins | endsToken | special | escapable, '`': endsToken | special | escapable,
	',': opensMention | endsToken | special | escapable, ';': opensMention | endsToken | special | escapable, '|': opensMention | endsToken | special | escapable,
	':': opensMention, '*': opensMention, '~': opensMention | begins, '_': opensMention | begins | inName,
	'.': begins | inName, '/': begins, '-': begins | inName, '\\': special | escapable,

	'0': begins | inName, '1': begins | inName, '2': begins | inName, '3': begins | inName, '4': begins | inName,
	'5': begins | inName, '6': begins | inName, '7': begins | inName, '8': begins | inName, '9': begins | inName,
	'A': begins | inName, 'B': begins | inName, 'C': begins | inName, 'D': begins | inName, 'E': begins | inName, 'F': begins | inName, 'G': begins | inName,
	'H': begins | inName, 'I': begins | inName, 'J': begins | inName, 'K': begins | inName, 'L': begins | inName, 'M': begins | inName, 'N': begins | inName,
	'O': begins | inName, 'P': begins | inName, 'Q': begins | inName, 'R': begins | inName, 'S': begins | inName, 'T': begins | inName, 'U': begins | inName,
	'V': begins | inName, 'W': begins | inName, 'X': begins | inName, 'Y': begins | inName, 'Z': begins | inName,
	'a': begins | inName, 'b': begins | inName, 'c': begins | inName, 'd': begins | inName, 'e': begins | inName, 'f': begins | inName, 'g': begins | inName,
	'h': begins | inName, 'i': begins | inName, 'j': begins | inName, 'k': begins | inName, 'l': begins | inName, 'm': begins | inName, 'n': begins | inName,
	'o': begins | inName, 'p': begins | inName, 'q': begins | inName, 'r': begins | inName, 's': begins | inName, 't': begins | inName, 'u': begins | inName,
	'v': begins | inName, 'w': begins | inName, 'x': begins | inName, 'y': begins | inName, 'z': begins | inName,
}

func isEscapable(c byte) bool { return c < 128 && classes[c]&escapable != 0 }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// closing returns the bracket that closes the given one.
func closing(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

// opensAfter reports whether an @ after a character that is not ASCII may
// begin a mention: white space, an opening quote or bracket, an emoji, and
// scripts that are written without spaces, with their punctuation.
func opensAfter(r rune) bool {
	return isBlank(r) || unicode.In(r, unicode.Pi, unicode.Ps) || isEmoji(r) || isCJK(r) || isCJKPunctuation(r)
}

// beginsName reports whether a character that is not ASCII may be the first of
// a mention: a letter, a digit or a quote.
func beginsName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '“' || r == '‘' || r == '«'
}

// endsMention reports whether a character that is not ASCII ends a mention
// without quotes: white space, a quote, an em dash, an ellipsis, and the
// punctuation of scripts that are written without spaces.
func endsMention(r rune) bool {
	switch r {
	case '—', '―', '…', '‚', '„':
		return true
	}
	return isBlank(r) || unicode.In(r, unicode.Pi, unicode.Pf) || isCJKPunctuation(r)
}

// isBlank also takes the characters of no width that editors leave behind.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff'
}

func isCJK(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo) || r == 'ー'
}

func isCJKPunctuation(r rune) bool {
	switch {
	case 0x3000 <= r && r <= 0x303f:
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	case 0xff01 <= r && r <= 0xff65:
		return unicode.IsPunct(r) || unicode.IsSymbol(r)
	case 0xfe30 <= r && r <= 0xfe6b:
		return true
	}
	return false
}

// isEmoji takes the blocks that hold emoji, and what may end the sequence of
// one: a selector, a joiner, a keycap, a skin tone.
func isEmoji(r rune) bool {
	switch {
	case 0x1f000 <= r && r <= 0x1faff, 0x2600 <= r && r <= 0x27bf, 0x2300 <= r && r <= 0x23ff, 0x2b00 <= r && r <= 0x2bff:
		return true
	}
	return r == '\ufe0f' || r == '\u200d' || r == '\u20e3'
}
