package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/access"
)

// The benchmarks run the built program and, turn about, a program to compare
// it with, and report the median of both: figures that hold on any machine.

// build builds a program as it is released, and copies it as it is installed:
// what a linker leaves in the page cache lies there in single pages, and a large
// program starts half a millisecond later from it than from any other copy.
func build(b *testing.B, name, path string) string {
	b.Helper()
	linked, installed := filepath.Join(b.TempDir(), name), filepath.Join(b.TempDir(), name)
	command := exec.Command("go", "build", "-o", linked, path)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		b.Fatalf("build %s: %v\n%s", path, err, out)
	}
	if err := install(linked, installed); err != nil {
		b.Fatal(err)
	}
	return installed
}

// install copies a program.
func install(linked, installed string) error {
	from, err := os.Open(linked)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(installed, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}

// cost is what one run of a program took: time, and the processors' time.
type cost struct{ time, work time.Duration }

// once runs a program.
func once(b *testing.B, stdin, binary string, args ...string) cost {
	b.Helper()
	command := exec.Command(binary, args...)
	command.Stdin, command.Stdout = strings.NewReader(stdin), io.Discard
	var errs bytes.Buffer
	command.Stderr = &errs
	start := time.Now()
	if err := command.Run(); err != nil {
		b.Fatalf("%s: %v\n%s", binary, err, errs.String())
	}
	took, state := time.Since(start), command.ProcessState
	return cost{took, state.UserTime() + state.SystemTime()}
}

// peak runs a program and returns how many bytes of memory it had at its peak. It
// takes testdata/launch to measure that.
func peak(b *testing.B, launch, binary string, args ...string) int64 {
	b.Helper()
	told, tell, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	defer told.Close()
	command := exec.Command(launch, append([]string{binary}, args...)...)
	command.Stdout, command.ExtraFiles = io.Discard, []*os.File{tell}
	var errs bytes.Buffer
	command.Stderr = &errs
	err = errors.Join(command.Run(), tell.Close())
	if err != nil {
		b.Fatalf("%s: %v\n%s", binary, err, errs.String())
	}
	var memory int64
	if _, err := fmt.Fscan(told, &memory); err != nil {
		b.Fatalf("%s: the memory that it had: %v", binary, err)
	}
	return memory
}

// megabytes is how benchmarks report memory.
func megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// milliseconds is how benchmarks report times.
func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func BenchmarkStart(b *testing.B) {
	ampersat, empty, launch := build(b, "ampersat", "."), build(b, "empty", "./testdata/empty"), build(b, "launch", "./testdata/launch")
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("alpha\n"), 0o644); err != nil {
		b.Fatal(err)
	}
	for name, args := range map[string][]string{
		"find": {"find", "Explain @a.md"}, "context": {"context", "-C", dir, "Explain @a.md"},
	} {
		b.Run(name, func(b *testing.B) {
			var ours, theirs []time.Duration
			var memory, theirMemory int64
			for b.Loop() {
				ours = append(ours, once(b, "", ampersat, args...).time)
				theirs = append(theirs, once(b, "", empty).time)
				memory, theirMemory = max(memory, peak(b, launch, ampersat, args...)), max(theirMemory, peak(b, launch, empty))
			}
			b.ReportMetric(milliseconds(median(ours)-median(theirs)), "ms-over-empty")
			b.ReportMetric(megabytes(memory), "MB-peak")
			b.ReportMetric(megabytes(theirMemory), "MB-peak-of-empty")
		})
	}
}

// BenchmarkContext mentions many files of 4 KB. The program that it is compared
// with reads and hashes them; the secret scan is added to that at its own rate.
//
// The ratio after the start takes off of both what one file takes, so that it tells
// what a mention costs; BenchmarkStart has the rest.
func BenchmarkContext(b *testing.B) {
	ampersat, readhash := build(b, "ampersat", "."), build(b, "readhash", "./testdata/readhash")
	for _, count := range []int{100, 1000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			dir := b.TempDir()
			one := b.TempDir()
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
			if err := os.WriteFile(filepath.Join(one, "f0000.txt"), all[:4096], 0o644); err != nil {
				b.Fatal(err)
			}
			var ours, ourStart, ourWork, theirs, theirStart, theirWork, scans []time.Duration
			for b.Loop() {
				start := time.Now()
				access.Scan("all.txt", all)
				scans = append(scans, time.Since(start))
				run := once(b, prompt.String(), ampersat, "context", "--json", "--budget", "10000000", "-C", dir, "-")
				ours, ourWork = append(ours, run.time), append(ourWork, run.work)
				run = once(b, "", readhash, dir)
				theirs, theirWork = append(theirs, run.time), append(theirWork, run.work)
				ourStart = append(ourStart, once(b, "@f0000.txt ", ampersat, "context", "--json", "--budget", "10000000", "-C", one, "-").time)
				theirStart = append(theirStart, once(b, "", readhash, one).time)
			}
			floor := median(theirs) + median(scans)
			b.ReportMetric(milliseconds(median(ours)), "ms")
			b.ReportMetric(milliseconds(floor), "ms-readhash-scan")
			b.ReportMetric(float64(median(ours)-median(ourStart))/float64(floor-median(theirStart)), "ratio-after-start")
			b.ReportMetric(float64(median(ours))/float64(floor), "ratio")
			// What that would be on one processor, and on a busy machine about is.
			b.ReportMetric(float64(median(ourWork))/float64(median(theirWork)+median(scans)), "work-ratio")
		})
	}
}

// BenchmarkHugeFile shows that a file that does not fit is not read whole.
func BenchmarkHugeFile(b *testing.B) {
	ampersat, launch := build(b, "ampersat", "."), build(b, "launch", "./testdata/launch")
	dir := b.TempDir()
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
		memory = max(memory, peak(b, launch, ampersat, "context", "--budget", "2000", "-C", dir, "Why does @huge.log end?"))
	}
	b.ReportMetric(megabytes(memory), "MB-peak")
}
