package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/store/sqlite"
)

// lazyStore is the store of sessions, opened when it is first needed.
type lazyStore struct {
	mu     sync.Mutex
	open   *sqlite.Store
	closed bool
}

// storeName is the file that sessions are kept in.
const storeName = "sessions.db"

// Store opens the store of sessions, in the user's own folder, once.
func (a *App) Store(ctx context.Context) (*sqlite.Store, error) {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	if a.store.open != nil {
		return a.store.open, nil
	}
	if a.store.closed {
		return nil, errors.New("open the store of sessions: the program is ending")
	}
	if a.UserDir == "" {
		return nil, errors.New("open the store of sessions: there is no home folder; set AMPERSAT_HOME to a folder of your own")
	}
	store, err := sqlite.Open(ctx, filepath.Join(a.UserDir, storeName), sqlite.Options{})
	if err != nil {
		return nil, err
	}
	a.store.open = store
	return store, nil
}

// Salvage writes what can be read of a damaged store of sessions, for "session
// import" to read into a new one.
func (a *App) Salvage(ctx context.Context, w io.Writer) (sqlite.Salvaged, error) {
	return sqlite.Salvage(ctx, filepath.Join(a.UserDir, storeName), w)
}

// openStore is [App.Store] for those who need not know which store it is.
func (a *App) openStore(ctx context.Context) (session.Store, error) { return a.Store(ctx) }

// Close ends what was opened.
func (a *App) Close() error {
	err := errors.Join(a.diagnostics.Close(), a.servers.close())
	a.store.mu.Lock()
	a.store.closed = true
	a.store.mu.Unlock()
	return errors.Join(err, a.closeStore())
}

// closeStore closes the store if it is open.
func (a *App) closeStore() error {
	a.store.mu.Lock()
	defer a.store.mu.Unlock()
	if a.store.open == nil {
		return nil
	}
	err := a.store.open.Close()
	a.store.open = nil
	return err
}

// OwnSessions asks for the sessions of this project. They are kept under the path
// without links, so that it does not matter how the folder was reached, and are
// looked for under the path that it was reached by as well: older versions kept
// them there.
func (a *App) OwnSessions() session.Query {
	q := session.Query{Dir: a.sessionDir()}
	if q.Dir != a.Root {
		q.AlsoDir = a.Root
	}
	return q
}

// sessionDir is the project as a session has it. What cannot be resolved stays as
// it is: that there is nothing is for those to tell who look for something.
func (a *App) sessionDir() string {
	if real, err := filepath.EvalSymlinks(a.Root); err == nil {
		return real
	}
	return a.Root
}

// Remove removes a session for good. One that somebody is at work on is a
// [*session.HeldError].
func (a *App) Remove(ctx context.Context, id session.ID) error {
	store, err := a.Store(ctx)
	if err != nil {
		return err
	}
	// Who is gone does not keep it.
	if err := a.hold(ctx, store, id, func(context.Context, session.Token) error { return nil }); err != nil {
		return err
	}
	return store.Delete(ctx, id)
}

// ErrOthers says that another program has the store of sessions open.
var ErrOthers = errors.New("another program has the sessions open")

// Prune removes the contents that no session names, as those that were removed leave
// them. It closes the store, and is an [ErrOthers] while another program has it open,
// which may be about to name them.
func (a *App) Prune(ctx context.Context) error {
	if err := a.closeStore(); err != nil {
		return err
	}
	_, err := sqlite.Prune(ctx, filepath.Join(a.UserDir, storeName))
	if errors.Is(err, sqlite.ErrBusy) {
		return ErrOthers
	}
	return err
}

// FindSession returns the session that a person names: by its id, by the first
// or last characters of it if only one has them, or "last" for the one that
// changed last in this project.
func (a *App) FindSession(ctx context.Context, name string) (session.Meta, error) {
	if name == "last" {
		return a.lastSession(ctx)
	}
	store, err := a.Store(ctx)
	if err != nil {
		return session.Meta{}, err
	}
	if id, err := session.ParseID(name); err == nil {
		meta, err := store.Get(ctx, id)
		if !errors.Is(err, session.ErrNotFound) {
			return meta, err
		}
	}
	if len(name) < 4 {
		return session.Meta{}, fmt.Errorf("find session %q: give at least four characters of its id; \"ampersat session list\" shows them", name)
	}
	all, err := store.List(ctx, session.Query{})
	if err != nil {
		return session.Meta{}, err
	}
	var found []session.Meta
	for _, meta := range all {
		if strings.HasPrefix(string(meta.ID), name) || strings.HasSuffix(string(meta.ID), name) {
			found = append(found, meta)
		}
	}
	switch len(found) {
	case 0:
		return session.Meta{}, fmt.Errorf("find session %q: %w, no id begins or ends so; \"ampersat session list --all\" shows all there are", name, session.ErrNotFound)
	case 1:
		return found[0], nil
	}
	return session.Meta{}, fmt.Errorf("find session %q: %d sessions begin or end so; give more of the id", name, len(found))
}

func (a *App) lastSession(ctx context.Context) (session.Meta, error) {
	query := a.OwnSessions()
	query.TopLevel, query.Limit = true, 1
	last, err := a.Sessions(ctx, query)
	if err != nil {
		return session.Meta{}, err
	}
	if len(last) == 0 {
		return session.Meta{}, fmt.Errorf("find the last session of %s: %w; \"ampersat session list --all\" shows those of other projects", a.Root, session.ErrNotFound)
	}
	return last[0], nil
}

// Sessions returns the sessions that a query asks for, without those in which
// nothing was said yet: they belong to a turn that is beginning, or to one that was
// ended, or found the disk full, before it began.
func (a *App) Sessions(ctx context.Context, query session.Query) (begun []session.Meta, err error) {
	store, err := a.Store(ctx)
	if err != nil {
		return nil, err
	}
	limit := query.Limit
	if limit > 0 {
		query.Limit = max(limit, 16)
	}
	for {
		list, err := store.List(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, meta := range list {
			if meta.Head > 0 {
				begun = append(begun, meta)
			}
			if limit > 0 && len(begun) == limit {
				return begun, nil
			}
		}
		if limit <= 0 || len(list) < query.Limit {
			return begun, nil
		}
		query.After = list[len(list)-1].Cursor()
	}
}
