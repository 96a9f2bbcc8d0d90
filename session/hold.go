package session

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	// HoldTime is how long others must wait for a session whose holder was killed.
	HoldTime = 6 * time.Second
	// releaseTime is how long it may take to release a session.
	releaseTime = 10 * time.Second
)

// Holding is a session that somebody is at work on. Its lease is short, so that
// nobody waits long for a process that was killed, and is renewed for as long as
// the work takes.
type Holding struct {
	Lease   Lease
	ctx     context.Context
	release func() error
}

// Hold takes a session like [Take], and keeps it until it is released.
func Hold(ctx context.Context, store Store, id ID, holder string, gone func(holder string) bool) (*Holding, error) {
	lease, err := Take(ctx, store, id, holder, HoldTime, gone)
	if err != nil {
		return nil, err
	}
	held, lost := context.WithCancelCause(ctx)
	// Who interrupts the work has not ended it yet.
	steady := context.WithoutCancel(ctx)
	stop := make(chan struct{})
	var renewing sync.WaitGroup
	renewing.Go(func() {
		if err := renew(steady, store, lease, stop); err != nil {
			lost(err)
		}
	})
	return &Holding{Lease: lease, ctx: held, release: sync.OnceValue(func() error {
		close(stop)
		renewing.Wait()
		defer lost(nil)
		end, done := context.WithTimeout(steady, releaseTime)
		defer done()
		return store.Release(end, lease)
	})}, nil
}

// renew keeps a lease until it is to stop. It returns an error if the lease is
// lost: any other failure may pass before it runs out.
func renew(ctx context.Context, store Store, lease Lease, stop <-chan struct{}) error {
	ticks := time.NewTicker(HoldTime / 3)
	defer ticks.Stop()
	for {
		select {
		case <-stop:
			return nil
		case <-ticks.C:
		}
		if _, err := store.Renew(ctx, lease, HoldTime); errors.Is(err, ErrLost) {
			return err
		}
	}
}

// Context is the context of the work. It ends if the lease is lost, with
// [ErrLost] as its cause, so that two writers never work on.
func (h *Holding) Context() context.Context {
	if h.ctx == nil {
		return context.Background() // nothing is held
	}
	return h.ctx
}

// Release lets the session go, also where the work was cancelled. A lease that
// cannot be released runs out by itself.
func (h *Holding) Release() error {
	if h.release == nil {
		return nil
	}
	return h.release()
}
