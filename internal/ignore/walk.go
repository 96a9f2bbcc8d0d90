package ignore

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// maxDepth is how deep folders may nest. Each is opened by its whole path, so
// that a tower of folders built to waste time must end somewhere.
const maxDepth = 512

// visit lists a folder under the rules that hold around it, and in a repository
// leaves that to git.
func (l *lister) visit(dir string, outer *scope) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	if strings.Count(dir, "/") >= maxDepth {
		l.problem(dir, errors.New("too many folders inside each other"), false)
		return nil
	}
	entries, err := readDir(l.tree, dir)
	if err != nil {
		l.problem(dir, err, false) // what was read before the error is listed
	}
	s := outer.enter(l.tree, dir, kindIn(entries), func(err error) { l.problem(dir, err, true) })
	if s.repository == dir || s.repository != "" && dir == l.dir {
		done, err := l.byGit(dir, s, entries)
		if done || err != nil {
			return err
		}
	}
	return l.walk(dir, s, entries)
}

// walk lists what is in a folder by the rules that are read here.
func (l *lister) walk(dir string, s *scope, entries []fs.DirEntry) error {
	prefix := ""
	if dir != "." {
		prefix = dir + "/"
	}
	for i, item := range sorted(entries) {
		if i%1024 == 1023 && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		name, folder := strings.CutSuffix(item.key, "/")
		if versionControl(name, folder) || !folder && !listed(item.mode) {
			continue
		}
		file := prefix + name
		if says, _ := s.ask(layerGit, file, folder); says == hidden {
			continue
		}
		var err error
		if folder {
			err = l.visit(file, s)
		} else {
			err = l.add(file, item.mode)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// listed tells whether a thing of this sort is a file to list. Pipes, devices
// and sockets are none.
func listed(mode fs.FileMode) bool { return mode.IsRegular() || mode&fs.ModeSymlink != 0 }

// kindIn tells what the names that matter to the rules are among the entries of
// a folder.
func kindIn(entries []fs.DirEntry) func(string) (fs.FileMode, bool) {
	var dotted []fs.DirEntry
	for _, entry := range entries {
		if name := entry.Name(); name == ".git" || strings.HasPrefix(name, ".") && strings.HasSuffix(name, "ignore") {
			dotted = append(dotted, entry)
		}
	}
	return func(name string) (fs.FileMode, bool) {
		for _, entry := range dotted {
			if entry.Name() == name {
				return entry.Type(), true
			}
		}
		return 0, false
	}
}

// join is path.Join for two paths that are clean already.
func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return path.Join(dir, name)
}
