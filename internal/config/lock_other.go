//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"
)

// lockTime is how long a process waits for another that writes some kilobytes.
const lockTime = 10 * time.Second

// lock waits until no other process holds the lock, and takes it. It is the file
// itself, so a process that dies leaves it, which the error tells.
func lock(path string) (unlock func(), err error) {
	for until := time.Now().Add(lockTime); ; time.Sleep(5 * time.Millisecond) {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		switch {
		case err == nil:
			file.Close()
			return func() { os.Remove(path) }, nil
		case !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrPermission):
			return nil, err
		case time.Now().After(until):
			return nil, fmt.Errorf("lock %s: another process holds it; if none does, delete the file", path)
		}
	}
}
