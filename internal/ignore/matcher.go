package ignore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

// Matcher answers by the rules that are written in a tree. Each file of rules
// is read and compiled once, when a path below its folder is first asked for.
// It is safe for use by several goroutines.
type Matcher struct {
	tree fs.FS

	mu       sync.Mutex
	scopes   map[string]*scope
	problems []error
	// unsure says that in some folder there may be rules that only git knows.
	unsure bool
}

// NewMatcher returns a matcher for a tree. Nothing is read yet. Rules begin at
// the root of the tree.
func NewMatcher(tree fs.FS) *Matcher { return &Matcher{tree: tree, scopes: map[string]*scope{}} }

// NewMatcherOnDisk returns a matcher for a folder on disk. It knows the rules that
// a repository has outside of its work tree too.
func NewMatcherOnDisk(dir string) *Matcher { return NewMatcher(newDirectory(dir)) }

// Perhaps tells whether a path may be ignored: it is by the rules that are read
// here, or may be by some that only git knows. What it denies need not be asked.
func (m *Matcher) Perhaps(file string, folder bool) bool {
	if ignored, _, err := m.Match(file, folder); ignored || err != nil {
		return err == nil
	}
	m.mu.Lock()
	unsure := m.unsure // all folders above the file are known by now
	m.mu.Unlock()
	if !unsure {
		return false
	}
	for element := range elements(file) {
		if m.scope(path.Dir(element)).may(element, folder || len(element) < len(file)) {
			return true
		}
	}
	return false
}

// Match tells whether a path is ignored, and by which rule. The path need not
// exist; folder says what it is. If a folder above it is ignored, the rule is
// the one that hides that folder. A path that is not ignored because a rule
// says so comes with that rule too.
func (m *Matcher) Match(file string, folder bool) (ignored bool, by Rule, err error) {
	if !valid(file) {
		return false, Rule{}, fmt.Errorf("match %q: not a path relative to the root", file)
	}
	for element := range elements(file) {
		var says verdict
		says, by = m.decide(element, folder || len(element) < len(file))
		if says == hidden {
			return true, by, nil
		}
	}
	return false, by, nil
}

// Err returns what went wrong with files of rules that were read so far: what
// cannot be read counts as not there.
func (m *Matcher) Err() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return errors.Join(m.problems...)
}

func (m *Matcher) decide(file string, folder bool) (verdict, Rule) {
	if versionControl(path.Base(file), folder) {
		return hidden, versionControlRule(file)
	}
	return m.scope(path.Dir(file)).ask(layerGit, file, folder)
}

// scope returns the rules that hold in a folder.
func (m *Matcher) scope(dir string) *scope {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.load(dir)
}

func (m *Matcher) load(dir string) *scope {
	if s, known := m.scopes[dir]; known {
		return s
	}
	outer := &scope{}
	if dir != "." {
		outer = m.load(path.Dir(dir))
	}
	report := func(err error) { m.problems = append(m.problems, err) }
	denied := false
	kind := func(name string) (fs.FileMode, bool) {
		mode, err := lstat(m.tree, join(dir, name))
		if errors.Is(err, fs.ErrPermission) && !denied {
			denied = true // the other files would fail alike
			report(fmt.Errorf("read rules: %w", err))
		}
		return mode, err == nil
	}
	s := outer.enter(m.tree, dir, kind, report)
	m.scopes[dir] = s
	m.unsure = m.unsure || s.doubt || len(s.perhaps) > 0
	return s
}

// elements yields every folder above a path, and the path itself.
func elements(file string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if file == "." {
			return
		}
		for at := 0; ; {
			slash := strings.IndexByte(file[at:], '/')
			if slash < 0 {
				yield(file)
				return
			}
			if !yield(file[:at+slash]) {
				return
			}
			at += slash + 1
		}
	}
}
