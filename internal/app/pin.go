package app

import (
	"context"
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/session"
)

// Pinned is what came of pinning a turn.
type Pinned struct {
	// Changed is how many messages are pinned, or are not, that were otherwise
	// before.
	Changed int
	// Out is how many messages of the turn were taken out or shortened before,
	// in whole or in part. That does not come back.
	Out int
}

// Pin keeps a turn of a session before the model's eyes: what the person said in
// it, what that mentioned and what was answered is not compacted from now on. With
// unpin set it need not stay any more. Turns are counted from one.
func (a *App) Pin(ctx context.Context, id session.ID, turn int, unpin bool) (pinned Pinned, err error) {
	store, err := a.Store(ctx)
	if err != nil {
		return Pinned{}, err
	}
	err = a.hold(ctx, store, id, func(ctx context.Context, token session.Token) error {
		pinned, err = pin(ctx, store, id, token, turn, unpin)
		return err
	})
	return pinned, err
}

func pin(ctx context.Context, store session.Store, id session.ID, token session.Token, turn int, unpin bool) (Pinned, error) {
	meta, err := store.Get(ctx, id)
	if err != nil {
		return Pinned{}, err
	}
	turns, err := session.Turns(store.Read(ctx, id, 1))
	if err != nil {
		return Pinned{}, fmt.Errorf("read session %s: %w", id, err)
	}
	switch {
	case turn < 1 || turn > len(turns):
		return Pinned{}, fmt.Errorf("there is no turn %d; it has %d", turn, len(turns))
	case len(turns[turn-1].Said) == 0:
		return Pinned{}, fmt.Errorf("turn %d was undone", turn)
	}
	fates, err := session.Fates(store.Read(ctx, id, 1))
	if err != nil {
		return Pinned{}, fmt.Errorf("read session %s: %w", id, err)
	}
	var pinned Pinned
	var notes []session.Entry
	for _, seq := range turns[turn-1].Said {
		if len(fates[seq]) > 0 {
			pinned.Out++
		}
		switch isPinned := slices.Contains(turns[turn-1].Pinned, seq); {
		case unpin && isPinned:
			notes = append(notes, session.Unpin(seq))
		case !unpin && !isPinned:
			notes = append(notes, session.Pin(seq))
		}
	}
	if len(notes) == 0 {
		return pinned, nil
	}
	pinned.Changed = len(notes)
	_, err = store.Append(ctx, id, meta.Head, token, notes...)
	return pinned, err
}
