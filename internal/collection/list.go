package collection

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// State is how a collection stands to what was installed.
type State string

const (
	// Installed: as it was installed.
	Installed State = "installed"
	// Changed: somebody changed a file since.
	Changed State = "changed"
	// Gone: the lock file names it, and it is not there.
	Gone State = "gone"
	// Local: a folder that somebody made.
	Local State = "local"
	// BuiltIn: it comes with the program.
	BuiltIn State = "bundled"
	// Available: it can be installed by its name.
	Available State = "available"
)

// Entry is a collection in one place.
type Entry struct {
	Name  string `json:"name"`
	Scope Scope  `json:"scope"`
	State State  `json:"state"`
	// Path is where it is, empty for what is in the program.
	Path        string `json:"path,omitzero"`
	Version     string `json:"version,omitzero"`
	Description string `json:"description,omitzero"`
	// Record is what the lock file says of it, nil if it was not installed.
	Record *Record `json:"installed,omitzero"`
	// Behind are the scopes whose copies go before this one, file by file.
	Behind []Scope `json:"behind,omitzero"`
	// Problem is what is wrong with it, for people.
	Problem string `json:"problem,omitzero"`
	// Files are listed for one that was asked for.
	Files []File `json:"files,omitzero"`
}

// List lists all collections, by name, and those of one name in the order in
// which they are looked at. What cannot be read is in the problems.
func (l *Library) List() (entries []Entry, problems []error) {
	return l.list("")
}

// Show lists a collection wherever it is, with its files.
func (l *Library) Show(name string) ([]Entry, error) {
	entries, problems := l.list(name)
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("show %s: there is no collection of that name", name)
	}
	return entries, nil
}

// list lists all collections, or one with its files.
func (l *Library) list(only string) (entries []Entry, problems []error) {
	for _, scope := range []Scope{Project, User} {
		in, err := l.listScope(scope, only)
		if err != nil {
			problems = append(problems, err)
		}
		entries = append(entries, in...)
	}
	for _, in := range []struct {
		fsys  fs.FS
		at    string
		scope Scope
		state State
	}{{l.config.Bundled, "collections", Bundled, BuiltIn}, {l.config.Index, ".", Index, Available}} {
		if in.fsys == nil {
			continue
		}
		folders, err := fs.ReadDir(in.fsys, in.at)
		if err != nil {
			problems = append(problems, fmt.Errorf("list what is %s: %w", in.state, err))
		}
		for _, d := range folders {
			isTaken := slices.ContainsFunc(entries, func(e Entry) bool { return e.Name == d.Name() })
			if !d.IsDir() || only != "" && only != d.Name() || in.scope == Index && isTaken {
				continue
			}
			sub, err := fs.Sub(in.fsys, strings.TrimPrefix(in.at+"/"+d.Name(), "./"))
			if err != nil {
				problems = append(problems, err)
				continue
			}
			entries = append(entries, l.describe(Entry{Name: d.Name(), Scope: in.scope, State: in.state}, sub, only != ""))
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	for i := range entries {
		for _, before := range entries[:i] {
			if before.Name == entries[i].Name && before.State != Gone {
				entries[i].Behind = append(entries[i].Behind, before.Scope)
			}
		}
	}
	return entries, problems
}

// listScope lists the collections of a scope.
func (l *Library) listScope(scope Scope, only string) ([]Entry, error) {
	f, err := l.open(scope, false)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNoScope) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lock, lockErr := f.readLock()
	folders, err := fs.ReadDir(f.FS(), ".")
	if err != nil {
		return nil, err
	}
	var entries []Entry
	there := map[string]bool{}
	for _, d := range folders {
		name := d.Name()
		if !d.IsDir() || strings.HasPrefix(name, ".") {
			continue
		}
		there[name] = true
		e := Entry{Name: name, Scope: scope, State: Local, Path: filepath.Join(f.path, name)}
		if record, ok := lock.find(name); ok {
			e.Record, e.State = &record, Installed
		} else {
			// What was installed has the name by which it is updated and removed.
			e.Name = f.calledIn(name)
		}
		if only == "" || only == e.Name || only == name {
			entries = append(entries, l.describeFolder(f, e, name, only != ""))
		}
	}
	for _, record := range lock.Collections {
		if !there[record.Name] && (only == "" || only == record.Name) {
			entries = append(entries, Entry{Name: record.Name, Scope: scope, State: Gone, Path: filepath.Join(f.path, record.Name), Record: &record})
		}
	}
	return entries, lockErr
}

// calledIn returns what the manifest in a folder calls it, or the name of the
// folder.
func (f *folder) calledIn(name string) string {
	root, err := f.OpenRoot(name)
	if err != nil {
		return name
	}
	defer root.Close()
	text, err := readSmall(root.FS(), manifestName)
	if err != nil {
		return name
	}
	return cmp.Or(NameIn([]byte(text)), name)
}

func (l *Library) describeFolder(f *folder, e Entry, folder string, withFiles bool) Entry {
	root, err := f.OpenRoot(folder)
	if err != nil {
		e.Problem = err.Error()
		return e
	}
	defer root.Close()
	return l.describe(e, root.FS(), withFiles)
}

// describe fills in what a collection says of itself, and whether it is as it
// was installed.
func (l *Library) describe(e Entry, fsys fs.FS, withFiles bool) Entry {
	manifest, err := readManifest(fsys)
	if err != nil {
		e.Problem = err.Error()
	}
	e.Version, e.Description = manifest.Version, manifest.Description
	if !withFiles && e.Record == nil {
		return e
	}
	files, err := listFiles(fsys, l.limits)
	if err != nil {
		e.Problem = err.Error()
	}
	if e.Record != nil && digestOf(files) != e.Record.Digest {
		e.State = Changed
	}
	if withFiles {
		e.Files = files
	}
	return e
}

// inIndex reports whether a name is one of the index.
func (l *Library) inIndex(name string) bool { return slices.Contains(l.indexNames(), name) }

// indexNames are the collections that can be installed by name.
func (l *Library) indexNames() []string { return folders(l.config.Index, ".") }

func (l *Library) isBundled(name string) bool {
	return slices.ContainsFunc(folders(l.config.Bundled, "collections"), func(bundled string) bool { return strings.EqualFold(bundled, name) })
}

// folders are the names of the folders in one that comes with the program.
func folders(fsys fs.FS, at string) []string {
	if fsys == nil {
		return nil
	}
	entries, err := fs.ReadDir(fsys, at)
	if err != nil {
		return nil // there is none
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}
