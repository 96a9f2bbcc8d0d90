package access

import "strings"

// placeholder reports whether a value stands in the place of a secret: words
// such as "your-api-key", runs such as xxxx, sequences such as 12345678.
func placeholder(value string) bool {
	folded := strings.ToLower(value)
	for _, word := range [...]string{
		"example", "sample", "placeholder", "changeme", "change-me", "change_me", "replace", "redacted",
		"dummy", "your-", "your_", "yourkey", "yourtoken", "yoursecret", "yourapi", "insert", "notreal", "not-real", "not_real",
		"xxxx", "****", "....", "0000000", "1111111", "aaaaaaa", "fffffff", "______", "------",
		"12345678", "23456789", "01234567", "87654321", "98765432", "abcdefgh", "bcdefghi", "qwertyui", "deadbeef", "cafebabe", "a1b2c3d4", "00010203",
	} {
		if strings.Contains(folded, word) {
			return true
		}
	}
	return false
}

// sort narrows the class of a character to digit, upperCase or lowerCase; zero is
// something else.
func (class alphabet) sort() alphabet {
	switch {
	case class&digit != 0:
		return digit
	case class&upperCase != 0:
		return upperCase
	case class&lowerCase != 0:
		return lowerCase
	}
	return 0
}

// turns reports whether two characters of different sorts meet as they do not in a
// word. From a capital to a small letter is how a word begins.
func turns(before, class alphabet) bool {
	return class != before && class != 0 && before != 0 && !(before == upperCase && class == lowerCase)
}

// random reports whether a value reads like generated characters rather than
// like words: both letters and digits, nearly no repetition, and changes of
// class all over it. An identifier changes class where its words meet, once in
// six characters or so; random characters do in every second to third.
func random(value string) bool {
	value = strings.TrimRight(value, "=")
	if len(value) < 12 {
		return false
	}
	digits, letters, separators, changes, longest, humps, capitals := 0, 0, 0, 0, 0, 0, 0
	table, before, same := classes(), alphabet(0), 0
	for i := range len(value) {
		class := table[value[i]].sort()
		switch class {
		case digit:
			digits++
		case upperCase, lowerCase:
			letters++
		default:
			separators++
		}
		if turns(before, class) {
			changes++
		}
		if before == lowerCase && class == upperCase {
			humps++
		}
		if before == upperCase && class == upperCase {
			capitals++
		}
		if class == before {
			same++
		} else {
			same = 1
		}
		if class == lowerCase || class == upperCase {
			longest = max(longest, same)
		}
		before = class
	}
	n := len(value)
	// Few tokens have no digit; those mix small letters and capitals as no name
	// does, with both words and abbreviations all over.
	mixed := humps*6 >= n && capitals*10 >= n
	if letters == 0 || (digits == 0 || digits == 1 && n > 20) && !mixed || longest > 15 || separators*6 > n || changes*6 < n {
		return false
	}
	bits := entropy(value)
	if anyHex.run(value, n) == n {
		return n >= 20 && bits >= 3
	}
	return bits >= 3.5 || n < 16 && bits >= 3.3
}

// uuid reports whether a value is written 8-4-4-4-12, and not as the nil UUID
// or a counter.
func uuid(value string) bool {
	if len(value) != 36 || value[8] != '-' || value[13] != '-' || value[18] != '-' || value[23] != '-' {
		return false
	}
	for i := range len(value) {
		if i != 8 && i != 13 && i != 18 && i != 23 && !anyHex.has(value[i]) {
			return false
		}
	}
	return entropy(value) >= 2.8
}

// likelyPassword reports whether a password that stands where passwords stand
// (in a URL, on a command line) is a real one rather than an example's.
func likelyPassword(value string) bool {
	if len(value) < 8 || placeholder(value) || strings.ContainsAny(value, "<>{}[]()$*\"'`\\|,;…") {
		return false
	}
	folded := strings.ToLower(value)
	for _, word := range [...]string{"pass", "sword", "p@ss", "secret", "test", "user", "token", "admin", "sesame", "foo", "bar", "pwd", "key", "%s", "%d", "%v"} {
		if strings.Contains(folded, word) {
			return false
		}
	}
	letters, others := 0, 0
	for i := range len(value) {
		if letter.has(value[i]) {
			letters++
		} else {
			others++
		}
	}
	return letters > 0 && others > 0 && entropy(value) >= 2.5
}
