package message

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Error is what went wrong with a request. Branch on its kind with errors.Is:
//
//	if errors.Is(err, message.ErrContextLength) { … }
//
// and read the fields with errors.As.
type Error struct {
	Kind     ErrorKind
	Provider string
	Model    string
	// Status is the HTTP status, zero if there was no answer.
	Status int
	// Retryable says that the same request may succeed later.
	Retryable bool
	// RetryAfter is how long the provider wants to be left alone, at least.
	RetryAfter time.Duration
	// Message is the provider's own account.
	Message string
	// Tool and RawArguments are what the model sent, for [ErrInvalidToolCall].
	Tool         string
	RawArguments string
	// Err is the cause, if there is one. It is not part of the JSON.
	Err   error
	Extra jsontext.Value
}

// ErrorKind is a kind of [Error]. It is itself an error, to be the target of
// errors.Is.
type ErrorKind string

// The kinds of errors.
const (
	ErrRateLimit       ErrorKind = "rate_limit"
	ErrQuota           ErrorKind = "quota"
	ErrAuthentication  ErrorKind = "authentication"
	ErrAccessDenied    ErrorKind = "access_denied"
	ErrContextLength   ErrorKind = "context_length"
	ErrContentFilter   ErrorKind = "content_filter"
	ErrInvalidRequest  ErrorKind = "invalid_request"
	ErrUnavailable     ErrorKind = "unavailable"
	ErrNetwork         ErrorKind = "network"
	ErrTimeout         ErrorKind = "timeout"
	ErrNotFound        ErrorKind = "not_found"
	ErrStream          ErrorKind = "stream"
	ErrAborted         ErrorKind = "aborted"
	ErrInvalidToolCall ErrorKind = "invalid_tool_call"
	ErrConfiguration   ErrorKind = "configuration"
)

// Error implements error.
func (k ErrorKind) Error() string {
	if what, known := kinds[k]; known {
		return what.says
	}
	return strings.ReplaceAll(string(k), "_", " ")
}

// Retryable reports whether a request that failed this way may succeed when it
// is sent again unchanged.
func (k ErrorKind) Retryable() bool { return kinds[k].retryable }

// Remedy says what a person can do about it, empty for a kind nobody knows.
func (k ErrorKind) Remedy() string { return kinds[k].remedy }

// Error implements error: who, what, the provider's words, what to do.
func (e *Error) Error() string {
	var b strings.Builder
	switch {
	case e.Provider != "" && e.Model != "":
		fmt.Fprintf(&b, "%s %s: ", e.Provider, e.Model)
	case e.Provider != "" || e.Model != "":
		fmt.Fprintf(&b, "%s: ", e.Provider+e.Model)
	}
	b.WriteString(e.Kind.Error())
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	if e.Tool != "" {
		fmt.Fprintf(&b, " of %q", e.Tool)
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	if e.RetryAfter > 0 {
		fmt.Fprintf(&b, "; try again in %s", e.RetryAfter)
	} else if remedy := e.Kind.Remedy(); remedy != "" {
		fmt.Fprintf(&b, "; %s", remedy)
	}
	return b.String()
}

// Is reports whether target is e's kind.
func (e *Error) Is(target error) bool {
	kind, ok := target.(ErrorKind)
	return ok && kind == e.Kind
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

var kinds = map[ErrorKind]struct {
	says, remedy string
	retryable    bool
}{
	ErrRateLimit:       {"too many requests", "wait a little and try again", true},
	ErrQuota:           {"the quota is used up", "check the account's plan and billing", false},
	ErrAuthentication:  {"the key was refused", "check the provider's API key", false},
	ErrAccessDenied:    {"access denied", "check what the key may use", false},
	ErrContextLength:   {"the request is too long for the model", "compact the session or mention less", false},
	ErrContentFilter:   {"the provider's filter stopped it", "say it differently", false},
	ErrInvalidRequest:  {"the provider refused the request", "", false},
	ErrUnavailable:     {"the provider is unavailable", "try again later", true},
	ErrNetwork:         {"the provider was not reached", "check the network and the provider's address", true},
	ErrTimeout:         {"no answer in time", "try again, or allow more time", true},
	ErrNotFound:        {"nothing there", "check the model's name and the provider's address", false},
	ErrStream:          {"the answer broke off", "try again", true},
	ErrAborted:         {"cancelled", "", false},
	ErrInvalidToolCall: {"unreadable arguments in a tool call", "", false},
	ErrConfiguration:   {"wrong configuration", "", false},
}
