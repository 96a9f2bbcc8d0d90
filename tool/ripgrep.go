package tool

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// maxArguments is how many bytes of names one command is given.
const maxArguments = 256 << 10

// batchSize is how many of the files fit into one command.
func batchSize(files []string) int {
	bytes := 0
	for i, name := range files {
		if bytes += len(name) + len("./") + 1; bytes > maxArguments {
			return max(i, 1)
		}
	}
	return len(files)
}

// candidates asks ripgrep which of some files have lines that match. It is only
// asked for names: the lines are found here, so that the result does not depend
// on who looked. What ripgrep cannot do is done without it.
func (s *scan) candidates(ctx context.Context, program string, files []string) ([]string, error) {
	arguments := []string{
		"--no-config", // no file of options, which could name programs to run
		"--files-with-matches", "--null", "--no-messages", "--color=never", "--no-follow",
		"--no-ignore", "--hidden", // which files count was decided before
		"--regexp=" + s.pattern.foreign, "--",
	}
	options := len(arguments)
	named := map[string]bool{}
	for _, name := range files {
		// Of a file that it is given by name ripgrep reads all, be it ten gigabytes
		// of zeros.
		if info, err := os.Lstat(filepath.Join(s.base, filepath.FromSlash(name))); err == nil && info.Size() > maxFile {
			named[name] = true
			continue
		}
		arguments = append(arguments, "./"+name)
	}
	if len(arguments) == options {
		return files, nil // without any name it would look around by itself
	}
	cmd := exec.CommandContext(ctx, program, arguments...)
	cmd.Dir = s.base
	cmd.Env = withoutSecrets(s.Environ())
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	cmd.Cancel = func() error { return endGroup(cmd, syscall.SIGKILL) }
	output, err := cmd.Output()
	var failed *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil && !(errors.As(err, &failed) && failed.ExitCode() == 1): // 1: there are none
		return files, nil
	}
	for name := range bytes.SplitSeq(output, []byte{0}) {
		named[strings.TrimPrefix(string(name), "./")] = true
	}
	var candidates []string
	for _, name := range files {
		if named[name] {
			candidates = append(candidates, name)
		}
	}
	return candidates, nil
}

// isGone reports whether a file has gone since it was listed.
func isGone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
