//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// openNonblock keeps the opening of a pipe from waiting for a writer.
const openNonblock = syscall.O_NONBLOCK

// alone gives a process a group of its own, which ends with it: git may have
// started others.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
