//go:build unix

package access

import "syscall"

// doNotWait makes the opening of a pipe return at once, and keeps a terminal
// from becoming ours.
const doNotWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
