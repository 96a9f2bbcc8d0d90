package web

import (
	"strconv"
	"strings"
)

// join puts remarks together.
func join(remarks ...string) string {
	var said []string
	for _, remark := range remarks {
		if remark != "" {
			said = append(said, remark)
		}
	}
	return strings.Join(said, "; ")
}

// thousands writes a number as people read it: 5,204.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
