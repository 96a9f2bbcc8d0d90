package fs

import (
	"io"
	iofs "io/fs"
	"iter"
	"slices"
	"strings"
)

const (
	// manifestName is the file in which a collection says what it is called, and
	// maxManifest how long it may be.
	manifestName = "collection.yaml"
	maxManifest  = 64 << 10
	// maxCollections is how many folders are looked at for a name.
	maxCollections = 1000
)

// collectionsCalled lists the folders of a collection: in each place the one of
// that name, be it there or not, and then those whose manifests give them the
// name. Manifests are read only if what is looked for was not in the former.
func (a *asking) collectionsCalled(name string) iter.Seq[location] {
	return func(yield func(location) bool) {
		for _, all := range a.r.collections {
			if !yield(all.join(name)) {
				return
			}
			// What comes with the program is called as its folder is.
			if all.in == a.r.bundled.in || a.r.config.CollectionName == nil {
				continue
			}
			for _, folder := range a.foldersIn(all) {
				if folder != name && a.r.config.CollectionName(a.manifest(all.join(folder))) == name && !yield(all.join(folder)) {
					return
				}
			}
		}
	}
}

// foldersIn lists the folders in one, as far as the asker may look.
func (a *asking) foldersIn(at location) (names []string) {
	f, err := a.open(candidate{at: at})
	if err != nil {
		return nil // usually it is not there
	}
	defer f.file.Close()
	dir, ok := f.file.(iofs.ReadDirFile)
	if !ok {
		return nil
	}
	// What was listed before an error is listed.
	entries, _ := dir.ReadDir(maxCollections)
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names
}

// manifest returns the text of a collection's manifest, nothing if it has none
// that can be read.
func (a *asking) manifest(collection location) []byte {
	f, err := a.open(candidate{at: collection.join(manifestName)})
	if err != nil {
		return nil
	}
	defer f.file.Close()
	if !f.info.Mode().IsRegular() || f.info.Size() > maxManifest {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(f.file, maxManifest))
	if err != nil {
		return nil
	}
	return text
}
