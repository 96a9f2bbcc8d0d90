package process

import "strings"

// Word is a text as one word of a command line for sh. A folder may be called
// "a; b", and people copy what they are told to call.
func Word(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
