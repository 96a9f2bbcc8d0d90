package agent

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// The names of the [session.Note]s that say what calls do to the world. They are
// in the log before it is done, or as soon as it is, and not when the calls
// beside it have ended too: a program that is killed has noted what there is to
// undo.
const (
	// NoteActing is an [Acting]: a call begins that cannot be undone.
	NoteActing = "acting"
	// NoteChanging is a [Changed]: a call is about to write these files.
	NoteChanging = "changing"
	// NoteChanged is a [Changed]: a call has ended, and has written these files. It
	// takes the place of the call's NoteChanging.
	NoteChanged = "changed"
)

// Acting is a call whose effects nobody can take back: it runs a program, or
// writes without saying what (see [Action.Undoable]).
type Acting struct {
	Call    string `json:"call"`
	Tool    string `json:"tool"`
	Effect  Effect `json:"effect"`
	Summary string `json:"summary,omitzero"`
}

// Changed is what one call has written.
type Changed struct {
	Call    string   `json:"call"`
	Changes []Change `json:"changes"`
}

// noteActing writes down that a call begins which cannot be undone.
func (t *turn) noteActing(ctx context.Context, j *job) error {
	if j.action.Effect != Runs && (j.action.Effect != Writes || j.action.Undoable) {
		return nil
	}
	t.noting.Lock()
	defer t.noting.Unlock()
	err := t.note(ctx, NoteActing, Acting{Call: j.call.ID, Tool: j.call.Name, Effect: j.action.Effect, Summary: j.action.Summary})
	if err != nil {
		return fmt.Errorf("it was not run: that it begins could not be written down: %w", err)
	}
	return nil
}

// noteChanging keeps what undoing takes, before a tool writes. What has been kept
// when the call is over comes too late: the turn goes on without it.
func (t *turn) noteChanging(ctx context.Context, j *job, changes []Change, blobs map[blob.Digest][]byte) error {
	kept, err := t.keepChanges(ctx, changes, blobs, nil)
	t.noting.Lock()
	defer t.noting.Unlock()
	if j.ended {
		return errors.New("the call has ended")
	}
	if j.kept == nil {
		j.kept = kept
	}
	maps.Copy(j.kept, kept)
	if err == nil {
		j.changing = true
		err = t.note(ctx, NoteChanging, Changed{Call: j.call.ID, Changes: changes})
	}
	if err != nil {
		return fmt.Errorf("what it takes to undo it could not be kept, so that it was not done: %w", err)
	}
	return nil
}

// noteChanged writes down what a call has written. What was done is done, and
// is noted even if what it would take to undo it cannot be kept.
func (t *turn) noteChanged(ctx context.Context, j *job) error {
	t.noting.Lock()
	j.ended = true
	changing, kept := j.changing, j.kept
	t.noting.Unlock()
	if len(j.changes) == 0 && !changing {
		return nil
	}
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	_, err := t.keepChanges(ctx, j.changes, j.blobs, kept)
	t.noting.Lock()
	defer t.noting.Unlock()
	if noted := t.note(ctx, NoteChanged, Changed{Call: j.call.ID, Changes: j.changes}); noted != nil {
		err = errors.Join(err, &NotKeptError{noted})
	}
	return err
}

// keepChanges puts into the store what files were before and after, without what
// is there already, and returns what it has put there. It may be called from
// several calls at once, so that c.blobs is not touched.
func (c *Conversation) keepChanges(ctx context.Context, changes []Change, blobs map[blob.Digest][]byte, already map[blob.Digest]bool) (map[blob.Digest]bool, error) {
	kept := map[blob.Digest]bool{}
	for _, change := range changes {
		for _, digest := range []blob.Digest{change.Before, change.After} {
			data, ok := blobs[digest]
			if !ok || already[digest] || kept[digest] {
				continue
			}
			is, err := c.config.Store.Blobs().Put(ctx, data)
			if err == nil && is != digest {
				err = misnamed(digest, is)
			}
			if err != nil {
				return kept, fmt.Errorf("keep what %s was: %w", change.Path, err)
			}
			kept[digest] = true
		}
	}
	return kept, nil
}

// note appends a note while calls run, which may be several: turn.noting is held.
func (t *turn) note(ctx context.Context, name string, value any) error {
	encoded, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return fmt.Errorf("note that a call is %s: %w", name, err)
	}
	return t.append(ctx, session.Note{Name: name, Value: encoded})
}
