package collection

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"
)

// Record is what collections.lock says of a collection that was installed.
type Record struct {
	Name string `json:"name"`
	// Source is as it was given; a path in the project is relative to it, any
	// other absolute.
	Source    string `json:"source"`
	Ref       string `json:"ref,omitzero"`
	Subfolder string `json:"subfolder,omitzero"`
	// Commit is that of a repository.
	Commit string `json:"commit,omitzero"`
	// Digest is that of the files as they were installed.
	Digest    blob.Digest `json:"digest"`
	Installed time.Time   `json:"installed"`

	// Extra is what this version does not know.
	Extra jsontext.Value `json:",embed"`
}

// lockFile is the whole of collections.lock.
type lockFile struct {
	Version     int            `json:"version"`
	Collections []Record       `json:"collections"`
	Extra       jsontext.Value `json:",embed"`
}

const (
	lockName    = "collections.lock"
	lockVersion = 1
	maxLock     = 4 << 20
)

// readLock reads the lock file of a folder. Where there is none nothing was
// installed.
func (f *folder) readLock() (lockFile, error) {
	fail := func(err error) (lockFile, error) {
		return lockFile{}, fmt.Errorf("read %s in %s: %w", lockName, f.path, err)
	}
	file, err := f.Open(lockName)
	if errors.Is(err, fs.ErrNotExist) {
		return lockFile{Version: lockVersion}, nil
	}
	if err != nil {
		return fail(err)
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxLock+1))
	if err == nil && len(text) > maxLock {
		err = errors.New("it is too long")
	}
	if err != nil {
		return fail(err)
	}
	var lock lockFile
	if err := json.Unmarshal(text, &lock); err != nil {
		return fail(err)
	}
	for i, r := range lock.Collections {
		if checkCalled(r.Name) != nil || slices.ContainsFunc(lock.Collections[:i], func(other Record) bool { return strings.EqualFold(other.Name, r.Name) }) {
			return fail(fmt.Errorf("the name %q is no name of a collection, or there twice", r.Name))
		}
	}
	return lock, nil
}

// writeLock replaces the lock file, as a whole or not at all.
func (f *folder) writeLock(lock lockFile) error {
	fail := func(err error) error { return fmt.Errorf("write %s in %s: %w", lockName, f.path, err) }
	if lock.Version > lockVersion {
		return fail(errors.New("a later version of the program wrote it; use that one"))
	}
	slices.SortFunc(lock.Collections, func(a, b Record) int { return strings.Compare(a.Name, b.Name) })
	text, err := json.Marshal(lock, jsontext.Multiline(true), json.Deterministic(true))
	if err != nil {
		return fail(err)
	}
	name := newName + "-" + uuid.NewString()
	file, err := f.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fail(err)
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = f.Rename(name, lockName)
	}
	if err != nil {
		return fail(errors.Join(err, f.Remove(name)))
	}
	return nil
}

// find returns the record of a collection.
func (l *lockFile) find(name string) (Record, bool) {
	i := slices.IndexFunc(l.Collections, func(r Record) bool { return r.Name == name })
	if i < 0 {
		return Record{}, false
	}
	return l.Collections[i], true
}

// with returns the lock file with a record, in place of the one before.
func (l lockFile) with(r Record) lockFile {
	l = l.without(r.Name)
	l.Collections = append(l.Collections, r)
	return l
}

func (l lockFile) without(name string) lockFile {
	l.Collections = slices.DeleteFunc(slices.Clone(l.Collections), func(r Record) bool { return r.Name == name })
	return l
}
