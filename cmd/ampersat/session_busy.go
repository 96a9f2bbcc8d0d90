package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/session"
)

// busyError is a session that somebody else is at work on.
type busyError struct{ *session.HeldError }

func (e *busyError) Error() string {
	id := shortID(e.ID)
	return fmt.Sprintf("another ampersat is at work on session %s (%s); wait until it is done, or make a copy to go on with: ampersat session fork %s", id, e.Holder, id)
}

// busy says what to do about a session that somebody else is at work on. That it
// was lost to somebody is another matter.
func busy(err error) error {
	var held *session.HeldError
	if errors.As(err, &held) && !errors.Is(err, session.ErrLost) {
		return &busyError{held}
	}
	return err
}

// waitFor says on stderr that the program waits for a session whose process was
// killed, if that takes a while. Call what it returns when the session is there.
func (s streams) waitFor(a *app.App) (done func()) {
	var mu sync.Mutex
	over := func() {}
	waiting := false
	a.Waiting = func(holder string) {
		mu.Lock()
		defer mu.Unlock()
		if !waiting {
			waiting = true
			over = s.progress(fmt.Sprintf("waiting for the session: %s was ended in the middle of a turn, and lets go in a few seconds", shown(holder)), 500*time.Millisecond)
		}
	}
	return func() {
		mu.Lock()
		defer mu.Unlock()
		over()
		over, waiting = func() {}, false
	}
}
