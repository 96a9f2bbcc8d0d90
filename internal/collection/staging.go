package collection

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth is how many folders deep a file may be.
const maxDepth = 24

// staging is where a collection is put together, file by file. Nothing that is
// added can be anywhere else: names are checked, and links are not made.
type staging struct {
	root   *os.Root
	limits Limits
	files  int
	bytes  int64
	// packed is how large the archive is that the files come from, if they do.
	packed int64
	// seen is every name by its lower case, so that no two are one file on a
	// system that does not tell them apart.
	seen map[string]seen
}

type seen struct {
	name  string
	isDir bool
}

func newStaging(root *os.Root, limits Limits) *staging {
	return &staging{root: root, limits: limits, seen: map[string]seen{}}
}

// entry is what a source has: a file, a folder, or something else.
type entry struct {
	name string
	mode fs.FileMode
	body io.Reader
}

// add puts an entry in its place.
func (s *staging) add(e entry) error {
	name := strings.TrimSuffix(strings.TrimPrefix(e.name, "./"), "/")
	if name == "" || name == "." {
		return nil
	}
	if err := checkName(name); err != nil {
		return fmt.Errorf("%q: %w", e.name, err)
	}
	if isRepository(name) {
		return nil // what git keeps is no part of what it keeps it of
	}
	switch {
	case e.mode&fs.ModeSymlink != 0:
		return fmt.Errorf("%q is a symbolic link, and a collection may have none", name)
	case e.mode.IsDir():
		return s.addFolder(name)
	case !e.mode.IsRegular():
		return fmt.Errorf("%q is neither a file nor a folder", name)
	}
	return s.addFile(name, e.body)
}

// checkName refuses names that lead elsewhere, here or on another system.
func checkName(name string) error {
	switch {
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return errors.New("its name has characters that cannot be shown")
	case strings.Contains(name, `\`), !fs.ValidPath(name), !filepath.IsLocal(filepath.FromSlash(name)), len(name) > 1 && name[1] == ':':
		return errors.New("its name leads elsewhere")
	case strings.Count(name, "/") >= maxDepth:
		return fmt.Errorf("it is more than %d folders deep", maxDepth)
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > 200 {
			return errors.New("its name is too long")
		}
	}
	return nil
}

// isRepository reports whether a path is in a .git.
func isRepository(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.EqualFold(part, ".git") {
			return true
		}
	}
	return false
}

// note remembers a name. It refuses one that is there already, or would be on
// another system.
func (s *staging) note(name string, isDir bool) (isNew bool, err error) {
	before, ok := s.seen[strings.ToLower(name)]
	switch {
	case !ok:
		if s.files++; s.files > s.limits.Files {
			return false, fmt.Errorf("it has more than %d files and folders", s.limits.Files)
		}
		s.seen[strings.ToLower(name)] = seen{name, isDir}
		return true, nil
	case before.name != name:
		return false, fmt.Errorf("%q and %q are one file on some systems", before.name, name)
	case before.isDir && isDir:
		return false, nil
	case before.isDir || isDir:
		return false, fmt.Errorf("%q is there twice, as a file and as a folder", name)
	}
	return false, fmt.Errorf("%q is there twice", name)
}

func (s *staging) addFolder(name string) error {
	if parent := path.Dir(name); parent != "." {
		if err := s.addFolder(parent); err != nil {
			return err
		}
	}
	isNew, err := s.note(name, true)
	if err != nil || !isNew {
		return err
	}
	return s.root.Mkdir(filepath.FromSlash(name), 0o755)
}

func (s *staging) addFile(name string, body io.Reader) error {
	if parent := path.Dir(name); parent != "." {
		if err := s.addFolder(parent); err != nil {
			return err
		}
	}
	if _, err := s.note(name, false); err != nil {
		return err
	}
	// Never executable: nothing in a collection runs.
	file, err := s.root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	most := min(s.limits.File, s.room()-s.bytes)
	n, err := io.Copy(file, io.LimitReader(body, most+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("%q: %w", name, err)
	}
	s.bytes += n
	switch {
	case s.bytes > s.limits.Bytes:
		return fmt.Errorf("it has more than %s", size(s.limits.Bytes))
	case s.bytes > s.room():
		return fmt.Errorf("it unpacks to more than %d times its size", s.limits.Ratio)
	case n > s.limits.File:
		return fmt.Errorf("%q has more than %s", name, size(s.limits.File))
	}
	return nil
}

// room is how many bytes may be staged. A small archive may be packed well; one
// that unpacks to a hundred times its size is made to.
func (s *staging) room() int64 {
	if s.packed == 0 {
		return s.limits.Bytes
	}
	return min(s.limits.Bytes, max(s.packed*s.limits.Ratio, 1<<20))
}

// size is a number of bytes for people.
func size(bytes int64) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MB", bytes>>20)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
