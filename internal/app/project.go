package app

import (
	"os"
	"path/filepath"
)

// ownFolder is what a project keeps for us, and a home for its user.
const ownFolder = ".ampersat"

// findProject finds the project that the folder belongs to: the nearest one above
// with a repository or a folder of ours. Without one the folder is the project.
//
// It is looked for along the path that the person came by, and only then along the
// real one: who follows a link into a project works in that project.
func (g *Ground) findProject() {
	root, ok := g.markedAbove(g.Dir)
	if !ok {
		root = g.Dir
		if real, err := filepath.EvalSymlinks(g.Dir); err == nil && real != g.Dir {
			if above, ok := g.markedAbove(real); ok {
				g.Dir, root = real, above
			}
		}
	}
	g.Root = root
	// All that asks whether the project's folder is the user's compares names.
	if here := filepath.Join(root, ownFolder); here != g.UserDir && g.isOwn(here) {
		g.UserDir = here
	}
}

// markedAbove returns the nearest folder at or above dir that is a project. The
// home is none, and nothing above it is.
func (g *Ground) markedAbove(dir string) (string, bool) {
	for root := dir; root != g.Home; root = filepath.Dir(root) {
		if g.isMarked(root) {
			// Only now is it worth while to look whether the home was passed by
			// another name.
			return root, !g.passesHome(dir, root)
		}
		if root == filepath.Dir(root) {
			break
		}
	}
	return "", false
}

// isMarked reports whether a folder has what a project has. The user's own folder
// makes no project of what it lies in.
func (g *Ground) isMarked(folder string) bool {
	if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
		return true
	}
	ours := filepath.Join(folder, ownFolder)
	if _, err := os.Lstat(ours); err != nil {
		return false
	}
	return !g.isOwn(ours)
}

// isOwn reports whether a path is the user's own folder, by whatever name. A link
// to it that somebody put elsewhere is not.
func (g *Ground) isOwn(path string) bool {
	if g.UserDir == "" || path == g.UserDir {
		return g.UserDir != ""
	}
	entry, err := os.Lstat(path)
	if err != nil {
		return false
	}
	if own, err := os.Lstat(g.UserDir); err == nil && os.SameFile(entry, own) {
		return true
	}
	own, err := os.Stat(g.UserDir)
	return err == nil && os.SameFile(entry, own)
}

// passesHome reports whether the home is among the folders from dir up to root.
func (g *Ground) passesHome(dir, root string) bool {
	home, err := os.Stat(g.Home)
	if err != nil {
		return false
	}
	for folder := dir; ; folder = filepath.Dir(folder) {
		if info, err := os.Stat(folder); err == nil && os.SameFile(info, home) {
			return true
		}
		if folder == root {
			return false
		}
	}
}
