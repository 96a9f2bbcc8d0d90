package git

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
)

// resolve returns the hash of the commit that a ref names.
func (a *asking) resolve(ctx context.Context, ref string) (hash string, err error) {
	if strings.HasPrefix(ref, "-") {
		return "", a.miss(ampersat.Blocked, nil, "%q is an option, not a ref", ref)
	}
	if ref == "" || strings.ContainsFunc(ref, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", a.miss(ampersat.Missing, nil, "%q is not a ref", ref)
	}
	hash, err = a.git.line(ctx, "rev-parse", "--verify", "--end-of-options", ref+"^{commit}")
	f := (*failure)(nil)
	if !errors.As(err, &f) || f.code < 0 {
		return hash, err
	}
	if strings.Contains(f.said, "is ambiguous") {
		return "", a.miss(ampersat.Missing, err, "%q is short for several commits", ref)
	}
	if strings.Contains(f.said, "promisor") {
		return "", err
	}
	if unborn, err := a.unborn(ctx); err != nil {
		return "", err
	} else if unborn && ref == "HEAD" {
		return "", a.miss(ampersat.Missing, f, "there are no commits yet")
	}
	near, nearErr := a.near(ctx, ref)
	if nearErr != nil {
		return "", nearErr
	}
	switch {
	case len(near) > 0:
		return "", a.miss(ampersat.Missing, err, "unknown ref %q; similar: %s", ref, strings.Join(near, ", "))
	case a.shallow:
		return "", a.miss(ampersat.Missing, err, "unknown ref %q in this shallow clone; git fetch --unshallow gets the rest", ref)
	}
	return "", a.miss(ampersat.Missing, err, "unknown ref %q", ref)
}

// headOrNothing returns HEAD, or the empty tree before the first commit.
func (a *asking) headOrNothing(ctx context.Context) (hash string, err error) {
	hash, err = a.git.line(ctx, "rev-parse", "--verify", "--end-of-options", "HEAD^{commit}")
	if f := (*failure)(nil); !errors.As(err, &f) || f.code < 0 {
		return hash, err
	}
	unborn, unbornErr := a.unborn(ctx)
	switch {
	case unbornErr != nil:
		return "", unbornErr
	case !unborn:
		return "", a.miss(ampersat.Failed, err, "the commit that HEAD names cannot be read: %v", err)
	}
	a.note("there are no commits yet")
	return a.emptyTree(ctx)
}

// unborn tells whether HEAD is a branch that has no commit yet. A branch whose
// commit is broken is not one.
func (a *asking) unborn(ctx context.Context) (bool, error) {
	branch, err := a.git.line(ctx, "symbolic-ref", "--quiet", "HEAD")
	if err == nil {
		_, err = a.git.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", branch)
		if err == nil {
			return false, nil
		}
		if f := (*failure)(nil); errors.As(err, &f) && f.code == 1 {
			// A branch that is there and has nothing in it is broken.
			file, err := a.git.line(ctx, "rev-parse", "--path-format=absolute", "--git-path", branch)
			if err != nil {
				return false, err
			}
			info, err := os.Lstat(filepath.FromSlash(file))
			return err != nil || info.IsDir(), nil // a folder holds branches below the name
		}
	}
	if f := (*failure)(nil); errors.As(err, &f) {
		return false, nil
	}
	return false, err
}

// emptyTree returns the hash of a tree with nothing in it, which depends on how
// the repository hashes.
func (a *asking) emptyTree(ctx context.Context) (string, error) {
	return a.git.line(ctx, "hash-object", "-t", "tree", "--stdin")
}

// near returns branches, tags and HEAD, where their names are similar to a
// ref.
func (a *asking) near(ctx context.Context, ref string) ([]string, error) {
	const most, longest, enough = 10_000, 200, 3
	if len(ref) > longest {
		return nil, nil
	}
	// Of mian~2 the name counts; of main~2000 it is not what is wrong.
	if end := strings.IndexAny(ref, "~^:@"); end >= 0 {
		ref = ref[:end]
	}
	if _, err := a.git.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref); ref == "" || err == nil {
		return nil, nil
	}
	type candidate struct {
		name     string
		distance int
	}
	var found []candidate
	if d := distance(strings.ToLower(ref), "head"); d <= max(len(ref)/3, 1) {
		found = append(found, candidate{"HEAD", d})
	}
	err := a.git.run(ctx, "", func(r *bufio.Reader) error {
		for range most {
			name, err := r.ReadString('\n')
			if errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			name = strings.TrimSuffix(name, "\n")
			if len(name) > longest {
				continue
			}
			d := distance(strings.ToLower(ref), strings.ToLower(name))
			// origin/main is near to mian as well.
			if _, last, ok := strings.Cut(name, "/"); ok {
				d = min(d, distance(strings.ToLower(ref), strings.ToLower(last))+1)
			}
			if d <= max(len(ref)/3, 1) {
				found = append(found, candidate{name, d})
			}
		}
		return drain(r)
	}, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes")
	slices.SortStableFunc(found, func(x, y candidate) int { return cmp.Compare(x.distance, y.distance) })
	var names []string
	for _, c := range found[:min(len(found), enough)] {
		names = append(names, c.name)
	}
	return names, err
}

// distance is how many bytes have to be added, removed, changed or swapped with
// the next to make one text of the other.
func distance(from, to string) int {
	before, last, row := make([]int, len(to)+1), make([]int, len(to)+1), make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(from); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(to); j++ {
			same := 1
			if from[i-1] == to[j-1] {
				same = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+same)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(to)]
}
