package main

import "golang.org/x/sys/unix"

func discardInput(terminal int) error { return unix.IoctlSetInt(terminal, unix.TCFLSH, unix.TCIFLUSH) }
