package ignore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Options of a listing. The zero value lists everything, by git where it is.
type Options struct {
	// Max is how many files to list at most; 0 for all.
	Max int
	// NoGit lists by the rules that are read here, also in a git work tree.
	NoGit bool
	// Timeout is how long git may take, 0 for ten seconds. After that the
	// folder is walked.
	Timeout time.Duration
}

// Listing is the files of a folder.
type Listing struct {
	Files    []File    // sorted by path, byte by byte
	More     bool      // there are more than were asked for
	Problems []Problem // what could not be read; the rest is there
	Ignored  Rule      // the rule that hides the folder itself, if one does
	Git      bool      // git listed the folder, at least in part
}

// File is one file of a listing.
type File struct {
	Path string      // slash path from the folder that is listed
	Type fs.FileMode // 0, or fs.ModeSymlink
}

// Problem is a folder that is not listed in full, or not as its rules say.
type Problem struct {
	Dir string // slash path from the folder that is listed; "." for itself
	Err error
	// Listed says that the files of the folder are there: what could not be read,
	// or asked, is which of them are ignored.
	Listed bool
}

func (p Problem) Error() string { return fmt.Sprintf("list %s: %v", p.Dir, p.Err) }
func (p Problem) Unwrap() error { return p.Err }

// List lists the files below a folder on disk. The folder is a slash path from
// root, "." for root itself. An error means that there is no listing: the
// folder is not there, is none, lies outside the root, or ctx has ended.
func List(ctx context.Context, root, dir string, o Options) (Listing, error) {
	listing, err := list(ctx, root, dir, o)
	if err != nil {
		return Listing{}, fmt.Errorf("list %s: %w", dir, err)
	}
	return listing, nil
}

func list(ctx context.Context, root, dir string, o Options) (Listing, error) {
	where, err := locate(root, dir)
	if err != nil {
		return Listing{}, err
	}
	l := &lister{ctx: ctx, max: o.Max, refused: map[string]bool{}}
	if !o.NoGit {
		l.git = findGit(o.Timeout)
	}
	return l.list(where)
}

// ListFS is List for any tree, by the rules that are written in it. Rules begin
// at the tree's root.
func ListFS(ctx context.Context, tree fs.FS, dir string, o Options) (Listing, error) {
	if !fs.ValidPath(dir) {
		return Listing{}, fmt.Errorf("list %q: not a path relative to the root", dir)
	}
	info, err := fs.Stat(tree, dir)
	if err != nil {
		return Listing{}, fmt.Errorf("list %s: %w", dir, err)
	}
	if !info.IsDir() {
		return Listing{}, fmt.Errorf("list %s: not a folder", dir)
	}
	l := &lister{ctx: ctx, tree: tree, dir: dir, max: o.Max}
	m := NewMatcher(tree)
	ignored, by, err := m.Match(dir, true)
	if err == nil {
		err = l.start(m, ignored, by)
	}
	if err != nil {
		return Listing{}, fmt.Errorf("list %s: %w", dir, err)
	}
	return l.out, nil
}

// lister makes one listing. All paths in it are relative to the tree's root.
type lister struct {
	ctx     context.Context
	tree    fs.FS
	base    string          // the tree's root on disk; empty if it is not there
	dir     string          // the folder that is listed
	git     *git            // nil: no git
	refused map[string]bool // folders that git would not list
	max     int
	out     Listing
	// reopened tells that git hides the folder, and a rule of ours shows it.
	reopened bool
}

// errFull ends a listing that has as many files as were asked for.
var errFull = errors.New("full")

// list lists a folder on disk, by the rules that hold there.
func (l *lister) list(where place) (Listing, error) {
	tree, err := openDisk(where.base)
	if err != nil {
		return Listing{}, err
	}
	defer tree.close()
	l.tree, l.base, l.dir = tree, where.base, where.dir
	m := NewMatcher(tree)
	j := judge{git: l.git, base: where.base, matcher: m}
	ignored, by, at, err := j.decide(l.ctx, where.dir, true)
	if err != nil {
		return Listing{}, err
	}
	l.reopened = j.reopened
	if ignored && inside(where.root, at) {
		return l.list(where.below())
	}
	err = l.start(m, ignored, where.fromRoot(by))
	return l.out, err
}

// start lists the folder under the rules from above or, if it is itself
// ignored, under its own alone.
func (l *lister) start(m *Matcher, ignored bool, by Rule) error {
	outer := &scope{}
	switch {
	case ignored:
		l.out.Ignored = by
	case l.dir != ".":
		outer = m.scope(path.Dir(l.dir))
	}
	for _, err := range m.problems {
		l.problem(l.dir, err, true)
	}
	err := l.visit(l.dir, outer)
	if errors.Is(err, errFull) {
		return nil
	}
	return err
}

func (l *lister) problem(dir string, err error, isListed bool) {
	l.out.Problems = append(l.out.Problems, Problem{Dir: l.relative(dir), Err: err, Listed: isListed})
}

// relative turns a path from the tree's root into one from the folder listed;
// what is not below that is the folder itself.
func (l *lister) relative(file string) string {
	switch {
	case l.dir == ".":
		return file
	case file == l.dir || !inside(file, l.dir):
		return "."
	}
	return file[len(l.dir)+1:]
}

func (l *lister) add(file string, mode fs.FileMode) error {
	if l.max > 0 && len(l.out.Files) >= l.max {
		l.out.More = true
		return errFull
	}
	l.out.Files = append(l.out.Files, File{Path: l.relative(file), Type: mode})
	return nil
}

// item is something in a folder, with the name by which it sorts: a folder's
// ends in a slash, so that a listing in this order is sorted by whole paths.
type item struct {
	key  string
	mode fs.FileMode
}

func sorted(entries []fs.DirEntry) []item {
	items := make([]item, len(entries))
	for i, entry := range entries {
		items[i] = item{key: entry.Name(), mode: entry.Type()}
		if entry.IsDir() {
			items[i].key += "/"
		}
	}
	slices.SortFunc(items, func(a, b item) int { return strings.Compare(a.key, b.key) })
	return items
}
