package app

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/ampersat/ampersat/session"
)

// holder says who is at work on a session: this process, on this machine.
func holder() string { return fmt.Sprintf("process %d on %s", os.Getpid(), machine()) }

// hold does something with a session that nobody else may work on meanwhile.
func (a *App) hold(ctx context.Context, store session.Store, id session.ID, do func(context.Context, session.Token) error) (err error) {
	held, err := session.Hold(ctx, store, id, holder(), a.isGone)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.Release()) }()
	if err = do(held.Context(), held.Lease.Token); err == nil {
		return nil
	}
	// That somebody else has it is more than that the work was cancelled.
	if cause := context.Cause(held.Context()); errors.Is(cause, session.ErrLost) && !errors.Is(err, cause) {
		return fmt.Errorf("%w: %w", cause, err)
	}
	return err
}

// isGone is what decides whether the lease of a holder is waited for, and tells
// whoever wants to know that it is.
func (a *App) isGone(who string) bool {
	gone := isGone(who)
	if gone && a.Waiting != nil {
		a.Waiting(who)
	}
	return gone
}

// isGone reports whether a holder is a process of this machine that is no more.
func isGone(who string) bool {
	var pid int
	var where string
	if n, err := fmt.Sscanf(who, "process %d on %s", &pid, &where); err != nil || n != 2 || where != machine() {
		return false
	}
	return pid > 0 && !isRunning(pid)
}

// machine is the name of this machine, without spaces.
func machine() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "localhost"
	}
	return name
}
