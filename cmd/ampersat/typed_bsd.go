//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package main

import "golang.org/x/sys/unix"

func discardInput(terminal int) error {
	return unix.IoctlSetPointerInt(terminal, unix.TIOCFLUSH, unix.TCIFLUSH)
}
