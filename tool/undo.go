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
	// Outside says that it is not a file of the project by now, or none that can be
	// read and written, or that a link has taken its place: not even by force is it
	// undone.
	Outside bool
	// Lost says that what the file was before is not kept any more. By force the file
	// is left as it is, and the others are undone.
	Lost bool
}

// Undo puts back what was there before some changes, the last of them first. If
// one of the files has changed since, or is not a file of the project by now, or if
// what it was before is not kept any more, nothing is changed and the report says
// which, unless force is set. A link that has taken the place of a file, or of a
// folder that it is in, is not followed. The error is that of the context, or of the
// blobs, which know of nothing if they are nil; what was undone until then is in the
// report, and that is nothing if it is the blobs'.
func Undo(ctx context.Context, roots access.Roots, changes []agent.Change, blobs blob.Store, force bool) ([]Undone, error) {
	if blobs == nil {
		blobs = new(blob.Memory)
	}
	files, found := survey(roots, changes)
	lost, err := gather(ctx, files, changes, blobs)
	if err != nil {
		return nil, err
	}
	if len(found)+len(lost) > 0 && !force {
		// What is lost cannot be put back, whatever else there is to say of it.
		found = slices.DeleteFunc(found, func(u Undone) bool { return files[u.Change.Path].lost })
		return append(found, lost...), ctx.Err()
	}
	var report []Undone
	for i, change := range slices.Backward(changes) {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		undone := files[change.Path].undo(ctx, roots, i, change, force)
		if err := ctx.Err(); err != nil {
			return report, err
		}
		report = append(report, undone)
	}
	return report, nil
}

var errChanged = errors.New("it has changed since")

// standing is what has become of a file that was changed.
type standing struct {
	digest blob.Digest
	exists bool
	// err is why it cannot be undone, and outside says that force does not help.
	err     error
	outside bool
	// over is the first of all changes that is undone already, with those of the file
	// that come after it, and untouched says that this is so because the file is what
	// it was before them all.
	over      int
	untouched bool
	// first is the first change of the file, nil if it is over; content is what was
	// there before it, and lost says that this is not kept. What the file was in
	// between need not be kept.
	first   *agent.Change
	content []byte
	lost    bool
	// back says that the file is what it was before them all again, already that
	// somebody else had put it back.
	back, already bool
}

// stand looks at the file of a change.
func stand(roots access.Roots, change agent.Change) *standing {
	at, err := find(roots, change)
	if err != nil {
		return &standing{err: err, outside: true}
	}
	file, err := at.read()
	return &standing{digest: file.bytes(), exists: file.exists, err: err, outside: err != nil}
}

// survey looks at the files of changes: which changes are undone already, since the
// file is what it was before them, or before one that came earlier. It finds those that
// cannot be undone because somebody else has been at the file.
func survey(roots access.Roots, changes []agent.Change) (files map[string]*standing, found []Undone) {
	files = map[string]*standing{}
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
	for i, change := range slices.Backward(changes) {
		file := files[change.Path]
		switch {
		case file.err != nil:
			found = append(found, Undone{Change: change, Reason: file.err.Error(), Outside: file.outside})
			continue
		case i >= file.over:
			continue
		case file.digest == change.Before || file.digest == change.After:
		case !file.exists:
			found = append(found, Undone{Change: change, Reason: "it is gone"})
		default:
			found = append(found, Undone{Change: change, Reason: errChanged.Error()})
		}
		file.digest = change.Before
	}
	return files, found
}

// gather gets what is to be put back, before anything is, and finds what is not kept.
func gather(ctx context.Context, files map[string]*standing, changes []agent.Change, blobs blob.Store) (lost []Undone, err error) {
	for i, change := range changes {
		file := files[change.Path]
		if file.err != nil || i >= file.over || file.first != nil {
			continue
		}
		file.first = &change
		if change.Before == "" {
			continue
		}
		file.content, err = blobs.Get(ctx, change.Before)
		switch {
		case errors.Is(err, blob.ErrNotFound):
			file.lost = true
			lost = append(lost, lostBefore(change))
		case err != nil:
			return nil, fmt.Errorf("undo %s: %w", change.Path, err)
		}
	}
	return lost, nil
}

func lostBefore(change agent.Change) Undone {
	return Undone{Change: change, Reason: "what it was before is not kept any more", Lost: true}
}

// undo undoes one of the changes of the file. With the last of them it becomes what
// it was before the first.
func (file *standing) undo(ctx context.Context, roots access.Roots, i int, change agent.Change, force bool) Undone {
	isOver := i >= file.over
	switch {
	case file.err != nil:
		return Undone{Change: change, Reason: file.err.Error(), Outside: file.outside}
	case file.lost && !isOver:
		return lostBefore(change)
	}
	undone := Undone{Change: change}
	at, err := find(roots, change)
	switch undone.Outside = err != nil; {
	case err != nil:
	case isOver:
		undone.Already = true
	case file.back:
		undone.Already = file.already || file.digest == change.Before
	default:
		undone.Already, err = putBack(ctx, at, *file.first, change.After, file.content, force)
		undone.Outside = err != nil && !errors.Is(err, errChanged)
		file.back, file.already, file.err, file.outside = err == nil, undone.Already, err, undone.Outside
	}
	if err == nil {
		err = at.clean(change)
	}
	if err != nil {
		undone.Reason = err.Error()
	}
	file.digest = change.Before
	return undone
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

// putBack makes a file what it was before a change, if it is what it was to be.
func putBack(ctx context.Context, at target, before agent.Change, is blob.Digest, content []byte, force bool) (already bool, err error) {
	now, err := at.read()
	if err != nil {
		return false, err
	}
	digest := now.bytes()
	switch {
	case digest == before.Before:
		return true, nil
	case digest != is && !force: // changed since it was looked at
		return false, errChanged
	case before.Before == "":
		return false, at.remove(ctx, now)
	}
	if before.Mode != 0 {
		now.mode = fs.FileMode(before.Mode).Perm()
	}
	_, err = at.write(ctx, content, now, newBeside())
	return false, err
}
