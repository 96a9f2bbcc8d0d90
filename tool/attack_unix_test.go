//go:build unix

package tool_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAttackPipesAndDevices(t *testing.T) {
	p := newPlace(t, nil)
	must(t, syscall.Mkfifo(filepath.Join(p.dir, "pipe"), 0o644))
	p.link(t, "/dev/zero", "zero")
	p.refused(t, "read_file", args{"path": "pipe"}, "pipe")
	p.refused(t, "search", args{"pattern": "a", "path": "pipe"}, "pipe")
	p.refused(t, "edit_file", args{"path": "pipe", "old": "a", "new": "b"}, "it is a pipe")
	p.refused(t, "write_file", args{"path": "pipe", "content": "b"}, "it is a pipe")
	p.refused(t, "read_file", args{"path": "zero"}, "symbolic link")
	p.refused(t, "write_file", args{"path": "zero", "content": "b"}, "symbolic link")
	contains(t, p.ok(t, "search", args{"pattern": "a"}), "no line matches")
}

// The umask counts for new files, and the mode of old ones stays.
func TestPermissionsOfFiles(t *testing.T) {
	p := newPlace(t, map[string]string{"old.txt": "a\n"})
	must(t, os.Chmod(filepath.Join(p.dir, "old.txt"), 0o600))
	before := syscall.Umask(0o027)
	defer syscall.Umask(before)
	p.ok(t, "write_file", args{"path": "new.txt", "content": "x"})
	p.ok(t, "edit_file", args{"path": "old.txt", "old": "a", "new": "b"})
	for name, want := range map[string]os.FileMode{"new.txt": 0o640, "old.txt": 0o600} {
		if info, err := os.Stat(filepath.Join(p.dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
}
