package ignore

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// byGit lists a folder of a work tree by asking git. It reports false, and has
// listed nothing, if git cannot be asked or refuses.
func (l *lister) byGit(dir string, s *scope, entries []fs.DirEntry) (done bool, err error) {
	if l.git == nil || l.refused[dir] {
		return false, nil
	}
	g := &gathering{lister: l, dir: dir, room: -1}
	if l.max > 0 {
		g.room = l.max - len(l.out.Files) + 1
	}
	top := g.level(".", s)
	if top.out {
		return false, nil // unreadable: walking says why
	}
	top.reopened = dir == l.dir && l.reopened
	g.levels = []*level{top}
	complaints, err := g.gather()
	if err != nil {
		if ctxErr := l.ctx.Err(); ctxErr != nil {
			return false, ctxErr
		}
		l.refused[dir] = true
		l.problem(dir, fmt.Errorf("listed without git: %w", err), true)
		return false, nil
	}
	l.out.Git = true
	l.out.Problems = append(l.out.Problems, g.problems...)
	for _, line := range complaints {
		at, err := complaint(line)
		at = l.relative(join(s.repository, at)) // git names it from the top
		if !slices.ContainsFunc(l.out.Problems, func(p Problem) bool { return p.Dir == at }) {
			l.out.Problems = append(l.out.Problems, Problem{Dir: at, Err: err, Listed: !strings.Contains(line, unopened)})
		}
	}
	if !top.reopened {
		return true, g.expand()
	}
	// git lists only what is tracked here.
	from := len(l.out.Files)
	if err := l.walk(dir, s, entries); err != nil && !errors.Is(err, errFull) {
		return true, err
	}
	g.merge(from)
	return true, nil
}

// gathering is what git said of one folder. Paths in it are relative to that
// folder.
type gathering struct {
	*lister
	dir      string
	room     int // how many files are of interest; -1 for all
	levels   []*level
	reopens  bool // a rule that git does not know shows what git may hide
	found    []finding
	problems []Problem
}

// finding is a file, or a folder that is listed by its own rules: its path ends
// in a slash, and outer is what holds around it.
type finding struct {
	path  string
	mode  fs.FileMode
	outer *scope
}

// level is a folder on the way to the path that is looked at. What git lists
// comes sorted, so that one chain of them is enough.
type level struct {
	path     string
	scope    *scope
	kinds    map[string]fs.FileMode
	out      bool // not a folder, not readable, or hidden by a rule of ours
	reopened bool // git hides it or a folder above, and a rule of ours shows it
}

// gather runs git and keeps what is there and not hidden by our own rules.
func (g *gathering) gather() (complaints []string, err error) {
	where, top := filepath.Join(g.base, filepath.FromSlash(g.dir)), g.levels[0]
	var untracked, tracked int
	var doubtful []string
	last := ""
	read := func(r *bufio.Reader) error {
		return each(r, func(record string) error {
			tag, file, ok := strings.Cut(record, " ")
			if !ok || !valid(strings.TrimSuffix(file, "/")) {
				return fmt.Errorf("unexpected record %q", record)
			}
			count := &tracked
			if tag == "?" {
				count = &untracked
			}
			if file == last || g.room >= 0 && *count >= g.room {
				return nil // a file in conflict comes several times
			}
			last = file
			found := g.keep(file, tag == "?")
			switch {
			case found && tag == "?" && slices.Contains(names[layerIgnore:], path.Base(file)):
				doubtful = append(doubtful, file)
			case found:
				*count++
			}
			// What is not tracked comes first, each part sorted: nothing
			// that is still to come belongs to the first of both.
			if g.room >= 0 && tracked >= g.room {
				return errEnough
			}
			return nil
		})
	}
	args := []string{"ls-files", "-t", "-c", "-o", "--exclude-standard", "-z"}
	// Our files of rules count even if git hides them.
	for _, name := range names[layerIgnore:] {
		args = append(args, "--exclude=!"+name)
	}
	if complaints, err = g.git.run(g.ctx, where, "", read, args...); err != nil {
		return nil, err
	}
	if len(doubtful) > 0 {
		hides, err := g.git.hiddenBy(g.ctx, where, doubtful)
		if err != nil {
			return nil, err
		}
		g.found = slices.DeleteFunc(g.found, func(f finding) bool { _, hidden := hides[f.path]; return hidden })
	}
	if !g.reopens || top.reopened {
		return complaints, nil
	}
	return complaints, g.gatherHidden(top.scope.repository)
}

// gatherHidden asks for what git hides, and keeps what a rule of ours shows.
func (g *gathering) gatherHidden(repository string) error {
	// A folder that is not hidden comes too if all that is in it is, with that
	// right behind it; one that is hidden comes alone.
	folder := ""
	flush := func(next string) {
		if folder != "" && !strings.HasPrefix(next, folder) {
			g.reopen(folder)
		}
		folder = ""
	}
	read := func(r *bufio.Reader) error {
		return each(r, func(file string) error {
			bare, isFolder := strings.CutSuffix(file, "/")
			if !valid(bare) {
				return fmt.Errorf("unexpected record %q", file)
			}
			bare, below := strings.CutPrefix(join(repository, bare), prefixOf(g.dir))
			if !below {
				return nil
			}
			if flush(bare); isFolder {
				folder = bare + "/"
			} else {
				g.reopen(bare)
			}
			return nil
		})
	}
	// From the top: git fails in a folder below one that it lists as hidden.
	top := filepath.Join(g.base, filepath.FromSlash(repository))
	_, err := g.git.run(g.ctx, top, "", read, "ls-files", "-o", "-i", "--directory", "--exclude-standard", "-z")
	flush("")
	return err
}

// keep adds what git lists, unless it is not there or a rule of ours hides it.
// It tells whether that was a file.
func (g *gathering) keep(file string, untracked bool) bool {
	file, nested := strings.CutSuffix(file, "/")
	at := g.at(path.Dir(file))
	if at.out {
		return false
	}
	mode, exists := at.kinds[path.Base(file)]
	if !exists || !mode.IsDir() && !listed(mode) {
		return false // deleted, or replaced by something that is no file
	}
	if at.scope.ours() {
		if says, _ := at.scope.ask(layerIgnore, join(g.dir, file), mode.IsDir()); says == hidden {
			return false
		}
	}
	if !mode.IsDir() {
		g.found = append(g.found, finding{path: file, mode: mode})
		return true
	}
	// A submodule, or a repository that is not one. A folder where a file was
	// tracked is neither: what is in it comes by itself.
	git := join(g.dir, file) + "/.git"
	if kind, err := lstat(g.tree, git); err == nil && (nested || !untracked) && isRepository(g.tree, git, kind) {
		g.found = append(g.found, finding{path: file + "/", outer: at.scope})
	}
	return false
}

// reopen adds what git hides, if a rule of ours shows it.
func (g *gathering) reopen(file string) {
	file, folder := strings.CutSuffix(file, "/")
	at := g.at(path.Dir(file))
	mode, exists := at.kinds[path.Base(file)]
	if at.out || !exists || mode.IsDir() != folder || !folder && !listed(mode) {
		return
	}
	full := join(g.dir, file)
	lowest := layerIgnore
	if at.reopened {
		lowest = layerGit
	}
	says, _ := at.scope.ask(lowest, full, folder)
	if says == hidden || says == silent && !at.reopened {
		return
	}
	if folder {
		file += "/"
	}
	g.found = append(g.found, finding{path: file, mode: mode, outer: at.scope})
}

// at returns the level of a folder.
func (g *gathering) at(dir string) *level {
	for {
		last := g.levels[len(g.levels)-1]
		if last.path == dir {
			return last
		}
		if inside(dir, last.path) {
			break
		}
		g.levels = g.levels[:len(g.levels)-1]
	}
	for element := range elements(dir) {
		last := g.levels[len(g.levels)-1]
		if inside(last.path, element) {
			continue
		}
		next := &level{path: element, out: true}
		if mode, exists := last.kinds[path.Base(element)]; !last.out && exists && mode.IsDir() {
			full := join(g.dir, element)
			says, _ := last.scope.ask(layerIgnore, full, true)
			if says != hidden {
				next = g.level(element, last.scope)
				next.reopened = last.reopened
				if says == shown {
					by, _ := last.scope.askGit(full, true)
					next.reopened = last.reopened || by == hidden
				}
			}
		}
		g.levels = append(g.levels, next)
	}
	return g.levels[len(g.levels)-1]
}

// level reads a folder.
func (g *gathering) level(dir string, outer *scope) *level {
	full := join(g.dir, dir)
	entries, err := readDir(g.tree, full)
	if err != nil {
		g.problems = append(g.problems, Problem{Dir: g.relative(full), Err: err})
	}
	kinds := make(map[string]fs.FileMode, len(entries))
	for _, entry := range entries {
		kinds[entry.Name()] = entry.Type()
	}
	s := outer
	if dir != "." { // the scope of the folder itself is made already
		kind := func(name string) (fs.FileMode, bool) { mode, exists := kinds[name]; return mode, exists }
		s = outer.enter(g.tree, full, kind, func(err error) {
			g.problems = append(g.problems, Problem{Dir: g.relative(full), Err: err, Listed: true})
		})
	}
	g.reopens = g.reopens || s.reopens()
	return &level{path: dir, scope: s, kinds: kinds, out: err != nil && len(entries) == 0}
}

// expand puts what was found into the listing, in order.
func (g *gathering) expand() error {
	slices.SortFunc(g.found, func(a, b finding) int { return strings.Compare(a.path, b.path) })
	for _, f := range g.found {
		dir, folder := strings.CutSuffix(f.path, "/")
		var err error
		if folder {
			err = g.visit(join(g.dir, dir), f.outer)
		} else {
			err = g.add(join(g.dir, f.path), f.mode)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// merge adds what was found to what walking the folder has listed from the
// given place on.
func (g *gathering) merge(from int) {
	for _, f := range g.found {
		if !strings.HasSuffix(f.path, "/") {
			g.out.Files = append(g.out.Files, File{Path: g.relative(join(g.dir, f.path)), Type: f.mode})
		}
	}
	part := g.out.Files[from:]
	slices.SortFunc(part, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	g.out.Files = g.out.Files[:from+len(slices.Compact(part))]
	if g.max > 0 && len(g.out.Files) > g.max {
		g.out.Files, g.out.More = g.out.Files[:g.max], true
	}
}

// unopened is what git says of a folder that it does not list.
const unopened = "could not open directory"

// complaint reads a line that git wrote to its standard error, such as
//
//	warning: could not open directory 'a/b/': Permission denied
func complaint(line string) (dir string, err error) {
	line = strings.TrimPrefix(line, "warning: ")
	dir = "."
	if quoted, ok := strings.CutPrefix(line, unopened+" '"); ok {
		if end := strings.LastIndex(quoted, "': "); end >= 0 {
			if named := strings.TrimSuffix(quoted[:end], "/"); valid(named) {
				dir = named
			}
		}
	}
	return dir, fmt.Errorf("git: %s", line)
}
