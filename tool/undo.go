package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
)

// Undone says what became of one change that was to be undone.
type Undone struct {
	Change agent.Change
	// Reason is why it was not undone, empty if it was.
	Reason string
	// Already says that there was nothing left to undo.
	Already bool
}

// Undo puts back what was there before some changes, the last of them first. A
// file that has changed since is left alone, unless force is set, and so is
// whatever is not a file of the project by now. The error is that of the
// context, or of the blobs; what was undone until then is in the report.
func Undo(ctx context.Context, roots access.Roots, changes []agent.Change, blobs blob.Store, force bool) ([]Undone, error) {
	var report []Undone
	for _, change := range slices.Backward(changes) {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		undone := Undone{Change: change}
		var content []byte
		if change.Before != "" {
			var err error
			if content, err = blobs.Get(ctx, change.Before); err != nil && !errors.Is(err, blob.ErrNotFound) {
				return report, fmt.Errorf("undo %s: %w", change.Path, err)
			} else if err != nil {
				undone.Reason = "what it was before is not kept any more"
				report = append(report, undone)
				continue
			}
		}
		already, err := undo(ctx, roots, change, content, force)
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		if undone.Already = already; err != nil {
			undone.Reason = err.Error()
		}
		report = append(report, undone)
	}
	return report, nil
}

// undo puts one file back.
func undo(ctx context.Context, roots access.Roots, change agent.Change, content []byte, force bool) (already bool, err error) {
	at, err := locate(roots, change.Path)
	if err != nil {
		return false, err
	}
	now, err := at.read()
	if err != nil {
		return false, err
	}
	digest := blob.Digest("")
	if now.exists {
		digest = blob.Of(now.raw)
	}
	switch {
	case digest == change.Before:
		return true, nil
	case digest != change.After && !force && !now.exists:
		return false, errors.New("it is gone")
	case digest != change.After && !force:
		return false, errors.New("it has changed since")
	case change.Before == "":
		return false, at.remove(ctx, now)
	}
	if change.Mode != 0 {
		now.mode = fs.FileMode(change.Mode).Perm()
	}
	return false, at.write(ctx, content, now)
}
