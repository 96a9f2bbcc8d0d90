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
	open map[string]*entry
}

type entry struct {
	tree *os.Root
	info fs.FileInfo
	// dir is the directory itself, and real where it is, without links.
	dir  *os.File
	real string
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
	itself, err := tree.Open(".")
	if err != nil {
		tree.Close()
		return nil, err
	}
	entered, err := itself.Stat()
	if err != nil {
		itself.Close()
		tree.Close()
		return nil, err
	}
	if e.open == nil {
		e.open = make(map[string]*entry)
	}
	e.open[dir] = &entry{tree, entered, itself, realPath(itself, dir)}
	return tree, nil
}

// entered returns how a directory was entered before, if it was. It may have
// been replaced since.
func (e *entries) entered(dir string) (*entry, bool) {
	if e == nil {
		return nil, false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	was, ok := e.open[dir]
	return was, ok
}
