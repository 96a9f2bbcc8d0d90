package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/session"
)

var _ session.Searcher = (*Store)(nil)

// Search implements [session.Searcher]. SQLite looks for the entries that may
// match, by the words of the text; these alone are decoded and looked at. There is no index: appending
// would cost twice as much for something that is done seldom.
func (s *Store) Search(ctx context.Context, q session.Query, text string, most int) ([]session.Hit, error) {
	sessions, rank, err := s.sought(ctx, q)
	if err != nil {
		return nil, within(err, "search sessions")
	}
	var hits []session.Hit
	for _, m := range sessions {
		if hit, found := m.Find(text); found {
			hits = append(hits, hit)
		}
	}
	like := likely(text)
	for next := int64(0); ; {
		lines, err := s.candidates(ctx, next, like)
		if err != nil {
			return nil, within(err, "search sessions")
		}
		for _, l := range lines {
			next = int64(l.place) + 1
			at, wanted := rank[int64(l.place)>>32]
			if !wanted {
				continue
			}
			m := sessions[at]
			r, err := s.record(ctx, m.ID, int64(l.place), l)
			if err != nil {
				return nil, within(err, "search session %s", m.ID)
			}
			if hit, found := r.Find(text); found {
				hit.Session = m
				hits = append(hits, hit)
			}
		}
		if len(lines) == 0 {
			break
		}
	}
	order := make(map[session.ID]int, len(sessions))
	for i, m := range sessions {
		order[m.ID] = i
	}
	slices.SortStableFunc(hits, func(a, b session.Hit) int {
		return cmp.Or(cmp.Compare(order[a.Session.ID], order[b.Session.ID]), cmp.Compare(a.Seq, b.Seq))
	})
	return slices.Clip(hits[:min(most, len(hits))]), nil
}

// sought returns the sessions to look in, and where each is among them by its
// key.
func (s *Store) sought(ctx context.Context, q session.Query) (list []session.Meta, rank map[int64]int, err error) {
	query, args, err := listing(q)
	if err != nil {
		return nil, nil, err
	}
	query = strings.Replace(query, "SELECT ", "SELECT key, ", 1)
	err = s.read(ctx, func() error {
		list, rank = nil, map[int64]int{}
		rows, err := s.reader.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var key number
			m, err := scanMeta(func(columns ...any) error { return rows.Scan(append([]any{&key}, columns...)...) })
			if err != nil {
				return err
			}
			rank[int64(key)] = len(list)
			list = append(list, m)
		}
		return rows.Err()
	})
	return list, rank, err
}

// candidates returns some entries from a place on that may match.
func (s *Store) candidates(ctx context.Context, from int64, like string) ([]line, error) {
	return s.lines(ctx, selectLike, from, like, pageEntries)
}

// likely returns the words of a text as a pattern of LIKE. A word is the same in
// whatever JSON, and no mention begins or ends in it, which would be a part of
// its own; what stands between words may be spelled otherwise. LIKE ignores the
// case of ASCII letters, and of no others.
func likely(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_' || r == '-')
	})
	return "%" + strings.ReplaceAll(strings.Join(words, "%"), "_", `\_`) + "%"
}
