package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/process"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/tool"
)

// ErrNothingToUndo means that a session has no turn left.
var ErrNothingToUndo = errors.New("there is no turn to undo")

// Undone is what became of a turn that was to be undone.
type Undone struct {
	Files []tool.Undone
	// Left are the calls whose effects nobody can take back.
	Left []agent.Left
}

// Undo takes back the last turn of a session: the files that its tools wrote are
// as they were before, and the model does not see what was said. If a file has
// changed since, or what it was is not kept any more, nothing is undone unless force
// is set; what is not kept is left alone then. The log keeps it all.
func (a *App) Undo(ctx context.Context, id session.ID, force bool) (undone Undone, err error) {
	store, err := a.Store(ctx)
	if err != nil {
		return Undone{}, err
	}
	meta, err := store.Get(ctx, id)
	if err != nil {
		return Undone{}, err
	}
	// Nobody must be at work on the files.
	err = a.hold(ctx, store, id, func(ctx context.Context, token session.Token) error {
		undone, err = a.undo(ctx, store, meta, token, force)
		return err
	})
	return undone, err
}

func (a *App) undo(ctx context.Context, store session.Store, meta session.Meta, token session.Token, force bool) (Undone, error) {
	last, err := agent.LastTurn(store.Read(ctx, meta.ID, 1))
	if err != nil {
		return Undone{}, fmt.Errorf("read session %s: %w", meta.ID, err)
	}
	if last.Begins == 0 {
		return Undone{}, ErrNothingToUndo
	}
	undone := Undone{Left: append(last.Left, unnoted(last.Unnoted)...)}
	if undone.Files, err = tool.Undo(ctx, a.roots, last.Changes, store.Blobs(), force); err != nil {
		return undone, err
	}
	for i, u := range undone.Files {
		if u.Reason != "" && !u.Outside && !u.Lost && slices.Contains(last.Unsettled, u.Change) {
			undone.Files[i].Reason = "it was being written when the program ended, and is neither what it was nor what it was to be"
		}
	}
	if err := a.inTheWay(meta, undone.Files, force); err != nil {
		return undone, err
	}
	// The files are as they were: that is not to be forgotten.
	_, err = store.Append(context.WithoutCancel(ctx), meta.ID, last.Head, token, session.Undo(last.Begins-1))
	return undone, err
}

// unnoted are those of the calls of an older version that may have done what
// nobody can take back: commands, and what servers were asked for. The other tools
// only read, or have noted what they wrote.
func unnoted(calls []agent.Left) []agent.Left {
	return slices.DeleteFunc(slices.Clone(calls), func(call agent.Left) bool {
		return call.Tool != "shell" && !strings.Contains(call.Tool, "__")
	})
}

// inTheWay says why files could not be put back, and what to do. Where force is set,
// what is not kept any more is in nobody's way.
func (a *App) inTheWay(meta session.Meta, files []tool.Undone, force bool) error {
	const nothing = "nothing was taken back from the conversation"
	at := -1
	for _, is := range []func(tool.Undone) bool{
		func(u tool.Undone) bool { return u.Outside }, // this comes first: force does not help
		func(u tool.Undone) bool { return u.Lost && !force },
		func(u tool.Undone) bool { return u.Reason != "" && !u.Lost },
	} {
		if at < 0 {
			at = slices.IndexFunc(files, is)
		}
	}
	if at < 0 {
		return nil
	}
	u, advice := files[at], ""
	switch own := a.OwnSessions(); {
	case u.Outside && meta.Dir != "" && !own.Matches(meta):
		return fmt.Errorf("undo %s: it is in another project than %s; %s (ampersat session undo -C %s %s undoes it there)",
			u.Change.Path, a.Root, nothing, process.Word(meta.Dir), meta.ID)
	case u.Outside || force:
	case u.Lost:
		advice = " (--force leaves it as it is, and takes back the rest)"
	default:
		advice = " (--force puts back what was there before)"
	}
	return fmt.Errorf("undo %s: %s; %s%s", u.Change.Path, u.Reason, nothing, advice)
}
