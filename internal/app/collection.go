package app

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// findCollection says where the collection of a name is, empty if there is none,
// and whether it is firm: one of the user's, of the program, or of a project that
// is trusted.
func (a *App) findCollection(name string) (where string, firm bool) {
	if info, err := fs.Stat(bundled.Files(), "collections/"+name); err == nil && info.IsDir() {
		return "bundled", true
	}
	if a.UserDir != "" {
		if folder := a.collectionIn(filepath.Join(a.UserDir, "collections"), name); folder != "" {
			return "@user:collections/" + folder, true
		}
	}
	if folder := a.collectionIn(filepath.Join(a.Root, ".ampersat", "collections"), name); folder != "" {
		return "@project:collections/" + folder, a.Trusted()
	}
	return "", false
}

// collectionIn returns the folder of a collection that is called so, by the folder
// itself or by its manifest, empty if there is none.
func (a *App) collectionIn(all, name string) string {
	if info, err := os.Stat(filepath.Join(all, name)); err == nil && info.IsDir() {
		return name
	}
	entries, err := os.ReadDir(all)
	if err != nil {
		return "" // usually there is none
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && collection.NameIn(a.manifest(filepath.Join(all, e.Name(), "collection.yaml"))) == name {
			return e.Name()
		}
	}
	return ""
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
