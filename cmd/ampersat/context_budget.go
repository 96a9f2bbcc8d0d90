package main

import (
	"strconv"

	"github.com/ampersat/ampersat/token"
)

// tokenCount is a flag that is a number of tokens: 2000, or 2k, as people say it.
type tokenCount int

// String implements pflag.Value.
func (t *tokenCount) String() string { return strconv.Itoa(int(*t)) }

// Type implements pflag.Value. It is what help shows.
func (t *tokenCount) Type() string { return "tokens" }

// Set implements pflag.Value.
func (t *tokenCount) Set(text string) error {
	n, err := token.ParseCount(text)
	*t = tokenCount(n)
	return err
}
