package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/tool"
)

// ErrNothingToUndo means that a session has no turn left.
var ErrNothingToUndo = errors.New("there is no turn to undo")

// Undo takes back the last turn of a session: the files that its tools wrote are
// as they were before, and the model does not see what was said. A file that
// has changed since is left alone unless force is set. The log keeps it all.
func (a *App) Undo(ctx context.Context, id session.ID, force bool) (undone []tool.Undone, err error) {
	store, err := a.Store(ctx)
	if err != nil {
		return nil, err
	}
	// Nobody must be at work on the files.
	err = a.hold(ctx, store, id, func(ctx context.Context, token session.Token) error {
		undone, err = a.undo(ctx, store, id, token, force)
		return err
	})
	return undone, err
}

func (a *App) undo(ctx context.Context, store session.Store, id session.ID, token session.Token, force bool) ([]tool.Undone, error) {
	last, err := agent.LastTurn(store.Read(ctx, id, 1))
	if err != nil {
		return nil, fmt.Errorf("read session %s: %w", id, err)
	}
	if last.Begins == 0 {
		return nil, ErrNothingToUndo
	}
	undone, err := tool.Undo(ctx, a.roots, last.Changes, store.Blobs(), force)
	if err != nil {
		return undone, err
	}
	for _, u := range undone {
		if u.Reason != "" {
			return undone, fmt.Errorf("undo %s: %s; nothing was taken back from the conversation (--force puts back what was there before)", u.Change.Path, u.Reason)
		}
	}
	// The files are as they were: that is not to be forgotten.
	_, err = store.Append(context.WithoutCancel(ctx), id, last.Head, token, session.Undo(last.Begins-1))
	return undone, err
}
