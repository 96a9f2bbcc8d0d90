//go:build unix

package mcp_test

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ampersat/ampersat/mcp"
)

func TestCloseLeavesNoProcess(t *testing.T) {
	t.Parallel()
	s := faulty(t, "starts others")
	c := mcp.New(mcp.Config{Servers: []mcp.Server{s}})
	load(t, c, "faulty", "a:b")
	pid, err := strconv.Atoi(wait(t, s, 1)[0])
	must(t, err)
	if !running(pid) {
		t.Error("what it starts does not run")
	}
	begin := time.Now()
	must(t, c.Close())
	must(t, c.Close())
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	for begin := time.Now(); running(pid); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > 20*time.Second {
			t.Fatal("what it started lives on")
		}
	}
	if _, err := ask(t, c, "faulty", "a:b"); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("afterwards: %v", err)
	}
}

// running tells whether a process does something: one that has ended and that
// nobody has asked about does not.
func running(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
