package fs

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ampersat/ampersat/internal/ignore"
)

// rules knows which files are ignored.
type rules struct {
	// root is the folder that rules begin at: the work tree around the project.
	root func() location

	mu      sync.Mutex
	matcher *ignore.Matcher
	read    time.Time
}

// rulesLast is how long the files of rules are not read again: a prompt with a
// thousand mentions reads them once, a session sees when they change.
const rulesLast = 2 * time.Second

// rulesRoot finds the folder that rules begin at.
func (r *Resolver) rulesRoot() location {
	if !r.root.onDisk() {
		return location{r.root.in, "."}
	}
	for dir := r.root.path; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return location{r.root.in, dir}
		}
		if dir == filepath.Dir(dir) {
			return r.root
		}
	}
}

// note says by which rule a file that was named is ignored, if it is.
func (s *rules) note(ctx context.Context, f *found) string {
	root := s.root()
	if !f.at.inside(root) || f.at.path == root.path {
		return ""
	}
	file := f.at.from(root)
	ignored, by, err := s.current(root).Match(file, f.info.IsDir())
	if err != nil || !ignored {
		return ""
	}
	source := by.String()
	if root.onDisk() {
		// Git does not ignore what it tracks. To ask it takes longer, so it is
		// asked only about what its rules match.
		if ignored, source, err = ignore.Ignored(ctx, root.path, file); err != nil || !ignored {
			return ""
		}
	}
	return "ignored by " + source
}

func (s *rules) current(root location) *ignore.Matcher {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); s.matcher == nil || now.Sub(s.read) > rulesLast {
		tree := root.in.fsys
		if root.onDisk() {
			tree = os.DirFS(root.path)
		}
		s.matcher, s.read = ignore.NewMatcher(tree), now
	}
	return s.matcher
}
