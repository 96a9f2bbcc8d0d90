package app

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/bundled"
	"github.com/ampersat/ampersat/internal/collection"
	"github.com/ampersat/ampersat/source/fs"
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
// is trusted. A firm one counts before one that is not.
func (a *App) findCollection(name string) (where string, firm bool) {
	project := ""
	for _, address := range a.files.Collections(context.Background(), name) {
		switch {
		case strings.HasPrefix(address, fs.Bundled):
			return "bundled", true
		case access.Inside(filepath.Join(a.Root, ".ampersat", "collections"), address):
			project = "@project:collections/" + filepath.Base(address)
		default:
			return "@user:collections/" + filepath.Base(address), true
		}
	}
	return project, project != "" && a.Trusted()
}
