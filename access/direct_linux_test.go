package access

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// direct opens path the short way, after the directory was entered the long way.
func direct(t *testing.T, r Roots, path string) (string, bool) {
	t.Helper()
	root, ok := r.Find(path)
	if !ok {
		t.Fatalf("%s is outside", path)
	}
	if file, _, err := r.openIn(root, root.Path); err != nil {
		t.Fatal(err)
	} else {
		file.Close()
	}
	file, info, ok := r.openDirect(root, path)
	if !ok {
		return "", false
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil || int64(len(data)) != info.Size() {
		t.Errorf("%s: %d of %d bytes, %v", path, len(data), info.Size(), err)
	}
	return string(data), true
}

// The short way is for regular files that no link leads to, and only for those.
// It is taken for them: the long way would hide that the kernel never does it.
func TestOpenDirectTakesPlainFilesAlone(t *testing.T) {
	project, _ := tree(t)
	if err := syscall.Mkfifo(filepath.Join(project, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("sub", filepath.Join(project, "sub-link")); err != nil {
		t.Fatal(err)
	}
	r := roots(t, Root{project, Project})
	for path, want := range map[string]string{"a.md": "inside", "sub/b.md": "below"} {
		have, ok := direct(t, r, filepath.Join(project, path))
		if errors.Is(missingCall(t, project), syscall.ENOSYS) {
			t.Skip("this kernel has no openat2")
		}
		if !ok || have != want {
			t.Errorf("%s: %q, %t", path, have, ok)
		}
	}
	for _, path := range []string{
		".", "sub", "missing", "pipe", "link-inside", "link-absolute", "link-out", "link-out-absolute", "dir-out", "dir-out/secret",
		"sub-link/b.md", "chain", "dangling", "loop", "link-root/etc/passwd", "a.md/below",
	} {
		if have, ok := direct(t, r, filepath.Join(project, path)); ok {
			t.Errorf("%s: %q", path, have)
		}
	}
}

// missingCall is the error for a name that does not exist, or that of a kernel
// that does not know the call.
func missingCall(t *testing.T, dir string) error {
	t.Helper()
	file, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	_, err = openWithoutLinks(file.Fd(), "missing")
	return err
}

// The kernel refuses what would lead out, without our looking first.
func TestAttackLinkIsRefusedByTheKernel(t *testing.T) {
	project, _ := tree(t)
	dir, err := os.Open(project)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	for _, name := range []string{"link-inside", "link-out", "dir-out/secret", "link-root/etc/passwd", "../beside/secret", "sub/../../beside/secret", "/etc/passwd"} {
		if fd, err := openWithoutLinks(dir.Fd(), name); err == nil {
			syscall.Close(fd)
			t.Errorf("%s was opened", name)
		}
	}
}

// The directory is replaced after it was entered, by one with another file of
// that name: the old one is still open, and must not be read.
func TestAttackDirectoryReplacedAfterItWasEntered(t *testing.T) {
	project, _ := tree(t)
	r := roots(t, Root{project, Project})
	path := filepath.Join(project, "a.md")
	if _, ok := direct(t, r, path); !ok {
		t.Skip("this kernel has no openat2")
	}
	if err := os.Rename(project, project+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(project, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	root, _ := r.Find(path)
	if file, _, ok := r.openDirect(root, path); ok {
		file.Close()
		t.Error("a file of the directory that was there before")
	}
	if have, err := read(t, r, path); have != "new" {
		t.Errorf("%q, %v", have, err)
	}
}

// Whichever way a file is opened, it is the same to whoever reads it.
func TestOpenDirectIsLikeOpeningWithCare(t *testing.T) {
	project, _ := tree(t)
	alias := project + "-alias"
	if err := os.Symlink(project, alias); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{project, alias} {
		r := roots(t, Root{dir, Project}, Root{filepath.Join(dir, "sub"), Collection})
		for _, name := range []string{"a.md", "sub/b.md"} {
			path := filepath.Join(dir, name)
			root, _ := r.Find(path)
			careful, want, err := r.openIn(root, path)
			if err != nil {
				t.Fatal(err)
			}
			short, have, ok := r.openDirect(root, path)
			if !ok {
				t.Skip("this kernel has no openat2")
			}
			if have.Size() != want.Size() || have.Mode() != want.Mode() || !have.ModTime().Equal(want.ModTime()) ||
				have.Name() != want.Name() || have.IsDir() {
				t.Errorf("%s: %v, want %v", path, have, want)
			}
			if short.Real() != careful.Real() || short.Real() != filepath.Join(project, name) {
				t.Errorf("%s is at %s, or at %s", path, short.Real(), careful.Real())
			}
			for _, file := range []*File{careful, short} {
				if at, err := file.Seek(2, io.SeekStart); at != 2 || err != nil {
					t.Error(at, err)
				}
				if data, err := io.ReadAll(file); len(data) != int(want.Size())-2 || err != nil {
					t.Errorf("%q, %v", data, err)
				}
				if n, err := file.Read(make([]byte, 1)); n != 0 || err != io.EOF {
					t.Error(n, err)
				}
				if info, err := file.Stat(); err != nil || info.Size() != want.Size() {
					t.Error(info, err)
				}
				if err := file.Close(); err != nil {
					t.Error(err)
				}
				if _, err := file.Read(make([]byte, 1)); !errors.Is(err, fs.ErrClosed) {
					t.Errorf("read after it was closed: %v", err)
				}
				if err := file.Close(); !errors.Is(err, fs.ErrClosed) {
					t.Errorf("closed twice: %v", err)
				}
			}
		}
	}
}
