package ignore

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// excludes is which file core.excludesFile names, as far as the configuration
// tells without git.
type excludes struct {
	file string // absolute, or relative to the top of the work tree; may be empty
	// perhaps are files that it may name instead: they are set where a condition
	// holds, and only git knows whether it does.
	perhaps []string
	// unknown says that it is a path that only git can expand, or that the
	// configuration cannot be understood.
	unknown bool
}

// maxInclusions bounds how many files of configuration one includes.
const maxInclusions = 64

// configured reads what git's configuration says about ignore rules: that of the
// system, of the user, of the repository and of its work tree, in this order.
func configured(gitDir, commonDir string) excludes {
	c := configuration{left: maxInclusions}
	for _, file := range systemConfigs() {
		c.read(file, false)
	}
	home, user := homeFolder(), userFolder()
	if global, set := os.LookupEnv("GIT_CONFIG_GLOBAL"); set {
		c.read(global, false)
	} else {
		if user != "" {
			c.read(filepath.Join(user, "config"), false)
		}
		if home != "" {
			c.read(filepath.Join(home, ".gitconfig"), false)
		}
	}
	if commonDir != "" {
		c.read(filepath.Join(commonDir, "config"), false)
		if c.worktrees {
			c.read(filepath.Join(gitDir, "config.worktree"), false)
		}
	}
	if !c.set && user != "" {
		c.found.file = filepath.Join(user, "ignore")
	}
	return c.found
}

// systemConfigs are where the configuration of the system is: that depends on
// how git was built.
func systemConfigs() []string {
	switch strings.ToLower(os.Getenv("GIT_CONFIG_NOSYSTEM")) {
	case "", "0", "false", "no", "off":
	default:
		return nil
	}
	if file, set := os.LookupEnv("GIT_CONFIG_SYSTEM"); set {
		return []string{file}
	}
	return []string{"/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"}
}

// homeFolder is what ~ stands for to git.
func homeFolder() string {
	home, _ := os.UserHomeDir() // empty if there is none
	return cmp.Or(os.Getenv("HOME"), home)
}

// userFolder is where git looks for the user's files if they are not in the
// home folder itself.
func userFolder() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, "git")
	}
	if home := homeFolder(); home != "" {
		return filepath.Join(home, ".config", "git")
	}
	return ""
}

// configuration is being read, file by file.
type configuration struct {
	found     excludes
	set       bool // core.excludesFile is, perhaps to nothing
	worktrees bool // each work tree has a configuration of its own
	left      int
}

// read reads a file of configuration, and those that it includes where they are
// included. One that is not there says nothing.
func (c *configuration) read(file string, conditional bool) {
	if c.left--; c.left < 0 {
		c.found.unknown = true
		return
	}
	text, err := readPlain(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return // git leaves out what it may not read, too
	}
	if err != nil {
		c.found.unknown = true
		return
	}
	// Most files have nothing to do with this.
	lower := bytes.ToLower(text)
	if !slices.ContainsFunc([]string{"excludesfile", "include", "worktreeconfig"}, func(key string) bool { return bytes.Contains(lower, []byte(key)) }) {
		return
	}
	understood := settings(text, func(key, value string, hasValue bool) {
		switch {
		case key == "core.excludesfile":
			c.exclude(value, hasValue, conditional)
		case key == "extensions.worktreeconfig":
			c.worktrees = !hasValue || slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
		case key == "include.path" || strings.HasPrefix(key, "includeif.") && strings.HasSuffix(key, ".path"):
			included, known := expand(value)
			if !known || !hasValue {
				c.found.unknown = true
				return
			}
			if !filepath.IsAbs(included) {
				included = filepath.Join(filepath.Dir(file), included)
			}
			c.read(included, conditional || key != "include.path")
		}
	})
	if !understood {
		c.found.unknown = true
	}
}

// exclude notes a value of core.excludesFile.
func (c *configuration) exclude(value string, hasValue, conditional bool) {
	file, known := expand(value)
	switch {
	case !known || !hasValue:
		c.found.unknown = true
	case conditional:
		c.found.perhaps = append(c.found.perhaps, file)
	default:
		c.found.file, c.set = file, true
	}
}

// expand returns the path that a value stands for. It is not known for the home
// of somebody else, or for where git is installed.
func expand(value string) (file string, known bool) {
	value = strings.TrimPrefix(value, ":(optional)")
	rest, ofHome := strings.CutPrefix(value, "~/")
	switch {
	case ofHome && homeFolder() != "":
		return filepath.Join(homeFolder(), rest), true
	case strings.HasPrefix(value, "~") || strings.HasPrefix(value, "%("):
		return "", false
	}
	return filepath.FromSlash(value), true
}

// gitFolders returns the folder of a repository that a .git stands for, and the
// one that it shares with the other work trees of the repository.
func gitFolders(git string) (gitDir, commonDir string) {
	gitDir = git
	if info, err := os.Stat(git); err == nil && info.Mode().IsRegular() {
		text, err := readPlain(git)
		named, is := strings.CutPrefix(string(text), "gitdir: ")
		if err != nil || !is {
			return "", ""
		}
		if gitDir = strings.TrimRight(named, "\r\n"); !filepath.IsAbs(gitDir) {
			gitDir = filepath.Join(filepath.Dir(git), gitDir)
		}
	}
	commonDir = gitDir
	if text, err := readPlain(filepath.Join(gitDir, "commondir")); err == nil {
		if commonDir = strings.TrimRight(string(text), "\r\n"); !filepath.IsAbs(commonDir) {
			commonDir = filepath.Join(gitDir, commonDir)
		}
	}
	return gitDir, commonDir
}

// readPlain reads a file by its path, through links.
func readPlain(file string) ([]byte, error) {
	if info, err := os.Stat(file); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: file, Err: fs.ErrNotExist}
	}
	return readRules(plain{}, file)
}

// plain opens any file, by its path.
type plain struct{}

func (plain) Open(name string) (fs.File, error) {
	return os.OpenFile(name, os.O_RDONLY|openNonblock, 0)
}
