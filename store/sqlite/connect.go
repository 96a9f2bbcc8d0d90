package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ampersat/ampersat/session"
	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

const (
	// patience is how long SQLite waits for another process before it asks us
	// whether to go on, which is when a cancelled context is seen.
	patience = 100 * time.Millisecond
	// readers is how many read at once. A loop over a log does not keep one.
	readers = 4
	// walKept is how large a write-ahead log may stay that once had to grow.
	walKept = 16 << 20
)

// connect returns connections to the file at path, none of them opened yet.
func connect(path string, most int, settings ...string) (*sql.DB, error) {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/...
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: slashed, RawQuery: strings.Join(settings, "&")}
	connector, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	return db, nil
}

// common are the settings of every connection: never create the file, look at
// pages before they are trusted, report errors by their own text.
func common(mode string) []string {
	return []string{
		"mode=" + mode, "_dqs=0", "_error_rc=1",
		"_busy_timeout=" + milliseconds(patience), "_pragma=trusted_schema(0)", "_pragma=cell_size_check(1)",
	}
}

// writable are the settings of a connection that writes: what was written survives
// a crash, and what is deleted is overwritten.
func writable() []string {
	return append(common("rw"), "_txlock=immediate", "_synchronous=FULL", "_pragma=secure_delete(1)", "_pragma=journal_size_limit("+strconv.Itoa(walKept)+")")
}

// makePrivate sees to it that the file exists and that nobody else can read
// it. SQLite gives its -wal and -shm the mode of the file.
//
// A file that exists is not opened: closing it again would drop the locks that
// the whole process has on it, and with them those of another [Store].
func makePrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) && name != path {
			continue
		}
		if err != nil {
			return err
		}
		if info.IsDir() {
			return &fs.PathError{Op: "open", Path: name, Err: errors.New("it is a folder")}
		}
		if info.Mode().Perm()&0o077 == 0 {
			continue
		}
		if err := os.Chmod(name, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// retry calls try until it does not fail because of another process, for the
// time that the store may wait.
func (s *Store) retry(ctx context.Context, try func() error) error {
	deadline := time.Now().Add(s.wait)
	for {
		err := try()
		if c := code(err); c != codes.SQLITE_BUSY && c != codes.SQLITE_LOCKED || time.Now().After(deadline) {
			return explain(ctx, s.path, err)
		}
		// Some of these come without SQLite having waited.
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
}

// ready returns why the store cannot be used: nobody waits any more, or it was not
// opened.
func (s *Store) ready(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.writer == nil {
		return errors.New("the store is not open: sqlite.Open makes one")
	}
	if s.closed.Load() {
		return fmt.Errorf("%s: %w", s.path, session.ErrClosed)
	}
	return nil
}

// toldClosed says of a failure that the store was closed meanwhile: what the
// connections report then cannot be tested for.
func (s *Store) toldClosed(ctx context.Context, err error) error {
	if err == nil || !s.closed.Load() || errors.Is(err, ctx.Err()) || aboutSession(err) {
		return err
	}
	return fmt.Errorf("%s: %w (%w)", s.path, session.ErrClosed, err)
}

// read runs queries on one of the reading connections. It may be called more
// than once.
func (s *Store) read(ctx context.Context, query func() error) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	return s.toldClosed(ctx, s.retry(ctx, query))
}

// write runs change in a transaction that has the right to write from its
// beginning, so that what it reads stays true until it commits. Once begun it
// is not cancelled: a caller that is told of a cancellation can rely on it that
// nothing was changed.
func (s *Store) write(ctx context.Context, change func(*transaction) error) error {
	if err := s.ready(ctx); err != nil {
		return err
	}
	return s.toldClosed(ctx, s.transact(ctx, change))
}

func (s *Store) transact(ctx context.Context, change func(*transaction) error) error {
	if s.newer != nil {
		return s.newer
	}
	statements, err := s.statements(ctx)
	if err != nil {
		return err
	}
	conn, err := s.writer.Conn(ctx)
	if err != nil {
		return explain(ctx, s.path, err)
	}
	defer conn.Close()

	whole := context.WithoutCancel(ctx)
	var tx *sql.Tx
	err = s.retry(ctx, func() (err error) {
		tx, err = conn.BeginTx(whole, nil)
		return err
	})
	if err != nil {
		return err
	}
	t := &transaction{ctx: whole, tx: tx, prepared: statements}
	err = ctx.Err()
	if err == nil {
		err = s.current(t)
	}
	if err == nil {
		err = change(t)
	}
	if err != nil {
		// After a full disk SQLite has rolled back by itself already.
		_ = tx.Rollback()
		return explain(ctx, s.path, err)
	}
	return explain(ctx, s.path, tx.Commit())
}

// current fails if a newer version has migrated the file since it was opened, by
// a program that was updated while this one was running.
func (s *Store) current(t *transaction) error {
	var format number
	if err := t.row(selectFormat).Scan(&format); err != nil {
		return err
	}
	if int(format) > s.known {
		return s.outdated(int(format))
	}
	return nil
}

// statements prepares what transactions run, once.
func (s *Store) statements(ctx context.Context) (map[string]*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prepared != nil {
		return s.prepared, nil
	}
	prepared := make(map[string]*sql.Stmt, len(writing))
	for _, query := range writing {
		err := s.retry(ctx, func() error {
			statement, err := s.writer.PrepareContext(ctx, query)
			prepared[query] = statement
			return err
		})
		if err != nil {
			delete(prepared, query)
			for _, statement := range prepared {
				_ = statement.Close()
			}
			return nil, err
		}
	}
	s.prepared = prepared
	return prepared, nil
}

// transaction is what a change is made with.
type transaction struct {
	ctx      context.Context
	tx       *sql.Tx
	prepared map[string]*sql.Stmt
}

func (t *transaction) row(query string, args ...any) *sql.Row {
	return t.tx.StmtContext(t.ctx, t.prepared[query]).QueryRowContext(t.ctx, args...)
}

func (t *transaction) exec(query string, args ...any) (sql.Result, error) {
	return t.tx.StmtContext(t.ctx, t.prepared[query]).ExecContext(t.ctx, args...)
}
