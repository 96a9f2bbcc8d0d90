package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// states are what a repository can be in the middle of, and the files that
// tell. A cherry-pick may be a step of a rebase.
var states = []struct{ file, what string }{
	{"rebase-merge", "a rebase"}, {"rebase-apply", "a rebase"}, {"MERGE_HEAD", "a merge"},
	{"CHERRY_PICK_HEAD", "a cherry-pick"}, {"REVERT_HEAD", "a revert"},
}

// unmerged returns the files in conflict, and notes what the repository is in
// the middle of. There may be conflicts without that.
func (a *asking) unmerged(ctx context.Context) (paths []string, err error) {
	for _, s := range states {
		if _, err := os.Lstat(filepath.Join(a.gitDir, s.file)); err == nil {
			a.note("%s is in progress", s.what)
			break
		}
	}
	text, err := a.git.output(ctx, 16<<20, "ls-files", "--unmerged", "-z")
	for entry := range strings.SplitSeq(text, "\x00") {
		// Each side of a conflict has an entry; its path is after the tab.
		if _, path, ok := strings.Cut(entry, "\t"); ok {
			paths = append(paths, path)
		}
	}
	return slices.Compact(paths), err
}

// conflicts names the files in conflict, to the model and to people.
func (a *asking) conflicts(paths []string) string {
	const most = 20
	var b strings.Builder
	for i, path := range paths {
		if i == most {
			fmt.Fprintf(&b, "[in conflict: %s more files]\n", thousands(len(paths)-most))
			break
		}
		fmt.Fprintf(&b, "[in conflict: %s]\n", strings.ReplaceAll(path, "\n", "\\n"))
	}
	switch len(paths) {
	case 0:
	case 1:
		a.note("1 file in conflict")
	default:
		a.note("%s files in conflict", thousands(len(paths)))
	}
	return b.String()
}
