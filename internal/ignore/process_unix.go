//go:build unix

package ignore

import (
	"os/exec"
	"syscall"
)

const (
	// openNonblock keeps the opening of a pipe from waiting for a writer.
	openNonblock = syscall.O_NONBLOCK
	// openDirectory refuses what is not a folder before it is opened.
	openDirectory = syscall.O_DIRECTORY
)

// alone gives a process a group of its own, which ends with it: git may have
// started others.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
