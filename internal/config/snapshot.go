package config

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
)

// Snapshot is everything in a project that runs something, widens what may be
// read, or becomes system text, as it is now.
type Snapshot struct {
	// Digest names this state of it. If there is nothing it is that of nothing.
	Digest blob.Digest
	// Files are sorted by path.
	Files []File
}

// File is a file, or a symbolic link, of a [Snapshot].
type File struct {
	// Path is relative to the project, with slashes.
	Path string `json:"path"`
	// Digest is that of the content, or of the text of the link.
	Digest blob.Digest `json:"digest"`
	Size   int64       `json:"bytes"`
	// Link is where a symbolic link leads. What is there is not part of it.
	Link string `json:"link,omitzero"`
}

// Change is a difference between two states.
type Change struct {
	File
	// How is added, changed or removed.
	How string
}

// What a project can be trusted with. More than that nobody could look at, and
// it would be read at every start.
const (
	maxTrustedFiles = 5000
	maxTrustedBytes = 64 << 20
)

// ErrTooMuch is the error for a project with more files or bytes than anyone
// can agree to.
var ErrTooMuch = fmt.Errorf("more than %d files or %d MB below %s", maxTrustedFiles, maxTrustedBytes>>20, folder)

// trustedFiles are read as system text at the root of a project, trustedFolders
// are below [folder].
var (
	trustedFiles   = []string{"AGENTS.md", "CLAUDE.md", "GEMINI.md"}
	trustedFolders = []string{"agents", "collections", "context", "profiles"}
)

// ProjectDigest looks at a project. Symbolic links are not followed.
func ProjectDigest(root string) (Snapshot, error) {
	roots, err := access.NewRoots(access.Root{Path: root, Place: access.Project})
	if err != nil {
		return Snapshot{}, fmt.Errorf("look at the project: %w", err)
	}
	c := collector{root: root, roots: roots}
	for _, name := range trustedFiles {
		c.add(name)
	}
	if c.isFolder(folder) {
		c.add(folder + "/" + FileName)
		for _, name := range trustedFolders {
			c.add(folder + "/" + name)
		}
	} else {
		c.add(folder)
	}
	if c.err != nil {
		return Snapshot{}, fmt.Errorf("look at the project: %w", c.err)
	}
	slices.SortFunc(c.files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return Snapshot{Digest: digestOf(c.files), Files: c.files}, nil
}

// digestOf names a list of files. Each part ends with a byte that no path and
// no digest has in it, so that no list can be taken for another.
func digestOf(files []File) blob.Digest {
	sum := sha256.New()
	io.WriteString(sum, "ampersat project 1\n")
	for _, f := range files {
		kind := "file"
		if f.Link != "" {
			kind = "link"
		}
		fmt.Fprintf(sum, "%s\x00%s\x00%s\n", kind, f.Path, f.Digest)
	}
	return fromHash(sum)
}

func fromHash(h hash.Hash) blob.Digest { return blob.FromSum([sha256.Size]byte(h.Sum(nil))) }

// collector gathers the files of a snapshot, until something is wrong.
type collector struct {
	root  string
	roots access.Roots
	files []File
	bytes int64
	err   error
}

func (c *collector) abs(name string) string { return filepath.Join(c.root, filepath.FromSlash(name)) }

func (c *collector) isFolder(name string) bool {
	info, err := os.Lstat(c.abs(name))
	return err == nil && info.IsDir()
}

// add takes in a file, or a folder with everything in it. What is not there is
// not part of the project.
func (c *collector) add(name string) {
	if c.err != nil {
		return
	}
	info, err := os.Lstat(c.abs(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		c.err = err
	case info.IsDir():
		c.addFolder(name)
	case len(c.files) == maxTrustedFiles:
		c.err = ErrTooMuch
	case info.Mode()&fs.ModeSymlink != 0:
		c.addLink(name)
	case info.Mode().IsRegular():
		c.addFile(name)
	default:
		c.err = fmt.Errorf("%s is neither a file nor a folder", name)
	}
}

func (c *collector) addFolder(name string) {
	if path.Base(name) == ".git" && path.Dir(path.Dir(name)) == folder+"/collections" {
		return // the history of a collection is no text of it
	}
	dir, err := os.Open(c.abs(name))
	if err != nil {
		c.err = err
		return
	}
	defer dir.Close()
	names, err := dir.Readdirnames(maxTrustedFiles + 1)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		c.err = err
	case len(names) > maxTrustedFiles:
		c.err = ErrTooMuch
	}
	for _, entry := range names {
		c.add(name + "/" + entry)
	}
}

func (c *collector) addLink(name string) {
	target, err := os.Readlink(c.abs(name))
	if err != nil {
		c.err = err
		return
	}
	c.files = append(c.files, File{Path: name, Digest: blob.Of([]byte(target)), Size: int64(len(target)), Link: target})
}

func (c *collector) addFile(name string) {
	file, info, err := c.roots.Open(c.abs(name))
	if err != nil {
		c.err = err
		return
	}
	defer file.Close()
	if info.IsDir() {
		c.err = fmt.Errorf("%s: it became a folder meanwhile", name)
		return
	}
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(file, maxTrustedBytes-c.bytes+1))
	if err != nil {
		c.err = err
		return
	}
	if c.bytes += n; c.bytes > maxTrustedBytes {
		c.err = ErrTooMuch
		return
	}
	c.files = append(c.files, File{Path: name, Digest: fromHash(sum), Size: n})
}

// Empty reports whether there is nothing to agree to.
func (s Snapshot) Empty() bool { return len(s.Files) == 0 }

// Holds reports whether a file, by its path relative to the project, is part of
// the snapshot with this very content. A link counts if it leads to a file that
// is: AGENTS.md is often one to CLAUDE.md. So text that is about to be trusted
// can be held against what was agreed to.
func (s Snapshot) Holds(name string, content blob.Digest) bool {
	name = path.Clean(filepath.ToSlash(name))
	for range 8 {
		i, ok := slices.BinarySearchFunc(s.Files, name, func(f File, name string) int { return cmp.Compare(f.Path, name) })
		if !ok {
			return false
		}
		f := s.Files[i]
		if f.Link == "" {
			return f.Digest == content
		}
		if path.IsAbs(f.Link) || strings.Contains(f.Link, `\`) {
			return false
		}
		name = path.Join(path.Dir(name), f.Link)
	}
	return false
}

// Since returns what is different from an earlier state, by path.
func (s Snapshot) Since(before []File) []Change {
	then := map[string]File{}
	for _, f := range before {
		then[f.Path] = f
	}
	var changes []Change
	for _, f := range s.Files {
		was, ok := then[f.Path]
		delete(then, f.Path)
		switch {
		case !ok:
			changes = append(changes, Change{f, "added"})
		case was.Digest != f.Digest || was.Link != f.Link:
			changes = append(changes, Change{f, "changed"})
		}
	}
	for _, f := range then {
		changes = append(changes, Change{f, "removed"})
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}
