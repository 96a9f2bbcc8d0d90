//go:build unix

package git_test

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// pipe makes a named pipe that nobody writes to.
func pipe(t testing.TB, file string) {
	t.Helper()
	must(t, syscall.Mkfifo(file, 0o644))
}

// alive tells whether a process runs: one that has ended and is not yet
// reaped does not.
func alive(pid string) bool {
	number, err := strconv.Atoi(pid)
	if err != nil || syscall.Kill(number, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
