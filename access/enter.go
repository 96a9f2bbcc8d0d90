package access

import (
	"io/fs"
	"os"
	"sync"
)

// entries keeps the directories of a set open, so that reading a thousand files
// of a project does not enter it a thousand times. A directory that has been
// replaced by another of its name since is entered anew. What is forgotten is
// closed with the garbage, when nobody uses it any more.
type entries struct {
	mu   sync.Mutex
	open map[string]entry
}

type entry struct {
	tree *os.Root
	info fs.FileInfo
}

// enter returns the tree of a directory, of which info tells what it is now.
func (e *entries) enter(dir string, info fs.FileInfo) (*os.Root, error) {
	if e != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		if was, ok := e.open[dir]; ok && os.SameFile(was.info, info) {
			return was.tree, nil
		}
	}
	tree, err := os.OpenRoot(dir)
	if err != nil || e == nil {
		return tree, err
	}
	entered, err := tree.Stat(".")
	if err != nil {
		tree.Close()
		return nil, err
	}
	if e.open == nil {
		e.open = make(map[string]entry)
	}
	e.open[dir] = entry{tree, entered}
	return tree, nil
}
