package collection

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/ampersat/ampersat/blob"
)

// old is what a collection is called while another takes its place.
func old(name string) string { return "." + name + ".old" }

// place moves a collection that was put together into its place, and then
// records it. If either fails, it is as if nothing had been done.
func (f *folder) place(s *staged, record func() error) error {
	replaces := false
	if _, err := f.Lstat(s.name); err == nil {
		replaces = true
		if err := f.Rename(s.name, old(s.name)); err != nil {
			return errors.Join(err, s.drop())
		}
	}
	err := f.Rename(s.at, s.name)
	if err == nil {
		if err = record(); err != nil {
			err = errors.Join(err, f.RemoveAll(s.name))
		}
	}
	if err != nil {
		if replaces {
			err = errors.Join(err, f.Rename(old(s.name), s.name))
		}
		return errors.Join(err, s.drop())
	}
	if replaces {
		err = f.RemoveAll(old(s.name))
	}
	return errors.Join(err, s.drop())
}

// take removes a collection, after that was recorded.
func (f *folder) take(name string, record func() error) error {
	err := f.Rename(name, old(name))
	if errors.Is(err, fs.ErrNotExist) {
		return record() // somebody has removed it already
	}
	if err != nil {
		return err
	}
	if err := record(); err != nil {
		return errors.Join(err, f.Rename(old(name), name))
	}
	return f.RemoveAll(old(name))
}

// recover puts right what a process that died has left. What the lock file says
// decides whether its work was done.
func (f *folder) recover() error {
	entries, err := fs.ReadDir(f.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, isOld := strings.CutSuffix(strings.TrimPrefix(e.Name(), "."), ".old")
		switch {
		case strings.HasPrefix(e.Name(), newName+"-"):
			err = f.RemoveAll(e.Name())
		case isOld && e.Name() == old(name):
			err = f.recoverOld(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *folder) recoverOld(name string) error {
	lock, err := f.readLock()
	if err != nil {
		return err
	}
	record, installed := lock.find(name)
	_, err = f.Lstat(name)
	isThere := err == nil
	switch {
	case !installed:
		return f.RemoveAll(old(name))
	case !isThere:
		return f.Rename(old(name), name)
	case f.digest(name) != record.Digest && f.digest(old(name)) == record.Digest:
		// The new one was in its place and not recorded.
		if err := f.RemoveAll(name); err != nil {
			return err
		}
		return f.Rename(old(name), name)
	}
	return f.RemoveAll(old(name))
}

// digest is that of a collection as it is now, empty if it cannot be read.
func (f *folder) digest(name string) blob.Digest {
	root, err := f.OpenRoot(name)
	if err != nil {
		return ""
	}
	defer root.Close()
	files, err := listFiles(root.FS(), f.limits)
	if err != nil {
		return ""
	}
	return digestOf(files)
}
