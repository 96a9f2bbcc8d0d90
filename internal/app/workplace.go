package app

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"unicode/utf8"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/session"
)

// workplace is the folder that the model of a session is in, where that is another
// than the person's. A model knows files by their names, seen from the folder that
// the session began in; these it reads, and these it gives to tools. Wherever a
// person goes on, the model stays there.
type workplace struct{ at atomic.Pointer[string] }

// folder is empty where the model is where the person is.
func (w *workplace) folder() string {
	if at := w.at.Load(); at != nil {
		return *at
	}
	return ""
}

// beganIn is the folder of a new session as its log has it: seen from the project,
// so that the project can be moved. It is empty if it cannot be written.
func (a *App) beganIn() string {
	dir, err := filepath.Rel(a.Root, a.Dir)
	if dir = filepath.ToSlash(dir); err != nil || !utf8.ValidString(dir) {
		return ""
	}
	return dir
}

// settleIn goes to the folder that a session began in. A log may be anybody's: what
// cannot be in the project is not looked at.
//
// If there is no such folder any more, the model stays there all the same: seen
// from elsewhere, a name that it knows would be that of another file. Tools say
// what is not there. If the session is about another project, the names that the
// model knows are not those of files here; see isElsewhere. But a project that is
// not there may have been moved here, and then the model is where the person is.
func (a *App) settleIn(meta session.Meta, dir string, warn func(string)) {
	folder, own := "", a.sessionDir()
	isPart := meta.Dir != a.Root && access.Inside(own, meta.Dir)
	isOwn := isPart || a.OwnSessions().Matches(meta)
	if !isOwn && filepath.IsAbs(meta.Dir) && isFolderIn(meta.Dir, meta.Dir) {
		folder = meta.Dir
		if path := filepath.FromSlash(dir); filepath.IsLocal(path) {
			folder = filepath.Join(folder, path)
		}
		a.began.at.Store(&folder)
		return
	}
	if path := filepath.FromSlash(dir); path != "" && filepath.IsLocal(path) {
		folder = filepath.Join(a.Root, path)
		// It may have begun in a project that is a part of this one by now.
		if part, err := filepath.Rel(own, meta.Dir); isPart && err == nil {
			folder = filepath.Join(a.Root, part, path)
		}
	}
	if folder != "" && !isFolderIn(own, folder) {
		if isOwn {
			warn(fmt.Sprintf("the session began in %s, which is no folder of this project any more: the model still sees files from there", folder))
		} else {
			folder = ""
		}
	}
	a.began.at.Store(&folder)
}

// isFolderIn reports whether a path leads to a folder in a tree without links.
func isFolderIn(tree, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || !access.Inside(tree, real) {
		return false
	}
	info, err := os.Stat(real)
	return err == nil && info.IsDir()
}

// isElsewhere reports whether the model has its names from another project. Files
// here are called by their absolute paths then.
func (a *App) isElsewhere() bool {
	folder := a.began.folder()
	return folder != "" && !access.Inside(a.Root, folder)
}

// workplace is where the tools of a conversation work, and where its files are
// named from. Tools do not work in another project.
func (a *App) workplace() string {
	if a.isElsewhere() {
		return a.Dir
	}
	return cmp.Or(a.began.folder(), a.Dir)
}

// seenFrom is a pipeline that sees relative paths from a folder, for tools.
func seenFrom(dir string, p ampersat.Pipeline) *ampersat.Pipeline {
	resolver := p.Resolver
	p.Resolver = ampersat.ResolverFunc(func(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
		if q.Base == "" {
			q.Base = dir
		}
		return resolver.Resolve(ctx, q)
	})
	return &p
}
