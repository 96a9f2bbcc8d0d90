//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package config

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// lockTime is how long a process waits for another that writes some kilobytes.
const lockTime = 10 * time.Second

// lock waits until no other process holds the lock, and takes it. A process
// that dies lets go of it; the file stays.
func lock(path string) (unlock func(), err error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for until := time.Now().Add(lockTime); ; time.Sleep(5 * time.Millisecond) {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { file.Close() }, nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			file.Close()
			return nil, fmt.Errorf("lock %s: %w", path, err)
		case time.Now().After(until):
			file.Close()
			return nil, fmt.Errorf("lock %s: another process holds it", path)
		}
	}
}
