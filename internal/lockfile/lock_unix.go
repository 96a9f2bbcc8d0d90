//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package lockfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// Take waits until no other process holds the lock, at most so long, and takes
// it. The lock is a file in a folder, which stays when it is released.
func Take(ctx context.Context, folder *os.Root, name string, within time.Duration) (release func(), err error) {
	file, err := folder.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for until := time.Now().Add(within); ; {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { file.Close() }, nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			file.Close()
			return nil, fmt.Errorf("lock %s: %w", file.Name(), err)
		case time.Now().After(until):
			file.Close()
			return nil, fmt.Errorf("lock %s: %w", file.Name(), ErrHeld)
		}
		if err := pause(ctx); err != nil {
			file.Close()
			return nil, err
		}
	}
}
