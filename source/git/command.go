package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/ampersat/ampersat/internal/process"
)

// command runs git in a folder.
type command struct {
	program string
	dir     string
	filters []string // the names of all filters, each of which is turned off
	// env is added to the environment.
	env []string
}

const (
	// maxSaid is how much of what git complains about is kept.
	maxSaid = 64 << 10
	// maxFilters is how many filters can be turned off: each takes room in the
	// environment, of which there is not much.
	maxFilters = 500
)

// harmless is what git is told first. A repository's own configuration may
// name programs; none of these commands is to run any of them.
var harmless = []string{
	"--no-pager",
	"--literal-pathspecs",
	"-c", "core.quotepath=off",
	"-c", "core.fsmonitor=false", // a program, asked for what has changed
	"-c", "core.hooksPath=" + os.DevNull,
	"-c", "safe.bareRepository=explicit", // no repository hidden among ordinary files
	"-c", "submodule.recurse=false",
	"-c", "log.showSignature=false", // checked by a program
	"-c", "core.splitIndex=false", // its shared part would be written beside the index
	"-c", "diff.suppressBlankEmpty=false",
}

// filtersOff are the settings by which no filter has a program. They are given
// in the environment because a filter's name may have any character in it.
func filtersOff(names []string) []string {
	var env []string
	count := 0
	set := func(key, value string) {
		n := strconv.Itoa(count)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+key, "GIT_CONFIG_VALUE_"+n+"="+value)
		count++
	}
	for _, name := range names {
		for _, what := range []string{"clean", "smudge", "process"} {
			set("filter."+name+"."+what, "")
		}
		set("filter."+name+".required", "false")
	}
	return append(env, "GIT_CONFIG_COUNT="+strconv.Itoa(count))
}

// failure is what git said when it failed.
type failure struct {
	command string
	code    int
	said    string
	err     error
}

func (f *failure) Error() string { return "git " + f.command + ": " + f.reason() }
func (f *failure) Unwrap() error { return f.err }

// noFolder says that there is no folder to run git in.
type noFolder struct {
	dir string
	err error
}

func (n *noFolder) Error() string { return "there is no folder " + n.dir }
func (n *noFolder) Unwrap() error { return n.err }

// reason is the line that tells most: the first that is an error.
func (f *failure) reason() string {
	lines := strings.FieldsFunc(f.said, func(r rune) bool { return r == '\n' })
	for _, prefix := range []string{"fatal: ", "error: "} {
		for _, line := range lines {
			if rest, ok := strings.CutPrefix(line, prefix); ok {
				return rest
			}
		}
	}
	if len(lines) > 0 {
		return lines[0]
	}
	return f.err.Error()
}

// run starts git and hands its output to read. If it fails, the error is a
// [*failure], or the cause for which the context ended.
func (c command) run(ctx context.Context, input string, read func(*bufio.Reader) error, args ...string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.program, append(harmless[:len(harmless):len(harmless)], args...)...)
	cmd.Dir = c.dir
	cmd.Env = append(append(process.GitEnvironment(os.Environ()), filtersOff(c.filters)...), c.env...)
	cmd.Stdin = strings.NewReader(input)
	cmd.WaitDelay = time.Second
	process.Alone(cmd)
	said := &head{max: maxSaid}
	cmd.Stderr = said
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		// The system says that git is not there if its folder is not.
		if info, statErr := os.Stat(c.dir); c.dir != "" && (statErr != nil || !info.IsDir()) {
			return &noFolder{c.dir, err}
		}
		return &failure{command: args[0], err: err}
	}
	// Killing git ends its output, unless something it started lives on with it.
	stop := context.AfterFunc(ctx, func() { stdout.Close() })
	readErr := read(bufio.NewReaderSize(stdout, 64<<10))
	stop()
	cause := context.Cause(ctx)
	if readErr != nil {
		cancel()
	}
	waitErr := cmd.Wait()
	switch {
	case cause != nil:
		return cause
	case readErr != nil:
		return fmt.Errorf("git %s: %w", args[0], readErr)
	case waitErr != nil:
		// It may have ended between the reading and the waiting.
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return &failure{command: args[0], code: cmd.ProcessState.ExitCode(), said: said.String(), err: waitErr}
	}
	return nil
}

// output returns all that git says, which must not be longer than max.
func (c command) output(ctx context.Context, max int, args ...string) (string, error) {
	var text []byte
	err := c.run(ctx, "", func(r *bufio.Reader) (err error) {
		text, err = io.ReadAll(io.LimitReader(r, int64(max)+1))
		if err == nil && len(text) > max {
			err = errTooLong
		}
		return err
	}, args...)
	return string(text), err
}

// line is output for a short answer, without the newline at its end.
func (c command) line(ctx context.Context, args ...string) (string, error) {
	text, err := c.output(ctx, maxSaid, args...)
	return strings.TrimSuffix(text, "\n"), err
}

var errTooLong = errors.New("its answer is too long")

// head keeps the beginning of what is written to it.
type head struct {
	bytes.Buffer
	max int
}

func (h *head) Write(text []byte) (int, error) {
	h.Buffer.Write(text[:min(len(text), h.max-h.Len())])
	return len(text), nil
}
