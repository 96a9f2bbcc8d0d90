package access

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Open opens a file or a directory of the set for reading. What it is, and
// whether it is a directory, is told by the returned info, which describes the
// open file and not whatever has its name by now.
//
// No symbolic link on the way leads out of the set; one that leads from one
// tree of the set to another is followed. Devices, pipes and sockets are
// refused, and opening one does not wait for its other end. Refusals are
// [*Denied]; other errors are those of the file system, such as
// [fs.ErrNotExist].
func (r Roots) Open(path string) (*File, fs.FileInfo, error) {
	path, err := absolute(path)
	if err != nil {
		return nil, nil, err
	}
	root, ok := r.find(path)
	if !ok {
		return nil, nil, r.outside(path)
	}
	if file, info, ok := r.openDirect(root, path); ok {
		return file, info, nil
	}
	file, info, err := r.openIn(root, path)
	var system syscall.Errno
	if _, denied := IsDenied(err); err == nil || denied || errors.As(err, &system) {
		return file, info, err
	}

	// Not an error of the system, so one of os.Root: a link that it would not
	// follow, because it leads out or because it is absolute. Where it leads
	// may still be in the set, and is opened as what it is.
	target, unresolved := filepath.EvalSymlinks(path)
	if unresolved != nil {
		return nil, nil, &Denied{What: path, Reason: ReasonEscape, Detail: "a symbolic link leads out of " + root.Path}
	}
	if real, ok := r.findReal(target); ok {
		return r.openIn(real.root, real.path)
	}
	denied := r.outside(target)
	denied.What, denied.Reason = path, ReasonEscape
	denied.Detail = "a symbolic link leads to " + target + ", where " + denied.Detail
	return nil, nil, denied
}

// place is a path as it is spelled below one of the roots.
type place struct {
	root Root
	path string
}

// findReal finds the root that contains a path without links in it. Roots may
// be spelled with links: /tmp is one on some systems.
func (r Roots) findReal(path string) (place, bool) {
	if root, ok := r.Find(path); ok {
		return place{root, path}, true
	}
	for _, root := range r.list {
		real, err := filepath.EvalSymlinks(root.Path)
		if err != nil || !Inside(real, path) || r.entered(root) != root.Path && !Inside(r.entered(root), real) {
			continue
		}
		rel, err := filepath.Rel(real, path)
		if err == nil {
			return place{root, filepath.Join(root.Path, rel)}, true
		}
	}
	return place{}, false
}

// entered is the directory whose os.Root leads to a root. It is the outermost
// tree around it, so that a collection inside a project, which whoever wrote
// the project may have made a link to somewhere else, is not followed out. What
// a person allowed by name is entered as named.
func (r Roots) entered(root Root) string {
	outermost := root.Path
	if root.Place == Allowed {
		return outermost
	}
	for _, list := range [][]Root{r.list, r.around} {
		for _, other := range list {
			if within(other.Path, outermost) {
				outermost = other.Path
			}
		}
	}
	return outermost
}

// openIn opens path, which lies inside root.
func (r Roots) openIn(root Root, path string) (*File, fs.FileInfo, error) {
	dir, name := r.entered(root), path
	info, err := os.Stat(dir)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		// A single file that was allowed by name: the name may be a link, and
		// nothing is below it.
		if path != dir {
			return nil, nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
		}
		if name, err = filepath.EvalSymlinks(dir); err != nil {
			return nil, nil, err
		}
		dir = filepath.Dir(name)
		if info, err = os.Stat(dir); err != nil {
			return nil, nil, err
		}
	}
	tree, err := r.entries.enter(dir, info)
	if err != nil {
		return nil, nil, err
	}
	if r.entries == nil {
		defer tree.Close()
	}
	if name, err = filepath.Rel(dir, name); err != nil {
		return nil, nil, err
	}
	if inner, err := filepath.Rel(dir, root.Path); err == nil && inner != "." && root.Path != path {
		// A tree inside the one that is entered is a tree of its own: links in
		// it do not lead into its surroundings either.
		below, err := tree.OpenRoot(inner)
		if err != nil {
			return nil, nil, err
		}
		defer below.Close()
		tree = below
		if name, err = filepath.Rel(root.Path, path); err != nil {
			return nil, nil, err
		}
	}
	return openRegular(tree, name, path)
}

// openRegular opens a file or a directory, and nothing else. It looks before it
// opens, since opening alone makes some devices act.
func openRegular(tree *os.Root, name, path string) (*File, fs.FileInfo, error) {
	before, err := tree.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	if err := regular(before, path); err != nil {
		return nil, nil, err
	}
	return openNow(tree, name, path)
}

// openNow opens without waiting and looks at what it opened, since the name may
// be something else's than a moment ago.
func openNow(tree *os.Root, name, path string) (*File, fs.FileInfo, error) {
	file, err := tree.OpenFile(name, os.O_RDONLY|doNotWait, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = regular(info, path)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return &File{opened: file, path: path}, info, nil
}

func regular(info fs.FileInfo, path string) error {
	var what string
	switch mode := info.Mode(); {
	case mode.IsRegular(), mode.IsDir():
		return nil
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeSocket != 0:
		what = "a socket"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = fmt.Sprintf("a special file (%s)", mode.Type())
	}
	return &Denied{What: path, Reason: ReasonSpecial, Detail: "it is " + what + ", neither a file nor a directory"}
}
