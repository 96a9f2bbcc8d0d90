package collection

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ampersat/ampersat/internal/process"
	"github.com/ampersat/ampersat/internal/terminal"
)

// repository is a bare one, made for one fetch and removed after it.
type repository struct {
	program, dir string
	// protocol is the only one that is spoken.
	protocol string
	// quiet says that ssh must not ask anybody anything.
	quiet bool
}

// clone stages the files of a repository, as they are in it: nothing is checked
// out, so that no hook, filter or submodule has an occasion to run.
func (l *Library) clone(ctx context.Context, s source, into *staging) (commit string, err error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return "", errors.New("git is not installed, and only it reads repositories")
	}
	dir, err := os.MkdirTemp("", "ampersat-collection-")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	ctx, cancel := context.WithTimeoutCause(ctx, l.limits.Time, fmt.Errorf("it took longer than %v", l.limits.Time))
	defer cancel()
	r := &repository{program: program, dir: dir, protocol: protocolOf(s.at)}
	ctx, stop := r.watch(ctx, l.limits.Repository)
	defer stop()
	if _, err := r.run(ctx, nil, "init", "--quiet", "--bare", "--template=", "."); err != nil {
		return "", err
	}
	if commit, err = r.fetch(ctx, s); err != nil {
		return "", err
	}
	return commit, r.export(ctx, commit, s.subfolder, into)
}

// protocolOf is how git reaches an address.
func protocolOf(address string) string {
	if u, err := url.Parse(address); err == nil && strings.Contains(address, "://") {
		return u.Scheme
	}
	return "ssh"
}

const fetched = "refs/collection"

// fetch gets a version of a repository and returns its commit. No more of the
// history comes with it than is needed.
func (r *repository) fetch(ctx context.Context, s source) (string, error) {
	ref := s.ref
	if ref == "" {
		ref = "HEAD"
	}
	if r.protocol == "ssh" && os.Getenv("GIT_SSH")+os.Getenv("GIT_SSH_COMMAND") == "" {
		_, err := r.run(ctx, nil, "config", "--get", "core.sshCommand")
		r.quiet = err != nil // the person has no command of their own
	}
	get := func(depth []string, refs ...string) error {
		args := append([]string{"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head"}, depth...)
		_, err := r.run(ctx, nil, append(append(args, "--", s.at), refs...)...)
		return err
	}
	want := fetched
	if err := get([]string{"--depth=1"}, "+"+ref+":"+fetched); err != nil {
		// A server need not give out a commit by its name.
		if !isCommit(ref) || context.Cause(ctx) != nil {
			return "", err
		}
		if err := get(nil, "+refs/heads/*:refs/all/heads/*", "+refs/tags/*:refs/all/tags/*"); err != nil {
			return "", err
		}
		want = ref
	}
	commit, err := r.run(ctx, nil, "rev-parse", "--quiet", "--verify", "--end-of-options", want+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("there is no commit %s in it", ref)
	}
	return strings.TrimSpace(commit), nil
}

func isCommit(ref string) bool {
	return len(ref) >= 7 && len(ref) <= 64 && strings.Trim(ref, "0123456789abcdefABCDEF") == ""
}

// export stages the files of a commit. The attributes in it may name filters;
// with no configuration to say what these are, there are none.
func (r *repository) export(ctx context.Context, commit, subfolder string, into *staging) error {
	args := []string{"archive", "--format=tar", commit}
	if subfolder != "" {
		args = append(args, "--", subfolder)
	}
	_, err := r.run(ctx, func(tar io.Reader) error { return unpackTar(ctx, tar, into) }, args...)
	return err
}

// run starts git. What it says is returned, or given to read.
func (r *repository) run(ctx context.Context, read func(io.Reader) error, args ...string) (said string, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	harmless := []string{
		"--no-pager", "--literal-pathspecs",
		"-c", "core.hooksPath=" + os.DevNull,
		"-c", "core.fsmonitor=false",
		"-c", "core.attributesFile=" + os.DevNull,
		"-c", "core.askPass=",
		"-c", "credential.interactive=false",
		"-c", "gc.auto=0", "-c", "maintenance.auto=false",
		"-c", "submodule.recurse=false", "-c", "fetch.recurseSubmodules=false",
		"-c", "fetch.writeCommitGraph=false",
	}
	cmd := exec.CommandContext(ctx, r.program, append(harmless, args...)...)
	cmd.Dir, cmd.Env = r.dir, r.environment(args[0])
	cmd.WaitDelay = time.Second
	process.Alone(cmd)
	var complaints complaints
	cmd.Stderr = &complaints
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	// Killing git ends its output, unless something it started lives on with it.
	stop := context.AfterFunc(ctx, func() { stdout.Close() })
	if read == nil {
		read = func(from io.Reader) error {
			text, err := io.ReadAll(io.LimitReader(from, 1<<16))
			said = string(text)
			return err
		}
	}
	readErr := read(stdout)
	if readErr == nil {
		// Padding after the end of an archive.
		_, readErr = io.Copy(io.Discard, stdout)
	}
	stop()
	cause := context.Cause(ctx)
	if readErr != nil {
		cancel()
	}
	waitErr := cmd.Wait()
	switch said := complaints.String(); {
	case cause != nil:
		return "", cause
	case waitErr != nil && said != "" && (readErr == nil || strings.Contains(said, "fatal: ")):
		return "", fmt.Errorf("git %s: %s", args[0], said)
	case readErr != nil:
		return "", readErr
	case waitErr != nil:
		return "", fmt.Errorf("git %s: %w", args[0], waitErr)
	}
	return said, nil
}

// complaints is the beginning of what git complains about.
type complaints struct{ text []byte }

// Write implements [io.Writer]. It never fails.
func (c *complaints) Write(text []byte) (int, error) {
	c.text = append(c.text, text[:min(len(text), 16<<10-len(c.text))]...)
	return len(text), nil
}

// String is what went wrong: the lines up to the one that ended it, without the
// advice after that.
func (c *complaints) String() string {
	var said []string
	for line := range strings.Lines(string(c.text)) {
		line = terminal.Show(strings.TrimSpace(line))
		if line != "" {
			said = append(said, line)
		}
		if strings.HasPrefix(line, "fatal: ") {
			break
		}
	}
	said = said[max(0, len(said)-3):]
	return strings.Join(said, "; ")
}

// environment is what git sees. To fetch it may use what the person has set up
// to reach repositories; apart from that it has no configuration.
func (r *repository) environment(command string) []string {
	set := map[string]string{
		"LC_ALL": "C", "GIT_DIR": r.dir, "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0",
		"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": r.protocol, "GIT_ASKPASS": "", "SSH_ASKPASS_REQUIRE": "never",
	}
	if command != "fetch" && command != "config" {
		set["GIT_CONFIG_GLOBAL"], set["GIT_CONFIG_NOSYSTEM"] = os.DevNull, "1"
		set["GIT_ALLOW_PROTOCOL"] = "none"
		return process.Environment(set)
	}
	for _, name := range []string{
		"SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH",
		"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM",
	} {
		if value, ok := os.LookupEnv(name); ok {
			set[name] = value
		}
	}
	if r.quiet {
		set["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes"
	}
	return process.Environment(set)
}

// watch ends the work on a repository that takes too much room.
func (r *repository) watch(ctx context.Context, most int64) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if diskSize(r.dir) > most {
				cancel(fmt.Errorf("the repository has more than %s", size(most)))
				return
			}
		}
	}()
	return ctx, func() {
		cancel(nil)
		<-done
	}
}

// diskSize is about how much is in a folder. Files may come and go meanwhile.
func diskSize(dir string) (total int64) {
	// What cannot be looked at is gone, and has no size.
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
