package wording

import (
	"strconv"
	"strings"
)

// Number writes a number as people read it: 5,204.
func Number[N int | int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	first := 0
	if n < 0 {
		first = 1 // after the sign
	}
	for i := len(digits) - 3; i > first; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// Count says how many there are of something: "1 file", "5,204 files".
func Count[N int | int64](n N, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}

// First names the first of many, and says how many more there are.
func First(names []string, most int) string {
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += " and " + Number(more) + " more"
	}
	return text
}
