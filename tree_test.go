package ampersat_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// dependOnTree makes go test run the calling test again when any file of the
// module has changed. A test that starts other programs needs it: go test keeps
// a result until a file changes that the test itself looked at, and it does not
// see what go list and go build look at on the test's behalf.
func dependOnTree(t *testing.T) {
	t.Helper()
	// Reading a folder is enough: size and time of every file in it then count.
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && path != "." && strings.HasPrefix(entry.Name(), ".") {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
