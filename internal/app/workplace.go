package app

import (
	"context"
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
// is no folder in the project is not looked at.
func (a *App) settleIn(meta session.Meta, dir string) {
	dir = filepath.FromSlash(dir)
	if dir == "" || !filepath.IsLocal(dir) {
		return
	}
	project := a.Root
	if own := a.sessionDir(); meta.Dir != a.Root && access.Inside(own, meta.Dir) {
		// It began in a project that is a part of this one by now.
		if part, err := filepath.Rel(own, meta.Dir); err == nil {
			project = filepath.Join(a.Root, part)
		}
	}
	folder := filepath.Join(project, dir)
	a.began.at.Store(&folder)
}

// workplace is where the tools of a conversation work: where it began or, if there
// is no such folder in the project any more, where the person is.
func (a *App) workplace() string {
	folder := a.began.folder()
	if folder == "" {
		return a.Dir
	}
	real, err := filepath.EvalSymlinks(folder)
	if err != nil || !access.Inside(a.sessionDir(), real) {
		return a.Dir
	}
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		return a.Dir
	}
	return folder
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
