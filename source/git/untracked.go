package git

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ampersat/ampersat/internal/wording"
)

// enterUntracked makes git see the files that are not tracked, and not ignored,
// as added. It enters them in a copy of the index, so that the repository stays
// as it is, as empty files that have changed since, so that nothing is stored.
// One that was moved is then found to be renamed. The copy is in use until done
// is called.
func (a *asking) enterUntracked(ctx context.Context) (done func(), err error) {
	done = func() {}
	paths, err := a.untracked(ctx)
	if err != nil || len(paths) == 0 {
		return done, err
	}
	empty, err := a.git.line(ctx, "hash-object", "-t", "blob", "--stdin")
	if err != nil {
		return done, err
	}
	dir, err := os.MkdirTemp("", "ampersat-git-")
	if err != nil {
		return done, err
	}
	done = func() { os.RemoveAll(dir) }
	index := filepath.Join(dir, "index")
	if err := copyFile(index, filepath.Join(a.gitDir, "index")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return done, err
	}
	a.git.env = append(a.git.env, "GIT_INDEX_FILE="+index)
	var entries strings.Builder
	for _, path := range paths {
		entries.WriteString("100644 " + empty + " 0\t" + path + "\x00") // the mode is read from the disk
	}
	// What is replaced is a file where a folder is now.
	return done, a.git.run(ctx, entries.String(), drain, "update-index", "--replace", "-z", "--index-info")
}

// untracked lists the files that can be shown as added.
func (a *asking) untracked(ctx context.Context) (paths []string, err error) {
	unreadable, repositories := 0, 0
	err = a.git.run(ctx, "", func(r *bufio.Reader) error {
		for {
			path, err := r.ReadString(0)
			if errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			path = strings.TrimSuffix(path, "\x00")
			switch {
			case strings.HasSuffix(path, "/"):
				repositories++
			case !a.readable(path):
				unreadable++ // git would give up at the first
			default:
				paths = append(paths, path)
			}
		}
	}, "ls-files", "--others", "--exclude-standard", "-z")
	if unreadable > 0 {
		a.note("untracked files that cannot be read: %s", wording.Number(unreadable))
	}
	if repositories > 0 {
		a.note("untracked repositories, which are not shown: %s", wording.Number(repositories))
	}
	return paths, err
}

func (a *asking) readable(path string) bool {
	path = filepath.Join(a.top, filepath.FromSlash(path))
	if info, err := os.Lstat(path); err != nil || info.Mode().Type() == fs.ModeSymlink {
		return err == nil // of a link git shows where it leads
	}
	file, err := openRegular(path)
	if err == nil {
		file.Close()
	}
	return err == nil
}

// copyFile keeps the time of the file: git trusts what an index says about a
// file only if the index is the later of the two.
func copyFile(to, from string) error {
	in, err := openRegular(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return err
	}
	return os.Chtimes(to, info.ModTime(), info.ModTime())
}

func drain(r *bufio.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}
