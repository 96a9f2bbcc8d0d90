package process

import (
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// Start starts a program that is not to outlive this one, even where this one is
// killed and cannot end it any more: the kernel then tells it to end. What the
// program has started itself is told by it, or by its output that nobody reads.
//
// The kernel goes by the thread that started the program, and not by the process.
// So that is a thread of its own, which lives as long as the program does.
func Start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	// Those that have children of their own can end them, unlike with SIGKILL.
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	begun := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		if err != nil {
			begun <- err
			return
		}
		pid := cmd.Process.Pid
		started.Store(pid, nil)
		defer started.Delete(pid)
		begun <- nil
		awaitEnd(pid)
	}()
	return <-begun
}

// started are the programs that run, by their process ID.
var started sync.Map

// KillStarted kills the programs that [Start] has started and what they have
// started themselves, without waiting. It is for a program that ends at once.
func KillStarted() {
	for pid := range started.Range {
		// Those who lead no group are alone.
		if errors.Is(syscall.Kill(-pid.(int), syscall.SIGKILL), syscall.ESRCH) {
			_ = syscall.Kill(pid.(int), syscall.SIGKILL) // that it has just ended
		}
	}
}

// awaitEnd returns when a child has ended, and leaves it to [exec.Cmd.Wait] how.
func awaitEnd(pid int) {
	const (
		byPID   = 1
		exited  = 4         // WEXITED
		leaveIt = 0x1000000 // WNOWAIT
	)
	for {
		_, _, err := syscall.Syscall6(syscall.SYS_WAITID, byPID, uintptr(pid), 0, exited|leaveIt, 0, 0)
		if err != syscall.EINTR {
			return // that there is no such child means that somebody has waited for it
		}
	}
}
