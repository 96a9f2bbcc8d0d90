package fs

import (
	"context"
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/ignore"
	"github.com/ampersat/ampersat/internal/wording"
)

// maxListed is how many files of a folder are counted.
const maxListed = 200_000

// files lists the files below a folder that are not ignored.
func (a *asking) files(ctx context.Context, folder location) (ignore.Listing, error) {
	options := ignore.Options{Max: maxListed}
	if !folder.onDisk() {
		listed, err := ignore.ListFS(ctx, lasting{folder.in.fsys, ctx.Err}, folder.path, options)
		if ctx.Err() != nil {
			return ignore.Listing{}, ctx.Err() // what it lacks is no problem of a folder
		}
		return listed, err
	}
	tree := a.tree(folder)
	return ignore.List(ctx, tree.path, folder.from(tree), options)
}

// unlisted names the folders of which files are missing in a listing, and says
// what else is wrong with it.
func unlisted(listed ignore.Listing) (folders, notes []string) {
	for _, p := range listed.Problems {
		if p.Listed {
			notes = append(notes, access.Redact(printable(p.Err.Error())))
		} else if !slices.Contains(folders, p.Dir) {
			folders = append(folders, p.Dir)
		}
	}
	return folders, notes
}

// withoutFolders says that folders are missing in what is shown.
func withoutFolders(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("without %s that could not be listed: %s", wording.Count(len(names), "folder"), wording.First(names, 3))
}

// listing resolves a folder: a tree of what is in it.
func (a *asking) listing(ctx context.Context, f *found) (ampersat.Content, error) {
	listed, err := a.files(ctx, f.at)
	if err != nil {
		return ampersat.Content{}, a.failed(ctx, err)
	}
	c := ampersat.Content{Name: folderName(f.name), ID: f.at.address(), Note: ignoredBy(listed)}
	tree := grow(listed)
	shown := tree.choose(a.r.limits.Entries, a.r.limits.Depth)
	var b strings.Builder
	tree.write(&b, 0, func(file string) string { return target(f.at.join(file)) }, "")
	c.Text = b.String()
	if c.Text == "" {
		c.Text = "[empty]\n"
	}
	c.Size = int64(len(c.Text))
	missing, notes := unlisted(listed)
	c.Note = join(append([]string{c.Note}, notes[:min(len(notes), 3)]...)...)
	switch total := tree.count(); {
	case listed.More:
		c.Shown = fmt.Sprintf("%s of more than %s entries", wording.Number(shown), wording.Number(max(total, maxListed)))
	case shown < total:
		c.Shown = fmt.Sprintf("%s of %s entries", wording.Number(shown), wording.Number(total))
	case len(missing) == 0:
		c.Source = blob.Of([]byte(c.Text))
	}
	if tree.problem != "" {
		missing = slices.DeleteFunc(missing, func(dir string) bool { return dir == "." })
		c.Shown = join(c.Shown, "what of it could be listed: "+access.Redact(printable(tree.problem)))
	}
	for i, dir := range missing {
		missing[i] = access.Redact(printable(dir))
	}
	c.Shown = join(c.Shown, withoutFolders(missing))
	return c, nil
}

// folderName is the name of a folder: it ends in a slash, or in the colon of
// its namespace.
func folderName(name string) string {
	if strings.HasSuffix(name, ":") || strings.HasSuffix(name, "/") {
		return name
	}
	return name + "/"
}

func ignoredBy(listed ignore.Listing) string {
	if listed.Ignored == (ignore.Rule{}) {
		return ""
	}
	return ignoredByRule(listed.Ignored.String())
}

// target is where a symbolic link leads, by its own words.
func target(l location) string {
	var to string
	var err error
	if l.onDisk() {
		to, err = os.Readlink(l.path)
	} else {
		to, err = iofs.ReadLink(l.in.fsys, l.path)
	}
	if err != nil {
		return "?"
	}
	return to
}

// entry is a file or a folder in a tree.
type entry struct {
	name     string
	folder   bool
	link     bool
	problem  string
	children []*entry
	shown    bool
}

// grow makes a tree of a list of paths.
func grow(listed ignore.Listing) *entry {
	root := &entry{folder: true, shown: true}
	folders := map[string]*entry{".": root}
	var folder func(dir string) *entry
	folder = func(dir string) *entry {
		e, ok := folders[dir]
		if !ok {
			above := folder(path.Dir(dir))
			e = &entry{name: path.Base(dir), folder: true}
			above.children = append(above.children, e)
			folders[dir] = e
		}
		return e
	}
	for _, file := range listed.Files {
		above := folder(path.Dir(file.Path))
		above.children = append(above.children, &entry{name: path.Base(file.Path), link: file.Type&iofs.ModeSymlink != 0})
	}
	for _, problem := range listed.Problems {
		if !problem.Listed {
			folder(problem.Dir).problem = reasonOf(problem.Err)
		}
	}
	for _, e := range folders {
		slices.SortFunc(e.children, func(a, b *entry) int { return strings.Compare(a.name, b.name) })
	}
	return root
}

func reasonOf(err error) string {
	if errors.Is(err, iofs.ErrPermission) {
		return "no permission"
	}
	return cause(err)
}

// count is how many entries the tree has.
func (e *entry) count() int {
	n := len(e.children)
	for _, child := range e.children {
		n += child.count()
	}
	return n
}

// choose marks the entries that are shown, at most as many as given: the upper
// levels before the lower. It returns how many they are.
func (e *entry) choose(most, depth int) int {
	chosen := 0
	for level := []*entry{e}; len(level) > 0 && depth > 0; depth-- {
		var next []*entry
		for _, folder := range level {
			for _, child := range folder.children {
				if chosen == most {
					return chosen
				}
				child.shown = true
				chosen++
				if len(child.children) > 0 {
					next = append(next, child)
				}
			}
		}
		level = next
	}
	return chosen
}

// write writes the entries that are shown, two spaces for each level.
func (e *entry) write(b *strings.Builder, level int, target func(file string) string, dir string) {
	indent := strings.Repeat("  ", level)
	if e.problem != "" {
		fmt.Fprintf(b, "%s[cannot be listed: %s]\n", indent, printable(e.problem))
	}
	for _, child := range e.children {
		if !child.shown {
			continue
		}
		b.WriteString(indent)
		b.WriteString(printable(child.name))
		file := path.Join(dir, child.name)
		switch {
		case child.folder:
			b.WriteByte('/')
		case child.link:
			b.WriteString(" -> ")
			b.WriteString(printable(target(file)))
		}
		b.WriteByte('\n')
		child.write(b, level+1, target, file)
	}
}

// printable quotes a name that could pass for more than one line of a listing,
// or for its indentation.
func printable(name string) string {
	odd := func(r rune) bool {
		return r < ' ' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == '\uFFFD'
	}
	if strings.HasPrefix(name, " ") || strings.IndexFunc(name, odd) >= 0 {
		return strconv.Quote(name)
	}
	return name
}
