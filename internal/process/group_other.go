//go:build !unix

package process

import (
	"errors"
	"os"
	"os/exec"
)

// Alone leaves the program as it is: there are no groups here.
func Alone(*exec.Cmd) {}

// EndedByItself reports whether a program is known to have ended by itself, which
// cannot be told here.
func EndedByItself(*exec.Cmd) bool { return false }

// Kill ends a program that was started [Alone]. That it has ended already is no
// error.
func Kill(cmd *exec.Cmd) error {
	if err := cmd.Process.Kill(); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
