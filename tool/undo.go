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
	over, found := survey(roots, changes)
	if len(found) > 0 && !force {
		return found, ctx.Err()
	}
	if blobs == nil {
		blobs = new(blob.Memory)
	}
	var report []Undone
	for i, change := range slices.Backward(changes) {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		undone := Undone{Change: change}
		var content []byte
		if change.Before != "" && !over[i] {
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
		switch undone.Outside = err != nil; {
		case err != nil:
		case over[i]:
			undone.Already, err = true, at.clean(change)
		default:
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

// standing is what has become of a file that was changed.
type standing struct {
	digest  blob.Digest
	exists  bool
	err     error
	outside bool
	// over is the first of all changes that is undone already, with those of the file
	// that come after it, and untouched says that this is so because the file is what
	// it was before them all.
	over      int
	untouched bool
}

// stand looks at the file of a change.
func stand(roots access.Roots, change agent.Change) *standing {
	at, err := find(roots, change)
	if err != nil {
		return &standing{err: err, outside: true}
	}
	file, err := at.read()
	return &standing{digest: file.bytes(), exists: file.exists, err: err}
}

// survey says which changes are undone already, since the file is what it was before
// them, or before one that came earlier, and finds those that cannot be undone because
// somebody else has been at the file.
func survey(roots access.Roots, changes []agent.Change) (over []bool, found []Undone) {
	files := map[string]*standing{}
	for i, change := range changes {
		file, known := files[change.Path]
		if !known {
			file = stand(roots, change)
			file.over, file.untouched = len(changes), file.digest == change.Before
			files[change.Path] = file
		}
		switch {
		case known && file.untouched:
		case file.digest == change.Before:
			file.over = i
		case file.digest == change.After:
			file.over = i + 1
		}
	}
	over = make([]bool, len(changes))
	for i, change := range slices.Backward(changes) {
		file := files[change.Path]
		switch {
		case file.err != nil:
			found = append(found, Undone{Change: change, Reason: file.err.Error(), Outside: file.outside})
			continue
		case i >= file.over:
			over[i] = true
			continue
		case file.digest == change.Before || file.digest == change.After:
		case !file.exists:
			found = append(found, Undone{Change: change, Reason: "it is gone"})
		default:
			found = append(found, Undone{Change: change, Reason: "it has changed since"})
		}
		file.digest = change.Before
	}
	return over, found
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
