package main

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// tokenCount is a flag that is a number of tokens: 2000, or 2k, as people say it.
type tokenCount int

// String implements pflag.Value.
func (t *tokenCount) String() string { return strconv.Itoa(int(*t)) }

// Type implements pflag.Value. It is what help shows.
func (t *tokenCount) Type() string { return "tokens" }

// Set implements pflag.Value.
func (t *tokenCount) Set(text string) error {
	digits, factor := text, 1
	for suffix, times := range map[string]int{"k": 1_000, "m": 1_000_000} {
		if rest, ok := strings.CutSuffix(strings.ToLower(text), suffix); ok {
			digits, factor = rest, times
		}
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n > math.MaxInt/factor || n < math.MinInt/factor {
		return errors.New("want a number of tokens, such as 2000 or 32k")
	}
	*t = tokenCount(n * factor)
	return nil
}
