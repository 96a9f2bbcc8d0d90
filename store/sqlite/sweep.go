package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	codes "modernc.org/sqlite/lib"
)

// sweeper reads tables of which pages may be missing or wrong.
type sweeper struct {
	ctx context.Context
	db  *sql.DB
}

type scanner = func(columns ...any) error

// each reads a row. It returns the row id, and what to do once the whole row is
// known to be readable.
type each = func(scan scanner) (row int64, keep func() error, err error)

// errUnreadable is damage that SQLite does not notice.
var errUnreadable = errors.New("a row makes no sense")

// sweep goes through a table in the order of its row ids. The query asks for
// the rows from an id on. Where a stretch cannot be read it calls lost, and goes
// on behind it.
func (s sweeper) sweep(query string, read each, lost func(reason error) error) error {
	for next := int64(0); ; {
		last, damage, err := s.stretch(query, next, read)
		if err != nil || damage == nil {
			return err
		}
		if err := lost(damage); err != nil {
			return err
		}
		var more bool
		if next, more, err = s.behind(query, last, read); err != nil || !more {
			return err
		}
	}
}

// stretch reads from an id on until the end or until damage, and returns the id
// after the last row that it has kept.
func (s sweeper) stretch(query string, from int64, read each) (next int64, damage, err error) {
	rows, err := s.db.QueryContext(s.ctx, query, from)
	if err != nil {
		damage, err = s.judge(err)
		return from, damage, err
	}
	defer rows.Close()
	for rows.Next() {
		row, keep, err := read(rows.Scan)
		if err != nil || row < from || row == math.MaxInt64 {
			// A value of the wrong type, or rows that are out of order.
			if err != nil {
				err = fmt.Errorf("%w: %w", errUnreadable, err)
			} else {
				err = errUnreadable
			}
			return from, err, nil
		}
		if err := keep(); err != nil {
			return from, nil, err
		}
		from = row + 1
	}
	damage, err = s.judge(rows.Err())
	return from, damage, err
}

// near is how far rows are looked for one by one. More than a page can hold are
// not lost with one page.
const near = 512

// behind returns the first id from which a row can be read, or that there is
// none. It looks at each id nearby, then in strides that double, and then
// between the last two.
func (s sweeper) behind(query string, from int64, read each) (next int64, more bool, err error) {
	limited := query + " LIMIT 1"
	bad := from - 1
	for stride := int64(1); ; {
		at := bad + stride
		if at < bad {
			return 0, false, nil // beyond all ids
		}
		readable, any, err := s.probe(limited, at, read)
		if err != nil {
			return 0, false, err
		}
		if !readable {
			bad = at
			if at-from >= near {
				stride = min(stride, math.MaxInt64/4) * 2
			}
			continue
		}
		for at-bad > 1 {
			middle := bad + (at-bad)/2
			ok, some, err := s.probe(limited, middle, read)
			if err != nil {
				return 0, false, err
			}
			if ok {
				at, any = middle, some
			} else {
				bad = middle
			}
		}
		return at, any, nil
	}
}

// probe tells whether the table can be read from an id on, and whether there is
// a row.
func (s sweeper) probe(query string, at int64, read each) (readable, any bool, err error) {
	none := true
	_, damage, err := s.stretch(query, at, func(scan scanner) (int64, func() error, error) {
		none = false
		row, _, err := read(scan)
		return row, func() error { return nil }, err
	})
	return damage == nil, !none, err
}

// judge tells damage from other reasons to stop.
func (s sweeper) judge(err error) (damage, other error) {
	if s.ctx.Err() != nil {
		return nil, s.ctx.Err()
	}
	switch code(err) {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_IOERR:
		return err, nil
	}
	return nil, err
}
