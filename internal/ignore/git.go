package ignore

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ampersat/ampersat/internal/process"
)

// git runs the program of that name in repositories that nobody vouches for.
type git struct {
	program string
	timeout time.Duration
}

const (
	defaultTimeout = 10 * time.Second
	// maxStderr is how much of what git complains about is kept.
	maxStderr = 64 << 10
	// maxGitPath is the longest path that git is believed, in bytes.
	maxGitPath = 64 << 10
)

// findGit returns nil if there is no git. One that PATH finds only in the
// current folder counts as none.
func findGit(timeout time.Duration) *git {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil
	}
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	return &git{program: program, timeout: timeout}
}

// harmless is what git is told first. A repository's own configuration may
// name programs; none of these commands is to run any of them.
var harmless = []string{
	"--no-pager",
	"-c", "core.quotepath=off",
	"-c", "core.fsmonitor=false", // a program, asked for what has changed
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "protocol.allow=never", // no fetching of what a partial clone lacks: that starts the remote's programs
	"-c", "safe.bareRepository=explicit", // no repository hidden among ordinary files
	"-c", "submodule.recurse=false",
}

// run starts git in a folder and hands its output to read, which may stop early
// with errEnough. It returns the lines that git complained with.
func (g *git) run(ctx context.Context, dir string, input string, read func(*bufio.Reader) error, args ...string) (complaints []string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, g.timeout, fmt.Errorf("no end within %v", g.timeout))
	defer cancel()
	defer func() {
		if err != nil {
			if cause := context.Cause(ctx); cause != nil {
				err = cause
			}
			err = fmt.Errorf("git %s: %w", args[0], err)
		}
	}()
	cmd := exec.CommandContext(ctx, g.program, append(harmless[:len(harmless):len(harmless)], args...)...)
	cmd.Dir, cmd.Env = dir, process.GitEnvironment(os.Environ())
	cmd.Stdin = strings.NewReader(input)
	cmd.WaitDelay = time.Second
	process.Alone(cmd)
	stderr := &head{max: maxStderr}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	// Killing git ends its output, unless something it started lives on with it.
	stop := context.AfterFunc(ctx, func() { stdout.Close() })
	readErr := read(bufio.NewReaderSize(stdout, maxGitPath))
	stop()
	if readErr != nil {
		cancel()
	}
	waitErr := cmd.Wait()
	switch {
	case errors.Is(readErr, errEnough):
		return stderr.lines(), nil
	case readErr != nil:
		return nil, readErr
	case waitErr != nil:
		if said := stderr.lines(); len(said) > 0 {
			return nil, fmt.Errorf("%w: %s", waitErr, said[0])
		}
		return nil, waitErr
	}
	return stderr.lines(), nil
}

// errEnough ends the reading of git's output before its end.
var errEnough = errors.New("enough")

// each reads fields that end in a zero byte.
func each(r *bufio.Reader, field func(string) error) error {
	for {
		text, err := r.ReadSlice(0)
		switch {
		case err == io.EOF && len(text) == 0:
			return nil
		case err == io.EOF:
			return io.ErrUnexpectedEOF
		case err != nil:
			return err
		}
		if err := field(string(text[:len(text)-1])); err != nil {
			return err
		}
	}
}

// hiddenBy asks which of the paths the rules of a repository hide, tracked or
// not. The paths are relative to dir; so are the rules' files, except for those
// outside.
func (g *git) hiddenBy(ctx context.Context, dir string, paths []string) (map[string]Rule, error) {
	hidden := map[string]Rule{}
	var fields []string
	read := func(r *bufio.Reader) error {
		return each(r, func(field string) error {
			if fields = append(fields, field); len(fields) < 4 {
				return nil
			}
			line, err := strconv.Atoi(fields[1])
			if err != nil {
				return fmt.Errorf("line number %q", fields[1])
			}
			if !strings.HasPrefix(fields[2], "!") {
				hidden[strings.TrimPrefix(fields[3], "./")] = Rule{File: filepath.ToSlash(fields[0]), Line: line, Pattern: fields[2]}
			}
			fields = fields[:0]
			return nil
		})
	}
	var input strings.Builder
	for _, file := range paths {
		input.WriteString("./" + file + "\x00") // a leading colon would be magic
	}
	_, err := g.run(ctx, dir, input.String(), read, "check-ignore", "--no-index", "-v", "-z", "--stdin")
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // none of them
	}
	return hidden, err
}

// hiddenOnWay is hiddenBy for paths each of which is a folder above the next,
// less what is tracked and folders in which something is.
func (g *git) hiddenOnWay(ctx context.Context, top string, paths []string) (map[string]Rule, error) {
	hidden, err := g.hiddenBy(ctx, top, paths)
	if err != nil {
		return nil, err
	}
	// Whether one is tracked check-ignore would find out by taking the paths
	// for globs, so it is asked apart.
	for _, file := range paths {
		if _, is := hidden[file]; !is {
			continue
		}
		tracked := false
		first := func(r *bufio.Reader) error {
			return each(r, func(string) error { tracked = true; return errEnough })
		}
		if _, err := g.run(ctx, top, "", first, "ls-files", "-c", "-z", "--", ":(top,literal)"+file); err != nil {
			return nil, err
		}
		if !tracked {
			break // and so is nothing below it
		}
		delete(hidden, file)
	}
	return hidden, nil
}

// head keeps the beginning of what is written to it.
type head struct {
	bytes.Buffer
	max int
}

func (h *head) Write(text []byte) (int, error) {
	h.Buffer.Write(text[:min(len(text), h.max-h.Len())])
	return len(text), nil
}

func (h *head) lines() []string {
	return strings.FieldsFunc(h.String(), func(r rune) bool { return r == '\n' })
}
