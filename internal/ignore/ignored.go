package ignore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// Ignored tells whether a file or folder on disk is ignored, and by which rule:
// source is "file:line:pattern", the file as seen from root. It is for a path
// that was named rather than listed, a slash path from root; a listing of the
// folder that it is in leaves it out exactly if it is ignored. What does not
// exist is judged as the file it would be.
func Ignored(ctx context.Context, root, file string) (ignored bool, source string, err error) {
	if !valid(file) {
		return false, "", fmt.Errorf("look for rules: %q is not a path relative to the root", file)
	}
	if file == "." {
		return false, "", nil
	}
	ignored, by, err := judgeOnDisk(ctx, root, file, findGit(0))
	if err != nil {
		return false, "", fmt.Errorf("look for rules about %s: %w", file, err)
	}
	if !ignored {
		return false, "", nil
	}
	return true, by.String(), nil
}

func judgeOnDisk(ctx context.Context, root, file string, git *git) (bool, Rule, error) {
	// The last element is judged as what it is, even if it is a link; folders
	// that do not exist have no rules in them.
	dir, rest := path.Dir(file), path.Base(file)
	where, err := locate(root, dir)
	for err != nil && !errors.Is(err, errOutside) && dir != "." {
		dir, rest = path.Dir(dir), path.Join(path.Base(dir), rest)
		where, err = locate(root, dir)
	}
	if err != nil {
		return false, Rule{}, err
	}
	for {
		tree, err := openDisk(where.base)
		if err != nil {
			return false, Rule{}, err
		}
		target := join(where.dir, rest)
		mode, _ := lstat(tree, target) // what is not there is no folder
		j := judge{git: git, base: where.base, matcher: NewMatcher(tree)}
		ignored, by, at, err := j.decide(ctx, target, mode.IsDir())
		tree.close()
		if ignored && where.root != "." && inside(where.root, at) {
			where = where.below() // the root itself is hidden from above
			continue
		}
		return ignored, where.fromRoot(by), err
	}
}

// judge decides about one path by all rules, those that only git knows
// included.
type judge struct {
	git     *git // nil: no git
	base    string
	matcher *Matcher
	// reopened tells, after a decision, that git hides a folder on the way or
	// the path itself, and that a rule of ours shows it.
	reopened bool
}

// decide also returns the element of the path at which the decision fell.
func (j *judge) decide(ctx context.Context, file string, folder bool) (ignored bool, by Rule, at string, err error) {
	hiddenByGit := map[string]map[string]Rule{} // by repository, each asked once
	j.reopened = false
	if err := ctx.Err(); err != nil {
		return false, Rule{}, "", err
	}
	for element := range elements(file) {
		isFolder := folder || len(element) < len(file)
		if versionControl(path.Base(element), isFolder) {
			return true, versionControlRule(element), element, nil
		}
		s := j.matcher.scope(path.Dir(element))
		says, rule := s.ask(layerIgnore, element, isFolder)
		if says == hidden {
			return true, rule, element, nil
		}
		own, ownRule := s.askGit(element, isFolder)
		gitSays, gitRule := own == hidden, ownRule
		if j.git != nil && s.repository != "" && !j.reopened {
			known, asked := hiddenByGit[s.repository]
			if !asked {
				if known, err = j.ask(ctx, s.repository, file); err != nil {
					return false, Rule{}, "", err
				}
				hiddenByGit[s.repository] = known
			}
			if known != nil { // nil: git refuses, so that our own reading counts
				gitRule, gitSays = known[element]
			}
		}
		switch {
		case says == shown:
			j.reopened = j.reopened || own == hidden
		case gitSays:
			return true, gitRule, element, nil
		}
	}
	return false, Rule{}, "", nil
}

// ask asks git about every element of a path that lies below the top of a
// repository. It returns nil if git refuses.
func (j *judge) ask(ctx context.Context, top, file string) (map[string]Rule, error) {
	var below []string
	for element := range elements(file) {
		if element != top && inside(element, top) && j.matcher.scope(path.Dir(element)).repository == top {
			below = append(below, strings.TrimPrefix(element, prefixOf(top)))
		}
	}
	answers, err := j.git.hiddenOnWay(ctx, filepath.Join(j.base, filepath.FromSlash(top)), below)
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	if err != nil {
		return nil, nil
	}
	full := map[string]Rule{}
	for element, rule := range answers {
		if !filepath.IsAbs(rule.File) {
			rule.File = join(top, rule.File)
		}
		full[join(top, element)] = rule
	}
	return full, nil
}

// prefixOf is what paths below a folder begin with.
func prefixOf(dir string) string {
	if dir == "." {
		return ""
	}
	return dir + "/"
}
