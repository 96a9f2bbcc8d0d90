package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"time"

	"github.com/ampersat/ampersat/blob"
)

// Prune removes the contents that no session of the store at path names, which is
// what [Store.Delete] leaves of them, and returns how many there were. What they held
// is overwritten.
//
// It wants the store for itself, since contents are put before the entries are
// appended that name them: while anybody has it open, in this process or another, it is
// an [ErrBusy]. Of a damaged store nothing is removed.
func Prune(ctx context.Context, path string) (removed int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	path, err = filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err == nil {
		removed, err = prune(ctx, path)
	}
	if err != nil {
		return 0, within(err, "prune session store")
	}
	return removed, nil
}

// aloneWait is how long those are waited for who have the store open: long enough
// for one who is about to close it.
const aloneWait = time.Second

func prune(ctx context.Context, path string) (removed int, err error) {
	alone, err := connect(path, 1, append(writable(), "_pragma=locking_mode(exclusive)")...)
	if err != nil {
		return 0, err
	}
	s := &Store{path: path, now: time.Now, wait: aloneWait, writer: alone, reader: alone}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.prepare(ctx); err != nil {
		return 0, err
	}
	err = s.write(ctx, func(t *transaction) error {
		unnamed, err := t.unnamed(ctx, s)
		if err != nil {
			return err
		}
		for _, row := range unnamed {
			if _, err := t.exec(deleteBlob, row); err != nil {
				return err
			}
		}
		removed = len(unnamed)
		return nil
	})
	return removed, err
}

// unnamed returns the rows of the contents that no entry names.
func (t *transaction) unnamed(ctx context.Context, s *Store) (rows map[blob.Digest]int64, err error) {
	rows, err = t.contents(ctx, selectTable)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	// By the index they are removed.
	if indexed, err := t.contents(ctx, selectIndex); err != nil || !maps.Equal(rows, indexed) {
		return nil, cmp.Or(err, s.damaged("the index of contents is not that of the table"))
	}
	var entries, logged int64
	err = t.each(ctx, `SELECT sum, body FROM entry`, func(scan scanner) error {
		var sum number
		var body sql.RawBytes
		if err := scan(&sum, &body); err != nil {
			return err
		}
		if checksum(body) != int64(sum) {
			return s.damaged("an entry is not what was written")
		}
		entries++
		for digest := range digestsIn(body) {
			delete(rows, digest)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := t.tx.QueryRowContext(t.ctx, `SELECT coalesce(sum(head), 0) FROM session`).Scan(&logged); err != nil {
		return nil, err
	}
	if entries != logged {
		return nil, s.damaged("there are %d entries where %d were written", entries, logged)
	}
	return rows, nil
}

// contents returns the row of each content.
func (t *transaction) contents(ctx context.Context, query string) (map[blob.Digest]int64, error) {
	rows := map[blob.Digest]int64{}
	err := t.each(ctx, query, func(scan scanner) error {
		var row int64
		var digest string
		if err := scan(&row, &digest); err != nil {
			return err
		}
		rows[blob.Digest(digest)] = row
		return nil
	})
	return rows, err
}

// each calls read for every row of a query.
func (t *transaction) each(ctx context.Context, query string, read func(scan scanner) error) error {
	rows, err := t.tx.QueryContext(t.ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := read(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// digestsIn yields what may be a digest in an entry, wherever it stands: what is
// kept without need is better than what is lost.
func digestsIn(body []byte) func(yield func(blob.Digest) bool) {
	const prefix, length = "sha256:", len("sha256:") + 64
	return func(yield func(blob.Digest) bool) {
		for {
			at := bytes.Index(body, []byte(prefix))
			if at < 0 || len(body) < at+length {
				return
			}
			if !yield(blob.Digest(body[at : at+length])) {
				return
			}
			body = body[at+len(prefix):]
		}
	}
}
