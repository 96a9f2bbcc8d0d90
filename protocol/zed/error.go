package zed

import (
	"errors"
	"fmt"
)

// ErrNoURI is wrapped by the errors of [URI] and [Link] for a mention that no
// Zed URI can say. It can be carried some other way.
var ErrNoURI = errors.New("no zed uri says this")

// ParseError tells which text could not be read, and why.
type ParseError struct {
	Text   string
	Reason string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("parse zed uri %.200q: %s", e.Text, e.Reason)
}
