package fs

import (
	"path/filepath"

	"github.com/ampersat/ampersat/access"
)

// spelled returns the path of an open file, of which asked is the one that was
// opened and real the one without links. Roots may be spelled with links in
// them, as the working directory often is; below a root there are none.
func (a *asking) spelled(asked, real string) string {
	if asked == real {
		return real
	}
	for _, root := range a.all.List() {
		if without := a.r.withoutLinks(root.Path); access.Inside(without, real) {
			if rel, err := filepath.Rel(without, real); err == nil {
				return filepath.Join(root.Path, rel)
			}
		}
	}
	return real
}

// withoutLinks resolves the links in the path of a root, once.
func (r *Resolver) withoutLinks(root string) string {
	if known, ok := r.links.Load(root); ok {
		return known.(string)
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return root
	}
	r.links.Store(root, real)
	return real
}
