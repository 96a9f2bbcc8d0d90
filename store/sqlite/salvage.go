package sqlite

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
	codes "modernc.org/sqlite/lib"
)

// Salvaged is how much [Salvage] could read.
type Salvaged struct {
	Sessions, Entries, Blobs int
	// Lost is how many entries are lost, LostElse how many lines tell of another loss:
	// a session, a content, or some of them. Both are zero for a healthy file.
	Lost, LostElse int
}

// Salvage writes to w what can be read of the store at path, be it damaged or
// not, as JSON Lines (see [export.Line]), which [export.Read] reads into a new
// store. The sessions come first, then the entries, log after log, then the blobs. The
// log of a session whose own row is lost is there, under the ID "lost-" and a
// number. An entry that is not as it was written is lost, but its line has the
// text that is left, as "raw".
//
// The store is not changed, and may be on a disk that cannot be written to, unless some
// of it is still in its -wal. An error means that nothing in it can be reached,
// or that w fails.
func Salvage(ctx context.Context, path string, w io.Writer) (Salvaged, error) {
	if err := ctx.Err(); err != nil {
		return Salvaged{}, err
	}
	path, err := filepath.Abs(path)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return Salvaged{}, fmt.Errorf("salvage session store: %w", err)
	}
	out := bufio.NewWriter(w)
	r := &rescue{sweeper: sweeper{ctx: ctx}, out: out, logs: map[int64]*rescuedLog{}}
	err = r.open(path)
	if nothingToShare(path, err) {
		err = r.open(path, "immutable=1")
	}
	if err != nil {
		return Salvaged{}, fmt.Errorf("salvage session store: %w", explain(ctx, path, err))
	}
	defer r.db.Close()
	for _, part := range []func() error{r.sessions, r.entries, r.gaps, r.blobs, out.Flush} {
		if err := part(); err != nil {
			return r.result, fmt.Errorf("salvage session store: %w", explain(ctx, path, err))
		}
	}
	return r.result, nil
}

// rescue is one export.
type rescue struct {
	sweeper
	out    *bufio.Writer
	result Salvaged
	logs   map[int64]*rescuedLog // by session.key
	reason string                // why entries were last lost
}

// rescuedLog is what is known of a log.
type rescuedLog struct {
	id   session.ID
	head session.Seq
	last session.Seq // that was met
}

func (r *rescue) put(counter *int, line export.Line) error {
	*counter++
	text, err := line.Append(nil)
	if err == nil {
		_, err = r.out.Write(text)
	}
	return err
}

func (r *rescue) lose(line export.Line) error {
	line.Type = export.TypeLost
	if line.Seq == 0 {
		return r.put(&r.result.LostElse, line)
	}
	r.result.Lost += int(line.Through - line.Seq)
	return r.put(&r.result.Lost, line)
}

// open fails if there is nothing to begin with.
func (r *rescue) open(path string, settings ...string) (err error) {
	// A file that was cut off is refused unless the schema may be wrong.
	settings = append(settings, append(common("ro"), "_query_only=1", "_pragma=writable_schema(1)")...)
	if r.db, err = connect(path, 1, settings...); err != nil {
		return err
	}
	var tables int
	err = r.db.QueryRowContext(r.ctx, `SELECT count(*) FROM sqlite_schema WHERE name IN ('session', 'entry', 'blob')`).Scan(&tables)
	if err == nil && tables < 3 {
		err = ErrForeign
	}
	if err != nil {
		return errors.Join(err, r.db.Close())
	}
	return nil
}

// nothingToShare reports whether a store cannot be opened because the files beside
// it cannot be made, as on a disk that cannot be written to, and that it can be read
// without them: nobody changes it, and there is nothing of it elsewhere.
func nothingToShare(path string, err error) bool {
	switch code(err) {
	case codes.SQLITE_CANTOPEN, codes.SQLITE_READONLY:
		log, err := os.Stat(path + "-wal")
		return errors.Is(err, fs.ErrNotExist) || err == nil && log.Size() == 0
	}
	return false
}

func (r *rescue) sessions() error {
	return r.sweep(`SELECT key, `+metaColumns+` FROM session NOT INDEXED WHERE key >= ? ORDER BY key`,
		func(scan scanner) (int64, func() error, error) {
			var key int64
			m, err := scanMeta(func(columns ...any) error { return scan(append([]any{&key}, columns...)...) })
			return key, func() error {
				r.logs[key] = &rescuedLog{id: m.ID, head: m.Head}
				return r.put(&r.result.Sessions, export.Line{Type: export.TypeSession, Session: m.ID, Meta: &m})
			}, err
		},
		func(reason error) error {
			return r.lose(export.Line{Reason: "sessions: " + reason.Error()})
		})
}

func (r *rescue) entries() error {
	return r.sweep(`SELECT place, time, sum, body FROM entry WHERE place >= ? ORDER BY place`,
		func(scan scanner) (int64, func() error, error) {
			var l line
			err := scan(&l.place, &l.time, &l.sum, &l.body)
			return int64(l.place), func() error { return r.entry(l) }, err
		},
		func(reason error) error {
			r.reason = reason.Error() // the gaps tell what it cost
			return nil
		})
}

func (r *rescue) entry(l line) error {
	key, seq := int64(l.place)>>32, session.Seq(l.place)&maxSeq
	log := r.logs[key]
	if log == nil {
		log = &rescuedLog{id: session.ID(fmt.Sprintf("lost-%d", key))}
		r.logs[key] = log
		if err := r.lose(export.Line{Session: log.id, Reason: "the session of this log is lost, the log is not"}); err != nil {
			return err
		}
	}
	if err := r.gap(log, seq); err != nil {
		return err
	}
	log.last = seq
	if _, err := session.Decode(l.body); err != nil || checksum(l.body) != int64(l.sum) {
		return r.lose(export.Line{Session: log.id, Seq: seq, Through: seq, Raw: session.ToUTF8(string(l.body)), Reason: "it is not what was written"})
	}
	return r.put(&r.result.Entries, export.Line{Type: export.TypeEntry, Session: log.id, Seq: seq, Time: fromMicro(int64(l.time)), Entry: l.body})
}

// gap tells of the entries between the last one and the next.
func (r *rescue) gap(log *rescuedLog, next session.Seq) error {
	if next <= log.last+1 {
		return nil
	}
	reason := "not there"
	if r.reason != "" {
		reason = r.reason
	}
	return r.lose(export.Line{Session: log.id, Seq: log.last + 1, Through: next - 1, Reason: reason})
}

// gaps tells of the logs that ended before their end.
func (r *rescue) gaps() error {
	for _, key := range slices.Sorted(maps.Keys(r.logs)) {
		if err := r.gap(r.logs[key], r.logs[key].head+1); err != nil {
			return err
		}
	}
	return nil
}

func (r *rescue) blobs() error {
	return r.sweep(`SELECT rowid, digest, data FROM blob NOT INDEXED WHERE rowid >= ? ORDER BY rowid`,
		func(scan scanner) (int64, func() error, error) {
			var row int64
			var digest string
			var data []byte
			err := scan(&row, &digest, &data)
			return row, func() error {
				// Content names itself: it is worth keeping under whatever digest.
				if blob.Of(data) != blob.Digest(digest) {
					return r.lose(export.Line{Digest: blob.Digest(session.ToUTF8(digest)), Data: &data, Reason: "it is not what was written"})
				}
				return r.put(&r.result.Blobs, export.Line{Type: export.TypeBlob, Digest: blob.Digest(digest), Data: &data})
			}, err
		},
		func(reason error) error {
			return r.lose(export.Line{Reason: "blobs: " + reason.Error()})
		})
}
