package fs_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

// thousand makes a thousand files of 4 KB in ten folders.
func thousand(b testing.TB) (dir string, names []string) {
	dir = b.TempDir()
	for i := range 1000 {
		name := fmt.Sprintf("folder%d/file%d.md", i%10, i)
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			b.Fatal(err)
		}
		line := fmt.Sprintf("line of the file number %d\n", i)
		if err := os.WriteFile(path, []byte(strings.Repeat(line, 4096/len(line))), 0o644); err != nil {
			b.Fatal(err)
		}
		names = append(names, name)
	}
	return dir, names
}

// parallel calls work for each name, as many at a time as the pipeline does.
func parallel(names []string, work func(name string)) {
	queue := make(chan string)
	var wait sync.WaitGroup
	for range 4 * runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for name := range queue {
				work(name)
			}
		})
	}
	for _, name := range names {
		queue <- name
	}
	close(queue)
	wait.Wait()
}

// BenchmarkThousandFiles compares reading files through Resolve with a program
// that opens, reads and hashes them and does nothing else. They take turns, and
// the best of each counts: "ratio" is what the limits, the checks and the
// decoding cost, whatever else the machine does.
func BenchmarkThousandFiles(b *testing.B) {
	dir, names := thousand(b)
	roots, err := access.NewRoots(access.Root{Path: dir, Place: access.Project})
	if err != nil {
		b.Fatal(err)
	}
	r := fs.New(fs.Config{Dir: dir, Roots: roots})
	plain, resolved := time.Hour, time.Hour
	for b.Loop() {
		start := time.Now()
		parallel(names, func(name string) {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || sha256.Sum256(data) == [32]byte{} {
				b.Error(err)
			}
		})
		plain = min(plain, time.Since(start))
		start = time.Now()
		parallel(names, func(name string) {
			q := ampersat.Query{Mention: mention.File{Path: name}, Asker: access.Asker{Origin: access.FromPerson}, Limit: 1 << 20}
			if c, err := r.Resolve(b.Context(), q); err != nil || c.Source == "" {
				b.Error(err)
			}
		})
		resolved = min(resolved, time.Since(start))
	}
	b.ReportMetric(float64(resolved)/float64(plain), "ratio")
	b.ReportMetric(float64(plain.Microseconds())/1000, "ms-plain")
	b.ReportMetric(float64(resolved.Microseconds())/1000, "ms-resolve")
}

// BenchmarkPhotograph scales what a telephone takes.
func BenchmarkPhotograph(b *testing.B) {
	picture := image.NewRGBA(image.Rect(0, 0, 4000, 3000))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i >> 6)
	}
	var data bytes.Buffer
	if err := jpeg.Encode(&data, picture, nil); err != nil {
		b.Fatal(err)
	}
	r := fs.Over(fstest.MapFS{"photo.jpg": {Data: data.Bytes()}})
	for b.Loop() {
		if c, err := r.Resolve(b.Context(), ampersat.Query{Mention: mention.File{Path: "photo.jpg"}, Asker: person}); err != nil || len(c.Parts) != 1 {
			b.Fatal(c.Note, err)
		}
	}
}
