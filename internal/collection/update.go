package collection

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Update fetches a collection again from where it came from. An empty scope is
// the one that it is installed in. What was changed by hand is replaced only by
// force.
func (l *Library) Update(ctx context.Context, name string, scope Scope, force bool) (Result, error) {
	fail := func(err error) (Result, error) { return Result{}, fmt.Errorf("update %s: %w", name, err) }
	scope, err := l.scopeOf(name, scope)
	if err != nil {
		return fail(err)
	}
	var result Result
	err = l.change(ctx, scope, func(f *folder) error {
		lock, err := f.readLock()
		if err != nil {
			return err
		}
		before, ok := lock.find(name)
		if !ok {
			return errNotInstalled
		}
		if err := f.checkUnchanged(before, force); err != nil {
			return err
		}
		src, err := l.parse(l.sourceOf(before, scope), before.Ref, before.Subfolder)
		if err != nil {
			return err
		}
		staged, err := l.stage(ctx, f, src)
		if err != nil {
			return err
		}
		if staged.name != name {
			return errors.Join(fmt.Errorf("it is called %s now; remove it, and install that", staged.name), staged.drop())
		}
		record := l.record(src, staged, scope)
		record.Extra = before.Extra
		unchanged := f.digest(name) == staged.digest
		if unchanged {
			if record.Commit != before.Commit {
				err = f.writeLock(lock.with(record))
			} else {
				record = before
			}
			err = errors.Join(err, staged.drop())
		} else {
			err = f.place(staged, func() error { return f.writeLock(lock.with(record)) })
		}
		result = l.result(f, record, staged)
		result.Unchanged = unchanged
		return err
	})
	if err != nil {
		return fail(err)
	}
	return result, nil
}

// sourceOf is where a record says that a collection came from.
func (l *Library) sourceOf(r Record, scope Scope) string {
	if scope == Project && !l.inIndex(r.Source) && !isRemote(r.Source) && !filepath.IsAbs(r.Source) {
		return filepath.Join(l.config.Project, filepath.FromSlash(r.Source))
	}
	return r.Source
}

var errNotInstalled = errors.New("it is not installed")

// checkUnchanged refuses to replace what somebody has changed by hand.
func (f *folder) checkUnchanged(r Record, force bool) error {
	if _, err := f.Lstat(r.Name); errors.Is(err, fs.ErrNotExist) || force {
		return nil
	}
	if f.digest(r.Name) != r.Digest {
		return fmt.Errorf("it was changed by hand in %s; use --force to lose these changes", filepath.Join(f.path, r.Name))
	}
	return nil
}

// Remove removes a collection that was installed. An empty scope is the one
// that it is installed in. What was changed by hand is removed only by force.
func (l *Library) Remove(ctx context.Context, name string, scope Scope, force bool) (Record, error) {
	fail := func(err error) (Record, error) { return Record{}, fmt.Errorf("remove %s: %w", name, err) }
	scope, err := l.scopeOf(name, scope)
	if err != nil {
		return fail(err)
	}
	var removed Record
	err = l.change(ctx, scope, func(f *folder) error {
		lock, err := f.readLock()
		if err != nil {
			return err
		}
		record, ok := lock.find(name)
		if !ok {
			return errNotInstalled
		}
		if err := f.checkUnchanged(record, force); err != nil {
			return err
		}
		removed = record
		return f.take(name, func() error { return f.writeLock(lock.without(name)) })
	})
	if err != nil {
		return fail(err)
	}
	return removed, nil
}

// scopeOf finds the scope that a collection is installed in, where none is
// said.
func (l *Library) scopeOf(name string, scope Scope) (Scope, error) {
	if scope != "" {
		return scope, nil
	}
	var in []Scope
	isFolder := ""
	for _, s := range []Scope{Project, User} {
		f, err := l.open(s, false)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNoScope) {
			continue
		}
		if err != nil {
			return "", err
		}
		lock, err := f.readLock()
		if _, there := f.Lstat(name); there == nil {
			isFolder = filepath.Join(f.path, name)
		}
		f.Close()
		if err != nil {
			return "", err
		}
		if _, ok := lock.find(name); ok {
			in = append(in, s)
		}
	}
	switch {
	case len(in) == 1:
		return in[0], nil
	case len(in) > 1:
		return "", fmt.Errorf("it is installed for the project and for the user; say which with --scope")
	case isFolder != "":
		return "", fmt.Errorf("it was not installed; %s is a folder that somebody made", isFolder)
	case l.isBundled(name):
		return "", errors.New("it comes with the program")
	}
	return "", errNotInstalled
}
