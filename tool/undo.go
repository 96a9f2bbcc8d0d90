package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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
	// Outside says that it is not a file of the project by now, or that a link has
	// taken its place: not even by force is it undone.
	Outside bool
}

// Undo puts back what was there before some changes, the last of them first. If
// one of the files has changed since, or is not a file of the project by now,
// nothing is changed and the report says which, unless force is set. A link that
// has taken the place of a file, or of a folder that it is in, is not followed.
// The error is that of the context, or of the blobs, which know of nothing if they
// are nil; what was undone until then is in the report.
func Undo(ctx context.Context, roots access.Roots, changes []agent.Change, blobs blob.Store, force bool) ([]Undone, error) {
	if found := conflicts(roots, changes); len(found) > 0 && !force {
		return found, ctx.Err()
	}
	if blobs == nil {
		blobs = new(blob.Memory)
	}
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
		at, err := find(roots, change)
		if undone.Outside = err != nil; err == nil {
			undone.Already, err = undo(ctx, at, change, content, force)
		}
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		if err != nil {
			undone.Reason = err.Error()
		}
		report = append(report, undone)
	}
	return report, nil
}

// conflicts are the changes that cannot be undone because somebody else has been
// at the file.
func conflicts(roots access.Roots, changes []agent.Change) (found []Undone) {
	now := map[string]blob.Digest{}
	for _, change := range slices.Backward(changes) {
		digest, known := now[change.Path]
		exists := true
		if !known {
			at, err := find(roots, change)
			outside := err != nil
			var file present
			if err == nil {
				file, err = at.read()
			}
			if err != nil {
				found = append(found, Undone{Change: change, Reason: err.Error(), Outside: outside})
				continue
			}
			digest, exists = file.bytes(), file.exists
		}
		switch {
		case digest == change.Before || digest == change.After:
		case !exists:
			found = append(found, Undone{Change: change, Reason: "it is gone"})
		default:
			found = append(found, Undone{Change: change, Reason: "it has changed since"})
		}
		now[change.Path] = change.Before
	}
	return found
}

// find finds the file of a change. There were no links in its path: where there is
// one by now, it leads to a file that is none of the change's.
func find(roots access.Roots, change agent.Change) (target, error) {
	at, err := locate(roots, change.Path)
	if err == nil && at.spelled != filepath.Clean(change.Path) {
		err = fmt.Errorf("a symbolic link leads to %s by now, which is left alone; move the link away, and undo again", at.spelled)
	}
	return at, err
}

// bytes names the bytes of the file, empty if there is none.
func (p present) bytes() blob.Digest {
	if !p.exists {
		return ""
	}
	return blob.Of(p.raw)
}

// undo puts one file back, and takes away what was made for it.
func undo(ctx context.Context, at target, change agent.Change, content []byte, force bool) (already bool, err error) {
	now, err := at.read()
	if err != nil {
		return false, err
	}
	digest := now.bytes()
	switch {
	case digest == change.Before:
		already = true
	case digest != change.After && !force: // changed since it was looked at
		return false, errors.New("it has changed since")
	case change.Before == "":
		err = at.remove(ctx, now)
	default:
		if change.Mode != 0 {
			now.mode = fs.FileMode(change.Mode).Perm()
		}
		_, err = at.write(ctx, content, now, newBeside())
	}
	if err == nil {
		err = at.clean(change)
	}
	return already, err
}
