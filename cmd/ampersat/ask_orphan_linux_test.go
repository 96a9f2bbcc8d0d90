package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// The program is killed while a command of the model runs. The command ends too.
func TestACommandDoesNotOutliveAsk(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		calls(out, "shell", `{"command":"echo $$ > began.tmp && mv began.tmp began && exec sleep 600"}`)
	})
	p := newPerson(t, server.URL)
	killed := p.start("ask", "--profile", "dev", "--permissions", "all", "wait")
	var command int
	within(t, "the command does not begin", func() bool {
		text, err := os.ReadFile(filepath.Join(p.dir, "began"))
		if err != nil {
			return false
		}
		command, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	within(t, "the command lives on", func() bool { return hasEnded(command) })
}

// hasEnded reports whether a process is gone, or nobody has noticed yet that it is.
func hasEnded(process int) bool {
	if syscall.Kill(process, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(process) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}
