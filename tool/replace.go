package tool

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ampersat/ampersat/agent"
	programs "github.com/ampersat/ampersat/internal/process"
	"github.com/ampersat/ampersat/internal/wording"
)

var errReplaced = errors.New("it changed while it was being written; read it again")

// writable refuses a file that is read-only. A file that is put in the place of
// another does not need its permission, and neither does root; but whoever made
// it read-only meant it.
func (t target) writable(was present) error {
	if was.exists && was.mode&0o200 == 0 {
		return fmt.Errorf("it is read-only; the person can change that: chmod u+w %s", programs.Word(t.spelled))
	}
	return nil
}

// elsewhere tells a person that other names of the file, which may be outside the
// project, change with it.
func (p present) elsewhere() string {
	if !p.exists || p.links < 2 {
		return ""
	}
	return fmt.Sprintf("it has %s, all of which change\n", wording.Count(p.links, "name"))
}

// missing is how many of the folders that the file is in are not there.
func (t target) missing() (folders int) {
	for path := filepath.Dir(t.real); len(path) > len(t.tree); path = filepath.Dir(path) {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		folders++
	}
	return folders
}

// besides begins the name of what is to take the place of a file.
const besides = ".ampersat-"

func newBeside() string { return besides + rand.Text() }

// write puts content in the place of what was read. What came in between is not
// overwritten. Touched says that the file is not what it was, or may not be.
//
// As a rule another file, which is written beside it, takes its place, so that there is all of it or nothing.
// One that has several names, belongs to somebody else or is in a folder that
// may not be written is written where it is.
func (t target) write(ctx context.Context, content []byte, was present, beside string) (touched bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	tree, err := os.OpenRoot(t.tree)
	if err != nil {
		return false, cause(err)
	}
	defer tree.Close()
	made := t.missing()
	defer func() {
		if !touched {
			removeEmpty(tree, t.name, made)
		}
	}()
	if err := tree.MkdirAll(filepath.Dir(t.name), 0o777); err != nil {
		return false, fmt.Errorf("make its folder: %w", cause(err))
	}
	folder, err := tree.OpenRoot(filepath.Dir(t.name))
	if err != nil {
		return false, fmt.Errorf("enter its folder: %w", cause(err))
	}
	defer folder.Close()
	if was.exists && was.links > 1 {
		return t.overwrite(folder, content, was)
	}
	err = writeNew(folder, beside, content, was)
	if was.exists && errors.Is(err, fs.ErrPermission) {
		return t.overwrite(folder, content, was)
	}
	if err != nil {
		return false, err
	}
	if err = ctx.Err(); err == nil {
		touched, err = t.swap(folder, beside, was)
	}
	if err != nil {
		return touched, errors.Join(err, removed(folder, beside))
	}
	return true, nil
}

// removed takes a file away that may be gone.
func removed(folder *os.Root, name string) error {
	if err := folder.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("take away %s: %w", name, cause(err))
	}
	return nil
}

// removeEmpty takes away the innermost folders that a file is in, if there is
// nothing in them.
func removeEmpty(tree *os.Root, name string, folders int) {
	for range folders {
		if name = filepath.Dir(name); name == "." || tree.Remove(name) != nil {
			return // there is something else in it
		}
	}
}

// writeNew makes a file that is not there yet, with the mode and the owner of
// the one whose place it is to take. That it cannot have them is an
// [fs.ErrPermission].
func writeNew(folder *os.Root, name string, content []byte, was present) error {
	mode, exactly := was.mode, was.exists || was.mode != 0
	if !exactly {
		mode = 0o666 // less what the person's umask takes away
	}
	file, err := folder.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return fmt.Errorf("write beside it: %w", cause(err))
	}
	if was.exists {
		err = was.owner.give(file)
	}
	if err == nil {
		_, err = file.Write(content)
	}
	if err == nil && exactly {
		err = file.Chmod(mode)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(fmt.Errorf("write beside it: %w", cause(err)), removed(folder, name))
	}
	return nil
}

// swap gives what was written the name of the file, if that is still what it
// was.
func (t target) swap(folder *os.Root, temp string, was present) (touched bool, err error) {
	base := filepath.Base(t.name)
	if !was.exists {
		// A link fails where there is a file by now, and a renaming does not.
		err := folder.Link(temp, base)
		switch {
		case err == nil:
			return true, removed(folder, temp)
		case errors.Is(err, fs.ErrExist):
			return false, errReplaced
		}
		if _, err := folder.Lstat(base); err == nil {
			return false, errReplaced
		}
		err = cause(folder.Rename(temp, base))
		return err == nil, err
	}
	info, err := folder.Lstat(base)
	if err != nil || !info.Mode().IsRegular() {
		return false, errReplaced
	}
	now, err := t.read()
	if err != nil || !now.exists || !bytes.Equal(now.raw, was.raw) {
		return false, errReplaced
	}
	err = cause(folder.Rename(temp, base))
	return err == nil, err
}

// overwrite writes the file where it is, if it is still what it was.
func (t target) overwrite(folder *os.Root, content []byte, was present) (touched bool, err error) {
	base := filepath.Base(t.name)
	info, err := folder.Lstat(base)
	if err != nil || !info.Mode().IsRegular() {
		return false, errReplaced
	}
	file, err := folder.OpenFile(base, os.O_RDWR, 0)
	if err != nil {
		return false, cause(err)
	}
	defer file.Close()
	opened, err := file.Stat()
	if err != nil || !os.SameFile(info, opened) {
		return false, errReplaced
	}
	now, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil || !bytes.Equal(now, was.raw) {
		return false, errReplaced
	}
	if err := fill(file, content); err != nil {
		// What was there has had room.
		return true, errors.Join(err, fill(file, was.raw))
	}
	if was.mode != opened.Mode().Perm() {
		err = cause(file.Chmod(was.mode))
	}
	return true, err
}

// fill makes something all that is in a file.
func fill(file *os.File, content []byte) error {
	_, err := file.WriteAt(content, 0)
	if err == nil {
		err = file.Truncate(int64(len(content)))
	}
	if err == nil {
		err = file.Sync()
	}
	return cause(err)
}

// remove takes the file away, if it is still what it was.
func (t target) remove(ctx context.Context, was present) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	tree, err := os.OpenRoot(t.tree)
	if err != nil {
		return cause(err)
	}
	defer tree.Close()
	now, err := t.read()
	if err != nil || !now.exists || !bytes.Equal(now.raw, was.raw) {
		return errReplaced
	}
	return cause(tree.Remove(t.name))
}

// clean takes away what a change has left that is not the file itself: what was
// written beside it when the program ended, and, where there was no file before,
// the folders that were made for it, if nothing is in them.
func (t target) clean(change agent.Change) error {
	tree, err := os.OpenRoot(t.tree)
	if err != nil {
		return cause(err)
	}
	defer tree.Close()
	// A session that came from elsewhere may name anything.
	if strings.HasPrefix(change.Beside, besides) && filepath.Base(change.Beside) == change.Beside {
		err = removed(tree, filepath.Join(filepath.Dir(t.name), change.Beside))
	}
	if change.Before == "" {
		removeEmpty(tree, t.name, change.Folders)
	}
	return err
}
