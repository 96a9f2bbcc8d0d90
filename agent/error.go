package agent

import (
	"context"
	"errors"
	"fmt"
)

// ErrSteps means that a turn took as many requests as [Config.MaxSteps] allows.
// What it did is in the log; another turn goes on from there.
var ErrSteps = errors.New("the model did not come to an end")

// NotKeptError says that something has come, or was done, that could not be
// written to the log.
type NotKeptError struct {
	// Err is why.
	Err error
}

func (e *NotKeptError) Error() string {
	return fmt.Sprintf("what has come could not be kept: %v", e.Err)
}
func (e *NotKeptError) Unwrap() error { return e.Err }

// explain returns an error together with why the context ended, if it did: that
// the lease was lost is more than that something was cancelled, and so is the
// caller's own cause.
func explain(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if err == nil || cause == nil || errors.Is(err, cause) {
		return err
	}
	return fmt.Errorf("%w: %w", cause, err)
}

// stopped makes an error that of a context that has ended, for errors.Is, where
// it only tells the cause so far.
func stopped(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) {
		return err
	}
	return &stoppedError{err, ctx.Err()}
}

type stoppedError struct{ err, ended error }

func (e *stoppedError) Error() string   { return e.err.Error() }
func (e *stoppedError) Unwrap() []error { return []error{e.err, e.ended} }
