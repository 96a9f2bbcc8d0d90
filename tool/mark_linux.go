package tool

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// end kills the processes that have the mark in their environment. It finds
// those that left the group of the command that started them, as daemons do. New
// ones may be started while it looks, so it looks until there are none.
func (m mark) end() {
	const rounds, pause = 100, 2 * time.Millisecond
	for range rounds {
		marked, undecided := m.find()
		for _, pid := range marked {
			// If it has ended meanwhile, all the better.
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		switch {
		case len(marked) > 0:
		case undecided:
			time.Sleep(pause)
		default:
			return
		}
	}
}

// find returns the processes that were started with the mark. Undecided says
// that there are some, begun since, of which it cannot be told yet: while a
// process becomes another program it has no environment at all.
func (m mark) find() (marked []int, undecided bool) {
	folder, err := os.Open("/proc")
	if err != nil {
		return nil, false
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	if err != nil {
		return nil, false
	}
	setting := []byte(m.setting() + "\x00")
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		// Those of others cannot be read, and are not ours.
		env, err := os.ReadFile("/proc/" + name + "/environ")
		switch {
		case err != nil:
		case bytes.HasPrefix(env, setting) || bytes.Contains(env, append([]byte{0}, setting...)):
			marked = append(marked, pid)
		case len(env) == 0:
			began, runs := beganAt(pid)
			undecided = undecided || runs && began >= m.since
		}
	}
	return marked, undecided
}

// beganAt tells when a process began, in the clock of the system, and whether it
// still runs.
func beganAt(pid int) (ticks uint64, runs bool) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	// The name of the program stands in brackets, and may hold anything.
	_, after, _ := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
	fields := strings.Fields(after)
	const state, start = 0, 19
	if len(fields) <= start {
		return 0, false
	}
	ticks, err = strconv.ParseUint(fields[start], 10, 64)
	return ticks, err == nil && fields[state] != "Z" && fields[state] != "X"
}
