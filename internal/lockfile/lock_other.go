//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package lockfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Take waits until no other process holds the lock, at most so long, and takes
// it. The lock is the file itself, so a process that dies leaves it, which the
// error tells.
func Take(ctx context.Context, folder *os.Root, name string, within time.Duration) (release func(), err error) {
	for until := time.Now().Add(within); ; {
		file, err := folder.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		switch {
		case err == nil:
			file.Close()
			return func() { folder.Remove(name) }, nil
		case !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrPermission):
			return nil, err
		case time.Now().After(until):
			return nil, fmt.Errorf("lock %s: %w; if none does, delete the file", filepath.Join(folder.Name(), name), ErrHeld)
		}
		if err := pause(ctx); err != nil {
			return nil, err
		}
	}
}
