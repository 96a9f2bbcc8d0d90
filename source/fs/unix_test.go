//go:build unix

package fs_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

// Nobody ever writes to the pipe: whoever waits for it waits for good.
func TestAttackPipe(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "a"})
	must(t, syscall.Mkfifo(filepath.Join(p.dir, "pipe.md"), 0o644))
	within(t, time.Minute, func() {
		for _, m := range []mention.Mention{file("pipe.md"), folder("pipe.md"), lines("pipe.md", 1, 2)} {
			c, err := p.ask(t, m)
			denied(t, c, err, access.ReasonSpecial)
		}
		if c := p.load(t, folder(".")); c.Text != "a.md\n" {
			t.Errorf("%s", c.Text)
		}
		if c := p.load(t, mention.Glob{Pattern: "*.md"}); len(c.Files) != 1 {
			t.Errorf("%+v", c)
		}
		// A file system that opens what it is told to would wait as well.
		c, err := fs.Over(os.DirFS(p.dir)).Resolve(t.Context(), ampersat.Query{Mention: file("pipe.md"), Asker: person})
		denied(t, c, err, access.ReasonSpecial)
	})
}

// The rules are read on the way to a file. They may be a pipe too.
func TestAttackPipeInPlaceOfRules(t *testing.T) {
	p := newPlace(t, map[string]string{"a.md": "a"})
	must(t, syscall.Mkfifo(filepath.Join(p.dir, ".gitignore"), 0o644))
	within(t, time.Minute, func() {
		if c := p.load(t, file("a.md")); c.Text != "a" {
			t.Errorf("%+v", c)
		}
		if c := p.load(t, folder(".")); c.Text != "a.md\n" {
			t.Errorf("%s", c.Text)
		}
	})
}

// The manifests of collections are read for a name that no folder has.
func TestAttackPipeInPlaceOfAManifest(t *testing.T) {
	p := newPlace(t, map[string]string{".ampersat/collections/a/a.md": "a", ".ampersat/collections/b/collection.yaml": "name: c", ".ampersat/collections/b/b.md": "b"})
	must(t, syscall.Mkfifo(filepath.Join(p.dir, ".ampersat/collections/a/collection.yaml"), 0o644))
	p.config.CollectionName = named
	within(t, time.Minute, func() {
		if c := p.load(t, mention.File{Namespace: "c", Path: "b.md"}); c.Text != "b" {
			t.Errorf("%+v", c)
		}
	})
}

func TestAttackSocket(t *testing.T) {
	p := newPlace(t, nil)
	listener, err := net.Listen("unix", filepath.Join(p.dir, "s"))
	if err != nil {
		t.Skip(err)
	}
	defer listener.Close()
	c, err := p.ask(t, file("s"))
	denied(t, c, err, access.ReasonSpecial)
}

// A link in a file system that follows it leads a file nowhere.
func TestAttackLinkInAFileSystem(t *testing.T) {
	p := newPlace(t, map[string]string{".ampersat/collections/base/a.md": "a", "private.md": "private"})
	link(t, "../../../private.md", filepath.Join(p.dir, ".ampersat/collections/base/b.md"))
	r := fs.Over(os.DirFS(p.dir))
	q := ampersat.Query{Base: ".ampersat/collections/base", Asker: inFile(".ampersat/collections/base")}
	q.Mention = file("a.md")
	if c, err := r.Resolve(t.Context(), q); err != nil || c.Text != "a" {
		t.Errorf("%+v, %v", c, err)
	}
	q.Mention = file("b.md")
	c, err := r.Resolve(t.Context(), q)
	denied(t, c, err, access.ReasonEscape)
}

// asNobody names the folder that the test is run for again, by a user who may
// not read everything: root could not be refused.
const asNobody = "AMPERSAT_TEST_AS_NOBODY"

func TestAttackNoPermissionOnDisk(t *testing.T) {
	if dir := os.Getenv(asNobody); dir != "" {
		checkNoPermission(t, dir)
		return
	}
	p := newPlace(t, map[string]string{"closed.md": "closed", "open.md": "open", "shut/a.md": "a", "sub/b.md": "b"})
	must(t, os.Chmod(filepath.Join(p.dir, "closed.md"), 0))
	must(t, os.Chmod(filepath.Join(p.dir, "shut"), 0))
	defer os.Chmod(filepath.Join(p.dir, "shut"), 0o755)
	if os.Getuid() != 0 {
		checkNoPermission(t, p.dir)
		return
	}
	for dir := p.dir; strings.HasPrefix(dir, os.TempDir()) && dir != filepath.Clean(os.TempDir()); dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o755))
	}
	self, err := os.ReadFile(os.Args[0])
	must(t, err)
	binary := filepath.Join(p.home, "test")
	must(t, os.WriteFile(binary, self, 0o755))
	command := exec.Command(binary, "-test.run", "^TestAttackNoPermissionOnDisk$", "-test.v")
	command.Dir = p.dir
	command.Env = append(os.Environ(), asNobody+"="+p.dir, "HOME="+p.dir)
	command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	out, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "refused as it should be") {
		t.Errorf("%v\n%s", err, out)
	}
}

func checkNoPermission(t *testing.T, dir string) {
	roots, err := access.NewRoots(access.Root{Path: dir, Place: access.Project})
	must(t, err)
	p := place{dir: dir, config: fs.Config{Dir: dir, Roots: roots}}
	for _, path := range []string{"closed.md", "shut/a.md"} {
		c, err := p.ask(t, file(path))
		if miss := missing(t, c, err, ampersat.Failed); miss.Reason != "there is no permission to read it" {
			t.Error(miss)
		}
	}
	c := p.load(t, folder("."))
	if c.Text != "closed.md\nopen.md\nshut/\n  [cannot be listed: no permission]\nsub/\n  b.md\n" || c.Shown != "without 1 folder that could not be listed: shut" || c.Source != "" {
		t.Errorf("%s, %q", c.Text, c.Shown)
	}
	c = p.load(t, mention.Glob{Pattern: "**/*.md"})
	if len(c.Files) != 2 || c.Shown != "2 of 3 files; without 1 folder that could not be listed: shut" || c.Note != "1 file could not be read: closed.md" {
		t.Errorf("%d files, %q, %q", len(c.Files), c.Shown, c.Note)
	}
	t.Log("refused as it should be")
}

// What a pattern matches and cannot be read is named, as far as one wants to read
// it.
func TestWhatAPatternLeavesOutIsNamed(t *testing.T) {
	p := newPlace(t, map[string]string{"sub/plain.md": "plain"})
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		must(t, os.Symlink(filepath.Join(p.dir, "nowhere"), filepath.Join(p.dir, "sub", name+".md")))
		want := map[int]string{
			0: "1 file could not be read: sub/a.md", 2: "3 files could not be read: sub/a.md, sub/b.md, sub/c.md",
			4: "5 files could not be read: sub/a.md, sub/b.md, sub/c.md and 2 more",
		}[i]
		if c := p.load(t, mention.Glob{Pattern: "sub/*.md"}); want != "" && c.Note != want {
			t.Errorf("%q, want %q", c.Note, want)
		}
	}
}
