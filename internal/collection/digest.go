package collection

import (
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/ampersat/ampersat/blob"
)

// File is a file of a collection.
type File struct {
	Path   string      `json:"path"`
	Size   int64       `json:"size"`
	Digest blob.Digest `json:"digest"`
}

// listFiles lists the files of a collection, in order, up to a limit.
func listFiles(fsys fs.FS, limits Limits) ([]File, error) {
	var files []File
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case len(files) >= 2*limits.Files:
			return fmt.Errorf("it has more than %d files", 2*limits.Files)
		case !d.Type().IsRegular():
			// Somebody put it there; it is no part of what was installed.
			files = append(files, File{Path: name})
			return nil
		}
		file, err := fsys.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		data, err := io.ReadAll(io.LimitReader(file, limits.File+1))
		if err != nil {
			return err
		}
		files = append(files, File{name, int64(len(data)), blob.Of(data)})
		return nil
	})
	return files, err
}

// digestOf is that of all files together: their names and contents.
func digestOf(files []File) blob.Digest {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %q\n", f.Digest, f.Path)
	}
	return blob.Of([]byte(b.String()))
}
