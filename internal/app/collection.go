package app

import (
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
