package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/internal/app"
)

// BenchmarkAsk measures from the start of the program to the first byte of the
// request on the socket, with ten mentions, against "ampersat context" on the
// same prompt with the same profile.
func BenchmarkAsk(b *testing.B) {
	ampersat := build(b, "ampersat", ".")
	home, dir := b.TempDir(), b.TempDir()
	var prompt strings.Builder
	for i := range 10 {
		name := fmt.Sprintf("f%d.txt", i)
		text := strings.Repeat(fmt.Sprintf("line of file %d, which is like the others\n", i), 100)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		prompt.WriteString("@" + name + " ")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	arrived := make(chan time.Time, 1)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			if _, err := connection.Read(make([]byte, 1)); err == nil {
				arrived <- time.Now()
			}
			connection.Close()
		}
	}()
	environment := append(os.Environ(), "HOME="+home, "AMPERSAT_HOME="+filepath.Join(home, ".ampersat"), "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL=http://"+listener.Addr().String()+"/v1")
	run := func(args ...string) (*exec.Cmd, time.Time) {
		command := exec.Command(ampersat, args...)
		command.Dir, command.Env = dir, environment
		start := time.Now()
		if err := command.Start(); err != nil {
			b.Fatal(err)
		}
		return command, start
	}
	var asks, contexts []time.Duration
	var memory int64
	for b.Loop() {
		command, start := run("ask", "--quiet", "--provider", "openai", prompt.String())
		asks = append(asks, (<-arrived).Sub(start))
		memory = max(memory, peakSoFar(b, command.Process.Pid))
		command.Process.Kill() // it would try again
		command.Wait()
		command, start = run("context", "--quiet", "--profile", app.DefaultProfile, prompt.String())
		if err := command.Wait(); err != nil {
			b.Fatal(err)
		}
		contexts = append(contexts, time.Since(start))
	}
	b.ReportMetric(milliseconds(median(asks)), "ms-to-request")
	b.ReportMetric(milliseconds(median(contexts)), "ms-context")
	b.ReportMetric(float64(median(asks))/float64(median(contexts)), "ratio")
	b.ReportMetric(megabytes(memory), "MB-peak")
}

// peakSoFar returns how many bytes of memory a process that runs has had at its
// peak.
func peakSoFar(b *testing.B, pid int) int64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes int64
	if _, err := fmt.Sscanf(line, "%d kB", &kilobytes); err != nil {
		b.Fatalf("the memory that process %d had: %v", pid, err)
	}
	return kilobytes << 10
}
