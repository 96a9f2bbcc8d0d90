package bundled

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

//go:embed files
var files embed.FS

// Files is what the program carries with it: collections/ with a folder for each,
// and context/, where texts are found by their plain names.
func Files() fs.FS { return shared{} }

// Index has a folder for each collection that can be installed by its name.
func Index() fs.FS { return folder("files/index") }

// folder is a folder of the embedded files.
type folder string

// Open implements [fs.FS].
func (f folder) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	return files.Open(path.Join(string(f), name))
}

// shared shows the context of the foundation as context/, but for what any
// project may have itself: who mentions @README.md in a project without one is
// to be told so, and not to get ours.
type shared struct{}

// Open implements [fs.FS].
func (shared) Open(name string) (fs.File, error) {
	const all, foundation = folder("files"), "collections/foundation/context"
	plain, ok := strings.CutPrefix(name, "context/")
	switch {
	case ok && (plain == "README.md" || plain == "AGENTS.md"), name == "index", strings.HasPrefix(name, "index/"):
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case ok:
		return all.Open(foundation + "/" + plain)
	case name == "context":
		return all.Open(foundation)
	}
	return all.Open(name)
}
