package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/session"
)

// Last implements [session.Store].
func (s *Store) Last(ctx context.Context, id session.ID, kind session.Kind) (session.Record, error) {
	var found line
	var at int64
	err := s.read(ctx, func() error {
		var err error
		if at, err = s.lastPlace(ctx, id, kind); err != nil {
			return err
		}
		return s.reader.QueryRowContext(ctx, selectEntries, at, at, 1).Scan(&found.place, &found.time, &found.sum, &found.body)
	})
	var r session.Record
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = s.missing(ctx, id, at>>32, session.Seq(at)&maxSeq)
	case err == nil:
		r, err = s.record(ctx, id, at, found)
	}
	if err != nil {
		return session.Record{}, within(err, "read session %.40q", string(id))
	}
	return r, nil
}

// lastPlace returns where the last entry of a kind is. Those that a view begins
// with are kept with the session; others are looked for from the end.
func (s *Store) lastPlace(ctx context.Context, id session.ID, kind session.Kind) (int64, error) {
	var key int64
	var head, prepared, compacted session.Seq
	if err := s.reader.QueryRowContext(ctx, selectLandmarks, string(id)).Scan(&key, &head, &prepared, &compacted); err != nil {
		return 0, notFound("read", id, err)
	}
	var last session.Seq
	switch kind {
	case session.KindPrepared:
		last = prepared
	case session.KindCompacted:
		last = compacted
	default:
		var at int64
		err := s.reader.QueryRowContext(ctx, selectLast, place(key, 1), place(key, head), string(kind)).Scan(&at)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, err
		}
		last = session.Seq(at) & maxSeq
	}
	if last == 0 {
		return 0, fmt.Errorf("read the last %s of session %s: %w", kind, id, session.ErrNoEntry)
	}
	return place(key, last), nil
}
