package app

import (
	"context"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/tool"
	"github.com/go-json-experiment/json"
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
	begins, changes, head, err := lastTurn(ctx, store, id)
	if err != nil {
		return nil, err
	}
	if begins == 0 {
		return nil, ErrNothingToUndo
	}
	undone, err := tool.Undo(ctx, a.roots, changes, store.Blobs(), force)
	if err != nil {
		return undone, err
	}
	for _, u := range undone {
		if u.Reason != "" {
			return undone, fmt.Errorf("undo %s: %s; nothing was taken back from the conversation (--force puts back what was there before)", u.Change.Path, u.Reason)
		}
	}
	// The files are as they were: that is not to be forgotten.
	_, err = store.Append(context.WithoutCancel(ctx), id, head, token, session.Undo(begins-1))
	return undone, err
}

// lastTurn finds where the last turn begins that was not undone, zero if there
// is none, and what its tools changed.
func lastTurn(ctx context.Context, store session.Store, id session.ID) (begins session.Seq, changes []agent.Change, head session.Seq, err error) {
	type turn struct {
		begins  session.Seq
		changes []agent.Change
	}
	var turns []turn
	for record, err := range store.Read(ctx, id, 1) {
		if err != nil {
			return 0, nil, 0, err
		}
		head = record.Seq
		note, ok := record.Entry.(session.Note)
		if !ok {
			continue
		}
		switch note.Name {
		case agent.NoteTurn:
			turns = append(turns, turn{begins: record.Seq})
		case agent.NoteChanged:
			var changed agent.Changed
			if err := json.Unmarshal(note.Value, &changed); err != nil {
				return 0, nil, 0, fmt.Errorf("read entry %d of session %s: %w", record.Seq, id, err)
			}
			if len(turns) > 0 {
				last := &turns[len(turns)-1]
				last.changes = append(last.changes, changed.Changes...)
			}
		case session.NoteUndo:
			through, ok := note.Undoes()
			if !ok {
				continue
			}
			for len(turns) > 0 && turns[len(turns)-1].begins > through {
				turns = turns[:len(turns)-1]
			}
		}
	}
	if len(turns) == 0 {
		return 0, nil, head, nil
	}
	last := turns[len(turns)-1]
	return last.begins, last.changes, head, nil
}
