package tool_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/ampersat/ampersat/agent"
)

const nobody = 65534

// asNobody does something with the rights of somebody who has none, where we
// have all of them.
func asNobody(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if os.Geteuid() == 0 {
			runtime.LockOSThread() // and it ends with us
			_, _, _ = syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		}
		do()
	}()
	<-done
}

// reachable lets everybody into the folders of a test.
func reachable(t *testing.T, p *place) {
	t.Helper()
	for _, path := range []string{p.dir, filepath.Dir(p.dir), filepath.Dir(filepath.Dir(p.dir))} {
		must(t, os.Chmod(path, 0o755))
	}
}

// A file that may be written is, in a folder that may not.
func TestAFileInAFolderThatMayNotBeWritten(t *testing.T) {
	p := newPlace(t, map[string]string{"closed/a.txt": "old\n"})
	reachable(t, p)
	if os.Geteuid() == 0 {
		must(t, os.Chown(filepath.Join(p.dir, "closed/a.txt"), nobody, -1))
	}
	must(t, os.Chmod(filepath.Join(p.dir, "closed"), 0o555))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(p.dir, "closed"), 0o755) })
	input := encode(t, args{"path": "closed/a.txt", "old": "old", "new": "new"})
	asNobody(func() {
		if _, err := p.tool("edit_file").Run(t.Context(), agent.Call{Input: input}); err != nil {
			t.Error(err)
		}
		_, err := p.tool("write_file").Run(t.Context(), agent.Call{Input: encode(t, args{"path": "closed/b.txt", "content": "x"})})
		if err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Error(err)
		}
	})
	if have := p.content(t, "closed/a.txt"); have != "new\n" {
		t.Errorf("%q", have)
	}
}

// A file is whose it was: of somebody else for whom root edits it, and of root
// where everybody may write it.
func TestAFileKeepsItsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	p := newPlace(t, map[string]string{"theirs.txt": "old\n", "ours.txt": "old\n", "secret.txt": "old\n"})
	reachable(t, p)
	must(t, os.Chmod(p.dir, 0o777))
	must(t, os.Chown(filepath.Join(p.dir, "theirs.txt"), nobody, 1234))
	must(t, os.Chmod(filepath.Join(p.dir, "ours.txt"), 0o666))
	p.ok(t, "edit_file", args{"path": "theirs.txt", "old": "old", "new": "new"})
	asNobody(func() {
		if _, err := p.tool("edit_file").Run(t.Context(), agent.Call{Input: encode(t, args{"path": "ours.txt", "old": "old", "new": "new"})}); err != nil {
			t.Error(err)
		}
		_, err := p.tool("edit_file").Run(t.Context(), agent.Call{Input: encode(t, args{"path": "secret.txt", "old": "old", "new": "new"})})
		if err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Error(err)
		}
	})
	for name, want := range map[string]struct {
		text     string
		uid, gid uint32
	}{"theirs.txt": {"new\n", nobody, 1234}, "ours.txt": {"new\n", 0, 0}, "secret.txt": {"old\n", 0, 0}} {
		info, err := os.Stat(filepath.Join(p.dir, name))
		must(t, err)
		stat := info.Sys().(*syscall.Stat_t)
		if stat.Uid != want.uid || stat.Gid != want.gid || p.content(t, name) != want.text {
			t.Errorf("%s belongs to %d:%d and has %q", name, stat.Uid, stat.Gid, p.content(t, name))
		}
	}
	if have := p.tree(t); len(have) != 3 {
		t.Errorf("something was left behind: %q", have)
	}
}
