package access

import (
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

// openDirect opens the usual thing in the usual place, a regular file below a
// directory that was entered before, with no link on the way. The kernel itself
// refuses links, so that the path need not be walked step by step, and where
// the file is without links is known without asking.
//
// It reports false for everything else, whatever it is, and where the kernel
// cannot do this; then the file has to be opened with all care.
func (r Roots) openDirect(root Root, path string) (*File, fs.FileInfo, bool) {
	dir := r.entered(root)
	entered, ok := r.entries.entered(dir)
	if !ok || len(path) <= len(dir) {
		return nil, nil, false
	}
	// A look before, since opening alone makes some devices act.
	var look syscall.Stat_t
	if syscall.Lstat(path, &look) != nil || look.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, nil, false
	}
	name := path[len(dir):]
	if name[0] == filepath.Separator {
		name = name[1:]
	}
	fd, err := openWithoutLinks(entered.dir.Fd(), name)
	runtime.KeepAlive(entered)
	if err != nil {
		return nil, nil, false
	}
	file := &regularFile{fd: fd, name: filepath.Base(name)}
	info := &regularInfo{name: file.name}
	// What the path leads to must be what the directory holds. Otherwise one of
	// them has been replaced: the file a moment ago, or the directory since it
	// was entered.
	if syscall.Fstat(fd, &info.stat) != nil || info.stat.Dev != look.Dev || info.stat.Ino != look.Ino || info.stat.Mode&syscall.S_IFMT != syscall.S_IFREG {
		file.Close()
		return nil, nil, false
	}
	return &File{opened: file, path: path, real: filepath.Join(entered.real, name)}, info, true
}

// openHow is the argument of openat2(2).
type openHow struct{ flags, mode, resolve uint64 }

const (
	openat2 = 437 // the same on all architectures

	resolveNoMagicLinks = 0x02
	resolveNoSymlinks   = 0x04
	resolveBeneath      = 0x08
)

// openWithoutLinks opens a file below a directory, and fails if there is a link
// on the way. It does not wait for the other end of a pipe.
func openWithoutLinks(dir uintptr, name string) (int, error) {
	text, err := syscall.BytePtrFromString(name)
	if err != nil {
		return -1, err
	}
	how := openHow{
		flags:   syscall.O_RDONLY | syscall.O_CLOEXEC | syscall.O_LARGEFILE | syscall.O_NOFOLLOW | doNotWait,
		resolve: resolveBeneath | resolveNoSymlinks | resolveNoMagicLinks,
	}
	fd, _, code := syscall.Syscall6(openat2, dir, uintptr(unsafe.Pointer(text)), uintptr(unsafe.Pointer(&how)), unsafe.Sizeof(how), 0, 0)
	if code != 0 {
		return -1, code
	}
	return int(fd), nil
}

// regularFile is an open regular file. It is an [os.File] without what pipes and
// sockets need, which takes two system calls more for each file.
type regularFile struct {
	fd   int
	name string
}

// Read implements [io.Reader].
func (f *regularFile) Read(buffer []byte) (int, error) {
	if len(buffer) == 0 {
		return 0, nil
	}
	n, err := again(func() (int, error) { return syscall.Read(f.fd, buffer) })
	switch {
	case err != nil:
		return 0, f.failed("read", err)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Seek implements [io.Seeker].
func (f *regularFile) Seek(offset int64, whence int) (int64, error) {
	at, err := syscall.Seek(f.fd, offset, whence)
	if err != nil {
		return 0, f.failed("seek", err)
	}
	return at, nil
}

// Stat implements [fs.File].
func (f *regularFile) Stat() (fs.FileInfo, error) {
	info := &regularInfo{name: f.name}
	if _, err := again(func() (int, error) { return 0, syscall.Fstat(f.fd, &info.stat) }); err != nil {
		return nil, f.failed("stat", err)
	}
	return info, nil
}

// Close implements [io.Closer].
func (f *regularFile) Close() error {
	if f.fd < 0 {
		return f.failed("close", fs.ErrClosed)
	}
	err := syscall.Close(f.fd)
	f.fd = -1 // which may be another file's from now on
	if err != nil {
		return f.failed("close", err)
	}
	return nil
}

func (f *regularFile) failed(what string, err error) error {
	if f.fd < 0 {
		err = fs.ErrClosed
	}
	return &fs.PathError{Op: what, Path: f.name, Err: err}
}

// again repeats a system call that a signal has interrupted.
func again(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); err != syscall.EINTR {
			return n, err
		}
	}
}

// regularInfo describes a regular file.
type regularInfo struct {
	name string
	stat syscall.Stat_t
}

func (i *regularInfo) Name() string       { return i.name }
func (i *regularInfo) Size() int64        { return i.stat.Size }
func (i *regularInfo) Mode() fs.FileMode  { return fs.FileMode(i.stat.Mode & 0o777) }
func (i *regularInfo) ModTime() time.Time { return time.Unix(i.stat.Mtim.Unix()) }
func (i *regularInfo) IsDir() bool        { return false }
func (i *regularInfo) Sys() any           { return &i.stat }
