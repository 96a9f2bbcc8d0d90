package sessiontest

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// tester is what tests and property tests can both do.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// kit is what a check works with.
type kit struct {
	tester
	tb    testing.TB
	ctx   context.Context
	store session.Store
	clock *clock
	// patience is how long to wait for what should not take long.
	patience time.Duration
}

func start(t testing.TB, open Open) *kit {
	c := newClock()
	return &kit{tester: t, tb: t, ctx: context.Background(), store: open(t, c.Now), clock: c, patience: 20 * time.Second}
}

// clock stands still unless it is told to move. It tells the time in a zone and
// with a precision that a store must not keep.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock {
	zone := time.FixedZone("west", -7*60*60)
	return &clock{now: time.Date(2026, 2, 28, 23, 59, 58, 123456789, zone)}
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (k *kit) create(m session.Meta) session.Meta {
	k.Helper()
	created, err := k.store.Create(k.ctx, m)
	if err != nil {
		k.Fatalf("Create(%+v): %v", m, err)
	}
	return created
}

func (k *kit) get(id session.ID) session.Meta {
	k.Helper()
	m, err := k.store.Get(k.ctx, id)
	if err != nil {
		k.Fatalf("Get(%s): %v", id, err)
	}
	return m
}

func (k *kit) append(id session.ID, after session.Seq, entries ...session.Entry) session.Seq {
	k.Helper()
	head, err := k.store.Append(k.ctx, id, after, session.NoLease, entries...)
	if err != nil {
		k.Fatalf("Append(%s, after %d) of %d entries: %v", id, after, len(entries), err)
	}
	return head
}

// filled creates a session with n entries.
func (k *kit) filled(n int) session.Meta {
	k.Helper()
	m := k.create(session.Meta{})
	for i := range n {
		k.append(m.ID, session.Seq(i), numberedNote(i+1))
	}
	return k.get(m.ID)
}

func (k *kit) fork(id session.ID, at session.Seq, m session.Meta) session.Meta {
	k.Helper()
	fork, err := k.store.Fork(k.ctx, id, at, m)
	if err != nil {
		k.Fatalf("Fork(%s, at %d): %v", id, at, err)
	}
	return fork
}

func (k *kit) delete(id session.ID) {
	k.Helper()
	if err := k.store.Delete(k.ctx, id); err != nil {
		k.Fatalf("Delete(%s): %v", id, err)
	}
}

func (k *kit) lease(id session.ID, holder string, ttl time.Duration) session.Lease {
	k.Helper()
	lease, err := k.store.Lease(k.ctx, id, holder, ttl)
	if err != nil {
		k.Fatalf("Lease(%s, %s): %v", id, holder, err)
	}
	return lease
}

func (k *kit) list(q session.Query) []session.Meta {
	k.Helper()
	list, err := k.store.List(k.ctx, q)
	if err != nil {
		k.Fatalf("List(%+v): %v", q, err)
	}
	return list
}

func (k *kit) read(id session.ID, from session.Seq) []session.Record {
	k.Helper()
	records, err := collect(k.ctx, k.store, id, from)
	if err != nil {
		k.Fatalf("Read(%s, from %d): %v", id, from, err)
	}
	return records
}

func collect(ctx context.Context, s session.Store, id session.ID, from session.Seq) (records []session.Record, err error) {
	for r, err := range s.Read(ctx, id, from) {
		if err != nil {
			return records, err
		}
		records = append(records, r)
	}
	return records, nil
}

// wantError checks for a sentinel.
func (k *kit) wantError(call string, have, want error) {
	k.Helper()
	if !errors.Is(have, want) {
		k.Errorf("%s: have error %v, want %v", call, have, want)
	}
}

// wantHeld checks for a HeldError that names the lease.
func (k *kit) wantHeld(call string, have error, by session.Lease) {
	k.Helper()
	k.wantError(call, have, session.ErrHeld)
	var held *session.HeldError
	if !errors.As(have, &held) {
		k.Errorf("%s: %v has no *HeldError", call, have)
	} else if held.ID != by.Session || held.Holder != by.Holder || !held.Until.Equal(by.Until) {
		k.Errorf("%s: have %+v, want the holder of %+v", call, *held, by)
	}
}

// wantConflict checks for a ConflictError with these places.
func (k *kit) wantConflict(call string, have error, id session.ID, after, head session.Seq) {
	k.Helper()
	k.wantError(call, have, session.ErrConflict)
	var c *session.ConflictError
	if !errors.As(have, &c) {
		k.Errorf("%s: %v has no *ConflictError", call, have)
	} else if *c != (session.ConflictError{ID: id, After: after, Head: head}) {
		k.Errorf("%s: have %+v, want after %d and head %d", call, *c, after, head)
	}
}

// wantLog checks the whole log of a session: dense, and these entries.
func (k *kit) wantLog(id session.ID, want ...session.Entry) {
	k.Helper()
	records := k.read(id, 1)
	if len(records) != len(want) {
		k.Fatalf("%s: have %d records, want %d", id, len(records), len(want))
	}
	for i, r := range records {
		if r.Seq != session.Seq(i+1) {
			k.Fatalf("%s: record %d has the number %d", id, i+1, r.Seq)
		}
		k.wantEntry(r.Entry, want[i])
	}
	if head := k.get(id).Head; head != session.Seq(len(want)) {
		k.Errorf("%s: the head is %d, want %d", id, head, len(want))
	}
}

// wantEntry checks that an entry is of the same type and writes the same bytes.
func (k *kit) wantEntry(have, want session.Entry) {
	k.Helper()
	if reflect.TypeOf(have) != reflect.TypeOf(want) {
		k.Errorf("have a %T, want a %T: %.500v", have, want, have)
		return
	}
	h, w := encode(k, have), encode(k, want)
	if h == w {
		return
	}
	at := 0
	for at < len(h) && at < len(w) && h[at] == w[at] {
		at++
	}
	start := max(0, at-100)
	k.Errorf("the entry differs at byte %d:\nhave %.500s\nwant %.500s", at, h[start:], w[start:])
}

// wantMeta checks all there is about a session, times included.
func (k *kit) wantMeta(have, want session.Meta) {
	k.Helper()
	if have != want {
		k.Errorf("have session %+v\n   want session %+v", have, want)
	}
}

func encode(t tester, e session.Entry) string {
	t.Helper()
	data, err := session.Encode(e)
	if err != nil {
		t.Fatalf("encode what was read: %v", err)
	}
	return string(data)
}

func say(text string) session.Said {
	return session.Said{Message: message.Message{Role: message.User, Content: message.Say(text)}}
}
