package collection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/ampersat/ampersat/internal/lockfile"
)

// Scope is whose folder a collection is in.
type Scope string

const (
	// Project is the .ampersat/collections/ of the project.
	Project Scope = "project"
	// User is the collections/ of the user's own folder.
	User Scope = "user"
	// Bundled came with the program.
	Bundled Scope = "bundled"
	// Index can be installed by its name, and is not.
	Index Scope = "index"
)

// Config says where collections are.
type Config struct {
	// Dir is what paths of sources are relative to, absolute.
	Dir string
	// Project is the project's folder, UserDir the user's own. Either may be
	// empty, and then there is no such scope.
	Project, UserDir string
	// Bundled has collections/ with those that come with the program, Index a
	// folder for each that can be installed by its name. Nil has none.
	Bundled, Index fs.FS

	Limits Limits
}

// Limits bounds what a collection can cost. Zero means the default.
type Limits struct {
	// Files, Bytes and File bound what is in a collection: how many, how much
	// in all, how much in one. Default 5,000, 64 MB and 8 MB.
	Files       int
	Bytes, File int64
	// Archive is the most bytes that an archive may have, Ratio how many times
	// its size it may unpack to. Default 32 MB and 100.
	Archive, Ratio int64
	// Repository is the most bytes that are fetched of one, Time how long that
	// may take. Default 512 MB and 2 minutes.
	Repository int64
	Time       time.Duration
}

func (l Limits) orDefault() Limits {
	return Limits{
		Files: cmp.Or(l.Files, 5_000), Bytes: cmp.Or(l.Bytes, 64<<20), File: cmp.Or(l.File, 8<<20),
		Archive: cmp.Or(l.Archive, 32<<20), Ratio: cmp.Or(l.Ratio, 100),
		Repository: cmp.Or(l.Repository, 512<<20), Time: cmp.Or(l.Time, 2*time.Minute),
	}
}

// Library is the collections that somebody can mention.
type Library struct {
	config Config
	limits Limits
}

// New returns a library. Nothing is read before it is asked.
func New(c Config) *Library { return &Library{config: c, limits: c.Limits.orDefault()} }

// ErrNoScope says that there is no folder of that scope here.
var ErrNoScope = errors.New("there is no such folder")

// home is the folder that holds a scope's collections/, and the way to it.
func (l *Library) home(scope Scope) (home, collections string, err error) {
	switch {
	case scope == Project && l.config.Project != "" && l.isUsers():
		return "", "", fmt.Errorf("%w: what would be the project's here is the user's own; work in a project", ErrNoScope)
	case scope == Project && l.config.Project != "":
		return l.config.Project, filepath.Join(".ampersat", "collections"), nil
	case scope == User && l.config.UserDir != "":
		return l.config.UserDir, "collections", nil
	case scope == Project:
		return "", "", fmt.Errorf("%w: no project", ErrNoScope)
	case scope == User:
		return "", "", fmt.Errorf("%w: the user has no home", ErrNoScope)
	}
	return "", "", fmt.Errorf("%w as %q; use %s or %s", ErrNoScope, string(scope), User, Project)
}

// isUsers reports whether the project's folder is the user's own, as it is for
// who works in their home.
func (l *Library) isUsers() bool {
	if l.config.UserDir == "" {
		return false
	}
	own := filepath.Join(l.config.Project, ".ampersat")
	if own == filepath.Clean(l.config.UserDir) {
		return true
	}
	project, err := os.Stat(own)
	if err != nil {
		return false
	}
	user, err := os.Stat(l.config.UserDir)
	return err == nil && os.SameFile(project, user)
}

// folder is the collections/ of a scope. It is read and written through a root,
// so that no link in a project leads a write out of it.
type folder struct {
	*os.Root
	scope Scope
	// path is for people.
	path   string
	limits Limits
}

// open opens the folder of a scope. Where there is none, and make is not said,
// the error is [fs.ErrNotExist].
func (l *Library) open(scope Scope, make bool) (*folder, error) {
	home, collections, err := l.home(scope)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(home, collections)
	fail := func(err error) (*folder, error) {
		return nil, fmt.Errorf("open the collections in %s: %w", path, err)
	}
	if make && scope == User {
		if err := os.MkdirAll(home, 0o700); err != nil {
			return fail(err)
		}
	}
	outer, err := os.OpenRoot(home)
	if err != nil {
		return fail(err)
	}
	defer outer.Close()
	if make {
		if err := outer.MkdirAll(collections, 0o755); err != nil {
			return fail(err)
		}
	}
	root, err := outer.OpenRoot(collections)
	if err != nil {
		return fail(err)
	}
	return &folder{root, scope, path, l.limits}, nil
}

const (
	busyName = ".busy"
	newName  = ".new"
)

// change opens the folder of a scope for somebody who changes it: nobody else
// does meanwhile, and what a process that died has left is put right.
func (l *Library) change(ctx context.Context, scope Scope, do func(*folder) error) error {
	f, err := l.open(scope, true)
	if err != nil {
		return err
	}
	defer f.Close()
	release, err := lockfile.Take(ctx, f.Root, busyName, 10*time.Second)
	if errors.Is(err, lockfile.ErrHeld) {
		return fmt.Errorf("change the collections in %s: another process does so now; try again when it is done", f.path)
	}
	if err != nil {
		return err
	}
	defer release()
	if err := f.recover(); err != nil {
		return fmt.Errorf("put right what was left in %s: %w", f.path, err)
	}
	return do(f)
}
