package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/internal/wording"
)

// states are what a repository can be in the middle of, and the files that
// tell. A cherry-pick may be a step of a rebase.
var states = []struct{ file, what string }{
	{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase"}, {"MERGE_HEAD", "a merge"},
	{"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"},
}

// progress notes what the repository is in the middle of. There may be conflicts
// without that.
func (a *asking) progress() {
	for _, s := range states {
		if _, err := os.Lstat(filepath.Join(a.gitDir, s.file)); err == nil {
			a.note("%s is in progress", s.what)
			break
		}
	}
}

// indexed lists what the index knows besides files: those in conflict, and the
// submodules, if it is asked for what is staged and not for conflicts alone.
func (a *asking) indexed(ctx context.Context, what string) (unmerged, submodules []string, err error) {
	err = a.git.run(ctx, "", func(r *bufio.Reader) error {
		for {
			entry, err := r.ReadSlice(0)
			if errors.Is(err, bufio.ErrBufferFull) {
				rest, end := r.ReadBytes(0)
				entry, err = append(bytes.Clone(entry), rest...), end
			}
			if errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			// Its mode, its hash and the side of a conflict, or 0, are before the tab.
			tab := bytes.IndexByte(entry, '\t')
			if tab < 1 {
				continue
			}
			isSubmodule := bytes.HasPrefix(entry, []byte("160000 "))
			if entry[tab-1] == '0' && !isSubmodule {
				continue
			}
			path := string(bytes.TrimSuffix(entry[tab+1:], []byte{0}))
			if entry[tab-1] != '0' {
				unmerged = append(unmerged, path)
			} else {
				submodules = append(submodules, path)
			}
		}
	}, "ls-files", what, "-z")
	return slices.Compact(unmerged), submodules, err
}

// conflicts names the files in conflict, to the model and to people.
func (a *asking) conflicts(paths []string) string {
	const most = 20
	var b strings.Builder
	for i, path := range paths {
		if i == most {
			fmt.Fprintf(&b, "[in conflict: %s more files]\n", wording.Number(len(paths)-most))
			break
		}
		fmt.Fprintf(&b, "[in conflict: %s]\n", inLine(path))
	}
	switch len(paths) {
	case 0:
	case 1:
		a.note("1 file in conflict")
	default:
		a.note("%s files in conflict", wording.Number(len(paths)))
	}
	return b.String()
}
