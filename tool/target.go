package tool

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/wording"
)

// maxFile is the longest file that is edited or put back.
const maxFile = 16 << 20

// target is a file of the project that may be written, whether it exists or
// not.
type target struct {
	roots access.Roots
	// path is the file as it was named, real is where it is without any links,
	// spelled is the same below the project as the project is spelled. All are
	// absolute.
	path, real, spelled string
	// tree is the project without links, and name the file in it.
	tree, name string
}

// locate finds out what a path leads to, and refuses what may not be written.
func locate(roots access.Roots, path string) (target, error) {
	root, ok := roots.Find(path)
	if !ok || root.Place != access.Project {
		return target{}, fmt.Errorf("it is outside the project, and only files of the project are written")
	}
	t := target{roots: roots, path: path}
	var err error
	if t.tree, err = filepath.EvalSymlinks(root.Path); err != nil {
		return target{}, fmt.Errorf("the project cannot be entered: %w", cause(err))
	}
	if t.real, err = withoutLinks(path); err != nil {
		return target{}, err
	}
	if t.name, err = filepath.Rel(t.tree, t.real); err != nil || !access.Inside(t.tree, t.real) {
		return target{}, fmt.Errorf("a symbolic link leads to %s, which is outside the project", t.real)
	}
	if t.name == "." {
		return target{}, fmt.Errorf("it is a folder")
	}
	t.spelled = filepath.Join(root.Path, t.name)
	if root, _ := roots.Find(t.spelled); root.Place != access.Project {
		return target{}, fmt.Errorf("a symbolic link leads to %s, which is not written", t.spelled)
	}
	for part := range strings.SplitSeq(t.name, string(filepath.Separator)) {
		if slices.Contains([]string{".git", ".hg", ".svn", ".jj"}, strings.ToLower(part)) {
			return target{}, fmt.Errorf("%s belongs to version control, which runs programs that are named there", part)
		}
	}
	return t, nil
}

// withoutLinks resolves the links on the way to a file that need not exist.
func withoutLinks(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		return real, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", cause(err)
	}
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", fmt.Errorf("it is a symbolic link that leads nowhere")
	}
	parent := filepath.Dir(path)
	if parent == path {
		return "", cause(err)
	}
	folder, err := withoutLinks(parent)
	if err != nil {
		return "", err
	}
	return filepath.Join(folder, filepath.Base(path)), nil
}

// cause is an error without the path in it.
func cause(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// present is a file as it was read.
type present struct {
	exists bool
	raw    []byte
	mode   fs.FileMode
	owner  owner
	// links is how many names it has.
	links int
	// text is what the model sees of it, after the mark; isText is false for
	// what is not UTF-8 or holds a zero byte.
	text, mark string
	isText     bool
}

// digest names the text as mentions do, empty if there is no file.
func (p present) digest() blob.Digest {
	if !p.exists {
		return ""
	}
	return blob.Of([]byte(p.text))
}

const byteOrderMark = "\xEF\xBB\xBF"

// read reads the file if there is one.
func (t target) read() (present, error) {
	file, info, err := t.roots.Open(t.spelled)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return present{}, nil
	case err != nil:
		if denied, ok := access.IsDenied(err); ok {
			return present{}, errors.New(denied.Detail)
		}
		return present{}, cause(err)
	}
	defer file.Close()
	if info.IsDir() {
		return present{}, fmt.Errorf("it is a folder")
	}
	if info.Size() > maxFile {
		return present{}, fmt.Errorf("it has %s bytes; files of up to %s are written", wording.Number(info.Size()), wording.Number(maxFile))
	}
	p := present{exists: true, mode: info.Mode().Perm()}
	p.owner, p.links = ownerOf(info)
	if p.raw, err = io.ReadAll(io.LimitReader(file, maxFile+1)); err != nil {
		return present{}, cause(err)
	}
	if len(p.raw) > maxFile {
		return present{}, fmt.Errorf("it has more than %s bytes, and grows", wording.Number(maxFile))
	}
	p.text = string(p.raw)
	if rest, ok := strings.CutPrefix(p.text, byteOrderMark); ok {
		p.text, p.mark = rest, byteOrderMark
	}
	p.isText = utf8.ValidString(p.text) && strings.IndexByte(p.text, 0) < 0
	return p, nil
}
