package lockfile

import (
	"context"
	"errors"
	"time"
)

// ErrHeld says that the lock was not released in time.
var ErrHeld = errors.New("another process holds it")

// pause waits a moment before the next try.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(5 * time.Millisecond):
		return nil
	}
}
