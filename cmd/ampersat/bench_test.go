package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ampersat/ampersat/access"
)

// The benchmarks run the built program and, turn about, a program to compare
// it with, and report the median of both: figures that hold on any machine.

func build(b *testing.B, name, path string) string {
	b.Helper()
	binary := filepath.Join(b.TempDir(), name)
	command := exec.Command("go", "build", "-o", binary, path)
	command.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	if out, err := command.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", path, err, out)
	}
	return binary
}

// once runs a program and returns how long it took and its peak memory.
func once(b *testing.B, stdin, binary string, args ...string) (time.Duration, int64) {
	b.Helper()
	command := exec.Command(binary, args...)
	command.Stdin, command.Stdout = strings.NewReader(stdin), io.Discard
	var errs bytes.Buffer
	command.Stderr = &errs
	start := time.Now()
	if err := command.Run(); err != nil {
		b.Fatalf("%s: %v\n%s", binary, err, errs.String())
	}
	return time.Since(start), command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// milliseconds is how benchmarks report times.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func BenchmarkStart(b *testing.B) {
	ampersat, empty := build(b, "ampersat", "."), build(b, "empty", "./testdata/empty")
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("alpha\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	for name, args := range map[string][]string{
		"find": {"find", "Explain @a.md"}, "context": {"context", "-C", dir, "Explain @a.md"},
	} {
		b.Run(name, func(b *testing.B) {
			var ours, theirs []time.Duration
			var memory int64
			for b.Loop() {
				d, m := once(b, "", ampersat, args...)
				ours, memory = append(ours, d), max(memory, m)
				d, _ = once(b, "", empty)
				theirs = append(theirs, d)
			}
			b.ReportMetric(milliseconds(median(ours)-median(theirs)), "ms-over-empty")
			b.ReportMetric(float64(memory)/(1<<20), "MB-peak")
		})
	}
}

// BenchmarkContext mentions many files of 4 KB. The program that it is compared
// with reads and hashes them; the secret scan is added to that at its own rate.
func BenchmarkContext(b *testing.B) {
	ampersat, readhash := build(b, "ampersat", "."), build(b, "readhash", "./testdata/readhash")
	for _, count := range []int{100, 1000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			dir := b.TempDir()
			var prompt strings.Builder
			var all []byte
			for i := range count {
				name := fmt.Sprintf("f%04d.txt", i)
				text := fmt.Appendf(nil, "file %d\n%s", i, strings.Repeat("The quick brown fox jumps over the lazy dog, and then some.\n", 68))[:4096]
				all = append(all, text...)
				if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
					b.Fatal(err)
				}
				prompt.WriteString("@" + name + " ")
			}
			start := time.Now()
			access.Scan("all.txt", all)
			scan := time.Since(start)
			var ours, theirs []time.Duration
			for b.Loop() {
				d, _ := once(b, prompt.String(), ampersat, "context", "--json", "--budget", "10000000", "-C", dir, "-")
				ours = append(ours, d)
				d, _ = once(b, "", readhash, dir)
				theirs = append(theirs, d)
			}
			b.ReportMetric(milliseconds(median(ours)), "ms")
			b.ReportMetric(milliseconds(median(theirs)+scan), "ms-readhash-scan")
			b.ReportMetric(float64(median(ours))/float64(median(theirs)+scan), "ratio")
		})
	}
}

// BenchmarkHugeFile shows that a file that does not fit is not read whole.
func BenchmarkHugeFile(b *testing.B) {
	ampersat := build(b, "ampersat", ".")
	dir := b.TempDir()
	// Written piece by piece: the peak memory of a child is never less than
	// that of the process that started it.
	file, err := os.Create(filepath.Join(dir, "huge.log"))
	if err != nil {
		b.Fatal(err)
	}
	piece := bytes.Repeat([]byte("2024-01-01 something happened\n"), 1000)
	for range 100 << 20 / len(piece) {
		if _, err := file.Write(piece); err != nil {
			b.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
	var memory int64
	for b.Loop() {
		_, m := once(b, "", ampersat, "context", "--budget", "2000", "-C", dir, "Why does @huge.log end?")
		memory = max(memory, m)
	}
	b.ReportMetric(float64(memory)/(1<<20), "MB-peak")
}
