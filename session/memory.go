package session

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/go-json-experiment/json/jsontext"
)

// Memory is a [Store] that lives as long as the process. The zero value is
// ready to use, and like every store safe for concurrent use.
//
// It keeps entries in their stored form, as every other store does. So nothing
// it holds is shared with a caller, and what cannot be stored shows here first.
type Memory struct {
	// Now tells the time; nil means [time.Now]. It must not change once the
	// store is in use.
	Now func() time.Time

	mu       sync.RWMutex
	sessions map[ID]*kept
	token    Token // the last that was given out
	blobs    blob.Memory
}

var _ Store = (*Memory)(nil)

// kept is a session.
type kept struct {
	meta  Meta
	log   []line // never written to, only appended to
	lease Lease  // the last, zero if it was released
}

// line is a record in its stored form.
type line struct {
	time  time.Time
	kind  Kind
	entry jsontext.Value
}

func (m *Memory) now() time.Time {
	if m.Now != nil {
		return m.Now()
	}
	return time.Now()
}

// find returns a session. The caller holds the lock.
func (m *Memory) find(operation string, id ID) (*kept, error) {
	s, found := m.sessions[id]
	if !found {
		return nil, fmt.Errorf("%s session %.40q: %w", operation, string(id), ErrNotFound)
	}
	return s, nil
}

// add keeps a new session. The caller holds the lock.
func (m *Memory) add(s *kept) error {
	if _, taken := m.sessions[s.meta.ID]; taken {
		return fmt.Errorf("create session %s: %w", s.meta.ID, ErrExists)
	}
	if m.sessions == nil {
		m.sessions = make(map[ID]*kept)
	}
	m.sessions[s.meta.ID] = s
	return nil
}

// Create implements [Store].
func (m *Memory) Create(ctx context.Context, meta Meta) (Meta, error) {
	if err := ctx.Err(); err != nil {
		return Meta{}, err
	}
	meta, err := meta.New(m.now())
	if err != nil {
		return Meta{}, fmt.Errorf("create session: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.add(&kept{meta: meta}); err != nil {
		return Meta{}, err
	}
	return meta, nil
}

// Get implements [Store].
func (m *Memory) Get(ctx context.Context, id ID) (Meta, error) {
	if err := ctx.Err(); err != nil {
		return Meta{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	s, err := m.find("get", id)
	if err != nil {
		return Meta{}, err
	}
	return s.meta, nil
}

// List implements [Store].
func (m *Memory) List(ctx context.Context, q Query) ([]Meta, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var after Meta
	if q.After != "" {
		var err error
		if after.Updated, after.ID, err = q.After.Place(); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
	}
	var list []Meta
	m.mu.RLock()
	for _, s := range m.sessions {
		if q.Matches(s.meta) && (q.After == "" || after.Compare(s.meta) < 0) {
			list = append(list, s.meta)
		}
	}
	m.mu.RUnlock()
	slices.SortFunc(list, Meta.Compare)
	if q.Limit > 0 && len(list) > q.Limit {
		list = slices.Clone(list[:q.Limit])
	}
	return list, nil
}

// Rename implements [Store].
func (m *Memory) Rename(ctx context.Context, id ID, title string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find("rename", id)
	if err != nil {
		return err
	}
	s.meta.Title = ToUTF8(title)
	return nil
}

// Append implements [Store].
func (m *Memory) Append(ctx context.Context, id ID, after Seq, token Token, entries ...Entry) (Seq, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	lines := make([]line, len(entries))
	for i, e := range entries {
		data, err := Encode(e)
		if err != nil {
			return 0, fmt.Errorf("append to session %.40q: entry %d of %d: %w", string(id), i+1, len(entries), err)
		}
		lines[i].kind, lines[i].entry = e.Kind(), data
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find("append to", id)
	if err != nil {
		return 0, err
	}
	now := Stamp(m.now())
	if err := s.lease.Admits(token, now); err != nil {
		return 0, fmt.Errorf("append to session %s: %w", id, err)
	}
	if after != s.meta.Head {
		return 0, &ConflictError{ID: id, After: after, Head: s.meta.Head}
	}
	if len(lines) == 0 {
		return after, nil
	}
	for i := range lines {
		lines[i].time = now
	}
	s.log = append(s.log, lines...)
	s.meta.Head = Seq(len(s.log))
	s.meta.Updated = now
	return s.meta.Head, nil
}

// Read implements [Store].
func (m *Memory) Read(ctx context.Context, id ID, from Seq) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(Record{}, err)
			return
		}
		m.mu.RLock()
		s, err := m.find("read", id)
		var log []line
		if err == nil {
			log = s.log
		}
		m.mu.RUnlock()
		if err != nil {
			yield(Record{}, err)
			return
		}
		for seq := max(from, 1); seq <= Seq(len(log)); seq++ {
			if err := ctx.Err(); err != nil {
				yield(Record{}, err)
				return
			}
			stored := log[seq-1]
			entry, err := DecodeStored(stored.entry)
			if err != nil {
				yield(Record{}, fmt.Errorf("read session %s: entry %d: %w", id, seq, err))
				return
			}
			if !yield(Record{Seq: seq, Time: stored.time, Entry: entry}, nil) {
				return
			}
		}
	}
}

// Last implements [Store].
func (m *Memory) Last(ctx context.Context, id ID, kind Kind) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	m.mu.RLock()
	s, err := m.find("read", id)
	var log []line
	if err == nil {
		log = s.log
	}
	m.mu.RUnlock()
	if err != nil {
		return Record{}, err
	}
	for i, stored := range slices.Backward(log) {
		if stored.kind != kind {
			continue
		}
		entry, err := DecodeStored(stored.entry)
		if err != nil {
			return Record{}, fmt.Errorf("read session %s: entry %d: %w", id, i+1, err)
		}
		return Record{Seq: Seq(i + 1), Time: stored.time, Entry: entry}, nil
	}
	return Record{}, fmt.Errorf("read the last %s of session %s: %w", kind, id, ErrNoEntry)
}

// Restore implements [Store].
func (m *Memory) Restore(ctx context.Context, meta Meta, records iter.Seq2[Record, error]) (Meta, error) {
	if err := ctx.Err(); err != nil {
		return Meta{}, err
	}
	var log []line
	head, err := Lines(records, func(r Record, entry jsontext.Value) error {
		log = append(log, line{r.Time, r.Entry.Kind(), entry})
		return ctx.Err()
	})
	if err != nil {
		return Meta{}, fmt.Errorf("restore session %.40q: %w", string(meta.ID), err)
	}
	if meta, err = meta.Restored(head, m.now()); err != nil {
		return Meta{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.add(&kept{meta: meta, log: log}); err != nil {
		return Meta{}, err
	}
	return meta, nil
}

// Fork implements [Store].
func (m *Memory) Fork(ctx context.Context, id ID, at Seq, given Meta) (Meta, error) {
	if err := ctx.Err(); err != nil {
		return Meta{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find("fork", id)
	if err != nil {
		return Meta{}, err
	}
	meta, err := s.meta.NewFork(at, given, m.now())
	if err != nil {
		return Meta{}, fmt.Errorf("fork session %s: %w", id, err)
	}
	// Without room at its end, what one of the two appends is not the other's.
	if err := m.add(&kept{meta: meta, log: s.log[:at:at]}); err != nil {
		return Meta{}, fmt.Errorf("fork session %s: %w", id, err)
	}
	return meta, nil
}

// Delete implements [Store].
func (m *Memory) Delete(ctx context.Context, id ID) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find("delete", id)
	if err != nil {
		return err
	}
	if err := s.lease.Held(Stamp(m.now())); err != nil {
		return fmt.Errorf("delete session %s: %w", id, err)
	}
	delete(m.sessions, id)
	return nil
}

// Lease implements [Store].
func (m *Memory) Lease(ctx context.Context, id ID, holder string, ttl time.Duration) (Lease, error) {
	if err := ctx.Err(); err != nil {
		return Lease{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find("lease", id)
	if err != nil {
		return Lease{}, err
	}
	now := Stamp(m.now())
	if err := s.lease.Held(now); err != nil {
		return Lease{}, fmt.Errorf("lease session %s: %w", id, err)
	}
	lease, err := NewLease(id, holder, m.token+1, now, ttl)
	if err != nil {
		return Lease{}, err
	}
	m.token++
	s.lease = lease
	return lease, nil
}

// Renew implements [Store].
func (m *Memory) Renew(ctx context.Context, lease Lease, ttl time.Duration) (Lease, error) {
	if err := ctx.Err(); err != nil {
		return Lease{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find("renew the lease of", lease.Session)
	if err != nil {
		return Lease{}, err
	}
	now := Stamp(m.now())
	if lease.Token == NoLease || lease.Token != s.lease.Token {
		return Lease{}, fmt.Errorf("renew the lease of session %s: %w", lease.Session, ErrLost)
	}
	renewed, err := NewLease(lease.Session, s.lease.Holder, lease.Token, now, ttl)
	if err != nil {
		return Lease{}, err
	}
	s.lease = renewed
	return renewed, nil
}

// Release implements [Store].
func (m *Memory) Release(ctx context.Context, lease Lease) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.find("release", lease.Session)
	if err != nil {
		return err
	}
	if s.lease.Token == lease.Token {
		s.lease = Lease{}
	}
	return nil
}

// Blobs implements [Store].
func (m *Memory) Blobs() blob.Store { return &m.blobs }
