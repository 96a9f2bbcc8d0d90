package profile

import (
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
)

// Config says where a [Library] looks.
type Config struct {
	// Project is the project's folder, absolute; its .ampersat/ is looked in.
	// Empty means that there is none.
	Project string
	// User is the user's own folder, absolute. If it is the project's .ampersat/,
	// what is in it is the user's.
	User string
	// Roots opens what is on disk.
	Roots access.Roots
	// Bundled has the collections/ that came with the program.
	Bundled iofs.FS
	// Trusted reports whether the person trusts a file of the project, by its path
	// and the digest of what was read. Nil means that they trust none.
	Trusted func(path string, content blob.Digest) bool
	// Shown is a path as people read it. Nil means as it is.
	Shown func(path string) string
}

// Library finds profiles and agents. It keeps nothing: what is on disk is read
// when it is asked for.
type Library struct {
	config Config
	homes  []home
}

// home is a folder with profiles/, agents/ and collections/ in it.
type home struct {
	place Place
	// path is the folder, absolute on disk, a slash path in the bundle. Tree is
	// what its files may not leave.
	path, tree string
	fsys       iofs.FS // nil for the disk
}

// bundlePrefix begins the addresses of what came with the program, as
// source/fs reads them.
const bundlePrefix = "bundled:"

// New returns a library. Nothing is read before it is asked.
func New(c Config) *Library {
	l := &Library{config: c}
	if own := filepath.Join(c.Project, ".ampersat"); c.Project != "" && own != c.User {
		l.homes = append(l.homes, home{place: InProject, path: own, tree: c.Project})
	}
	if c.User != "" {
		l.homes = append(l.homes, home{place: InUser, path: c.User, tree: c.User})
	}
	if c.Bundled != nil {
		l.homes = append(l.homes, home{place: InBundle, path: ".", tree: ".", fsys: c.Bundled})
	}
	return l
}

// trusts reports whether what was read from a file may be believed. A file of the
// user's that is a link into the project is the project's.
func (l *Library) trusts(h home, at string, f content) bool {
	if h.place != InProject {
		below, linked := l.inProject(h, at, f.real)
		if !linked {
			return true
		}
		at = below
	}
	return l.config.Trusted != nil && l.config.Trusted(at, blob.Of(f.data))
}

// inProject reports whether a file of another place is a link into the project,
// and where it leads.
func (l *Library) inProject(h home, at, real string) (string, bool) {
	if h.fsys != nil || real == at || l.config.Project == "" {
		return "", false
	}
	// Both may be spelled with links: /tmp is one on some systems.
	for _, own := range []string{l.config.User, resolved(l.config.User)} {
		if access.Inside(own, real) {
			return "", false
		}
	}
	for _, project := range []string{l.config.Project, resolved(l.config.Project)} {
		if rel, err := filepath.Rel(project, real); err == nil && access.Inside(project, real) {
			return filepath.Join(l.config.Project, rel), true
		}
	}
	return "", false
}

// resolved is a path without links in it, or as it is.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

func (h home) join(parent string, name ...string) string {
	if h.fsys != nil {
		return path.Join(append([]string{parent}, name...)...)
	}
	return filepath.Join(append([]string{parent}, name...)...)
}

// address names a path outside of this package.
func (h home) address(at string) string {
	if h.fsys != nil {
		return bundlePrefix + at
	}
	return at
}

// shown is a path as people read it.
func (l *Library) shown(h home, at string) string {
	switch {
	case h.fsys != nil:
		return bundlePrefix + strings.TrimPrefix(at, "collections/")
	case l.config.Shown != nil:
		return l.config.Shown(at)
	}
	return at
}

func (l *Library) open(h home, at string) (iofs.File, iofs.FileInfo, error) {
	if h.fsys == nil {
		return l.config.Roots.Open(at)
	}
	file, err := h.fsys.Open(at)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// maxFiles is how many files of a folder are looked at.
const maxFiles = 1000

// names lists a folder, sorted. A folder that is not there has none.
func (l *Library) names(h home, at string) ([]iofs.DirEntry, error) {
	file, info, err := l.open(h, at)
	switch {
	case isAbsent(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer file.Close()
	dir, ok := file.(iofs.ReadDirFile)
	if !ok || !info.IsDir() {
		return nil, errors.New("it is not a folder")
	}
	entries, err := dir.ReadDir(maxFiles + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(entries) > maxFiles {
		return nil, fmt.Errorf("there are more than %d files in it", maxFiles)
	}
	slices.SortFunc(entries, func(a, b iofs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func isAbsent(err error) bool {
	return errors.Is(err, iofs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// content is what a file holds, and where it really is.
type content struct {
	data []byte
	real string
}

// read returns what a file holds, no more than can be used.
func (l *Library) read(h home, at string) (content, error) {
	file, info, err := l.open(h, at)
	if err != nil {
		return content{}, err
	}
	defer file.Close()
	if info.IsDir() {
		return content{}, errors.New("it is a folder")
	}
	read := content{real: at}
	if linked, ok := file.(interface{ Real() string }); ok {
		read.real = linked.Real()
	}
	read.data, err = io.ReadAll(io.LimitReader(file, maxFile+1))
	return read, err
}
