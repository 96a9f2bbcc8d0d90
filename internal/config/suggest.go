package config

import "strings"

// suggest returns the word that was probably meant, or nothing if none is near.
func suggest(word string, among []string) string {
	word = strings.ToLower(word)
	if len(word) > 64 {
		return "" // nobody mistypes that much
	}
	best, nearest, squeezed := "", len(word)/3+2, squeeze(word)
	for _, candidate := range among {
		// The other spellings of people: dashes, none, camel case.
		if squeezed == squeeze(candidate) {
			return candidate
		}
		if d := distance(word, candidate); d < nearest {
			best, nearest = candidate, d
		}
	}
	return best
}

// slipOf returns the name that a word is almost certainly a slip of: one letter is
// wrong, in a long name two. In a short one any letter makes another word. Unlike
// [suggest] it decides, so it must not take one word for another.
func slipOf(word string, among []string) string {
	lower := strings.ToLower(word)
	if len(word) > 64 {
		return ""
	}
	for _, name := range among {
		wrong := 0
		switch {
		case len(name) >= 8:
			wrong = 2
		case len(name) >= 4:
			wrong = 1
		}
		if word != name && distance(lower, strings.ToLower(name)) <= wrong {
			return name
		}
	}
	return ""
}

func squeeze(word string) string {
	return strings.ReplaceAll(strings.ReplaceAll(word, "_", ""), "-", "")
}

// distance is how many letters must be added, left out, replaced or swapped
// with their neighbour.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			replaced := row[j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			next[j] = min(replaced, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// didYouMean ends a sentence about a word that is not known.
func didYouMean(word string, among []string) string {
	if near := suggest(word, among); near != "" {
		return "; did you mean " + near + "?"
	}
	return "; use one of " + strings.Join(among, ", ")
}
