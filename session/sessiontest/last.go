package sessiontest

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

func lastOfKind(k *kit) {
	m := k.create(session.Meta{})
	wantNone := func(id session.ID, kind session.Kind) {
		k.Helper()
		_, err := k.store.Last(k.ctx, id, kind)
		k.wantError("Last "+string(kind), err, session.ErrNoEntry)
	}
	for _, kind := range []session.Kind{session.KindPrepared, session.KindCompacted, session.KindSaid, "hologram"} {
		wantNone(m.ID, kind)
	}
	head := session.Seq(0)
	for range 2 {
		k.clock.advance(time.Second)
		head = k.append(m.ID, head, Entries()...)
	}
	// An entry that is not understood is of its kind all the same, however that is
	// spelled.
	spelled := session.Unknown{Name: "compacted", Raw: jsontext.Value(`{ "\u006bind" : "\u0063ompacted", "later":1}`)}
	head = k.append(m.ID, head, spelled)
	records := k.read(m.ID, 1)
	wantLast := func(id session.ID, at session.Seq) {
		k.Helper()
		for _, kind := range []session.Kind{
			session.KindSaid, session.KindPrepared, session.KindCompacted, session.KindDelegated, session.KindReturned, session.KindNote, "hologram", "none",
		} {
			var want *session.Record
			for _, r := range records[:at] {
				if r.Entry.Kind() == kind {
					want = &r
				}
			}
			if want == nil {
				wantNone(id, kind)
				continue
			}
			have, err := k.store.Last(k.ctx, id, kind)
			if err != nil || have.Seq != want.Seq || have.Time != want.Time {
				k.Errorf("Last %s of %d entries: have entry %d of %v, %v; want %d of %v", kind, at, have.Seq, have.Time, err, want.Seq, want.Time)
				continue
			}
			k.wantEntry(have.Entry, want.Entry)
		}
	}
	wantLast(m.ID, head)
	for _, at := range []session.Seq{0, 3, 4, 6, 20, head} {
		wantLast(k.fork(m.ID, at, session.Meta{}).ID, at)
	}
	wantLast(m.ID, head)
}

// sequence yields records as an import does.
func sequence(records []session.Record, err error) iter.Seq2[session.Record, error] {
	return func(yield func(session.Record, error) bool) {
		for _, r := range records {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(session.Record{}, err)
		}
	}
}

func restored(k *kit) {
	// A log that was written over some time, by a clock that was set back once.
	m := k.create(session.Meta{ID: "exported", Title: "a title", Dir: "/project", Parent: "p"})
	head := session.Seq(0)
	for i, e := range Entries() {
		k.clock.advance(time.Duration(3-i%5) * time.Hour)
		head = k.append(m.ID, head, e)
	}
	m = k.get(m.ID)
	records := k.read(m.ID, 1)
	k.clock.advance(-1000 * time.Hour)
	m.ForkOf, m.ForkAt = "gone", 3

	for _, id := range []session.ID{"again", "nothing"} {
		want := m
		want.ID = id
		some := records
		if id == "nothing" {
			some = nil
		}
		want.Head = session.Seq(len(some))
		have, err := k.store.Restore(k.ctx, want, sequence(some, nil))
		if err != nil {
			k.Fatalf("Restore: %v", err)
		}
		k.wantMeta(have, want)
		k.wantMeta(k.get(id), want)
		again := k.read(id, 1)
		if len(again) != len(some) {
			k.Fatalf("have %d records, want %d", len(again), len(some))
		}
		for i, r := range again {
			if r.Seq != some[i].Seq || r.Time != some[i].Time {
				k.Errorf("record %d: have number %d of %v, want %d of %v", i+1, r.Seq, r.Time, some[i].Seq, some[i].Time)
			}
			k.wantEntry(r.Entry, some[i].Entry)
		}
	}
	last, err := k.store.Last(k.ctx, "again", session.KindCompacted)
	if err != nil || last.Entry.(session.Compacted).Epoch != 5 {
		k.Errorf("the last compaction of what was restored is %+v, %v", last, err)
	}
	// It is a session like others.
	k.append("again", head, numberedNote(1))
	k.delete("again")
	k.wantLog("nothing")
}

func badRestore(k *kit) {
	m := k.create(session.Meta{ID: "taken"})
	k.append("taken", 0, numberedNote(1))
	record := func(seq session.Seq, e session.Entry) session.Record {
		return session.Record{Seq: seq, Time: k.clock.Now(), Entry: e}
	}
	broken := errors.New("broken off")
	_, err := k.store.Restore(k.ctx, session.Meta{ID: "taken"}, sequence([]session.Record{record(1, numberedNote(2))}, nil))
	k.wantError("Restore of an id that is taken", err, session.ErrExists)
	_, err = k.store.Restore(k.ctx, session.Meta{ID: "broken"}, sequence([]session.Record{record(1, numberedNote(2))}, broken))
	k.wantError("Restore of records that break off", err, broken)
	for what, bad := range map[string][]session.Record{
		"a gap":            {record(1, numberedNote(1)), record(3, numberedNote(3))},
		"a late beginning": {record(2, numberedNote(1))},
		"a repetition":     {record(1, numberedNote(1)), record(1, numberedNote(1))},
		"an invalid entry": {record(1, numberedNote(1)), record(2, session.Said{})},
		"no entry":         {record(1, nil)},
	} {
		id := session.ID(strings.ReplaceAll(what, " ", "-"))
		if _, err := k.store.Restore(k.ctx, session.Meta{ID: id}, sequence(bad, nil)); err == nil {
			k.Errorf("Restore took %s", what)
		}
	}
	for _, id := range []session.ID{"", "a/b"} {
		if have, err := k.store.Restore(k.ctx, session.Meta{ID: id}, sequence(nil, nil)); err == nil {
			k.Errorf("Restore took the id %q as %s", string(id), have.ID)
		}
	}
	// Nothing of all this is left.
	k.wantLog("taken", numberedNote(1))
	if list := k.list(session.Query{}); len(list) != 1 || list[0].ID != m.ID {
		k.Errorf("have sessions %+v", list)
	}
}

// last compares the last entries of a session of a random history.
func (h *history) wantLast(id session.ID, s *modelled) {
	for _, kind := range []session.Kind{session.KindSaid, session.KindPrepared, session.KindCompacted} {
		want := session.Seq(0)
		for _, r := range slices.Backward(s.log) {
			if r.Entry.Kind() == kind {
				want = r.Seq
				break
			}
		}
		have, err := h.store.Last(h.ctx, id, kind)
		if want == 0 && !errors.Is(err, session.ErrNoEntry) || want != 0 && (err != nil || have.Seq != want) {
			h.Fatalf("Last %s of %s: have %d, %v; want %d", kind, id, have.Seq, err, want)
		}
	}
}
