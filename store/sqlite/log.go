package sqlite

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"

	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

// maxSeq is the last place in a log.
const maxSeq session.Seq = 1<<32 - 1

// place is where an entry is found: logs lie one after the other.
func place(key int64, seq session.Seq) int64 { return key<<32 + int64(seq) }

// checksum is what is kept beside a body.
func checksum(body []byte) int64 {
	return int64(crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
}

// Append implements [session.Store]. When it returns, the entries are on the
// disk.
func (s *Store) Append(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
	if err := s.ready(ctx); err != nil {
		return 0, err
	}
	added := make([]addition, len(entries))
	for i, e := range entries {
		body, err := session.Encode(e)
		if err != nil {
			return 0, fmt.Errorf("append to session %.40q: entry %d of %d: %w", string(id), i+1, len(entries), err)
		}
		added[i] = addition{kind: e.Kind(), body: body}
	}
	err := s.write(ctx, func(t *transaction) error {
		found, err := t.find("append to", id)
		if err != nil {
			return err
		}
		now := session.Stamp(s.now())
		if err := found.lease.Admits(token, now); err != nil {
			return fmt.Errorf("append to session %s: %w", id, err)
		}
		if after != found.head {
			return &session.ConflictError{ID: id, After: after, Head: found.head}
		}
		for i := range added {
			added[i].micros = now.UnixMicro()
		}
		return t.append(found, now.UnixMicro(), added)
	})
	if err != nil {
		return 0, within(err, "append to session %.40q", string(id))
	}
	return after + session.Seq(len(entries)), nil
}

// addition is an entry that is not in the log yet.
type addition struct {
	micros int64
	kind   session.Kind
	body   jsontext.Value
}

// append adds entries to the end of a log.
func (t *transaction) append(to state, updated int64, added []addition) error {
	if len(added) == 0 {
		return nil
	}
	if to.head > maxSeq-session.Seq(len(added)) {
		return fmt.Errorf("a log has no more than %d entries: fork it", maxSeq)
	}
	head := to.head
	var prepared, compacted session.Seq
	for _, a := range added {
		head++
		switch a.kind {
		case session.KindPrepared:
			prepared = head
		case session.KindCompacted:
			compacted = head
		}
		if _, err := t.exec(insertEntry, place(to.key, head), a.micros, checksum(a.body), string(a.body)); err != nil {
			return err
		}
	}
	_, err := t.exec(updateHead, int64(head), updated, int64(prepared), int64(compacted), to.key)
	return err
}

// How much of a log is fetched at once: little at first, since many look at one
// entry only. The connection is not kept while the caller looks at it: the body
// of the loop may take its time, and readers that stay in a transaction keep the
// write-ahead log from ending.
const (
	firstEntries = 8
	pageEntries  = 2048
	pageBytes    = 4 << 20
)

// line is an entry as it is kept.
type line struct {
	place, time, sum number
	body             []byte
}

// Read implements [session.Store]. A session that is deleted while it is read
// ends with an error.
func (s *Store) Read(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
	return func(yield func(session.Record, error) bool) {
		var key int64
		var head session.Seq
		err := s.read(ctx, func() error {
			return notFound("read", id, s.reader.QueryRowContext(ctx, selectExtent, string(id)).Scan(&key, &head))
		})
		if err == nil {
			err = s.readFrom(ctx, id, key, max(from, 1), head, yield)
		}
		if err != nil && err != errLeft {
			yield(session.Record{}, within(err, "read session %.40q", string(id)))
		}
	}
}

// errLeft means that the caller has left the loop.
var errLeft = errors.New("left")

// readFrom yields the records from one entry to another.
func (s *Store) readFrom(ctx context.Context, id session.ID, key int64, seq, head session.Seq, yield func(session.Record, error) bool) error {
	most := firstEntries
	var ahead *prefetch
	for seq <= head {
		var lines []line
		var err error
		if ahead != nil {
			lines, err = ahead.wait()
		} else {
			lines, err = s.page(ctx, place(key, seq), place(key, head), most)
		}
		if err != nil {
			return err
		}
		if len(lines) == 0 {
			return s.missing(ctx, id, key, seq)
		}
		// While these are looked at, the next ones are fetched: not after the
		// first few, which may be all that is asked for.
		ahead = nil
		if next := seq + session.Seq(len(lines)); next <= head && most == pageEntries {
			ahead = s.prefetch(ctx, place(key, next), place(key, head))
		}
		most = pageEntries
		for _, l := range lines {
			r, err := s.record(ctx, id, place(key, seq), l)
			if err == nil && !yield(r, nil) {
				err = errLeft
			}
			if err != nil {
				ahead.abandon()
				return err
			}
			seq++
		}
	}
	return nil
}

// prefetch is a page that is being fetched.
type prefetch struct {
	cancel context.CancelFunc
	done   chan struct{}
	lines  []line
	err    error
}

func (s *Store) prefetch(ctx context.Context, first, last int64) *prefetch {
	ctx, cancel := context.WithCancel(ctx)
	p := &prefetch{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.lines, p.err = s.page(ctx, first, last, pageEntries)
	}()
	return p
}

// wait returns the page.
func (p *prefetch) wait() ([]line, error) {
	<-p.done
	p.cancel()
	return p.lines, p.err
}

// abandon ends the fetching, if there is any: nobody wants the page any more.
func (p *prefetch) abandon() {
	if p != nil {
		p.cancel()
		<-p.done
	}
}

// page fetches the lines that begin at a place, as many as is sensible.
func (s *Store) page(ctx context.Context, first, last int64, most int) ([]line, error) {
	return s.lines(ctx, selectEntries, first, last, most)
}

// lines fetches what a query finds, as much of it as is sensible at a time.
func (s *Store) lines(ctx context.Context, query string, args ...any) (lines []line, err error) {
	err = s.read(ctx, func() error {
		lines = nil
		rows, err := s.reader.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for size := 0; size < pageBytes && rows.Next(); {
			var l line
			if err := rows.Scan(&l.place, &l.time, &l.sum, &l.body); err != nil {
				return err
			}
			lines = append(lines, l)
			size += len(l.body)
		}
		return rows.Err()
	})
	return lines, err
}

// record checks and decodes the line that should be at a place.
func (s *Store) record(ctx context.Context, id session.ID, at int64, l line) (session.Record, error) {
	if err := ctx.Err(); err != nil {
		return session.Record{}, err
	}
	seq := session.Seq(at) & maxSeq
	if int64(l.place) != at {
		return session.Record{}, s.missing(ctx, id, at>>32, seq)
	}
	if checksum(l.body) != int64(l.sum) {
		return session.Record{}, s.damaged("entry %d of session %s is not what was written", seq, id)
	}
	entry, err := session.DecodeStored(l.body)
	if err != nil {
		return session.Record{}, fmt.Errorf("entry %d: %w", seq, err)
	}
	return session.Record{Seq: seq, Time: fromMicro(int64(l.time)), Entry: entry}, nil
}

// missing says why an entry is not there that should be.
func (s *Store) missing(ctx context.Context, id session.ID, key int64, seq session.Seq) error {
	var there int
	err := s.read(ctx, func() error {
		return s.reader.QueryRowContext(ctx, selectKey, key).Scan(&there)
	})
	if err != nil {
		return err
	}
	if there == 0 {
		return fmt.Errorf("read session %s: deleted meanwhile: %w", id, session.ErrNotFound)
	}
	return s.damaged("entry %d of session %s is missing", seq, id)
}
