package sessiontest

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ampersat/ampersat/session"
	"pgregory.net/rapid"
)

// model is a store that is too simple to be wrong: one user, no encoding, no
// sharing, and every rule written out. It is the judge of any history.
type model struct {
	sessions map[session.ID]*modelled
	ids      []session.ID // all that there ever were
	leases   []session.Lease
}

type modelled struct {
	meta session.Meta
	log  []session.Record
	// lease is nil if there is none, or it was released.
	lease *session.Lease
}

// agrees runs random operations on the store and on the model. All runs share a
// store, each in a project of its own, so that opening one may be dear.
func agrees(k *kit) {
	var runs atomic.Int64
	rapid.Check(k.tb, func(t *rapid.T) {
		run := &history{
			kit:   &kit{tester: t, tb: k.tb, ctx: k.ctx, store: k.store, clock: k.clock},
			model: model{sessions: map[session.ID]*modelled{}},
			dir:   fmt.Sprintf("/run/%d", runs.Add(1)),
		}
		run.create(t)
		t.Repeat(map[string]func(*rapid.T){
			"":        run.compare,
			"create":  run.create,
			"append":  run.append,
			"append ": run.append, // more often than the others
			"fork":    run.fork,
			"rename":  run.rename,
			"delete":  run.delete,
			"lease":   run.lease,
			"renew":   run.renew,
			"release": run.release,
			"wait":    run.wait,
			"read":    run.read,
			"list":    run.list,
		})
	})
}

// history is one run.
type history struct {
	*kit
	model model
	dir   string
}

// anyID is that of a session, or of one that was deleted. The first one comes
// up most often, since it takes several steps on one session to break a rule.
func (h *history) anyID(t *rapid.T) session.ID {
	return rapid.OneOf(rapid.Just(h.model.ids[0]), rapid.SampledFrom(h.model.ids)).Draw(t, "id")
}

// place is somewhere in a log, most often at its end.
func (h *history) place(t *rapid.T, s *modelled) session.Seq {
	head := session.Seq(0)
	if s != nil {
		head = s.meta.Head
	}
	return rapid.OneOf(rapid.Just(head), rapid.Map(rapid.IntRange(-1, int(head)+2), func(n int) session.Seq { return session.Seq(n) })).Draw(t, "place")
}

// want checks that the store reported what the model says.
func (h *history) want(t *rapid.T, call string, have, want error) bool {
	if want == nil && have != nil || want != nil && !errors.Is(have, want) {
		t.Fatalf("%s: have error %v, want %v", call, have, want)
	}
	return want == nil
}

func (h *history) now() time.Time { return session.Stamp(h.clock.Now()) }

// held tells whether the lease of s keeps others off.
func (h *history) held(s *modelled) bool {
	return s.lease != nil && h.now().Before(s.lease.Until)
}

func (h *history) create(t *rapid.T) {
	m := session.Meta{Title: anyText.Draw(t, "title"), Dir: h.dir}
	if len(h.model.ids) > 0 {
		m.ID = session.ID(rapid.SampledFrom([]string{"", string(h.anyID(t))}).Draw(t, "given"))
		m.Parent = session.ID(rapid.SampledFrom([]string{"", string(h.anyID(t))}).Draw(t, "parent"))
	}
	var want error
	if _, taken := h.model.sessions[m.ID]; taken {
		want = session.ErrExists
	}
	created, err := h.store.Create(h.ctx, m)
	if h.want(t, "Create", err, want) {
		m.ID, m.Created, m.Updated = created.ID, h.now(), h.now()
		h.keep(&modelled{meta: m})
		h.wantMeta(created, m)
	}
}

func (h *history) keep(s *modelled) {
	h.model.sessions[s.meta.ID] = s
	if !slices.Contains(h.model.ids, s.meta.ID) {
		h.model.ids = append(h.model.ids, s.meta.ID)
	}
}

func (h *history) append(t *rapid.T) {
	id := h.anyID(t)
	s := h.model.sessions[id]
	after := h.place(t, s)
	tokens := []session.Token{session.NoLease, session.NoLease}
	if s != nil && s.lease != nil {
		tokens = append(tokens, s.lease.Token, s.lease.Token)
	}
	for _, lease := range h.model.leases {
		tokens = append(tokens, lease.Token)
	}
	token := rapid.SampledFrom(tokens).Draw(t, "token")
	entries := rapid.SliceOfN(AnyEntry(), 0, 4).Draw(t, "entries")

	var want error
	switch {
	case s == nil:
		want = session.ErrNotFound
	case token == session.NoLease && h.held(s):
		want = session.ErrHeld
	case token != session.NoLease && (s.lease == nil || s.lease.Token != token):
		want = session.ErrLost
	case after != s.meta.Head:
		want = session.ErrConflict
	}
	head, err := h.store.Append(h.ctx, id, after, token, entries...)
	if !h.want(t, "Append", err, want) {
		return
	}
	for _, e := range entries {
		s.meta.Head++
		s.meta.Updated = h.now()
		s.log = append(s.log, session.Record{Seq: s.meta.Head, Time: h.now(), Entry: e})
	}
	if head != s.meta.Head {
		t.Fatalf("Append returned %d, want %d", head, s.meta.Head)
	}
}

func (h *history) fork(t *rapid.T) {
	id := h.anyID(t)
	s := h.model.sessions[id]
	at := h.place(t, s)
	var want error
	switch {
	case s == nil:
		want = session.ErrNotFound
	case at < 0 || at > s.meta.Head:
		want = session.ErrNoEntry
	}
	fork, err := h.store.Fork(h.ctx, id, at, session.Meta{})
	if h.want(t, "Fork", err, want) {
		h.keep(&modelled{
			meta: session.Meta{ID: fork.ID, Title: s.meta.Title, Dir: h.dir, ForkOf: id, ForkAt: at, Created: h.now(), Updated: h.now(), Head: at},
			log:  slices.Clone(s.log[:at]),
		})
		h.wantMeta(fork, h.model.sessions[fork.ID].meta)
	}
}

func (h *history) rename(t *rapid.T) {
	id, title := h.anyID(t), anyText.Draw(t, "title")
	s := h.model.sessions[id]
	var want error
	if s == nil {
		want = session.ErrNotFound
	}
	if h.want(t, "Rename", h.store.Rename(h.ctx, id, title), want) {
		s.meta.Title = title
	}
}

func (h *history) delete(t *rapid.T) {
	id := h.anyID(t)
	s := h.model.sessions[id]
	var want error
	switch {
	case s == nil:
		want = session.ErrNotFound
	case h.held(s):
		want = session.ErrHeld
	}
	if h.want(t, "Delete", h.store.Delete(h.ctx, id), want) {
		delete(h.model.sessions, id)
	}
}

func (h *history) lease(t *rapid.T) {
	id := h.anyID(t)
	s := h.model.sessions[id]
	holder := rapid.SampledFrom([]string{"me", "you"}).Draw(t, "holder")
	ttl := time.Duration(rapid.IntRange(1, 100).Draw(t, "seconds")) * time.Second
	var want error
	switch {
	case s == nil:
		want = session.ErrNotFound
	case h.held(s):
		want = session.ErrHeld
	}
	lease, err := h.store.Lease(h.ctx, id, holder, ttl)
	if h.want(t, "Lease", err, want) {
		if expected := (session.Lease{Session: id, Holder: holder, Token: lease.Token, Until: session.Stamp(h.now().Add(ttl))}); lease != expected {
			t.Fatalf("have %+v, want %+v", lease, expected)
		}
		s.lease = &lease
		h.model.leases = append(h.model.leases, lease)
	}
}

// anyLease is one that was given out at some time.
func (h *history) anyLease(t *rapid.T) session.Lease {
	if len(h.model.leases) == 0 {
		t.Skip("there was no lease yet")
	}
	return rapid.SampledFrom(h.model.leases).Draw(t, "lease")
}

func (h *history) renew(t *rapid.T) {
	lease := h.anyLease(t)
	ttl := time.Duration(rapid.IntRange(1, 100).Draw(t, "seconds")) * time.Second
	s := h.model.sessions[lease.Session]
	var want error
	switch {
	case s == nil:
		want = session.ErrNotFound
	case s.lease == nil || s.lease.Token != lease.Token:
		want = session.ErrLost
	}
	renewed, err := h.store.Renew(h.ctx, lease, ttl)
	if h.want(t, "Renew", err, want) {
		s.lease.Until = session.Stamp(h.now().Add(ttl))
		if renewed != *s.lease {
			t.Fatalf("have %+v, want %+v", renewed, *s.lease)
		}
	}
}

func (h *history) release(t *rapid.T) {
	lease := h.anyLease(t)
	s := h.model.sessions[lease.Session]
	var want error
	if s == nil {
		want = session.ErrNotFound
	}
	if h.want(t, "Release", h.store.Release(h.ctx, lease), want) && s.lease != nil && s.lease.Token == lease.Token {
		s.lease = nil
	}
}

func (h *history) wait(t *rapid.T) {
	h.clock.advance(time.Duration(rapid.IntRange(0, 60_000_000).Draw(t, "microseconds")) * time.Microsecond)
}

func (h *history) read(t *rapid.T) {
	id := h.anyID(t)
	s := h.model.sessions[id]
	from := h.place(t, s)
	var want error
	if s == nil {
		want = session.ErrNotFound
	}
	have, err := collect(h.ctx, h.store, id, from)
	if h.want(t, "Read", err, want) {
		h.wantRecords(t, have, s.log[min(max(from, 1)-1, s.meta.Head):])
	}
}

func (h *history) wantRecords(t *rapid.T, have, want []session.Record) {
	if len(have) != len(want) {
		t.Fatalf("have %d records, want %d", len(have), len(want))
	}
	for i := range want {
		if have[i].Seq != want[i].Seq || have[i].Time != want[i].Time {
			t.Fatalf("record %d: have number %d of %v, want %d of %v", i, have[i].Seq, have[i].Time, want[i].Seq, want[i].Time)
		}
		h.wantEntry(have[i].Entry, want[i].Entry)
	}
}

func (h *history) list(t *rapid.T) {
	q := session.Query{Dir: h.dir, TopLevel: rapid.Bool().Draw(t, "top level"), Limit: rapid.IntRange(0, 3).Draw(t, "limit")}
	if rapid.Bool().Draw(t, "has parent") {
		q.Parent = h.anyID(t)
	}
	if s := h.model.sessions[h.anyID(t)]; s != nil && rapid.Bool().Draw(t, "has cursor") {
		q.After = s.meta.Cursor()
	}
	h.wantList(t, q)
}

func (h *history) wantList(t *rapid.T, q session.Query) {
	var want []session.Meta
	for _, s := range h.model.sessions {
		if (q.Parent == "" || s.meta.Parent == q.Parent) && (!q.TopLevel || s.meta.Parent == "") {
			want = append(want, s.meta)
		}
	}
	slices.SortFunc(want, func(a, b session.Meta) int {
		if later := b.Updated.Compare(a.Updated); later != 0 {
			return later
		}
		return map[bool]int{true: -1, false: 1}[a.ID > b.ID]
	})
	if q.After != "" {
		// The cursor may be of a session that the filter leaves out.
		updated, id, err := q.After.Place()
		if err != nil {
			t.Fatalf("%v", err)
		}
		want = slices.DeleteFunc(want, func(m session.Meta) bool {
			return m.Updated.After(updated) || m.Updated.Equal(updated) && m.ID >= id
		})
	}
	if q.Limit > 0 {
		want = want[:min(q.Limit, len(want))]
	}
	have, err := h.store.List(h.ctx, q)
	if err != nil || !slices.Equal(have, want) {
		t.Fatalf("List(%+v):\nhave %+v, %v\nwant %+v", q, have, err, want)
	}
}

// compare runs after each operation: every session is what the model says,
// whichever of them was touched.
func (h *history) compare(t *rapid.T) {
	h.wantList(t, session.Query{Dir: h.dir})
	for _, id := range h.model.ids {
		s := h.model.sessions[id]
		if s == nil {
			continue
		}
		if len(s.log) > 0 {
			have, err := collect(h.ctx, h.store, id, s.meta.Head)
			if err != nil {
				t.Fatalf("Read of the last entry of %s: %v", id, err)
			}
			h.wantRecords(t, have, s.log[len(s.log)-1:])
		}
		h.wantLast(id, s)
	}
}
