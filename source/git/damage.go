package git

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// damaged says what is wrong with the repository that a folder seems to belong to
// and that git does not take for one; nothing if there is none.
func damaged(dir string) string {
	for {
		link := filepath.Join(dir, ".git")
		info, err := os.Stat(link)
		switch above := filepath.Dir(dir); {
		case err == nil && info.IsDir():
			return damagedAt(link)
		case err == nil && info.Mode().IsRegular():
			return damagedBehind(link)
		case above == dir:
			return ""
		default:
			dir = above
		}
	}
}

// damagedBehind is damaged for a work tree whose .git is a file: one of several of
// a repository, or a submodule.
func damagedBehind(link string) string {
	repository, err := leadsTo(link)
	if err != nil {
		return err.Error()
	}
	if _, err := os.Stat(repository); err == nil {
		return damagedAt(repository)
	}
	said := fmt.Sprintf("%s leads to a repository that is not there, %s", link, repository)
	if filepath.Base(filepath.Dir(repository)) == "worktrees" {
		said += fmt.Sprintf("; if it was moved, git worktree repair %s mends that where it is now", filepath.Dir(link))
	}
	return said
}

// damagedAt is damaged for the folder of a repository. What git asks of one is a
// HEAD and two folders.
func damagedAt(repository string) string {
	head, err := readRegular(filepath.Join(repository, "HEAD"), maxSaid)
	what := ""
	switch name := strings.TrimSpace(string(head)); {
	case os.IsNotExist(err):
		what = "it has no HEAD"
	case err != nil:
		what = err.Error()
	case !strings.HasPrefix(name, "ref: refs/") && (len(name) < 40 || strings.Trim(name, "0123456789abcdef") != ""):
		what = "its HEAD names neither a branch nor a commit"
	default:
		common := repository
		if text, err := readRegular(filepath.Join(repository, "commondir"), maxSaid); err == nil {
			if common = strings.TrimSpace(string(text)); !filepath.IsAbs(common) {
				common = filepath.Join(repository, common)
			}
		}
		for _, folder := range []string{"objects", "refs"} {
			if info, err := os.Stat(filepath.Join(common, folder)); err != nil || !info.IsDir() {
				what = "it has no " + folder
				break
			}
		}
		if what == "" { // git does not look further than the disk that the folder is on
			return ""
		}
	}
	return fmt.Sprintf("the repository %s is damaged: %s", repository, what)
}
