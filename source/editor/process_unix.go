//go:build unix

package editor

import (
	"os/exec"
	"syscall"
)

// openNonblock keeps the opening of a pipe from waiting for a writer.
const openNonblock = syscall.O_NONBLOCK

// alone gives a process a group of its own, which ends with it: it may have
// started others.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killAll(cmd) }
}

// killAll ends a process and all in its group.
func killAll(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
