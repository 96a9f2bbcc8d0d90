package transport

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/ampersat/ampersat/message"
)

// Retry says how often and after which pauses a request is tried again. The zero
// value is what most want.
type Retry struct {
	// Attempts is how often a request is sent at most; zero means five times,
	// one means that it is never tried again.
	Attempts int
	// First is the first pause and Longest the longest: they double in between.
	// Zero means one second and one minute.
	First, Longest time.Duration
	// Patience is the longest pause that a provider may ask for. If it asks for
	// more the request fails at once, and the error says when to try again. Zero
	// means two minutes.
	Patience time.Duration
	// Notify, if set, is told of each failure that will be tried again, and of
	// the pause before that. It must not block.
	Notify func(failure *message.Error, pause time.Duration)
}

// overloaded is the status of a service that has too many users at once. Coming
// back soon makes it worse, so its pauses are longer.
const (
	overloaded       = 529
	overloadedFactor = 4
)

// pause returns how long to wait before the attempt after this one, the first
// being number one. It returns false if there is to be no other.
func (r Retry) pause(attempt int, failure *message.Error) (time.Duration, bool) {
	if !failure.Retryable || attempt >= or(r.Attempts, 5) || failure.RetryAfter > or(r.Patience, 2*time.Minute) {
		return 0, false
	}
	first, longest := or(r.First, time.Second), or(r.Longest, time.Minute)
	if failure.Status == overloaded {
		first *= overloadedFactor
	}
	pause := longest
	if doublings := attempt - 1; doublings < 32 && first<<doublings>>doublings == first {
		pause = min(longest, first<<doublings)
	}
	// Half of the pause is left to chance, so that clients that failed together
	// do not come back together. What the provider asked for is waited in full,
	// and chance comes on top of it.
	chance := time.Duration(rand.Int64N(int64(pause/2) + 1))
	if failure.RetryAfter > 0 {
		return max(pause/2, failure.RetryAfter) + min(chance, failure.RetryAfter/4+time.Second), true
	}
	return pause - chance, true
}

// sleep waits, and returns early with an error if ctx is done.
func sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func or[T int | time.Duration](value, otherwise T) T {
	if value > 0 {
		return value
	}
	return otherwise
}
