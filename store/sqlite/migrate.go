package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strings"

	codes "modernc.org/sqlite/lib"
)

// migrations are run in the order of their names, each once. The format of a
// file is how many were run on it; SQLite keeps it as user_version.
//
// One that changes a file so that older programs would misread it sets
// store.reader to its own number.
//
//go:embed migrations/*.sql
var migrations embed.FS

// application marks a file as a session store, in SQLite's application_id. It
// reads "AMPS".
const application = 0x414d5053

// prepare brings the file to the format of this version.
func (s *Store) prepare(ctx context.Context) error {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	s.known = len(names)
	var format int
	err = s.retry(ctx, func() (err error) {
		format, err = s.format(ctx, s.writer)
		return err
	})
	if err != nil {
		return err
	}
	if format > s.known {
		return s.readOnly(ctx, format)
	}
	if err := s.retry(ctx, func() error { return writeAhead(ctx, s.writer) }); err != nil {
		return err
	}
	if format == s.known {
		return nil
	}
	return s.retry(ctx, func() error { return s.migrate(ctx, names) })
}

// querier is a pool or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// format returns how many migrations the file has seen. It is an [ErrForeign] if
// the file has content and is no store.
func (s *Store) format(ctx context.Context, q querier) (format int, err error) {
	var mark, tables int
	err = q.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&mark, &format, &tables)
	switch {
	case err != nil:
		return 0, err
	case mark == application:
		return format, nil
	case mark == 0 && format == 0 && tables == 0:
		return 0, nil
	}
	return 0, fmt.Errorf("%s: %w: it is a database of another program; choose another path", s.path, ErrForeign)
}

// readOnly opens a store that a newer version has written, if that version says
// that this one can read it.
func (s *Store) readOnly(ctx context.Context, format int) error {
	var reader int
	err := s.retry(ctx, func() error {
		return s.reader.QueryRowContext(ctx, `SELECT reader FROM store`).Scan(&reader)
	})
	if err != nil && code(err) != codes.SQLITE_ERROR { // not: no such table
		return err
	}
	if err != nil || reader > s.known {
		return fmt.Errorf("%s: %w, which alone can read it (its format is %d, this version knows %d): update ampersat", s.path, ErrNewer, format, s.known)
	}
	s.newer = s.outdated(format)
	return nil
}

// outdated says why this version cannot write to the file.
func (s *Store) outdated(format int) error {
	return fmt.Errorf("%s: %w (its format is %d, this version knows %d): it can be read and not be changed; update ampersat", s.path, ErrNewer, format, s.known)
}

// writeAhead switches the file to a write-ahead log, with which readers do not
// wait for writers. The file remembers.
func writeAhead(ctx context.Context, db *sql.DB) error {
	var mode string
	if err := db.QueryRowContext(ctx, `PRAGMA journal_mode = WAL`).Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the file system does not allow a write-ahead log (journal mode is %q): put the store on a local disk", mode)
	}
	return nil
}

// migrate runs what is missing, all or nothing. Another process may have done
// so meanwhile.
func (s *Store) migrate(ctx context.Context, names []string) error {
	tx, err := s.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	format, err := s.format(ctx, tx)
	if err != nil {
		return err
	}
	if format > len(names) {
		return fmt.Errorf("%s: %w, just now: open it again", s.path, ErrNewer)
	}
	for _, name := range names[format:] {
		script, err := migrations.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, string(script)); err != nil {
			return fmt.Errorf("%s: %w", strings.TrimPrefix(name, "migrations/"), err)
		}
	}
	mark := fmt.Sprintf(`PRAGMA application_id = %d; PRAGMA user_version = %d`, application, len(names))
	if _, err := tx.ExecContext(ctx, mark); err != nil {
		return err
	}
	return tx.Commit()
}
