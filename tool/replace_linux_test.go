package tool_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
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
// where everybody may write it. Only root can give files away; a file of anybody
// else may be of another group that they are in.
func TestAFileKeepsItsOwner(t *testing.T) {
	type owned struct {
		text     string
		uid, gid int
	}
	us, ours := os.Geteuid(), os.Getegid()
	files := map[string]string{"theirs.txt": "old\n", "ours.txt": "old\n"}
	want := map[string]owned{"theirs.txt": {"new\n", us, ours}, "ours.txt": {"new\n", us, ours}}
	if us == 0 {
		files["secret.txt"] = "old\n"
		want["theirs.txt"], want["secret.txt"] = owned{"new\n", nobody, 1234}, owned{"old\n", us, ours}
	} else {
		groups, err := os.Getgroups()
		must(t, err)
		if other := slices.IndexFunc(groups, func(group int) bool { return group != ours }); other >= 0 {
			want["theirs.txt"] = owned{"new\n", us, groups[other]}
		}
	}
	p := newPlace(t, files)
	reachable(t, p)
	must(t, os.Chmod(p.dir, 0o777))
	must(t, os.Chown(filepath.Join(p.dir, "theirs.txt"), want["theirs.txt"].uid, want["theirs.txt"].gid))
	must(t, os.Chmod(filepath.Join(p.dir, "ours.txt"), 0o666))
	p.ok(t, "edit_file", args{"path": "theirs.txt", "old": "old", "new": "new"})
	asNobody(func() {
		edit := func(name string) error {
			_, err := p.tool("edit_file").Run(t.Context(), agent.Call{Input: encode(t, args{"path": name, "old": "old", "new": "new"})})
			return err
		}
		if err := edit("ours.txt"); err != nil {
			t.Error(err)
		}
		if us == 0 { // and the file is not of whom we are now
			if err := edit("secret.txt"); err == nil || !strings.Contains(err.Error(), "permission denied") {
				t.Error(err)
			}
		}
	})
	for name, want := range want {
		info, err := os.Stat(filepath.Join(p.dir, name))
		must(t, err)
		stat := info.Sys().(*syscall.Stat_t)
		if have := (owned{p.content(t, name), int(stat.Uid), int(stat.Gid)}); have != want {
			t.Errorf("%s is %+v, want %+v", name, have, want)
		}
	}
	if have := p.tree(t); len(have) != len(want) {
		t.Errorf("something was left behind: %q", have)
	}
}
