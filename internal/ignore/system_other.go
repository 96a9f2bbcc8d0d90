//go:build !unix

package ignore

import (
	"os"
	"os/exec"
)

const (
	openNonblock  = 0
	openDirectory = 0
)

// alone leaves the process as it is: there are no groups here.
func alone(*exec.Cmd) {}

// unrooted returns the folder as it is: reading one tells types here.
func unrooted(dir *os.File, _ string) (*os.File, error) { return dir, nil }
