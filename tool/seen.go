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
	// writes are those of each file, in order.
	writes map[string][]written
}

// written is one text of a file that took the place of another, which is empty
// where there was no file.
type written struct {
	during        moment
	before, after blob.Digest
}

// moment tells the calls of one message from those of others: between two
// messages a view becomes longer, or is compacted.
type moment struct{ messages, firstTurn int }

func momentOf(view ampersat.View) moment { return moment{len(view.Messages), view.FirstTurn} }

func (l *ledger) wrote(path string, w written) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.writes == nil {
		l.writes = map[string][]written{}
	}
	l.writes[path] = append(l.writes[path], w)
}

// left is what the tools have left of a text of a file, with those of their writes
// that count. Whoever else writes the file may write what they once wrote: only the
// last text is theirs. It is empty if they have written to what somebody else made.
func (l *ledger) left(path string, of blob.Digest, counts func(written) bool) blob.Digest {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := of
	for _, w := range l.writes[path] {
		switch {
		case !counts(w):
		case w.before == text || w.before == of || w.before == "":
			text = w.after
		default:
			text = ""
		}
	}
	return text
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
	// What was written before the view was made is in it, and may have been seen to
	// be something else since.
	since := func(w written) bool { return w.during == momentOf(view) }
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
		s.current = s.current || now == digest || now == k.own.left(t.real, digest, since)
	}
	if !s.seen {
		// A file that the model wrote itself, of which it has seen the text.
		s.names = []string{k.name(t.path)}
		s.current = now == k.own.left(t.real, "", func(written) bool { return true })
	}
	slices.Sort(s.names)
	return s
}
