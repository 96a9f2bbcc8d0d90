package tool

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
)

// endMarked kills the processes that have a setting in their environment. It
// finds those that left the group of the command that started them, as daemons
// do. New ones may be started while it looks, so it looks until there are none.
func endMarked(mark string) {
	const rounds = 20
	for range rounds {
		found := marked(mark)
		if len(found) == 0 {
			return
		}
		for _, pid := range found {
			// If it has ended meanwhile, all the better.
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// marked returns the processes that have a setting in the environment that they
// were started with.
func marked(mark string) []int {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil
	}
	setting := append([]byte(mark), 0)
	var found []int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		// Those of others cannot be read, and are not ours.
		env, err := os.ReadFile("/proc/" + name + "/environ")
		if err != nil {
			continue
		}
		if bytes.HasPrefix(env, setting) || bytes.Contains(env, append([]byte{0}, setting...)) {
			found = append(found, pid)
		}
	}
	return found
}
