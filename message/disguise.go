package message

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// opener reads what may begin a tag at the start of text: a less-than sign, one
// of the two compatibility forms of it, or a reference to one of the three,
// however often escaped. Its first bytes, replaced of them, give way to escape;
// size is the length of the whole, zero if there is no opener.
func opener(text string) (replaced int, escape string, size int) {
	if text[0] == '&' {
		size = len("&")
		for strings.HasPrefix(text[size:], "amp;") {
			size += len("amp;")
		}
		if size == len(text) || text[size] != '#' && text[size]|0x20 != 'l' {
			return 0, "", 0 // no reference to the sign begins so
		}
		if referred, n := reference(text[size:]); n > 0 && escapeOf(referred) != "" {
			return len("&"), "&amp;", size + n
		}
		return 0, "", 0
	}
	_, size = utf8.DecodeRuneInString(text)
	if escape = escapeOf(text[:size]); escape == "" {
		return 0, "", 0
	}
	return size, escape, size
}

// escapeOf is how a less-than sign is written that must not begin a tag, empty
// for all other characters.
func escapeOf(sign string) string {
	switch sign {
	case "<":
		return "&lt;"
	case "\uFF1C":
		return "&#65308;"
	case "\uFE64":
		return "&#65124;"
	}
	return ""
}

// reference reads the reference to a character that follows an ampersand, as
// readers of HTML do: in decimal or hexadecimal, with or without a semicolon, or
// by name. It returns what is referred to, and its length, zero if there is none.
func reference(text string) (referred string, size int) {
	if !strings.HasPrefix(text, "#") {
		return named(text)
	}
	start, base := 1, 10
	if len(text) > start && text[start]|0x20 == 'x' {
		start, base = 2, 16
	}
	end := start
	r := rune(0)
	for ; end < len(text); end++ {
		digit := strings.IndexByte("0123456789abcdef"[:base], text[end]|0x20)
		if text[end] <= '9' {
			digit = int(text[end]) - '0'
		}
		if digit < 0 {
			break
		}
		r = min(r*rune(base)+rune(digit), unicode.MaxRune+1)
	}
	if end == start {
		return "", 0
	}
	if strings.HasPrefix(text[end:], ";") {
		end++
	}
	return string(r), end // what is no character is the replacement character
}

// named reads a reference by name. Of those that need no semicolon only the sign
// itself matters.
func named(text string) (referred string, size int) {
	if strings.HasPrefix(text, "lt") || strings.HasPrefix(text, "LT") {
		if strings.HasPrefix(text[2:], ";") {
			return "<", 3
		}
		return "<", 2
	}
	const longest = 32
	for size < min(len(text), longest) && ('a' <= text[size]|0x20 && text[size]|0x20 <= 'z' || '0' <= text[size] && text[size] <= '9') {
		size++
	}
	if size == 0 || !strings.HasPrefix(text[size:], ";") {
		return "", 0
	}
	size++
	// A name that only begins like a known one is longer than two characters.
	if referred = html.UnescapeString("&" + text[:size]); utf8.RuneCountInString(referred) > 2 {
		return "", 0
	}
	return referred, size
}

// beginsTag reports whether text, which follows an opener, goes on as a tag of
// the block, in any disguise that a lenient reader might see through: case,
// spacing, slashes, invisible characters, references, other forms of a letter,
// the commonest look-alikes.
func beginsTag(text string) bool {
	name := blockName
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		if name == "" {
			// A longer name is another tag.
			r = plain(r)
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || invisible(r)
		}
		seen := text[:size]
		if r == '&' {
			referred, n := reference(text[size:])
			if n == 0 {
				return false
			}
			seen, size = referred, size+n
		}
		text = text[size:]
		for _, r := range seen {
			var ok bool
			if name, ok = rest(name, r); !ok {
				return false
			}
		}
	}
	return name == ""
}

// rest returns what is left of the end of a name after a character that goes on
// with it, or that can be overlooked.
func rest(name string, r rune) (left string, ok bool) {
	letters := string(plain(r))
	if r == '\uFB01' {
		letters = "fi"
	}
	switch {
	case strings.HasPrefix(name, letters):
		return name[len(letters):], true
	case strings.HasPrefix(name, "_") && isDash(r):
		return name[1:], true
	}
	return name, invisible(r) || len(name) == len(blockName) && isSlash(r)
}

// plain returns the ASCII letter that r is a form of, in lower case.
func plain(r rune) rune {
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	switch {
	case 0xFF01 <= r && r <= 0xFF5E: // full-width forms
		return plain(r - 0xFEE0)
	case 0x1D400 <= r && r <= 0x1D6A3: // mathematical: thirteen alphabets, large and small
		return plain('A' + (r-0x1D400)%52 + (r-0x1D400)%52/26*('a'-'Z'-1))
	case 0x24B6 <= r && r <= 0x24E9: // in circles, large and small
		return 'a' + (r-0x24B6)%26
	case 0x1F130 <= r && r <= 0x1F149, 0x1F150 <= r && r <= 0x1F169, 0x1F170 <= r && r <= 0x1F189: // in squares and circles
		return 'a' + (r-0x1F130)%32
	}
	// What looks like a letter: Roman numerals, the mathematical letters that
	// stand elsewhere, small capitals, raised and lowered ones, Cyrillic, Greek.
	switch unicode.ToLower(r) {
	case 'ⅽ', 'ℂ', 'ℭ', 'ᴄ', 'ᶜ', 'с', 'ϲ':
		return 'c'
	case 'ℴ', 'ᴏ', 'ᵒ', 'ₒ', 'о', 'ο':
		return 'o'
	case 'ℕ', 'ɴ', 'ⁿ', 'ₙ':
		return 'n'
	case 'ᴛ', 'ᵗ', 'ₜ', 'т', 'τ':
		return 't'
	case 'ℯ', 'ℰ', 'ⅇ', 'ᴇ', 'ᵉ', 'ₑ', 'е', 'ε':
		return 'e'
	case 'ⅹ', 'ˣ', 'ₓ', 'х', 'χ', '×':
		return 'x'
	case 'ℱ', 'ꜰ', 'ᶠ':
		return 'f'
	case 'ⅰ', 'ℐ', 'ℑ', 'ℹ', 'ⅈ', 'ɪ', 'ⁱ', 'ᵢ', 'і', 'ι', 'ı', 'i':
		return 'i'
	case 'ⅼ', 'ℓ', 'ℒ', 'ʟ', 'ˡ', 'ₗ', 'ӏ':
		return 'l'
	}
	return r
}

// isDash reports whether r can pass for the line in the name: any dash, hyphen
// or joining line.
func isDash(r rune) bool {
	return r == '-' || r == '\u2212' || r >= utf8.RuneSelf && unicode.In(r, unicode.Pd, unicode.Pc)
}

func isSlash(r rune) bool {
	switch r {
	case '/', '\\', '\u2044', '\u2215', '\u2216', '\u2571', '\u27CB', '\u29F5', '\u29F8', '\u29F9', '\uFE68', '\uFF0F', '\uFF3C':
		return true
	}
	return false
}

// invisible reports whether r is white space, a control, a character that takes
// no room, or the replacement character, which stands for a byte that is not
// UTF-8 and that many readers drop.
func invisible(r rune) bool {
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7F
	}
	return unicode.IsSpace(r) || unicode.In(r, unicode.C, unicode.Z, unicode.Mn, unicode.Me) ||
		r == utf8.RuneError || r == '\u115F' || r == '\u1160' || r == '\u3164' || r == '\uFFA0' // Hangul fillers
}
