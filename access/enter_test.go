package access

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A project that is deleted and cloned anew under the same name is the new one,
// although the old one is still held open.
func TestReplacedDirectoryIsEnteredAnew(t *testing.T) {
	base := t.TempDir()
	project, path := filepath.Join(base, "project"), filepath.Join(base, "project", "a.md")
	write := func(text string) {
		t.Helper()
		if err := os.Mkdir(project, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("old")
	roots, err := NewRoots(Root{project, Project})
	if err != nil {
		t.Fatal(err)
	}
	read := func() string {
		t.Helper()
		file, _, err := roots.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		data, err := io.ReadAll(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for range 2 {
		if have := read(); have != "old" {
			t.Errorf("read %q", have)
		}
	}
	if err := os.Rename(project, filepath.Join(base, "away")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := roots.Open(path); !os.IsNotExist(err) {
		t.Errorf("of a directory that is gone: %v", err)
	}
	write("new")
	if have := read(); have != "new" {
		t.Errorf("read %q of the directory that was there before", have)
	}
}
