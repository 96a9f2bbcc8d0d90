package collection

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// copyFS stages the files of a file system. They are listed before the first is
// staged, so that what is staged inside of it is not copied too.
func copyFS(ctx context.Context, fsys fs.FS, into *staging) error {
	type listed struct {
		name string
		mode fs.FileMode
	}
	var all []listed
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case d.IsDir() && (strings.EqualFold(path.Base(name), ".git") || name != "." && strings.HasPrefix(path.Base(name), newName)):
			return fs.SkipDir
		case len(all) > into.limits.Files:
			return fmt.Errorf("it has more than %d files and folders", into.limits.Files)
		}
		all = append(all, listed{name, d.Type()})
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := copyEntry(fsys, e.name, e.mode, into); err != nil {
			return err
		}
	}
	return nil
}

func copyEntry(fsys fs.FS, name string, mode fs.FileMode, into *staging) error {
	if !mode.IsRegular() {
		return into.add(entry{name: name, mode: mode})
	}
	file, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	// It may be something else by now.
	return into.add(entry{name: name, mode: info.Mode().Type(), body: file})
}
