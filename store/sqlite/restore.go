package sqlite

import (
	"context"
	"fmt"
	"iter"

	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

// Restore implements [session.Store].
func (s *Store) Restore(ctx context.Context, m session.Meta, records iter.Seq2[session.Record, error]) (session.Meta, error) {
	if err := s.ready(ctx); err != nil {
		return session.Meta{}, err
	}
	// All is read before the right to write is taken: nobody knows how long
	// records take to come.
	var log []addition
	head, err := session.Lines(records, func(r session.Record, entry jsontext.Value) error {
		log = append(log, addition{micros: r.Time.UnixMicro(), kind: r.Entry.Kind(), body: entry})
		return ctx.Err()
	})
	if err != nil {
		return session.Meta{}, fmt.Errorf("restore session %.40q: %w", string(m.ID), err)
	}
	if m, err = m.Restored(head, s.now()); err != nil {
		return session.Meta{}, err
	}
	err = s.write(ctx, func(t *transaction) error {
		key, err := t.add(m)
		if err != nil {
			return err
		}
		return t.append(state{key: key}, m.Updated.UnixMicro(), log)
	})
	if err != nil {
		return session.Meta{}, within(err, "restore session %s", m.ID)
	}
	return m, nil
}
