// Command launch runs a program and writes to file descriptor 3 how many bytes of
// memory that had at its peak.
//
// The peak of a process begins with that of the one which started it, as it was
// then: a benchmark, with a test binary and all it holds, could report no less
// than its own. This program is small.
package main

import (
	"fmt"
	"os"
	"syscall"
)

func main() {
	if err := launch(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "launch:", err)
		os.Exit(1)
	}
}

func launch(args []string) error {
	process, err := os.StartProcess(args[0], args, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return err
	}
	state, err := process.Wait()
	if err != nil {
		return err
	}
	if !state.Success() {
		return fmt.Errorf("%s: %v", args[0], state)
	}
	_, err = fmt.Fprint(os.NewFile(3, "peak"), state.SysUsage().(*syscall.Rusage).Maxrss<<10)
	return err
}
