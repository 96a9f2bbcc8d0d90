//go:build !unix

package tool

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup leaves the process as it is: there are no groups here.
func ownGroup(*exec.Cmd) {}

// endGroup ends the process alone.
func endGroup(cmd *exec.Cmd, _ syscall.Signal) error { return cmd.Process.Kill() }

func signalOf(state *os.ProcessState) string { return state.String() }
