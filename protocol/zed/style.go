package zed

import "strings"

// Style is how paths are spelled where the editor's files are.
type Style int

const (
	// Posix paths begin with a slash; a backslash is a character of a name.
	Posix Style = iota
	// Windows paths begin with a drive or a separator, and both slashes
	// separate.
	Windows
)

func (s Style) String() string {
	if s == Windows {
		return "windows"
	}
	return "posix"
}

func (s Style) isSeparator(c byte) bool {
	return c == '/' || s == Windows && c == '\\'
}

func (s Style) isAbsolute(path string) bool {
	if path == "" {
		return false
	}
	return s.isSeparator(path[0]) || s == Windows && hasDrive(path) && len(path) > 2 && s.isSeparator(path[2])
}

func (s Style) endsInSeparator(path string) bool {
	return path != "" && s.isSeparator(path[len(path)-1])
}

// lastSeparator returns the index of the last separator, -1 if there is none.
func (s Style) lastSeparator(path string) int {
	if s == Windows {
		return strings.LastIndexAny(path, `/\`)
	}
	return strings.LastIndexByte(path, '/')
}

// trimDirectory removes the separators at the end of path, but not those that
// make it a root.
func (s Style) trimDirectory(path string) string {
	root := 1
	if s == Windows && hasDrive(path) {
		root = 3
	}
	for len(path) > root && s.endsInSeparator(path) {
		path = path[:len(path)-1]
	}
	return path
}

// suffix returns the last count names of path, joined by slashes.
func (s Style) suffix(path string, count int) string {
	if s == Windows {
		path = strings.ReplaceAll(path, `\`, "/")
		switch {
		case hasDrive(path):
			path = path[2:]
		case strings.HasPrefix(path, "//"):
			path = afterShare(path)
		}
	}
	names := strings.FieldsFunc(path, func(r rune) bool { return r == '/' })
	kept := names[:0]
	for _, name := range names {
		if name != "." && name != ".." {
			kept = append(kept, name)
		}
	}
	return strings.Join(kept[max(0, len(kept)-count):], "/")
}

// afterShare returns what follows the server and the share of a UNC path that
// is spelled with slashes. The two together are the path's root, not names.
func afterShare(path string) string {
	_, path, _ = strings.Cut(path[2:], "/")
	_, path, _ = strings.Cut(path, "/")
	return path
}

func hasDrive(path string) bool {
	return len(path) > 1 && isLetter(path[0]) && path[1] == ':'
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// nativeWindows turns the ways in which tools spell Windows paths, /C:/a, /c/a
// and c:/a, into the one that Windows shows: C:\a. Git Bash writes drives in
// lower case, so /C/a is a folder that is called C.
func nativeWindows(path string) string {
	if rest, slash := strings.CutPrefix(path, "/"); slash {
		switch {
		case hasDrive(rest) && len(rest) > 2 && Windows.isSeparator(rest[2]):
			path = rest
		case len(rest) > 1 && 'a' <= rest[0] && rest[0] <= 'z' && Windows.isSeparator(rest[1]):
			path = rest[:1] + ":" + rest[1:]
		}
	}
	if hasDrive(path) {
		path = strings.ToUpper(path[:1]) + path[1:]
	}
	return strings.ReplaceAll(path, "/", `\`)
}
