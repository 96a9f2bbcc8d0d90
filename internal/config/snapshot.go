package config

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
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

// ProjectDigest looks at a project: its configuration, its profiles, agents,
// collections and context, the files for assistants at its root, and the files
// that any of them mentions, which are read with them. Symbolic links are not
// followed; where one leads to a file of the project, that is looked at for
// itself.
func ProjectDigest(root string) (Snapshot, error) {
	roots, err := access.NewRoots(access.Root{Path: root, Place: access.Project})
	if err != nil {
		return Snapshot{}, fmt.Errorf("look at the project: %w", err)
	}
	c := collector{root: root, roots: roots, seen: map[string]bool{}}
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
	c.follow()
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
	return blob.FromSum([sha256.Size]byte(sum.Sum(nil)))
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
