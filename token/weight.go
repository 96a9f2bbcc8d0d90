package token

// unit is how many parts of a token the weights are given in.
const unit = 1000

// The weights of ASCII text, in thousandths of a token. Together with those in
// rune.go they were fitted by least squares, none below zero, to what the
// tokenizer o200k_base makes of one half of the samples in the conformance
// module. The other half judges them there.
//
// They follow how such tokenizers cut: a space goes with the word behind it, a
// line break with the punctuation before it, digits go in threes.
const (
	capital = 366 // any piece that begins with one

	// Indentation and other runs of white space; a single space is free.
	spaces = 822

	lineBreak          = 1222
	lineBreakAfterMark = 288

	// The first mark of a run of punctuation, by what stands before it. Two
	// more go into the same token, as in "()," or "});".
	markAfterSpace = 1236
	markAfterWord  = 816
	markAfterBreak = 588
	markAgain      = 60  // ----------
	markOther      = 518 // $#%&!@*

	firstDigit       = 1168 // alone or with up to two more
	furtherDigit     = 333  // from the fourth on
	digitsAfterSpace = 949  // here the space is a token of its own

	// Letters and digits that alternate every few bytes: base64, hex, hashes.
	mixedLetters = 608
	mixedLetter  = 467
	mixedDigits  = 850
	mixedDigit   = 140
)

// wordStart is the first letter of a word, by what stands before it.
var wordStart = [kindCount]int{
	space:    918,
	lineEnd:  918,
	oneMark:  389, // .name _name (name
	mark:     1081,
	lower:    215, // the N of userName, and what goes on after the longest piece
	digit:    925,
	latin:    522, // the r of größer
	cyrillic: 1102,
	semitic:  1102,
	indic:    1102,
	han:      1102,
	kana:     1102,
	hangul:   1102,
	wideMark: 1102,
	typeset:  1102,
	symbol:   1102,
	emoji:    1102,
	joiner:   1102,
	broken:   1102,
}

// letters[n] is what n letters cost in addition to the first: nothing much
// while the word is likely to be a token of its own.
var letters = [...]int{0, 0, 31, 62, 93, 93, 93, 93, 256, 419, 582, 774, 966, 1158, 1399}

// furtherLetter is what each letter costs beyond the table.
const furtherLetter = 241

// capitals[n] is what n capitals in a row cost in addition to the start of the
// word.
var capitals = [...]int{0, capital, 569, 772, 985, 1198, 1411, 1624, 1782}

// furtherCapital is what each capital costs beyond the table.
const furtherCapital = 158

func lettersCost(n int) int {
	if n < len(letters) {
		return letters[n]
	}
	return letters[len(letters)-1] + (n-len(letters)+1)*furtherLetter
}

// capitalsCost is what n letters cost that begin with more than one capital.
func capitalsCost(caps, n int) int {
	small := 0
	if caps < n { // the last of the capitals begins the word: HTTPServer
		small = lettersCost(n - caps + 1)
		caps--
	}
	if caps < len(capitals) {
		return capitals[caps] + small
	}
	return capitals[len(capitals)-1] + (caps-len(capitals)+1)*furtherCapital + small
}
