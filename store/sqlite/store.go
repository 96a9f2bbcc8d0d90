package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

// Options are what a store can be told. The zero value is right for most.
type Options struct {
	// Now tells the time; nil means [time.Now].
	Now func() time.Time
	// Wait is how long an operation waits for other processes that write, until
	// it is an [ErrBusy]; ten seconds if it is not positive.
	Wait time.Duration
}

// Store is a [session.Store] in a file. [Open] makes one. It is safe for
// concurrent use, by any number of goroutines and, each with a store of its own,
// of processes.
type Store struct {
	path  string
	now   func() time.Time
	wait  time.Duration
	known int // the format of this version
	// newer is why nothing can be written, nil if it can: a newer version wrote the
	// file, or there is no room.
	newer error

	closed atomic.Bool
	writer *sql.DB // one connection
	reader *sql.DB // several, each opened when it is first needed
	// indexed is that the index of the contents was found to be whole.
	indexed atomic.Bool

	mu       sync.Mutex
	prepared map[string]*sql.Stmt // on the writer
}

var _ session.Store = (*Store)(nil)

// Open opens the store in the file at path. File and folder are created if they
// are not there, for nobody else to read; a file that others can read becomes
// private. A store of an older version is brought up to date.
//
// A store that a newer version has written can be read and not be changed, and so
// can one on a disk that is full: [Store.ReadOnly] tells. If it cannot even be read,
// Open fails with an [ErrNewer] or [ErrFull].
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, err := open(ctx, path, options)
	if err != nil {
		return nil, fmt.Errorf("open session store: %w", err)
	}
	return s, nil
}

func open(ctx context.Context, path string, options Options) (*Store, error) {
	if path == "" {
		return nil, errors.New("there is no path")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := makePrivate(path); err != nil {
		return nil, err
	}
	wait := 10 * time.Second
	if options.Wait > 0 {
		wait = options.Wait
	}
	s := &Store{path: path, now: options.Now, wait: wait}
	if s.now == nil {
		s.now = time.Now
	}
	s.writer, err = connect(path, 1, writable()...)
	if err != nil {
		return nil, err
	}
	s.reader, err = connect(path, readers, append(common("rw"), "_query_only=1")...)
	if err != nil {
		return nil, errors.Join(err, s.writer.Close())
	}
	err = s.prepare(ctx)
	if noRoomToShare(err) {
		err = s.readAlone(ctx, err)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// readAlone opens the store for reading where there is no room for what processes
// share: with one connection, that keeps all others away and needs no such file.
func (s *Store) readAlone(ctx context.Context, full error) error {
	if err := errors.Join(s.reader.Close(), s.writer.Close()); err != nil {
		return err
	}
	alone, err := connect(s.path, 1, append(common("rw"), "_query_only=1", "_pragma=locking_mode(exclusive)")...)
	if err != nil {
		return err
	}
	s.reader, s.writer = alone, alone
	var format int
	err = s.retry(ctx, func() (err error) {
		format, err = s.format(ctx, alone)
		return err
	})
	switch {
	case err != nil:
		return err
	case format != s.known:
		return full // to bring it up to date needs room too
	}
	s.newer = full
	return nil
}

// Close ends the use of the store. What was appended is kept whether it is
// called or not. Operations that are running come to their end or, like all that
// begin later, return a [session.ErrClosed]; a turn that is running then ends
// with one, and cannot write down its end: cancel turns and wait for them first.
func (s *Store) Close() error {
	if s.writer == nil || s.closed.Swap(true) { // Open has not made it, or it is closed
		return nil
	}
	s.mu.Lock()
	for _, statement := range s.prepared {
		_ = statement.Close() // the connection goes with it
	}
	s.prepared = nil
	s.mu.Unlock()
	// The writer last: it tidies up when no other connection is left.
	if err := errors.Join(s.reader.Close(), s.writer.Close()); err != nil {
		return fmt.Errorf("close session store: %s: %w", s.path, err)
	}
	return nil
}

// ReadOnly returns why the store cannot be written to, an [ErrNewer] or [ErrFull], or nil if
// it can. It is what every method that writes would return.
func (s *Store) ReadOnly() error { return s.newer }

// Blobs implements [session.Store].
func (s *Store) Blobs() blob.Store { return blobs{s} }

func milliseconds(d time.Duration) string {
	return strconv.FormatInt(d.Milliseconds(), 10)
}
