package collection

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/google/uuid"
)

// Request asks for a collection to be installed.
type Request struct {
	// Source is the address of a repository, a folder, an archive, or a name of
	// the index.
	Source string
	// Ref is a branch, a tag or a commit of a repository, empty for what it
	// shows first. Subfolder is the part of the source that is meant.
	Ref, Subfolder string
	Scope          Scope
}

// Result is what was installed or updated.
type Result struct {
	Record
	Scope Scope  `json:"scope"`
	Path  string `json:"path"`
	Files int    `json:"files"`
	// Unchanged says that the files are those that were there before.
	Unchanged bool `json:"unchanged,omitzero"`
	// Hides are the scopes with a collection of that name that this one goes
	// before.
	Hides []Scope `json:"hides,omitzero"`
}

// Install copies a collection into a scope. If anything is wrong with it,
// nothing is changed.
func (l *Library) Install(ctx context.Context, r Request) (Result, error) {
	fail := func(err error) (Result, error) {
		return Result{}, fmt.Errorf("install %s: %w", redacted(r.Source), err)
	}
	src, err := l.parse(r.Source, r.Ref, r.Subfolder)
	if err != nil {
		return fail(err)
	}
	var result Result
	err = l.change(ctx, r.Scope, func(f *folder) error {
		lock, err := f.readLock()
		if err != nil {
			return err
		}
		staged, err := l.stage(ctx, f, src)
		if err != nil {
			return err
		}
		if err := l.checkFree(f, staged.name, lock); err != nil {
			return errors.Join(err, staged.drop())
		}
		record := l.record(src, staged, r.Scope)
		if err := f.place(staged, func() error { return f.writeLock(lock.with(record)) }); err != nil {
			return err
		}
		result = l.result(f, record, staged)
		return nil
	})
	if err != nil {
		return fail(err)
	}
	return result, nil
}

func (l *Library) record(src source, s *staged, scope Scope) Record {
	at := src.at
	if src.kind == fromFolder || src.kind == fromArchive {
		// Others who have the project have the path in it too.
		if inside, err := filepath.Rel(l.config.Project, at); scope == Project && err == nil && filepath.IsLocal(inside) {
			at = "./" + filepath.ToSlash(inside)
		}
	}
	return Record{
		Name: s.name, Source: at, Ref: src.ref, Subfolder: src.subfolder, Commit: s.commit,
		Digest: s.digest, Installed: time.Now().UTC().Truncate(time.Second),
	}
}

func (l *Library) result(f *folder, r Record, s *staged) Result {
	result := Result{Record: r, Scope: f.scope, Path: filepath.Join(f.path, r.Name), Files: len(s.files)}
	if f.scope == Project && l.has(User, r.Name) {
		result.Hides = append(result.Hides, User)
	}
	return result
}

// has reports whether a scope has a collection of that name.
func (l *Library) has(scope Scope, name string) bool {
	f, err := l.open(scope, false)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Lstat(name)
	return err == nil
}

// checkFree refuses a name that is taken. A copy of what is bundled would
// replace all of it; who wants to replace a file of it makes that file.
func (l *Library) checkFree(f *folder, name string, lock lockFile) error {
	if l.isBundled(name) {
		return fmt.Errorf("it is called %s, as is a collection that comes with the program; to replace a file of that, put yours into %s",
			name, filepath.Join(f.path, name))
	}
	entries, err := fs.ReadDir(f.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.EqualFold(e.Name(), name) {
			continue
		}
		if before, ok := lock.find(e.Name()); ok {
			return fmt.Errorf("%s is installed already, from %s; update it, or remove it first", e.Name(), before.Source)
		}
		return fmt.Errorf("there is something called %s in %s, which was not installed; move it away first", e.Name(), f.path)
	}
	return nil
}

// staged is a collection that was put together and is not in its place yet.
type staged struct {
	f *folder
	// dir is the folder that was made, at the collection in it.
	dir, at string

	name, commit string
	files        []File
	digest       blob.Digest
}

// drop removes what was put together.
func (s *staged) drop() error { return s.f.RemoveAll(s.dir) }

// stage puts a collection together beside where it will be.
func (l *Library) stage(ctx context.Context, f *folder, src source) (*staged, error) {
	s := &staged{f: f, dir: newName + "-" + uuid.NewString()}
	if err := f.Mkdir(s.dir, 0o755); err != nil {
		return nil, err
	}
	if err := l.fill(ctx, s, src); err != nil {
		return nil, errors.Join(err, s.drop())
	}
	return s, nil
}

// fill fetches the files of a collection and finds out what it is.
func (l *Library) fill(ctx context.Context, s *staged, src source) error {
	root, err := s.f.OpenRoot(s.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if s.commit, err = l.fetch(ctx, src, newStaging(root, l.limits)); err != nil {
		return err
	}
	part, err := partOf(root, src)
	if err != nil {
		return err
	}
	s.at = path.Join(s.dir, part)
	inner, err := root.OpenRoot(filepath.FromSlash(part))
	if err != nil {
		return err
	}
	defer inner.Close()
	return s.read(inner, src, l.limits)
}

// partOf is the part of what was staged that is the collection: the subfolder,
// in an archive below the one folder that many have at the top.
func partOf(root *os.Root, src source) (string, error) {
	part := "."
	if src.kind == fromArchive {
		entries, err := fs.ReadDir(root.FS(), ".")
		if err != nil {
			return "", err
		}
		if len(entries) == 1 && entries[0].IsDir() && entries[0].Name() != "profiles" && entries[0].Name() != "agents" && entries[0].Name() != "context" {
			part = entries[0].Name()
		}
	}
	part = path.Join(part, src.subfolder)
	info, err := root.Stat(filepath.FromSlash(part))
	if err != nil || !info.IsDir() {
		return "", fmt.Errorf("there is no folder %s in it", src.subfolder)
	}
	return part, nil
}

// read finds out what the collection is.
func (s *staged) read(inner *os.Root, src source, limits Limits) error {
	manifest, err := readManifest(inner.FS())
	if err != nil {
		return err
	}
	s.name = manifest.Name
	if s.name == "" {
		s.name = src.called
	}
	if err := checkCalled(s.name); err != nil {
		return err
	}
	if ok, err := isCollection(inner.FS()); err != nil || !ok {
		return errors.Join(err, errors.New("there is no Markdown in it, and so nothing to mention; is it in a --subfolder?"))
	}
	if s.files, err = listFiles(inner.FS(), limits); err != nil {
		return err
	}
	s.digest = digestOf(s.files)
	return nil
}
