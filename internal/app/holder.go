package app

import (
	"fmt"
	"os"
)

// holder says who is at work on a session: this process, on this machine.
func holder() string { return fmt.Sprintf("process %d on %s", os.Getpid(), machine()) }

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
