package fs

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ampersat/ampersat/access"
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
	if !f.at.inside(root) || f.at.path == root.path || ctx.Err() != nil {
		return ""
	}
	file, matcher := f.at.from(root), s.current(root)
	if !root.onDisk() {
		if ignored, by, err := matcher.Match(file, f.info.IsDir()); err == nil && ignored {
			return ignoredByRule(by.String())
		}
		return ""
	}
	// Git does not ignore what it tracks. To ask it takes longer, so it is asked
	// only about what its rules match.
	if !matcher.Perhaps(file, f.info.IsDir()) {
		return ""
	}
	if ignored, source, err := ignore.Ignored(ctx, root.path, file); err == nil && ignored {
		return ignoredByRule(source)
	}
	return ""
}

// ignoredByRule says by which rule something is ignored. Whoever wrote it may have
// written a secret into it.
func ignoredByRule(rule string) string { return "ignored by " + access.Redact(rule) }

func (s *rules) current(root location) *ignore.Matcher {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); s.matcher == nil || now.Sub(s.read) > rulesLast {
		if root.onDisk() {
			s.matcher = ignore.NewMatcherOnDisk(root.path)
		} else {
			s.matcher = ignore.NewMatcher(root.in.fsys)
		}
		s.read = now
	}
	return s.matcher
}
