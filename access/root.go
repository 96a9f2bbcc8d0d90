package access

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Root is a tree that may be read: a directory with everything in it, or a
// single file.
type Root struct {
	// Path is absolute and clean.
	Path  string
	Place Place
}

// Place says what a [Root] is.
type Place string

const (
	// Project is the directory that is worked in.
	Project Place = "project"
	// User is the user's own folder of profiles, context and collections.
	User Place = "user"
	// Collection is an installed collection.
	Collection Place = "collection"
	// Allowed is what the person allowed by name.
	Allowed Place = "allowed"
)

// Roots is a set of trees that may be read. The zero value lets nothing be
// read. It is a value: With and For return another and leave it as it is.
type Roots struct {
	list []Root
	// around are the roots of the set that this one was narrowed from. A tree
	// inside one of them is entered through it.
	around []Root
	// entries are the directories that were entered before.
	entries *entries
}

// NewRoots returns the set of the given trees.
func NewRoots(roots ...Root) (Roots, error) { return Roots{}.With(roots...) }

// With returns the set with more trees in it.
func (r Roots) With(roots ...Root) (Roots, error) {
	list := slices.Clone(r.list)
	for _, root := range roots {
		path, err := absolute(root.Path)
		if err != nil {
			return Roots{}, fmt.Errorf("add root: %w", err)
		}
		if root = (Root{path, root.Place}); !slices.Contains(list, root) {
			list = append(list, root)
		}
	}
	if r.entries == nil {
		r.entries = new(entries)
	}
	return Roots{list, r.around, r.entries}, nil
}

// WithConsent returns the set together with the paths that were allowed, none if
// the consent is nil.
func (r Roots) WithConsent(c Consent) (Roots, error) {
	if c == nil {
		return r, nil
	}
	var allowed []Root
	for _, path := range c.Paths() {
		allowed = append(allowed, Root{path, Allowed})
	}
	if len(allowed) == 0 {
		return r, nil
	}
	return r.With(allowed...)
}

// List returns the trees, in the order they were added.
func (r Roots) List() []Root { return slices.Clone(r.list) }

// For returns what the asker may read of the set. A person may read all of it;
// a file may read the tree that contains it, and nothing else. If that tree is
// not inside the set it is nothing.
func (r Roots) For(a Asker) Roots {
	if a.free() {
		return r
	}
	narrowed := Roots{around: r.list, entries: r.entries}
	tree, err := absolute(a.Tree)
	if a.Origin != FromFile && a.Origin != FromProfile || err != nil {
		return narrowed
	}
	root, ok := r.find(tree)
	switch {
	case ok && root.Path == tree:
		narrowed.list = []Root{root}
	case ok:
		// A tree inside one: what the person allowed by name is not this.
		narrowed.list = []Root{{tree, Collection}}
	}
	return narrowed
}

// Find returns the innermost tree that contains path.
func (r Roots) Find(path string) (Root, bool) {
	path, err := absolute(path)
	if err != nil {
		return Root{}, false
	}
	return r.find(path)
}

// find is [Roots.Find] for a path that is absolute and clean.
func (r Roots) find(path string) (found Root, ok bool) {
	for _, root := range r.list {
		if within(root.Path, path) && len(root.Path) > len(found.Path) {
			found = root
		}
	}
	return found, found.Path != ""
}

// Check returns nil if path lies in the set, judged by its letters alone, and a
// [*Denied] if not. Links are the business of [Roots.Open].
func (r Roots) Check(path string) error {
	clean, err := absolute(path)
	if err != nil {
		return err
	}
	if _, ok := r.find(clean); !ok {
		return r.outside(clean)
	}
	return nil
}

func (r Roots) outside(path string) *Denied {
	denied := &Denied{What: path, Reason: ReasonOutside, Detail: "it is outside the project", Grant: AllowFlag(path)}
	if len(r.around) > 0 {
		// Allowing the path would not help: the file would still not be allowed
		// to ask for it.
		denied.Detail, denied.Grant = "it is outside the tree of the file that mentions it; mention it yourself", ""
	}
	return denied
}

// Inside reports whether path is tree or lies below it. Both are compared by
// name, after cleaning; nothing is looked up.
func Inside(tree, path string) bool {
	tree, err := absolute(tree)
	if err != nil {
		return false
	}
	if path, err = absolute(path); err != nil {
		return false
	}
	return within(tree, path)
}

// within is [Inside] for two paths that are absolute and clean.
func within(tree, path string) bool {
	below, ok := strings.CutPrefix(path, tree)
	return ok && (below == "" || below[0] == filepath.Separator || tree[len(tree)-1] == filepath.Separator)
}

// absolute cleans path and refuses what is not a path of its own.
func absolute(path string) (string, error) {
	switch {
	case strings.ContainsRune(path, 0):
		return "", fmt.Errorf("check path %q: it holds a zero byte", path)
	case !filepath.IsAbs(path):
		return "", fmt.Errorf("check path %q: it is not absolute", path)
	}
	return filepath.Clean(path), nil
}
