//go:build !unix

package git

import "os/exec"

const openNonblock = 0

// alone leaves the process as it is: there are no groups here.
func alone(*exec.Cmd) {}
