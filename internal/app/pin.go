package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// Pin keeps a turn of a session before the model's eyes: what the person said in
// it, what that mentioned and what was answered is not compacted. With unpin set
// it need not stay any more. Turns are counted from one. It returns how many
// entries that changed something for.
func (a *App) Pin(ctx context.Context, id session.ID, turn int, unpin bool) (changed int, err error) {
	store, err := a.Store(ctx)
	if err != nil {
		return 0, err
	}
	lease, err := session.Take(ctx, store, id, holder(), time.Minute, a.isGone)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Release(context.WithoutCancel(ctx), lease)) }()
	t, err := readTurns(ctx, store, id)
	if err != nil {
		return 0, err
	}
	switch {
	case turn < 1 || turn > len(t.said):
		return 0, fmt.Errorf("there is no turn %d; it has %d", turn, len(t.said))
	case len(t.said[turn-1]) == 0:
		return 0, fmt.Errorf("turn %d was undone", turn)
	}
	var notes []session.Entry
	for _, seq := range t.said[turn-1] {
		switch {
		case unpin && t.pinned[seq]:
			notes = append(notes, session.Unpin(seq))
		case !unpin && !t.pinned[seq]:
			notes = append(notes, session.Pin(seq))
		}
	}
	if len(notes) == 0 {
		return 0, nil
	}
	_, err = store.Append(ctx, id, t.head, lease.Token, notes...)
	return len(notes), err
}

// turns is what was said in a session, turn by turn.
type turns struct {
	// said are the entries of each turn, none for one that was undone.
	said   [][]session.Seq
	pinned map[session.Seq]bool
	head   session.Seq
}

// readTurns goes through the log. A turn is a message of a person, the contents
// that stand before it, and what follows until the next.
func readTurns(ctx context.Context, store session.Store, id session.ID) (turns, error) {
	t := turns{pinned: map[session.Seq]bool{}}
	var before []session.Seq // contents whose message is to come
	for record, err := range store.Read(ctx, id, 1) {
		if err != nil {
			return turns{}, fmt.Errorf("read session %s: %w", id, err)
		}
		t.head = record.Seq
		switch e := record.Entry.(type) {
		case session.Said:
			switch {
			case e.Message.Role == message.User:
				t.said = append(t.said, append(before, record.Seq))
				before = nil
			case e.Message.Role == message.Developer:
				before = append(before, record.Seq)
			case e.Message.Role != message.System && len(t.said) > 0:
				last := len(t.said) - 1
				t.said[last] = append(append(t.said[last], before...), record.Seq)
				before = nil
			}
		case session.Note:
			if through, ok := e.Undoes(); ok {
				for i, said := range t.said {
					t.said[i] = slices.DeleteFunc(said, func(seq session.Seq) bool { return seq > through })
				}
				before = nil
			}
			if seq, pinned, ok := e.Pins(); ok {
				t.pinned[seq] = pinned
			}
		}
	}
	return t, nil
}
