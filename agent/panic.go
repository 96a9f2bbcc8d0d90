package agent

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/go-json-experiment/json/jsontext"
)

// PanicError is a [Tool] that panicked. The call has failed, and the turn goes
// on. The model is told the value, and [ToolEnded.Err] has the rest.
type PanicError struct {
	Tool  string
	Value any
	// Stack is where it happened, as [debug.Stack] writes it.
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("%s: it panicked: %v", e.Tool, e.Value) }

// errNoResult is the error of a tool that ended its goroutine.
var errNoResult = errors.New("it ended without a result")

// recovered makes an error of a panic. It is deferred.
func recovered(tool string, err *error) {
	if value := recover(); value != nil {
		*err = &PanicError{tool, value, debug.Stack()}
	}
}

// planned is what a tool says that a call would do.
func planned(tool Tool, name string, input jsontext.Value) (action Action, err error) {
	defer recovered(name, &err)
	return tool.Plan(input)
}
