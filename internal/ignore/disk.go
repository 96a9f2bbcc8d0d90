package ignore

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// disk is a folder on disk, out of which no link leads. It is for one goroutine
// at a time.
type disk struct {
	fs.FS
	root *os.Root
	// chain is the folders from the root down to where a file was last opened,
	// each open: whoever walks a tree opens the next one close by.
	chain []link
}

type link struct {
	path string
	root *os.Root
}

// maxChain bounds how many folders are kept open.
const maxChain = 32

func openDisk(dir string) (*disk, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &disk{FS: root.FS(), root: root}, nil
}

func (d *disk) close() {
	for _, l := range d.chain {
		l.root.Close()
	}
	d.root.Close()
}

// near returns an open folder on the way to a path, and the rest of the path.
func (d *disk) near(name string) (*os.Root, string) {
	dir := path.Dir(name)
	for len(d.chain) > 0 {
		last := d.chain[len(d.chain)-1]
		if inside(dir, last.path) {
			break
		}
		last.root.Close()
		d.chain = d.chain[:len(d.chain)-1]
	}
	root, at := d.root, "."
	if n := len(d.chain); n > 0 {
		root, at = d.chain[n-1].root, d.chain[n-1].path
	}
	for len(d.chain) < maxChain && at != dir {
		next, _, _ := strings.Cut(strings.TrimPrefix(dir, prefixOf(at)), "/")
		inner, err := root.OpenRoot(next)
		if err != nil {
			break // whoever opens the file meets the error
		}
		root, at = inner, join(at, next)
		d.chain = append(d.chain, link{at, root})
	}
	return root, filepath.FromSlash(strings.TrimPrefix(name, prefixOf(at)))
}

// open opens a file for reading. On disk it returns even if the name has become
// a pipe that nobody writes to.
func open(tree fs.FS, name string) (fs.File, error) {
	if d, is := tree.(*disk); is {
		root, rest := d.near(name)
		return root.OpenFile(rest, os.O_RDONLY|openNonblock, 0)
	}
	return tree.Open(name)
}

// readDir returns what is in a folder, in no particular order, and with an
// error what could be read before it.
func readDir(tree fs.FS, dir string) ([]fs.DirEntry, error) {
	d, is := tree.(*disk)
	if !is {
		return fs.ReadDir(tree, dir)
	}
	root, rest := d.near(dir)
	file, err := root.OpenFile(rest, os.O_RDONLY|openDirectory, 0)
	if err != nil {
		return nil, err
	}
	if file, err = unrooted(file, filepath.Join(d.root.Name(), filepath.FromSlash(dir))); err != nil {
		return nil, err
	}
	defer file.Close()
	return file.ReadDir(-1)
}

// lstat looks at a name without following it, where the tree can do that.
func lstat(tree fs.FS, name string) (fs.FileMode, error) {
	var info fs.FileInfo
	var err error
	if links, can := tree.(fs.ReadLinkFS); can {
		info, err = links.Lstat(name)
	} else {
		info, err = fs.Stat(tree, name)
	}
	if err != nil {
		return 0, err
	}
	return info.Mode().Type(), nil
}

// Stat, Lstat and ReadLink take any name that the disk has: those of the FS
// below refuse one that is not UTF-8.
func (d *disk) Stat(name string) (fs.FileInfo, error)  { return d.root.Stat(filepath.FromSlash(name)) }
func (d *disk) Lstat(name string) (fs.FileInfo, error) { return d.root.Lstat(filepath.FromSlash(name)) }
func (d *disk) ReadLink(name string) (string, error) {
	return d.root.Readlink(filepath.FromSlash(name))
}

// directory is a folder on disk, for several goroutines at a time and with nothing
// to close. Links in it may lead out.
type directory struct {
	directoryFS
	dir string
}

// directoryFS is what os.DirFS returns.
type directoryFS interface {
	fs.StatFS
	fs.ReadLinkFS
}

func newDirectory(dir string) fs.FS {
	tree := os.DirFS(dir)
	if able, is := tree.(directoryFS); is {
		return directory{able, dir}
	}
	return tree
}

// onDisk tells where a tree is on disk, if it is there.
func onDisk(tree fs.FS) (base string, is bool) {
	switch tree := tree.(type) {
	case *disk:
		return tree.root.Name(), true
	case directory:
		return tree.dir, true
	}
	return "", false
}

// place is a folder on disk and the folders whose rules it is under.
type place struct {
	base string // absolute: where rules begin, at the root or above it
	root string // slash path from the base to the root that was given
	dir  string // slash path from the base to the folder
}

// below is the place without what lies above the root.
func (p place) below() place {
	dir := p.dir
	if p.root != "." {
		dir = path.Join(".", strings.TrimPrefix(strings.TrimPrefix(dir, p.root), "/"))
	}
	return place{base: filepath.Join(p.base, filepath.FromSlash(p.root)), root: ".", dir: dir}
}

// fromRoot names the file of a rule as seen from the root.
func (p place) fromRoot(r Rule) Rule {
	if p.root == "." || r.File == "" || filepath.IsAbs(r.File) {
		return r
	}
	if file, err := filepath.Rel(filepath.FromSlash(p.root), filepath.FromSlash(r.File)); err == nil {
		r.File = filepath.ToSlash(file)
	}
	return r
}

// valid is fs.ValidPath for names in any encoding.
func valid(file string) bool { return fs.ValidPath(strings.ToValidUTF8(file, "?")) }

// inside tells whether a path is a folder or lies in it.
func inside(file, folder string) bool {
	return folder == "." || file == folder || strings.HasPrefix(file, folder+"/")
}

var errOutside = errors.New("leads out of the root")

// locate finds the place of a folder, given by a slash path from root.
func locate(root, dir string) (place, error) {
	if !valid(dir) {
		return place{}, errors.New("not a path relative to the root")
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return place{}, err
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return place{}, err
	}
	target, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(dir)))
	if err != nil {
		return place{}, err
	}
	if inside, err := filepath.Rel(root, target); err != nil || !filepath.IsLocal(inside) {
		return place{}, errOutside
	}
	info, err := os.Stat(target)
	if err != nil {
		return place{}, err
	}
	if !info.IsDir() {
		return place{}, errors.New("not a folder")
	}
	top := worktreeTop(target)
	p := place{base: root}
	if top != "" {
		if up, err := filepath.Rel(top, root); err == nil && filepath.IsLocal(up) {
			p.base = top
		}
	}
	return p, errors.Join(slashRel(p.base, root, &p.root), slashRel(p.base, target, &p.dir))
}

func slashRel(base, target string, into *string) error {
	rel, err := filepath.Rel(base, target)
	*into = filepath.ToSlash(rel)
	return err
}

// worktreeTop returns the nearest folder, dir or one above it, with a git
// repository in it; empty if there is none.
func worktreeTop(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, ".git")); err == nil && isRepository(os.DirFS(dir), ".git", info.Mode().Type()) {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}
