package app

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	if info, err := fs.Stat(bundled.Files(), "collections/"+name); err == nil && info.IsDir() {
		return true, true
	}
	if a.UserDir != "" && a.holdsCollection(filepath.Join(a.UserDir, "collections"), name) {
		return true, true
	}
	if a.holdsCollection(filepath.Join(a.Root, ".ampersat", "collections"), name) {
		return true, a.Trusted()
	}
	return false, false
}

// holdsCollection reports whether a folder has a collection that is called so, by
// its own folder or by its manifest.
func (a *App) holdsCollection(folder, name string) bool {
	if info, err := os.Stat(filepath.Join(folder, name)); err == nil && info.IsDir() {
		return true
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return false // usually there is none
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() && !strings.HasPrefix(e.Name(), ".") && collection.NameIn(a.manifest(filepath.Join(folder, e.Name(), "collection.yaml"))) == name
	})
}

// manifest reads a file that may be anything, and is nothing if it is too long.
func (a *App) manifest(path string) []byte {
	file, info, err := a.roots.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	const longest = 64 << 10
	if !info.Mode().IsRegular() || info.Size() > longest {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(file, longest))
	if err != nil {
		return nil
	}
	return text
}
