package access

import (
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// File is a file or a directory that [Roots.Open] has opened. Whoever asked for
// it closes it. It is not safe for concurrent use.
type File struct {
	opened opened
	// path is how it was asked for; real is where it is, if that was known
	// when it was opened.
	path, real string
}

// opened is what can be done with a file, however it was opened.
type opened interface {
	fs.File
	io.Seeker
}

// Read implements [io.Reader].
func (f *File) Read(p []byte) (int, error) {
	if f.opened == nil {
		return 0, fs.ErrInvalid
	}
	return f.opened.Read(p)
}

// Seek implements [io.Seeker].
func (f *File) Seek(offset int64, whence int) (int64, error) {
	if f.opened == nil {
		return 0, fs.ErrInvalid
	}
	return f.opened.Seek(offset, whence)
}

// Stat implements [fs.File]. It describes the open file, whatever has its name
// by now.
func (f *File) Stat() (fs.FileInfo, error) {
	if f.opened == nil {
		return nil, fs.ErrInvalid
	}
	return f.opened.Stat()
}

// SetReadDeadline makes a [File.Read] that waits for something to happen end at
// a time, as [os.File.SetReadDeadline] does. It may be called during the read.
// Most files cannot wait, and say so by [os.ErrNoDeadline].
func (f *File) SetReadDeadline(t time.Time) error {
	if waits, ok := f.opened.(interface{ SetReadDeadline(time.Time) error }); ok {
		return waits.SetReadDeadline(t)
	}
	return os.ErrNoDeadline
}

// Close implements [io.Closer].
func (f *File) Close() error {
	if f.opened == nil {
		return fs.ErrInvalid
	}
	return f.opened.Close()
}

// ReadDir implements [fs.ReadDirFile]: it lists a directory.
func (f *File) ReadDir(n int) ([]fs.DirEntry, error) {
	if dir, ok := f.opened.(fs.ReadDirFile); ok {
		return dir.ReadDir(n)
	}
	return nil, &fs.PathError{Op: "readdir", Path: f.path, Err: syscall.ENOTDIR}
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
