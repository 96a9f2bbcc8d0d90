package ampersat

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
)

// stale looks at the files that the model has seen something of, and returns what
// it does not know yet: that they have changed, that they are gone, or that they
// are again as they were. The blocks are those of this turn, which say so
// themselves: lines and symbols of what they are, and not of the rest of the file.
func (x *expansion) stale(ctx context.Context, s seen, blocks []*block) ([]news, error) {
	if x.turn.Flat {
		return nil, nil
	}
	says, parts := map[string]bool{}, map[string][]*block{}
	for _, b := range blocks {
		for _, name := range b.names {
			switch {
			case contextKind(b.kind) != "":
			case b.content.isPart():
				parts[name] = append(parts[name], b)
			default:
				says[name] = true
			}
		}
	}
	found := make([]news, len(s.names))
	err := x.parallel(ctx, len(s.names), func(i int) {
		name := s.names[i]
		if says[name] {
			return
		}
		k := s.files[name].beside(parts[name])
		if len(k.sights) == 0 {
			return
		}
		if n, ok := x.lookAt(ctx, name, k); ok {
			found[i] = n
		}
	})
	var all []news
	for _, n := range found {
		if n.name != "" {
			all = append(all, n)
		}
	}
	return all, err
}

// lookAt compares a file with what the model knows of it.
func (x *expansion) lookAt(ctx context.Context, name string, k *knowledge) (news, bool) {
	limit := mostBytes
	if !slices.ContainsFunc(k.sights, func(s *sight) bool { return s.source != "" }) {
		// There is nothing to compare the whole file with, only whether it is there.
		// One byte tells that, and holds no secret.
		limit = 1
	}
	now, err := x.named(ctx, mention.File{Path: name}, limit)
	switch denied, isDenied := access.IsDenied(err); {
	case err == nil, isDenied && (now.Source != "" || now.outgrown()):
		// What has secrets in it was read, and can be compared.
	case isDenied && denied.Reason == access.ReasonSpecial:
		// It was a file, and is something else now.
		return k.newsOf(name, withheld, k.sights, false)
	case isDenied && (denied.Reason == access.ReasonSecret || denied.Reason == access.ReasonEscape):
		// A link that leads out may have been one when it was shown, and was allowed.
		return k.newsOf(name, unsure, nil, false)
	case isDenied:
		return news{}, false // nobody may look, which says nothing about the file
	case outcomeOf(err) == Missing && strings.Contains(name, string(utf8.RuneError)):
		return news{}, false // a log holds no other bytes than UTF-8: the file has another name
	case outcomeOf(err) == Missing:
		return k.newsOf(name, removed, nil, false)
	default:
		return k.newsOf(name, unsure, nil, false)
	}
	if now.Mention != nil && contextKind(now.Mention.Kind()) != "" {
		return k.newsOf(name, folder, k.sights, false)
	}
	var differing []*sight
	is, unclear := withheld, false
	for _, s := range k.sights {
		same, known, readable := x.isAsShown(ctx, s, now, err == nil)
		switch {
		case !known:
			unclear = true
		case !same:
			differing = append(differing, s)
			if readable {
				is = changed
			}
		}
	}
	if len(differing) == 0 {
		is = asShown
	}
	return k.newsOf(name, is, differing, unclear)
}

// isAsShown reports whether a sight of a file is what would be shown now, whether
// that is known, and whether what there is now may be read. Now is the whole file.
func (x *expansion) isAsShown(ctx context.Context, s *sight, now *Content, mayRead bool) (same, known, readable bool) {
	if s.source != "" && s.isOf(now) {
		return true, true, mayRead
	}
	isPart := s.lines != "" || s.symbol != ""
	part, ok := s.mention()
	if !isPart || !ok {
		return false, s.source != "" && (now.Source != "" || now.outgrown()), mayRead
	}
	// The file is another, but the lines may be the same.
	is, err := x.named(ctx, part, mostBytes)
	_, isDenied := access.IsDenied(err)
	switch {
	case err != nil && is.Text == "":
		return false, s.source != "" || outcomeOf(err) == Missing, !isDenied
	case is.Shown != s.shown:
		return false, s.source != "", !isDenied // it was cut where it was sent
	}
	return blob.Of([]byte(is.Text)) == s.body, true, !isDenied
}

// mention returns the mention of the part that a sight is of.
func (s *sight) mention() (mention.Mention, bool) {
	if s.symbol != "" {
		return mention.Symbol{Path: s.name, Name: s.symbol}, true
	}
	first, last, ok := lineRange(s.lines)
	return mention.Selection{Path: s.name, First: first, Last: last}, ok
}

// named reads a file, or a part of one, by the name that it has in the view.
func (x *expansion) named(ctx context.Context, m mention.Mention, limit int) (*Content, error) {
	return x.fetch(ctx, Query{Mention: m, Asker: access.Asker{Origin: access.FromPerson}, Limit: limit, Memory: &x.memory, Named: true})
}

// outgrown reports whether a content has become longer than any that was ever
// read whole.
func (c *Content) outgrown() bool { return c.Source == "" && c.Size > mostBytes }

// readOn reads further what is too long for the turn, where the model has seen it
// whole: whether it has changed can be told from all of it alone.
func (x *expansion) readOn(ctx context.Context, s seen) error {
	var items []*item
	x.walk(func(it *item) {
		if it.outcome != "" || it.same != nil || it.captured != "" || it.content.Source != "" || it.content.Size <= int64(x.limit) {
			return
		}
		if latest := s.latest[it.called()]; latest != nil && latest.source != "" {
			items = append(items, it)
		}
	})
	return x.parallel(ctx, len(items), func(i int) {
		it := items[i]
		it.outgrown = it.content.outgrown()
		if it.outgrown {
			return
		}
		q := Query{Mention: it.ref.Mention, Base: it.base, Asker: it.asker, Limit: mostBytes, Memory: &x.memory}
		if it.parent != nil && it.ref.Written == "" { // a file of a pattern, which has a name alone
			q.Mention, q.Named = mention.File{Path: it.content.Name}, true
		}
		c, err := x.fetch(ctx, q)
		if err == nil && c.Source != "" {
			whole := *c
			whole.Name = it.content.Name
			it.content = &whole
		}
	})
}
