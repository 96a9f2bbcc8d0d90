package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/ampersat/ampersat/access"
)

// noteAllowed says on stderr which of the paths that were allowed lead to
// nothing: a slip of the finger would otherwise be found out by the mention that
// is still blocked. It is no error, since a script may allow what is not there
// yet. What does not name a path, or not well, is not its business.
func (s streams) noteAllowed(allow []string, dir string) {
	home, err := os.UserHomeDir()
	if err != nil {
		home = "" // then ~ names nothing
	}
	for _, arg := range allow {
		grant, err := access.ParseGrant(arg, dir, home)
		if err != nil {
			continue
		}
		path, ok := grant.(access.Path)
		if !ok {
			continue
		}
		if _, err := os.Lstat(path.Path); errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintln(s.err, "note:", oneLine(fmt.Sprintf("--allow %s allows nothing: there is no %s", arg, path.Path)))
		}
	}
}
