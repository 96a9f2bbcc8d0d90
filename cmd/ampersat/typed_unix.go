//go:build linux || darwin || dragonfly || freebsd || netbsd || openbsd

package main

import "os"

// forgetTyped throws away what was typed at a terminal and not yet read. For
// anything else it does nothing.
func forgetTyped(terminal *os.File) {
	conn, err := terminal.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) {
		_ = discardInput(int(fd)) // that it is no terminal
	})
}
