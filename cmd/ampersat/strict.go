package main

import (
	"fmt"
	"strings"

	"github.com/ampersat/ampersat"
)

// strictError is what --strict says of mentions that the model does not get.
type strictError struct{ bad []ampersat.Report }

func (e *strictError) Error() string {
	var lines []string
	for _, r := range e.bad {
		lines = append(lines, fmt.Sprintf("%s is %s: %s", oneLine(label(r)), r.Outcome, oneLine(r.Reason)))
	}
	return strings.Join(lines, "\nampersat: ")
}
