package access

import (
	"io"
	"io/fs"
	"os"
)

// File is a file or a directory that [Roots.Open] has opened. Whoever asked for
// it closes it. It is not safe for concurrent use.
type File struct {
	opened
	// path is how it was asked for; real is where it is, if that was known
	// when it was opened.
	path, real string
}

// opened is what can be done with a file, however it was opened.
type opened interface {
	fs.File
	io.Seeker
}

// Real returns the path of the file without links in it, by what the system
// knows of the open file where it tells: the name may lead elsewhere by now.
func (f *File) Real() string {
	if f.real == "" {
		f.real = f.path
		if file, ok := f.opened.(*os.File); ok {
			f.real = realPath(file, f.path)
		}
	}
	return f.real
}
