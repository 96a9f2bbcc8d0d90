package session

import (
	"errors"
	"fmt"
	"time"
)

// What a [Store] reports. The errors it returns wrap these, after the operation
// and the session: they are read by people.
var (
	ErrNotFound = errors.New("there is no such session")
	ErrExists   = errors.New("there is one of this id already")
	ErrNoEntry  = errors.New("there is no such entry")
	ErrCursor   = errors.New("not a cursor")
	// ErrConflict means that the log is not where the writer believes it is.
	// The error is a [*ConflictError]. Read what is new, and decide again.
	ErrConflict = errors.New("the log has moved")
	// ErrHeld means that somebody else is at work. The error is a [*HeldError].
	// Wait, or fork.
	ErrHeld = errors.New("held by somebody else")
	// ErrLost means that a lease was released, or taken by somebody else after
	// it ran out.
	ErrLost = errors.New("the lease is lost")
	// ErrClosed means that the store was closed, by this program.
	ErrClosed = errors.New("the store is closed")
)

// ConflictError is an append that came too late. It is an [ErrConflict].
type ConflictError struct {
	ID ID
	// After is where the writer believed the log to be, Head where it is.
	After, Head Seq
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("append to session %s after entry %d: the log is at %d", e.ID, e.After, e.Head)
}

// Is reports whether target is [ErrConflict].
func (e *ConflictError) Is(target error) bool { return target == ErrConflict }

// HeldError names who is at work on a session. It is an [ErrHeld].
type HeldError struct {
	ID     ID
	Holder string
	// Until is when the session can be had, unless the holder renews.
	Until time.Time
	// token is that of the lease, for [Take]; nobody else is to append with it.
	token Token
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("session %s is held by %s until %s", e.ID, e.Holder, e.Until.Format(time.RFC3339))
}

// Is reports whether target is [ErrHeld].
func (e *HeldError) Is(target error) bool { return target == ErrHeld }
