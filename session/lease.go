package session

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Token is proof of a lease. A store gives out each one once, and later ones
// are greater.
type Token int64

// NoLease is what a writer appends with that holds no lease.
const NoLease Token = 0

// Lease is the right to append to a session while others may not.
type Lease struct {
	Session ID
	// Holder says who has it, for people.
	Holder string
	Token  Token
	// Until is the time from which somebody else may take it. As long as nobody
	// does, the lease remains good: a machine that slept through the end of its
	// lease does not lose the answer that it was waiting for.
	Until time.Time
}

// Held returns a [*HeldError] if the lease keeps others off at the time now.
// It, and the two functions below, are the rules of leases, for those who write
// a [Store]; the lease is the last that was given out for the session, zero if
// there was none or it was released.
func (l Lease) Held(now time.Time) error {
	if l.Token == NoLease || !now.Before(l.Until) {
		return nil
	}
	return &HeldError{ID: l.Session, Holder: l.Holder, Until: l.Until, token: l.Token}
}

// Admits returns an error if a writer with the token may not append.
func (l Lease) Admits(token Token, now time.Time) error {
	if token == NoLease {
		return l.Held(now)
	}
	if token == l.Token {
		return nil
	}
	if held := l.Held(now); held != nil {
		return fmt.Errorf("%w: %w", ErrLost, held)
	}
	return ErrLost
}

// NewLease returns a lease that holder is given at the time now, or an error if
// that makes no sense.
func NewLease(id ID, holder string, token Token, now time.Time, ttl time.Duration) (Lease, error) {
	if holder == "" {
		return Lease{}, fmt.Errorf("lease session %s: nobody to hold it", id)
	}
	if ttl <= 0 {
		return Lease{}, fmt.Errorf("lease session %s: for %v, want a time to come", id, ttl)
	}
	return Lease{Session: id, Holder: ToUTF8(holder), Token: token, Until: Stamp(now.Add(ttl))}, nil
}

// Take leases a session like [Store.Lease]. Where gone reports that its holder is
// no more, a process that was killed, it waits for the lease, which nobody renews,
// to run out. A nil gone knows of nobody.
//
// The wait has an end whatever the clock does: by one that was put back the lease may
// end in hours. One that is not renewed for as long as it is asked for here, or for
// [HoldTime] if that is longer, is taken.
func Take(ctx context.Context, store Store, id ID, holder string, ttl time.Duration, gone func(holder string) bool) (Lease, error) {
	if store == nil {
		return Lease{}, fmt.Errorf("lease session %.40q: %w", string(id), errNoStore)
	}
	var seen HeldError
	var since time.Time // by the clock that nobody sets
	for {
		lease, err := store.Lease(ctx, id, holder, ttl)
		var held *HeldError
		if !errors.As(err, &held) {
			return lease, err
		}
		if held.token != seen.token || held.Holder != seen.Holder || !held.Until.Equal(seen.Until) {
			if gone == nil || !gone(held.Holder) {
				return Lease{}, err
			}
			seen, since = *held, time.Now()
		}
		left := max(ttl, HoldTime) - time.Since(since)
		if left <= 0 {
			if held.token == NoLease {
				return Lease{}, err // of a store that does not go by [Lease.Held]
			}
			if err := store.Release(ctx, Lease{Session: id, Token: held.token}); err != nil {
				return Lease{}, err
			}
			seen = HeldError{}
			continue
		}
		select {
		case <-ctx.Done():
			return Lease{}, ctx.Err()
		case <-time.After(min(left, max(time.Until(held.Until), 10*time.Millisecond))):
		}
	}
}
