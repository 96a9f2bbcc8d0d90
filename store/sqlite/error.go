package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/ampersat/ampersat/session"
	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// What can be wrong with the file. The errors of this package wrap these, name
// the file and say what can be done.
var (
	// ErrNewer means that a newer version wrote the file. It can be read, if
	// [Open] gave a store, and not be written to.
	ErrNewer = errors.New("written by a newer version of ampersat")
	// ErrForeign means that the file is of another program.
	ErrForeign = errors.New("not a session store")
	// ErrDamaged means that what is in the file is not what was written.
	ErrDamaged = errors.New("the file is damaged")
	// ErrFull means that there is no room for more. What is there is whole.
	ErrFull = errors.New("no room left")
	// ErrBusy means that other processes were writing all the time.
	ErrBusy = errors.New("other processes keep it busy")
)

// code returns SQLite's primary code of an error, zero if it is none of SQLite's.
func code(err error) int {
	if failure, ok := errors.AsType[*sqlite.Error](err); ok {
		return failure.Code() & 0xff
	}
	return codes.SQLITE_OK
}

// noRoomToShare reports whether there is no room for the file by which the processes
// that use a store share its index, which even reading needs.
func noRoomToShare(err error) bool {
	failure, ok := errors.AsType[*sqlite.Error](err)
	return ok && failure.Code() == codes.SQLITE_IOERR_SHMSIZE
}

// damaged tells of content that cannot be what was written.
func (s *Store) damaged(format string, args ...any) error {
	return fmt.Errorf("%s: %w (%s): %s", s.path, ErrDamaged, fmt.Sprintf(format, args...), advice)
}

const advice = "copy it and its -wal to a safe place, then export what can be read with Salvage (\"ampersat session salvage\")"

// explain turns an error of SQLite into one that a person can act on. Others it
// returns as they are.
func explain(ctx context.Context, path string, err error) error {
	switch code(err) {
	case codes.SQLITE_OK:
		return err
	case codes.SQLITE_INTERRUPT:
		if ctx.Err() != nil {
			return ctx.Err()
		}
	case codes.SQLITE_CORRUPT:
		return fmt.Errorf("%s: %w (%w): %s", path, ErrDamaged, err, advice)
	case codes.SQLITE_NOTADB:
		return fmt.Errorf("%s: %w: it is no SQLite database, or its beginning is damaged (%w): %s", path, ErrForeign, err,
			"if it was a store, put back a copy; otherwise choose another path")
	case codes.SQLITE_IOERR:
		if noRoomToShare(err) {
			return fmt.Errorf("%s: %w (%w): what was kept before is whole; make room and try again", path, ErrFull, err)
		}
	case codes.SQLITE_FULL:
		return fmt.Errorf("%s: %w (%w): nothing of this was kept, what was kept before is whole; make room and try again", path, ErrFull, err)
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return fmt.Errorf("%s: %w (%w): try again, or end what holds it", path, ErrBusy, err)
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		return fmt.Errorf("%s: %w: the file and its folder must be yours to read and write; if they cannot be, as on a disk that is read-only, copy the folder and use the copy (AMPERSAT_HOME)", path, err)
	}
	return fmt.Errorf("%s: %w", path, err)
}

// within puts the operation before an error that does not name it yet. What
// concerns the session does; what concerns the file does not, since one place
// explains it for all operations.
func within(err error, format string, args ...any) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || aboutSession(err) {
		return err
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

func aboutSession(err error) bool {
	for _, known := range []error{
		session.ErrNotFound, session.ErrExists, session.ErrNoEntry, session.ErrConflict, session.ErrHeld, session.ErrLost,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return false
}
