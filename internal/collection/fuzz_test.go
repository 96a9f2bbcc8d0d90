package collection

import (
	"archive/tar"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// FuzzArchive feeds the unpacker whatever there is. Nothing it does may be seen
// outside of the folder it unpacks into, and there it makes only files that
// cannot be run and folders.
func FuzzArchive(f *testing.F) {
	f.Add([]byte("nothing"), byte(0))
	f.Add(tarOf(f, file("a/b.md", "x"), file("../evil.md", "x"), special("l", tar.TypeSymlink, "..")), byte(1))
	f.Add(gz(f, tarOf(f, file("a.md", "x"))), byte(2))
	f.Add(zipOf(f, map[string]string{"a/b.md": "x", "c.md": "y"}), byte(0))
	f.Add(zipWith(f, "../evil.md", fs.ModeSymlink, "x"), byte(0))
	f.Fuzz(func(t *testing.T, data []byte, kind byte) {
		outer := t.TempDir()
		inner := filepath.Join(outer, "inner")
		must(t, os.Mkdir(inner, 0o755))
		archive := filepath.Join(outer, "archive"+archiveSuffixes[int(kind)%len(archiveSuffixes)])
		must(t, os.WriteFile(archive, data, 0o644))
		root, err := os.OpenRoot(inner)
		must(t, err)
		defer root.Close()
		limits := Limits{Files: 50, File: 1 << 16, Bytes: 1 << 18, Archive: 1 << 20, Ratio: 100}.orDefault()
		unpackErr := New(Config{Limits: limits}).unpack(t.Context(), archive, newStaging(root, limits))
		entries, err := os.ReadDir(outer)
		must(t, err)
		if len(entries) != 2 {
			t.Fatalf("%v was written outside, %v", entries, unpackErr)
		}
		total, count := int64(0), 0
		must(t, filepath.WalkDir(inner, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			if !d.IsDir() && (!info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0) {
				t.Errorf("%s is %v", path, info.Mode())
			}
			if count++; !d.IsDir() {
				total += info.Size()
			}
			return nil
		}))
		// The file that is one too large was begun.
		if total > limits.Bytes+limits.File+1 || count > limits.Files+1 {
			t.Errorf("%d files with %d bytes", count, total)
		}
	})
}
