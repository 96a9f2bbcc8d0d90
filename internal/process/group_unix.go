//go:build unix

package process

import (
	"errors"
	"os/exec"
	"syscall"
)

// Alone gives a program that is not started yet a process group of its own,
// which ends with it when its context does: it may have started others.
func Alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return Kill(cmd) }
}

// EndedByItself reports whether a program that has ended was not ended by a
// signal: one that came too late changes nothing about how it ended.
func EndedByItself(cmd *exec.Cmd) bool { return cmd.ProcessState != nil && cmd.ProcessState.Exited() }

// Kill ends a program that was started [Alone], and whatever it started. That
// it has ended already is no error.
func Kill(cmd *exec.Cmd) error {
	if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}
