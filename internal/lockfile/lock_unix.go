//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package lockfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// Take waits until no other process holds the lock, at most so long, and takes
// it. The lock is a file in a folder, which is gone when it is released.
func Take(ctx context.Context, folder *os.Root, name string, within time.Duration) (release func(), err error) {
	for until := time.Now().Add(within); ; {
		file, err := take(folder, name)
		switch {
		case err == nil:
			return func() {
				folder.Remove(name) // before others can have it
				file.Close()
			}, nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return nil, fmt.Errorf("lock %s: %w", filepath.Join(folder.Name(), name), err)
		case time.Now().After(until):
			return nil, fmt.Errorf("lock %s: %w", filepath.Join(folder.Name(), name), ErrHeld)
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}

// take tries once. A lock on a file that has been removed meanwhile is none.
func take(folder *os.Root, name string) (*os.File, error) {
	file, err := folder.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		held, heldErr := file.Stat()
		there, thereErr := folder.Stat(name)
		if heldErr == nil && thereErr == nil && os.SameFile(held, there) {
			return file, nil
		}
		err = syscall.EWOULDBLOCK
	}
	file.Close()
	return nil, err
}
