package ignore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// The layers of rules, from the weakest to the strongest.
const (
	layerGit = iota
	layerIgnore
	layerAmpersat
	layers
)

// names of the files that hold the rules of each layer.
var names = [layers]string{
	layerGit:      ".gitignore",
	layerIgnore:   ".ignore",
	layerAmpersat: ".ampersatignore",
}

// maxRuleFile is the largest file of rules that is read, in bytes.
const maxRuleFile = 4 << 20

// scope is the rules that hold in a folder: those of its own files and of all
// files above. It is never changed once made, so that all folders without files
// of their own share one.
type scope struct {
	files [layers][]*ruleFile // from the base down
	// repository is the folder with the .git that governs here, "." for the
	// base; empty if there is none.
	repository string
}

// verdict is what the rules say of a path itself, folders above it apart.
type verdict int8

const (
	silent verdict = iota
	hidden
	shown
)

// ask returns what the layers from lowest up say of a path.
func (s *scope) ask(lowest int, file string, folder bool) (verdict, Rule) {
	name := file[strings.LastIndexByte(file, '/')+1:]
	for layer := layers - 1; layer >= lowest; layer-- {
		for i := len(s.files[layer]) - 1; i >= 0; i-- {
			f := s.files[layer][i]
			if p := f.last(file, name, folder); p != nil {
				if p.negated {
					return shown, f.rule(p)
				}
				return hidden, f.rule(p)
			}
		}
	}
	return silent, Rule{}
}

// askGit is ask for the layer of git alone.
func (s *scope) askGit(file string, folder bool) (verdict, Rule) {
	only := scope{}
	only.files[layerGit] = s.files[layerGit]
	return only.ask(layerGit, file, folder)
}

// ours tells whether any rule comes from a file that git does not read.
func (s *scope) ours() bool { return len(s.files[layerIgnore])+len(s.files[layerAmpersat]) > 0 }

// reopens tells whether a rule that git does not read may show what git hides.
func (s *scope) reopens() bool {
	return slices.ContainsFunc(slices.Concat(s.files[layerIgnore], s.files[layerAmpersat]), func(f *ruleFile) bool { return f.negates })
}

// enter returns the scope inside a folder: kind tells what sort of thing a name
// in that folder is. Files of rules that cannot be read are reported and
// otherwise left out.
func (s *scope) enter(tree fs.FS, dir string, kind func(name string) (fs.FileMode, bool), report func(error)) *scope {
	inner := s
	change := func() {
		if inner == s {
			inner = &scope{repository: s.repository, files: s.files}
		}
	}
	add := func(layer int, file string) {
		text, err := readRules(tree, file)
		if err != nil {
			report(fmt.Errorf("read rules: %w", err))
			return
		}
		cut := 0
		if dir != "." {
			cut = len(dir) + 1
		}
		if parsed := parseFile(file, cut, text); len(parsed.patterns) > 0 {
			change()
			inner.files[layer] = append(slices.Clip(inner.files[layer]), parsed)
		}
	}
	if mode, exists := kind(".git"); exists && isRepository(tree, path.Join(dir, ".git"), mode) {
		change()
		inner.repository = dir
		inner.files[layerGit] = nil // another repository's rules end here
		exclude := path.Join(dir, ".git/info/exclude")
		if info, err := fs.Stat(tree, exclude); err == nil && info.Mode().IsRegular() {
			add(layerGit, exclude)
		}
	}
	for layer, name := range names {
		// Not through a link: git does not follow one here either.
		if mode, exists := kind(name); exists && mode.IsRegular() {
			add(layer, path.Join(dir, name))
		}
	}
	return inner
}

// isRepository tells whether a .git is one, and not just called so.
func isRepository(tree fs.FS, git string, mode fs.FileMode) bool {
	if mode.IsRegular() { // of a submodule or a linked work tree
		text, err := readRules(tree, git)
		return err == nil && bytes.HasPrefix(text, []byte("gitdir:"))
	}
	for _, part := range []string{"HEAD", "objects", "refs"} {
		if _, err := fs.Stat(tree, git+"/"+part); err != nil {
			return false
		}
	}
	return true
}

// readRules reads a file that may have become something else since it was
// looked at.
func readRules(tree fs.FS, name string) ([]byte, error) {
	file, err := open(tree, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: errors.New("not a regular file")}
	}
	text, err := io.ReadAll(io.LimitReader(file, maxRuleFile+1))
	if err == nil && len(text) > maxRuleFile {
		err = &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("more than %d bytes", maxRuleFile)}
	}
	return text, err
}

// versionControl tells whether the name is that of a folder in which a version
// control system keeps its own things.
func versionControl(name string, folder bool) bool {
	switch name {
	case ".git": // a file in submodules and linked work trees
		return true
	case ".hg", ".svn", ".jj":
		return folder
	}
	return false
}

func versionControlRule(file string) Rule {
	return Rule{File: file, Pattern: "folder of version control"}
}
