package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/wording"
)

// maxSubmodules is how many submodules are looked into.
const maxSubmodules = 100

// submodulesTime is how long looking into submodules may take, so that the diff is
// not lost for them.
const submodulesTime = 10 * time.Second

// changedSubmodules returns those of the submodules in which something is changed
// that is not committed there, and notes which could not be looked into. Left is
// how many more may be.
//
// Git would look into them by starting another git there, for which the
// submodule's configuration counts. Here each is a repository like the first, with
// all its programs turned off.
func (a *asking) changedSubmodules(ctx context.Context, paths []string, left *int) (changed []string, err error) {
	limited, cancel := context.WithTimeout(ctx, submodulesTime)
	defer cancel()
	over := 0
	for _, path := range paths {
		if !a.isCheckedOut(path) {
			continue
		}
		if *left == 0 || limited.Err() != nil {
			over++
			continue
		}
		*left--
		sub := &asking{mention: a.mention, dir: a.full(path), git: command{program: a.git.program, dir: a.full(path)}}
		is, err := sub.isChanged(limited, left)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if miss := (*ampersat.Miss)(nil); err != nil && errors.As(sub.explain(err), &miss) {
			a.note("the submodule %s could not be looked into: %s", inLine(path), miss.Reason)
		}
		if is {
			changed = append(changed, path)
		}
	}
	if over > 0 {
		a.note("submodules that were not looked into: %s", wording.Number(over))
	}
	return changed, nil
}

// isCheckedOut tells whether there is a repository where a submodule belongs, and
// no link on the way there.
func (a *asking) isCheckedOut(submodule string) bool {
	for dir := submodule; dir != "." && dir != "/"; dir = path.Dir(dir) {
		if info, err := os.Lstat(a.full(dir)); err != nil || !info.IsDir() {
			return false
		}
	}
	info, err := os.Lstat(filepath.Join(a.full(submodule), ".git"))
	return err == nil && info.Mode().Type() != fs.ModeSymlink
}

// isChanged tells whether a repository has anything that is not committed: in its
// files, in some that are not tracked, or in submodules of its own.
func (a *asking) isChanged(ctx context.Context, left *int) (bool, error) {
	if err := a.open(ctx); err != nil {
		return false, err
	}
	base, err := a.headOrNothing(ctx)
	if err != nil {
		return false, err
	}
	err = a.git.run(ctx, "", drain, "diff", "--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", base, "--")
	if f := (*failure)(nil); errors.As(err, &f) && f.code == 1 {
		return true, nil
	} else if err != nil {
		return false, err
	}
	untracked := false
	err = a.git.run(ctx, "", func(r *bufio.Reader) error {
		_, err := r.ReadByte()
		untracked = err == nil
		return drain(r)
	}, "ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory", "-z")
	if untracked || err != nil {
		return untracked, err
	}
	_, submodules, err := a.indexed(ctx, "--stage")
	if err != nil {
		return false, err
	}
	changed, err := a.changedSubmodules(ctx, submodules, left)
	return len(changed) > 0, err
}

// ownChanges names the submodules that are changed, to the model and to people.
func (a *asking) ownChanges(changed []string) string {
	switch len(changed) {
	case 0:
		return ""
	case 1:
		a.note("1 submodule has changes of its own, which are not shown")
	default:
		a.note("%s submodules have changes of their own, which are not shown", wording.Number(len(changed)))
	}
	var b strings.Builder
	for _, path := range changed { // no more than were looked into
		fmt.Fprintf(&b, "[not shown: the changes in the submodule %s]\n", inLine(path))
	}
	return b.String()
}

// inLine is a path that stays in its line.
func inLine(path string) string { return strings.ReplaceAll(path, "\n", "\\n") }
