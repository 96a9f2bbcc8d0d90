package app

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/ampersat/ampersat/internal/bundled"
	"github.com/ampersat/ampersat/internal/collection"
)

// Collections is the collections that can be mentioned from a folder, and where
// more are installed.
func Collections(dir string) (*collection.Library, error) {
	ground, err := Locate(dir)
	if err != nil {
		return nil, err
	}
	return collection.New(collection.Config{
		Dir: ground.Dir, Project: ground.Root, UserDir: ground.UserDir,
		Bundled: bundled.Files(), Index: bundled.Index(),
	}), nil
}

// hasCollection reports whether there is a collection of a name, and whether it
// is firm: one of the user's, of the program, or of a project that is trusted.
func (a *App) hasCollection(name string) (there, firm bool) {
	isFolder := func(info os.FileInfo, err error) bool { return err == nil && info.IsDir() }
	if isFolder(fs.Stat(bundled.Files(), "collections/"+name)) ||
		a.UserDir != "" && isFolder(os.Stat(filepath.Join(a.UserDir, "collections", name))) {
		return true, true
	}
	if isFolder(os.Stat(filepath.Join(a.Root, ".ampersat", "collections", name))) {
		return true, a.Trusted()
	}
	return false, false
}
