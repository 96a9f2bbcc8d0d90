package profile

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// shelf is the sort of file that is looked for, and the name of the folder it is
// in.
type shelf string

const (
	profiles shelf = "profiles"
	agents   shelf = "agents"
)

func (s shelf) one() string { return strings.TrimSuffix(string(s), "s") }

// file is a profile or an agent as it was read. Either layer or agent is set.
type file struct {
	Source
	home home
	// base is the file's own name, by which copies of a collection replace each
	// other, and at where it is.
	base, at string

	layer    *layer
	body     string
	bodyLine int

	agent    Agent
	problems Problems
}

// reading is one request to a library. Each folder is read once for it.
type reading struct {
	*Library
	shelf       shelf
	own         map[Place][]*file
	collections []*collection // nil before they were read
	problems    Problems      // with folders, not with files
}

func (l *Library) reading(s shelf) *reading {
	return &reading{Library: l, shelf: s, own: map[Place][]*file{}}
}

// inHome returns the files of a home that belong to no collection.
func (r *reading) inHome(h home) []*file {
	if h.place == InBundle {
		return nil // all that is bundled is a collection
	}
	files, ok := r.own[h.place]
	if !ok {
		files = r.folder(h, h.join(h.path, string(r.shelf)), h.tree, "")
		r.own[h.place] = files
	}
	return files
}

// folder reads all files of a folder and marks those of one name.
func (r *reading) folder(h home, at, tree, collection string) []*file {
	entries, err := r.names(h, at)
	if err != nil {
		r.problems = append(r.problems, &Problem{At: Position{File: r.shown(h, at)}, What: "it cannot be read: " + err.Error()})
		return nil
	}
	var files []*file
	for _, entry := range entries {
		name := entry.Name()
		if path.Ext(name) != ".md" || strings.HasPrefix(name, ".") || name == "README.md" || entry.IsDir() {
			continue
		}
		files = append(files, r.readFile(h, h.join(at, name), at, tree, collection))
	}
	for i, f := range files {
		for _, other := range files[i+1:] {
			if f.Name == other.Name {
				what := fmt.Sprintf("two %s are called %q: %s and %s; rename one of them", r.shelf, f.Name, f.File, other.File)
				f.problems = append(f.problems, &Problem{At: Position{File: f.File}, What: what})
				other.problems = append(other.problems, &Problem{At: Position{File: other.File}, What: what})
			}
		}
	}
	return files
}

// readFile reads one file. What cannot be read is a file with problems, called
// by the name of the file.
func (r *reading) readFile(h home, at, folder, tree, collection string) *file {
	f := &file{home: h, base: path.Base(strings.ReplaceAll(at, "\\", "/")), at: at}
	f.Source = Source{
		Name: strings.TrimSuffix(f.base, ".md"), Collection: collection, Place: h.place,
		File: r.shown(h, at), Trusted: h.place != InProject,
		Address: h.address(at), Folder: h.address(folder), Tree: h.address(tree),
	}
	read, err := r.read(h, at)
	if err != nil {
		f.problems = Problems{{At: Position{File: f.File}, What: "it cannot be read: " + err.Error()}}
		return f
	}
	f.Trusted = r.trusts(h, at, read)
	doc, err := parse(f.File, read.data)
	if err != nil {
		f.problems = err.(Problems)
		return f
	}
	if r.shelf == agents {
		f.agent, f.problems = readAgent(f.File, doc)
		if f.agent.Name != "" {
			f.Name = f.agent.Name
		}
		if !f.Trusted {
			f.agent.withhold(Position{File: f.File})
		}
	} else {
		f.layer, f.problems = readLayer(f.File, doc)
		f.body, f.bodyLine = doc.body, doc.bodyLine
		if f.layer.name != "" {
			f.Name = f.layer.name
		}
	}
	if !isName(f.Name) {
		f.problems = append(f.problems, &Problem{At: Position{File: f.File},
			What: fmt.Sprintf("%q is no name for a %s; use letters, digits, dots, dashes and underscores", f.Name, r.shelf.one())})
	}
	return f
}

// collection is a collection with all its copies, the nearest first.
type collection struct {
	name   string
	copies []copyOf
	files  []*file
	read   bool
}

// copyOf is a folder that holds a collection, or some files of one.
type copyOf struct {
	home home
	at   string
}

// allCollections finds the collections by the names of their folders, or by
// what their manifests say.
func (r *reading) allCollections() []*collection {
	if r.collections != nil {
		return r.collections
	}
	r.collections = []*collection{}
	for _, h := range r.homes {
		at := h.join(h.path, "collections")
		entries, err := r.names(h, at)
		if err != nil {
			r.problems = append(r.problems, &Problem{At: Position{File: r.shown(h, at)}, What: "it cannot be read: " + err.Error()})
			continue
		}
		for _, entry := range entries {
			if strings.HasPrefix(entry.Name(), ".") || !entry.IsDir() {
				continue
			}
			folder := h.join(at, entry.Name())
			r.addCopy(r.collectionName(h, folder, entry.Name()), copyOf{h, folder})
		}
	}
	return r.collections
}

func (r *reading) addCopy(name string, c copyOf) {
	i := slices.IndexFunc(r.collections, func(other *collection) bool { return other.name == name })
	if i < 0 {
		r.collections = append(r.collections, &collection{name: name, copies: []copyOf{c}})
		return
	}
	r.collections[i].copies = append(r.collections[i].copies, c)
}

// inCollection returns the files of all copies of a collection.
func (r *reading) inCollection(c *collection) []*file {
	if c.read {
		return c.files
	}
	c.read = true
	for _, copied := range c.copies {
		at := copied.home.join(copied.at, string(r.shelf))
		c.files = append(c.files, r.folder(copied.home, at, copied.at, c.name)...)
	}
	return c.files
}
