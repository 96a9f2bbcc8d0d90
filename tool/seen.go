package tool

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
)

// ledger is what the tools have written themselves. Several calls may stand in
// one message of the model, and the view that those which write are given is that
// before the first of them.
type ledger struct {
	mu sync.Mutex
	// from leads from each text of a file that was written back to the one
	// before it, which is empty where there was no file.
	from map[string]map[blob.Digest]blob.Digest
}

func (l *ledger) wrote(path string, before, after blob.Digest) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.from == nil {
		l.from = map[string]map[blob.Digest]blob.Digest{}
	}
	if l.from[path] == nil {
		l.from[path] = map[blob.Digest]blob.Digest{}
	}
	l.from[path][after] = before
}

// derives reports whether the text of a file is what the tools made of another.
func (l *ledger) derives(path string, now, from blob.Digest) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range len(l.from[path]) {
		if now == from {
			return true
		}
		before, ok := l.from[path][now]
		if !ok {
			return false
		}
		now = before
	}
	return now == from
}

// sight is what the model knows of a file.
type sight struct {
	// names are what it is called in the view, at least one.
	names []string
	// seen says that the model can see all of it, and current that it is so now.
	seen, current bool
}

// sight compares the text of a file with what the model can see of it.
func (k *kit) sight(view ampersat.View, t target, now blob.Digest) sight {
	var s sight
	for name, digest := range view.Seen() {
		if k.Elsewhere && !filepath.IsAbs(filepath.FromSlash(name)) && !strings.HasPrefix(name, "~/") {
			continue
		}
		path, err := k.path(name)
		if err != nil || path != t.path && path != t.spelled {
			continue
		}
		s.names = append(s.names, name)
		s.seen = true
		s.current = s.current || k.own.derives(t.real, now, digest)
	}
	if !s.seen {
		// A file that the model wrote itself, of which it has seen the text.
		s.names = []string{k.name(t.path)}
		s.current = k.own.derives(t.real, now, "")
	}
	slices.Sort(s.names)
	return s
}
