//go:build unix

package ignore

import (
	"os"
	"syscall"
)

const (
	// openNonblock keeps the opening of a pipe from waiting for a writer.
	openNonblock = syscall.O_NONBLOCK
	// openDirectory refuses what is not a folder before it is opened.
	openDirectory = syscall.O_DIRECTORY
)

// unrooted returns the same open folder without its memory of an os.Root. To
// keep what it returns inside the root, such a folder looks at every entry it
// reads, which takes longer than all the rest; only names and types are wanted
// here. The name serves where a file system does not tell types by itself.
func unrooted(dir *os.File, name string) (*os.File, error) {
	defer dir.Close()
	syscall.ForkLock.RLock() // no process may start between the two calls
	fd, err := syscall.Dup(int(dir.Fd()))
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, os.NewSyscallError("dup", err)
	}
	return os.NewFile(uintptr(fd), name), nil
}
