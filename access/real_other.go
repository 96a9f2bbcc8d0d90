//go:build !linux

package access

import (
	"os"
	"path/filepath"
)

// realPath is the path of an open file without links.
func realPath(_ *os.File, path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
