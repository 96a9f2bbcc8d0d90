package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ampersat/ampersat/session"
)

// copies finds out up to which entry the log of a fork is a copy that another of
// the listed sessions tells. What happened once is told once, or what it cost
// would be counted twice.
//
// Where the session is listed that was forked, the fork itself says so. Where it
// is gone, the fork may still share its beginning with others: with what the
// session that is gone was a fork of, and with the other forks of that. The first
// of them tells it.
type copies struct {
	store session.Store
	// metas are the sessions, each fork after the one that it is of, and
	// families before those that may be copies of them.
	metas []session.Meta
	// orphan says of which the session is not listed that they are forks of.
	orphan map[session.ID]bool
	// begins is when the first entry was made of the sessions that were looked at.
	begins map[session.ID]time.Time
}

func newCopies(store session.Store, listed []session.Meta) *copies {
	c := &copies{store: store, orphan: map[session.ID]bool{}, begins: map[session.ID]time.Time{}}
	known, forks := map[session.ID]bool{}, map[session.ID][]session.Meta{}
	for _, m := range listed {
		known[m.ID] = true
	}
	var roots []session.Meta
	for _, m := range listed {
		if m.ForkOf != m.ID && known[m.ForkOf] {
			forks[m.ForkOf] = append(forks[m.ForkOf], m)
			continue
		}
		roots = append(roots, m)
		c.orphan[m.ID] = m.ForkOf != ""
	}
	// A copy is made after what it is a copy of.
	slices.SortFunc(roots, func(a, b session.Meta) int {
		if c.orphan[a.ID] != c.orphan[b.ID] {
			if c.orphan[a.ID] {
				return 1
			}
			return -1
		}
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
	for _, root := range roots {
		family := []session.Meta{root}
		for i := 0; i < len(family); i++ {
			family = append(family, forks[family[i].ID]...)
		}
		c.metas = append(c.metas, family...)
	}
	return c
}

// in returns how many of the first entries of a session others tell.
func (c *copies) in(ctx context.Context, m session.Meta) (session.Seq, error) {
	if !c.orphan[m.ID] || m.ForkAt == 0 {
		return m.ForkAt, nil
	}
	var most session.Seq
	var log []session.Record // of m, once it is needed
	for _, other := range c.metas {
		if other.ID == m.ID || most == m.ForkAt {
			break // what follows are forks of m, or come after it
		}
		if same, err := c.sameBeginning(ctx, m, other); err != nil {
			return 0, err
		} else if !same {
			continue
		}
		if log == nil {
			var err error
			if log, err = c.read(ctx, m, func(r session.Record) bool { return r.Seq < m.ForkAt }); err != nil {
				return 0, err
			}
		}
		shared := session.Seq(0)
		_, err := c.read(ctx, other, func(r session.Record) bool {
			if int(r.Seq) > len(log) || !isCopy(r, log[r.Seq-1]) {
				return false
			}
			shared = r.Seq
			return true
		})
		if err != nil {
			return 0, err
		}
		most = max(most, shared)
	}
	return most, nil
}

// sameBeginning tells apart, by one entry of each, sessions that share nothing.
func (c *copies) sameBeginning(ctx context.Context, a, b session.Meta) (bool, error) {
	for _, m := range []session.Meta{a, b} {
		if _, known := c.begins[m.ID]; known {
			continue
		}
		first, err := c.read(ctx, m, func(session.Record) bool { return false })
		if err != nil {
			return false, err
		}
		c.begins[m.ID] = time.Time{}
		if len(first) > 0 {
			c.begins[m.ID] = first[0].Time
		}
	}
	begin := c.begins[a.ID]
	return !begin.IsZero() && begin.Equal(c.begins[b.ID]), nil
}

// read returns the log of a session up to the first entry that more says no to.
// One that was removed meanwhile has none.
func (c *copies) read(ctx context.Context, m session.Meta, more func(session.Record) bool) (log []session.Record, err error) {
	for record, err := range c.store.Read(ctx, m.ID, 1) {
		if errors.Is(err, session.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the log of session %s: %w", m.ID, err)
		}
		log = append(log, record)
		if !more(record) {
			break
		}
	}
	return log, nil
}

// isCopy reports whether two entries are one that was copied: it was made at the
// same microsecond and says the same.
func isCopy(a, b session.Record) bool {
	if !a.Time.Equal(b.Time) {
		return false
	}
	one, err := session.Encode(a.Entry)
	if err != nil {
		return false // no store has such an entry
	}
	other, err := session.Encode(b.Entry)
	return err == nil && string(one) == string(other)
}
