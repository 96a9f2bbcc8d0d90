package ignore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
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
	// perhaps are files of rules that may hold too, and doubt says that there
	// may be more: only git knows.
	perhaps []*ruleFile
	doubt   bool
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
			copied := *s
			inner = &copied
		}
	}
	cut := 0
	if dir != "." {
		cut = len(dir) + 1
	}
	add := func(layer int, file string) {
		text, err := readRules(tree, file)
		if err != nil {
			report(fmt.Errorf("read rules: %w", err))
			return
		}
		if parsed := parseFile(file, cut, text); len(parsed.patterns) > 0 {
			change()
			inner.files[layer] = append(slices.Clip(inner.files[layer]), parsed)
		}
	}
	if mode, exists := kind(".git"); exists && isRepository(tree, path.Join(dir, ".git"), mode) {
		change()
		inner.repository = dir
		// Another repository's rules end here.
		inner.files[layerGit], inner.perhaps, inner.doubt = nil, nil, false
		if base, is := onDisk(tree); is {
			inner.excludeOnDisk(base, dir, cut, report)
		} else if exclude := path.Join(dir, ".git/info/exclude"); isRegular(tree, exclude) {
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

// excludeOnDisk adds the rules of a repository that are outside of its work tree:
// the file that core.excludesFile names, and info/exclude, which all work trees
// of the repository share.
func (s *scope) excludeOnDisk(base, dir string, cut int, report func(error)) {
	top := filepath.Join(base, filepath.FromSlash(dir))
	gitDir, commonDir := gitFolders(filepath.Join(top, ".git"))
	found := configured(gitDir, commonDir)
	s.doubt = found.unknown
	read := func(file string) *ruleFile {
		if file == "" {
			return nil
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(top, file)
		}
		text, err := readPlain(file)
		if err != nil {
			// The user's own file may be somebody else's, as under sudo.
			if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
				report(fmt.Errorf("read rules: %w", err))
			}
			return nil
		}
		name := filepath.ToSlash(file)
		if inner, err := filepath.Rel(base, file); err == nil && filepath.IsLocal(inner) {
			name = filepath.ToSlash(inner)
		}
		if parsed := parseFile(name, cut, text); len(parsed.patterns) > 0 {
			return parsed
		}
		return nil
	}
	for _, file := range found.perhaps {
		if parsed := read(file); parsed != nil {
			s.perhaps = append(s.perhaps, parsed)
		}
	}
	var exclude string
	if commonDir != "" {
		exclude = filepath.Join(commonDir, "info", "exclude")
	}
	for _, file := range []string{found.file, exclude} {
		if parsed := read(file); parsed != nil {
			s.files[layerGit] = append(s.files[layerGit], parsed)
		}
	}
}

// may tells whether a file of rules that perhaps holds hides a path itself.
func (s *scope) may(file string, folder bool) bool {
	name := file[strings.LastIndexByte(file, '/')+1:]
	return s.doubt || slices.ContainsFunc(s.perhaps, func(f *ruleFile) bool {
		p := f.last(file, name, folder)
		return p != nil && !p.negated
	})
}

func isRegular(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.Mode().IsRegular()
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
