package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
)

// repository is where a folder belongs.
type repository struct {
	top     string // of the work tree
	gitDir  string // of this work tree, if there are several
	shallow bool
}

// open finds the repository, checks that its work tree is where it lies, and
// learns which filters there are to be turned off.
func (a *asking) open(ctx context.Context) error {
	text, err := a.git.line(ctx, "rev-parse", "--path-format=absolute",
		"--show-toplevel", "--absolute-git-dir", "--is-shallow-repository")
	if err != nil {
		return err
	}
	lines := strings.Split(text, "\n")
	if len(lines) != 3 {
		return a.miss(ampersat.Failed, nil, "the path of the repository has a line break in it")
	}
	a.repository = repository{top: filepath.FromSlash(lines[0]), gitDir: filepath.FromSlash(lines[1]), shallow: lines[2] == "true"}
	if err := a.standsHere(); err != nil {
		return a.miss(ampersat.Blocked, err, "the repository claims a work tree that is not its own: %v", err)
	}
	a.git.dir = a.top
	if a.git.filters, err = a.filters(ctx); err != nil {
		return err
	}
	return nil
}

// standsHere returns an error unless the work tree's own .git leads to the
// repository. With core.worktree a repository could call any folder its work
// tree, and all that lies there untracked.
func (r repository) standsHere() error {
	link := filepath.Join(r.top, ".git")
	own, err := os.Stat(link)
	if err != nil {
		return fmt.Errorf("there is no .git in %s", r.top)
	}
	if own.Mode().IsRegular() { // of a submodule, or of one work tree of several
		if link, err = leadsTo(link); err != nil {
			return err
		}
		if own, err = os.Stat(link); err != nil {
			return err
		}
	}
	used, err := os.Stat(r.gitDir)
	if err != nil {
		return err
	}
	if !os.SameFile(own, used) {
		return fmt.Errorf("%s belongs to another one", r.top)
	}
	return nil
}

// leadsTo returns where a .git that is a file says that the repository is.
func leadsTo(link string) (string, error) {
	text, err := readRegular(link, maxSaid)
	if err != nil {
		return "", err
	}
	to, ok := bytes.CutPrefix(bytes.TrimRight(text, "\r\n"), []byte("gitdir: "))
	if !ok {
		return "", fmt.Errorf("%s leads nowhere", link)
	}
	repository := filepath.FromSlash(string(to))
	if !filepath.IsAbs(repository) {
		repository = filepath.Join(filepath.Dir(link), repository)
	}
	return repository, nil
}

// filters returns the names of all filters in any configuration.
func (a *asking) filters(ctx context.Context) ([]string, error) {
	text, err := a.git.output(ctx, 1<<20, "config", "-z", "--name-only", "--get-regexp", `^filter\.`)
	if f := (*failure)(nil); errors.As(err, &f) && f.code == 1 && f.said == "" {
		return nil, nil // none
	}
	if errors.Is(err, errTooLong) {
		return nil, a.miss(ampersat.Blocked, err, "the configuration has too many filters to turn them off")
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for key := range strings.SplitSeq(text, "\x00") {
		key = strings.TrimPrefix(key, "filter.")
		if dot := strings.LastIndexByte(key, '.'); dot >= 0 {
			names = append(names, key[:dot])
		}
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > maxFilters {
		return nil, a.miss(ampersat.Blocked, nil, "the configuration has too many filters to turn them off")
	}
	return names, nil
}

// explain makes a miss of what git said.
func (a *asking) explain(err error) error {
	if miss := (*ampersat.Miss)(nil); errors.As(err, &miss) {
		return err
	}
	f := (*failure)(nil)
	if !errors.As(err, &f) {
		return a.miss(ampersat.Failed, err, "%v", err)
	}
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(f.said, w) })
	}
	switch {
	case says("not a git repository"):
		if damage := damaged(a.dir); damage != "" {
			return a.miss(ampersat.Failed, err, "%s", damage)
		}
		return &ampersat.Miss{Mention: a.mention, Outcome: ampersat.Missing, Reason: "not in a git repository", Looked: []string{a.dir}, Err: err}
	case says("dubious ownership", "unsafe repository"):
		path := a.dir
		if _, rest, ok := strings.Cut(f.said, "'"); ok {
			path, _, _ = strings.Cut(rest, "'")
		}
		return a.miss(ampersat.Blocked, err, "the repository %s belongs to somebody else; if you trust it: git config --global --add safe.directory '%s'", path, path)
	case says("cannot use bare repository", "must be run in a work tree"):
		return a.miss(ampersat.Failed, err, "%s is a bare repository, or the inside of one, which is not read: one can be hidden among ordinary files; work in a clone of it", a.dir)
	case says("promisor", "lazy fetch", "transport '"):
		return a.miss(ampersat.Failed, err, "this clone is not complete, and what it lacks is not fetched: %s", f.reason())
	}
	return a.miss(ampersat.Failed, err, "%v", f)
}

// readRegular reads a file that is one, and not longer than max. No pipe makes
// it wait.
func readRegular(path string, max int64) ([]byte, error) {
	file, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, max+1))
	if err == nil && int64(len(text)) > max {
		err = fmt.Errorf("read %s: more than %d bytes", path, max)
	}
	return text, err
}

func openRegular(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, errors.Join(err, fmt.Errorf("open %s: not a regular file", path))
	}
	return file, nil
}
