package fs

import (
	"context"
	"io"
	iofs "io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
)

const (
	// manifestName is the file in which a collection says what it is called, and
	// maxManifest how long it may be.
	manifestName = "collection.yaml"
	maxManifest  = 64 << 10
	// maxCollections is how many folders are looked at for a name.
	maxCollections = 1000
)

// isCollectionName reports whether a folder of that name can be in another.
func isCollectionName(name string) bool {
	return name != "" && name != "." && name != ".." && !strings.ContainsAny(name, "/\\\x00")
}

// collectionsCalled lists the folders of a collection: in each place the one of
// that name, be it there or not, and then those whose manifests give them the
// name. Manifests are read only if what is looked for was not in the former. The
// list ends early if the context does.
func (a *asking) collectionsCalled(ctx context.Context, name string) iter.Seq[location] {
	return func(yield func(location) bool) {
		for _, all := range a.r.collections {
			if !yield(all.join(name)) {
				return
			}
			// What comes with the program is called as its folder is.
			if all.in == a.r.bundled.in || a.r.config.CollectionName == nil {
				continue
			}
			named, err := a.namedIn(ctx, all)
			if err != nil {
				return
			}
			for _, folder := range named[name] {
				if !yield(all.join(folder)) {
					return
				}
			}
		}
	}
}

// Collections returns the addresses of the folders that a person can mention by the
// name of a collection, in the order in which they are looked at. It ends early if
// the context does.
func (r *Resolver) Collections(ctx context.Context, name string) (addresses []string) {
	a, err := r.ask(ctx, ampersat.Query{Asker: access.Asker{Origin: access.FromPerson}})
	if err != nil || !isCollectionName(name) {
		return nil
	}
	for at := range a.collectionsCalled(ctx, name) {
		f, err := a.open(candidate{at: at})
		if err != nil {
			continue
		}
		f.close()
		if f.info.IsDir() {
			addresses = append(addresses, at.address())
		}
	}
	return addresses
}

// manifests remembers what collections are called.
type manifests struct {
	// turn is held by who reads or writes the names. Who waits for it can stop
	// waiting, which a mutex does not allow.
	turn  chan struct{}
	names map[view]names
}

// view is a place as somebody sees it: not all see the same folders in it.
type view struct {
	place location
	asker access.Asker
}

// names are the folders that manifests gave a name which is not their own.
type names struct {
	folders map[string][]string
	read    time.Time
}

// namesLast is how long manifests are not read again: a text with a thousand
// words before colons reads them once, a session sees when they change.
const namesLast = 2 * time.Second

// namedIn returns the folders of a place by the names in their manifests. The
// error is that of the context.
func (a *asking) namedIn(ctx context.Context, place location) (map[string][]string, error) {
	known := &a.r.manifests
	select {
	case known.turn <- struct{}{}:
		defer func() { <-known.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	now := time.Now()
	maps.DeleteFunc(known.names, func(_ view, n names) bool { return now.Sub(n.read) > namesLast })
	key := view{place, a.q.Asker}
	if n, ok := known.names[key]; ok {
		return n.folders, nil
	}
	folders := make(map[string][]string)
	for _, folder := range a.foldersIn(place) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if name := a.r.config.CollectionName(a.manifest(ctx, place.join(folder))); name != "" && name != folder {
			folders[name] = append(folders[name], folder)
		}
	}
	known.names[key] = names{folders, time.Now()}
	return folders, nil
}

// foldersIn lists the folders in one, as far as the asker may look.
func (a *asking) foldersIn(at location) (names []string) {
	f, err := a.open(candidate{at: at})
	if err != nil {
		return nil // usually it is not there
	}
	defer f.close()
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
func (a *asking) manifest(ctx context.Context, collection location) []byte {
	f, err := a.open(candidate{at: collection.join(manifestName)})
	if err != nil {
		return nil
	}
	defer f.close()
	if !f.info.Mode().IsRegular() || f.info.Size() > maxManifest {
		return nil
	}
	text, err := await(ctx, a.r, f, func() ([]byte, error) {
		return io.ReadAll(io.LimitReader(patient{ctx, f}, maxManifest))
	})
	if err != nil {
		return nil
	}
	return text
}
