//go:build unix

package app

import (
	"errors"
	"syscall"
)

// isRunning asks the kernel, by a signal that does nothing. That it may not be
// sent means that there is somebody.
func isRunning(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
