//go:build !unix

package editor

import "os/exec"

const openNonblock = 0

// alone leaves the process as it is: there are no groups here.
func alone(*exec.Cmd) {}

// killAll ends a process.
func killAll(cmd *exec.Cmd) error { return cmd.Process.Kill() }
