package app

import (
	"context"
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/message"
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
	t, err := readTurns(ctx, store, id)
	if err != nil {
		return Pinned{}, err
	}
	switch {
	case turn < 1 || turn > len(t.said):
		return Pinned{}, fmt.Errorf("there is no turn %d; it has %d", turn, len(t.said))
	case len(t.said[turn-1]) == 0:
		return Pinned{}, fmt.Errorf("turn %d was undone", turn)
	}
	fates, err := session.Fates(store.Read(ctx, id, 1))
	if err != nil {
		return Pinned{}, fmt.Errorf("read session %s: %w", id, err)
	}
	var pinned Pinned
	var notes []session.Entry
	for _, seq := range t.said[turn-1] {
		if len(fates[seq]) > 0 {
			pinned.Out++
		}
		switch {
		case unpin && t.pinned[seq]:
			notes = append(notes, session.Unpin(seq))
		case !unpin && !t.pinned[seq]:
			notes = append(notes, session.Pin(seq))
		}
	}
	if len(notes) == 0 {
		return pinned, nil
	}
	pinned.Changed = len(notes)
	_, err = store.Append(ctx, id, t.head, token, notes...)
	return pinned, err
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
