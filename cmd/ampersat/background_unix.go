//go:build unix

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// inBackground reports whether a terminal is the program's own and is somebody
// else's to read from at the moment. The kernel stops a program that reads then,
// in the middle of whatever it does, until somebody looks for it.
func inBackground(terminal *os.File) bool {
	conn, err := terminal.SyscallConn()
	if err != nil {
		return false
	}
	background := false
	err = conn.Control(func(fd uintptr) {
		// A terminal that is not the program's own has no group to tell it.
		group, err := unix.IoctlGetInt(int(fd), unix.TIOCGPGRP)
		background = err == nil && group != unix.Getpgrp()
	})
	return err == nil && background
}
