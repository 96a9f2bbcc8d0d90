package access

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// goSource returns the path of Go's own source, or skips.
func goSource(t testing.TB) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("go env GOROOT: ", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "src")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the source of the standard library is not there: ", err)
	}
	return root
}

// sourceText joins up to limit bytes of Go files below the folders.
func sourceText(t testing.TB, limit int, folders ...string) []byte {
	t.Helper()
	var text []byte
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(goSource(t), folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || len(text) >= limit {
				return err
			}
			data, err := os.ReadFile(path)
			text = append(text, data...)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return text
}

// BenchmarkScan measures ordinary source text, and states the cost as a
// multiple of bytes.Count over the same text in the same run, which reads
// memory as fast as the machine can.
func BenchmarkScan(b *testing.B) {
	for _, c := range []struct {
		name string
		text []byte
	}{
		{"source", sourceText(b, 8<<20, "net", "go", "encoding")},
		{"prose", bytes.Repeat([]byte("The quick brown fox jumps over the lazy dog, and nobody minds; it keeps its secrets, as foxes do.\n"), 80_000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			Scan("warm.go", c.text[:1<<16])
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				Scan("a.go", c.text)
			}
			scan := b.Elapsed()
			const rounds = 50
			start := time.Now()
			for range rounds {
				bytes.Count(c.text, []byte("@"))
			}
			perCount := float64(time.Since(start).Nanoseconds()) / rounds
			b.ReportMetric(float64(scan.Nanoseconds())/float64(b.N)/perCount, "x-count")
		})
	}
}
