//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// forgetTyped throws away what was typed at a terminal and not yet read. For
// anything else it does nothing.
func forgetTyped(terminal *os.File) {
	conn, err := terminal.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) {
		_ = unix.IoctlSetPointerInt(int(fd), unix.TIOCFLUSH, unix.TCIFLUSH) // that it is no terminal
	})
}
