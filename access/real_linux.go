package access

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// realPath is the path of an open file without links, by what the kernel knows
// of it: its name may lead elsewhere by now.
func realPath(file *os.File, path string) string {
	conn, err := file.SyscallConn()
	if err != nil {
		return path
	}
	real := ""
	if conn.Control(func(fd uintptr) { real, err = os.Readlink("/proc/self/fd/" + strconv.FormatUint(uint64(fd), 10)) }) == nil &&
		err == nil && filepath.IsAbs(real) && !strings.HasSuffix(real, " (deleted)") {
		return real
	}
	if real, err = filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
