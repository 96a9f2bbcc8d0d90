package token

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseCount reads a number of tokens as people write it: 2000, 60_000, 32k or
// 1m. None at all is a mistake, since whoever wants the usual number says
// nothing.
func ParseCount(text string) (int, error) {
	digits, factor := strings.ToLower(text), int64(1)
	if rest, ok := strings.CutSuffix(digits, "k"); ok {
		digits, factor = rest, 1_000
	} else if rest, ok := strings.CutSuffix(digits, "m"); ok {
		digits, factor = rest, 1_000_000
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(digits, "_", ""), 10, 64)
	switch {
	case err != nil && !isNumber(digits):
		return 0, fmt.Errorf("%q is not a number of tokens; write it like 2000 or 32k", text)
	case n <= 0:
		return 0, fmt.Errorf("%q leaves no token; write 1 or more, or leave it out for what is usual", text)
	case err != nil || n > math.MaxInt32/factor:
		return 0, fmt.Errorf("%q is more tokens than there can be", text)
	}
	return int(n * factor), nil
}

// isNumber reports whether a text is a number, however large.
func isNumber(text string) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "-"), "+")
	return digits != "" && strings.Trim(digits, "0123456789_") == ""
}
