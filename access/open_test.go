//go:build unix

package access

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// tree is a project, a folder beside it and some links between them.
func tree(t *testing.T) (project, beside string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project, beside = filepath.Join(base, "project"), filepath.Join(base, "beside")
	for path, text := range map[string]string{
		"project/a.md": "inside", "project/sub/b.md": "below", "project-old/a.md": "sibling", "beside/secret": "outside", "beside/in/c.md": "far",
	} {
		full := filepath.Join(base, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"link-inside": "sub/b.md", "link-absolute": filepath.Join(project, "a.md"), "link-out": "../beside/secret", "link-out-absolute": filepath.Join(beside, "secret"),
		"dir-out": "../beside", "chain": "link-out", "dangling": "../nowhere", "loop": "loop", "link-root": "/",
	} {
		if err := os.Symlink(target, filepath.Join(project, name)); err != nil {
			t.Fatal(err)
		}
	}
	return project, beside
}

// read opens path and returns its text. It fails the test if that takes long.
func read(t *testing.T, r Roots, path string) (string, error) {
	t.Helper()
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		file, info, err := r.Open(path)
		if err != nil {
			done <- result{err: err}
			return
		}
		defer file.Close()
		if info.IsDir() {
			done <- result{text: "(directory)"}
			return
		}
		data, err := io.ReadAll(io.LimitReader(file, 1<<20))
		done <- result{string(data), err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-time.After(time.Minute):
		t.Fatalf("opening %s hangs", path)
		return "", nil
	}
}

func TestOpenReadsWhatIsInside(t *testing.T) {
	project, _ := tree(t)
	r := roots(t, Root{project, Project})
	for path, want := range map[string]string{
		"a.md": "inside", "sub/b.md": "below", "sub/../a.md": "inside", "sub": "(directory)", ".": "(directory)",
		"link-inside": "below", "link-absolute": "inside",
	} {
		if got, err := read(t, r, filepath.Join(project, path)); got != want {
			t.Errorf("%s: got %q, %v; want %q", path, got, err, want)
		}
	}
	if _, err := read(t, r, filepath.Join(project, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := read(t, r, filepath.Join(project, "loop")); err == nil {
		t.Error("a loop of links was opened")
	}
}

func TestAttackSymlinkLeadsOut(t *testing.T) {
	project, beside := tree(t)
	r := roots(t, Root{project, Project})
	for _, path := range []string{"link-out", "link-out-absolute", "dir-out/secret", "chain", "dangling", "dir-out", "link-root/etc/passwd", "dir-out/in/c.md"} {
		got, err := read(t, r, filepath.Join(project, path))
		if denied, ok := IsDenied(err); !ok || denied.Reason != ReasonEscape {
			t.Errorf("%s: read %q, %v", path, got, err)
		}
	}
	// What grants it is where the link leads.
	_, err := read(t, r, filepath.Join(project, "link-out"))
	if denied, _ := IsDenied(err); denied == nil || denied.Grant != "--allow "+filepath.Join(beside, "secret") {
		t.Errorf("got %v", err)
	}
	allowed, err := r.With(Root{filepath.Join(beside, "secret"), Allowed})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"link-out", "link-out-absolute", "chain", "dir-out/secret"} {
		if got, err := read(t, allowed, filepath.Join(project, path)); got != "outside" {
			t.Errorf("allowed, %s: got %q, %v", path, got, err)
		}
	}
	if _, err := read(t, allowed, filepath.Join(project, "dir-out/in/c.md")); err == nil {
		t.Error("one file was allowed, and its neighbour could be read")
	}
	// The person's consent is not the file's.
	if got, err := read(t, allowed.For(Asker{Origin: FromFile, Tree: project}), filepath.Join(project, "link-out")); err == nil {
		t.Errorf("a file read %q through a link", got)
	}
}

func TestAttackDotsLeadOut(t *testing.T) {
	project, _ := tree(t)
	r := roots(t, Root{project, Project})
	for _, path := range []string{project + "/../beside/secret", project + "-old/a.md", project + "/sub/../../beside/secret", "/etc/passwd"} {
		if got, err := read(t, r, path); err == nil {
			t.Errorf("%s: read %q", path, got)
		} else if denied, ok := IsDenied(err); !ok || denied.Reason != ReasonOutside {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAttackCollectionIsALinkToTheWholeDisk(t *testing.T) {
	project, beside := tree(t)
	collection := filepath.Join(project, "evil")
	if err := os.Symlink(beside, collection); err != nil {
		t.Fatal(err)
	}
	r := roots(t, Root{project, Project}, Root{collection, Collection})
	for _, asker := range []Asker{{Origin: FromPerson}, {Origin: FromFile, Tree: collection}, {Origin: FromFile, Tree: project}} {
		for _, path := range []string{collection + "/secret", collection} {
			if got, err := read(t, r.For(asker), path); err == nil {
				t.Errorf("%s read %q as %s", path, got, asker.Origin)
			}
		}
	}
	// The same inside a tree that the person allowed.
	outer := roots(t, Root{project, Allowed})
	if got, err := read(t, outer.For(Asker{Origin: FromFile, Tree: collection}), collection+"/secret"); err == nil {
		t.Errorf("read %q", got)
	}
}

func TestAttackLinkOutOfACollectionIntoTheProject(t *testing.T) {
	project, _ := tree(t)
	collection := filepath.Join(project, "sub")
	if err := os.Symlink("../a.md", filepath.Join(collection, "up")); err != nil {
		t.Fatal(err)
	}
	r := roots(t, Root{project, Project}, Root{collection, Collection})
	if got, err := read(t, r.For(Asker{Origin: FromFile, Tree: collection}), filepath.Join(collection, "up")); err == nil {
		t.Errorf("a collection read %q of the project around it", got)
	}
	if got, err := read(t, r, filepath.Join(collection, "up")); got != "inside" {
		t.Errorf("the person may read both: got %q, %v", got, err)
	}
}

func TestAttackPipeDoesNotHang(t *testing.T) {
	project, _ := tree(t)
	pipe := filepath.Join(project, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip("no pipes here: ", err)
	}
	_, err := read(t, roots(t, Root{project, Project}), pipe)
	if denied, ok := IsDenied(err); !ok || denied.Reason != ReasonSpecial || denied.Grant != "" {
		t.Errorf("got %v", err)
	}
	// Allowed by name it is still a pipe.
	_, err = read(t, roots(t, Root{pipe, Allowed}), pipe)
	if denied, ok := IsDenied(err); !ok || denied.Reason != ReasonSpecial {
		t.Errorf("got %v", err)
	}
}

// A file may become a pipe between the look and the opening. The opening is
// tried on a pipe directly, as if the look had come before the swap.
func TestAttackFileBecomesAPipeBeforeItIsOpened(t *testing.T) {
	project, _ := tree(t)
	pipe := filepath.Join(project, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip("no pipes here: ", err)
	}
	root, err := os.OpenRoot(project)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	done := make(chan error, 1)
	go func() {
		_, _, err := openNow(root, "pipe", pipe)
		done <- err
	}()
	select {
	case err := <-done:
		if denied, ok := IsDenied(err); !ok || denied.Reason != ReasonSpecial {
			t.Errorf("got %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("opening a pipe hangs")
	}
}

func TestAttackDevicesAndSockets(t *testing.T) {
	project, _ := tree(t)
	r := roots(t, Root{project, Project}, Root{"/dev", Allowed})
	socket := filepath.Join(project, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, path := range []string{"/dev/zero", "/dev/null", "/dev/tty", socket} {
		if _, err := os.Lstat(path); err != nil {
			continue
		}
		_, err := read(t, r, path)
		if denied, ok := IsDenied(err); !ok || denied.Reason != ReasonSpecial {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestSingleFileIsARoot(t *testing.T) {
	_, beside := tree(t)
	file := filepath.Join(beside, "secret")
	r := roots(t, Root{file, Allowed})
	if got, err := read(t, r, file); got != "outside" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := read(t, r, file+"/x"); err == nil {
		t.Errorf("below a file there was %q", got)
	}
	if _, err := read(t, r, filepath.Join(beside, "in/c.md")); err == nil {
		t.Error("a neighbour was read")
	}
}

func TestRootSpelledWithALink(t *testing.T) {
	project, _ := tree(t)
	alias := project + "-alias"
	if err := os.Symlink(project, alias); err != nil {
		t.Fatal(err)
	}
	r := roots(t, Root{alias, Project})
	for _, path := range []string{"a.md", "link-absolute"} {
		if got, err := read(t, r, filepath.Join(alias, path)); got != "inside" {
			t.Errorf("%s: got %q, %v", path, got, err)
		}
	}
	if _, err := read(t, r, filepath.Join(alias, "link-out")); err == nil {
		t.Error("a link led out")
	}
}

// A read of a file on a disk does not wait, so there is nothing to end.
func TestReadDeadline(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	roots, err := NewRoots(Root{Path: dir, Place: Project})
	if err != nil {
		t.Fatal(err)
	}
	file, _, err := roots.Open(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, f := range []*File{file, new(File)} {
		if err := f.SetReadDeadline(time.Now()); !errors.Is(err, os.ErrNoDeadline) {
			t.Error(err)
		}
	}
}
