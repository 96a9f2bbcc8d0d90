package fs

import (
	iofs "io/fs"
	"path"
	"path/filepath"
	"strings"
)

// volume is something that holds files: the disk, or a file system.
type volume struct {
	fsys   iofs.FS // nil for the disk
	prefix string  // what addresses in it begin with
}

// location is a place in a volume. The zero value is nowhere.
type location struct {
	in *volume
	// path is absolute and clean on disk, else a clean slash path. One that
	// leads out of its volume begins with "..".
	path string
}

func (l location) exists() bool { return l.in != nil && l.path != "" }
func (l location) onDisk() bool { return l.in.fsys == nil }

// address names the location outside of this package.
func (l location) address() string { return l.in.prefix + l.path }

// at reads an address.
func (r *Resolver) at(address string) location {
	if rest, ok := strings.CutPrefix(address, Bundled); ok {
		return location{r.bundled.in, path.Clean(rest)}
	}
	if r.dir.onDisk() && filepath.IsAbs(address) {
		return location{r.dir.in, filepath.Clean(address)}
	}
	if r.dir.onDisk() {
		return r.dir.join(address)
	}
	return location{r.dir.in, path.Clean(address)}
}

// join returns the location of a slash path below l, or above it if the path
// says so.
func (l location) join(name string) location {
	if l.onDisk() {
		return location{l.in, filepath.Join(l.path, filepath.FromSlash(name))}
	}
	return location{l.in, path.Join(l.path, name)}
}

func (l location) clean() location {
	if l.path == "" {
		return l
	}
	return l.join(".")
}

// parent is the folder that l is in.
func (l location) parent() location {
	if l.onDisk() {
		return location{l.in, filepath.Dir(l.path)}
	}
	return location{l.in, path.Dir(l.path)}
}

// inside reports whether l is tree or lies below it, by its letters.
func (l location) inside(tree location) bool {
	switch {
	case !tree.exists() || l.in != tree.in:
		return false
	case l.path == tree.path:
		return true
	case !l.onDisk() && !iofs.ValidPath(l.path):
		return false
	case !l.onDisk() && tree.path == ".":
		return true
	}
	below, ok := strings.CutPrefix(l.path, tree.path)
	return ok && below != "" && (l.separator(below[0]) || l.separator(tree.path[len(tree.path)-1]))
}

func (l location) separator(b byte) bool { return b == '/' || l.onDisk() && b == filepath.Separator }

// from returns l as a slash path seen from another location of its volume.
func (l location) from(other location) string {
	switch {
	case l.path == other.path:
		return "."
	case l.inside(other) && other.path == "." && !l.onDisk():
		return l.path
	case l.inside(other):
		below := filepath.ToSlash(l.path[len(other.path):])
		return strings.TrimPrefix(below, "/")
	case l.onDisk():
		if rel, err := filepath.Rel(other.path, l.path); err == nil {
			return filepath.ToSlash(rel)
		}
		return filepath.ToSlash(l.path)
	}
	return strings.Repeat("../", strings.Count(other.path, "/")+1) + l.path
}

// collection returns the collection that l is in and its name.
func (r *Resolver) collection(l location) (folder location, name string, ok bool) {
	for _, all := range r.collections {
		if l.inside(all) && l.path != all.path {
			name, _, _ := strings.Cut(l.from(all), "/")
			return all.join(name), name, true
		}
	}
	return location{}, "", false
}

// tree returns the tree that l belongs to: the file there may mention what is
// in it.
func (a *asking) tree(l location) location {
	if folder, _, ok := a.r.collection(l); ok {
		return folder
	}
	for _, tree := range []location{a.r.root, a.r.user} {
		if l.inside(tree) {
			return tree
		}
	}
	if !l.onDisk() {
		return location{l.in, "."}
	}
	if root, ok := a.roots.Find(l.path); ok {
		return location{l.in, root.Path}
	}
	return l
}

// naming is the folder that names are seen from.
func (r *Resolver) naming() location {
	if r.config.NamesFrom != nil {
		if dir := r.config.NamesFrom(); dir != "" {
			return location{r.dir.in, dir}.clean()
		}
	}
	return r.dir
}

// isElsewhere reports whether names are seen from another project. What is called
// something there is not here, and files from here are called by their addresses.
func (r *Resolver) isElsewhere(naming location) bool {
	return r.dir.onDisk() && !naming.inside(r.root) && !naming.inside(r.dir)
}

// name returns what l is called when nobody called it anything.
func (r *Resolver) name(l location) string { return r.nameFrom(r.naming(), l) }

// nameFrom is name, seen from a folder.
func (r *Resolver) nameFrom(dir, l location) string {
	if l.inside(r.dir) || l.inside(r.root) {
		if r.isElsewhere(dir) {
			return filepath.ToSlash(l.path)
		}
		return l.from(dir)
	}
	switch folder, collection, ok := r.collection(l); {
	case ok:
		return below(collection+":", l.from(folder))
	case l.inside(r.user):
		return "user:" + l.from(r.user)
	case l.in == r.bundled.in && l.in != nil:
		return strings.TrimPrefix(l.path, "context/")
	}
	return r.short(l)
}

// short is an address as people read it.
func (r *Resolver) short(l location) string {
	home := location{l.in, r.config.Home}
	switch {
	case l.inside(r.dir) && l.path != r.dir.path:
		return l.from(r.dir)
	case l.in == r.bundled.in && l.path == "context":
		return "the bundled context"
	case l.in == r.bundled.in:
		return "the bundled " + l.path
	case l.in == r.dir.in && home.exists() && l.inside(home) && l.path != r.dir.path:
		return path.Join("~", l.from(home))
	}
	return l.address()
}
