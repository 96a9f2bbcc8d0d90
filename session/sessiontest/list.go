package sessiontest

import (
	"slices"
	"time"

	"github.com/ampersat/ampersat/session"
)

func ids(list []session.Meta) (ids []session.ID) {
	for _, m := range list {
		ids = append(ids, m.ID)
	}
	return ids
}

func (k *kit) wantIDs(q session.Query, want ...session.ID) {
	k.Helper()
	if have := ids(k.list(q)); !slices.Equal(have, want) {
		k.Errorf("List(%+v): have %v, want %v", q, have, want)
	}
}

func listOrder(k *kit) {
	k.wantIDs(session.Query{})
	for _, id := range []session.ID{"b", "c", "a"} {
		k.create(session.Meta{ID: id})
		k.clock.advance(time.Second)
	}
	k.wantIDs(session.Query{}, "a", "c", "b")

	k.append("b", 0, numberedNote(1))
	k.wantIDs(session.Query{}, "b", "a", "c")

	// Neither a title nor a lease is a change of the log.
	k.clock.advance(time.Second)
	if err := k.store.Rename(k.ctx, "c", "title"); err != nil {
		k.Fatalf("Rename: %v", err)
	}
	k.lease("a", "me", time.Minute)
	k.wantIDs(session.Query{}, "b", "a", "c")

	// What changed at the same time is in the order of the ids, backwards.
	for _, id := range []session.ID{"y", "Z", "z", "x"} {
		k.create(session.Meta{ID: id})
	}
	k.wantIDs(session.Query{}, "z", "y", "x", "Z", "b", "a", "c")

	// A microsecond is enough to tell, less is not.
	k.clock.advance(time.Microsecond)
	k.append("Z", 0, numberedNote(1))
	k.wantIDs(session.Query{}, "Z", "z", "y", "x", "b", "a", "c")

	// An import from before stands where it belongs.
	k.create(session.Meta{ID: "old", Created: time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)})
	k.wantIDs(session.Query{}, "Z", "z", "y", "x", "b", "a", "c", "old")
	for _, m := range k.list(session.Query{}) {
		k.wantMeta(m, k.get(m.ID))
	}
}

func listPages(k *kit) {
	// Two at a time have the same time, so that pages are cut between them.
	for i := range 23 {
		if i%2 == 0 {
			k.clock.advance(time.Second)
		}
		k.create(session.Meta{})
	}
	all := k.list(session.Query{})
	if len(all) != 23 {
		k.Fatalf("have %d sessions, want 23", len(all))
	}
	for _, limit := range []int{1, 2, 3, 7, 22, 23, 24, 1000} {
		var walked []session.Meta
		for q := (session.Query{Limit: limit}); ; {
			page := k.list(q)
			if len(page) > limit {
				k.Fatalf("a page of %d has %d", limit, len(page))
			}
			walked = append(walked, page...)
			if len(page) < limit || len(walked) > len(all) {
				break
			}
			q.After = page[len(page)-1].Cursor()
		}
		if !slices.Equal(walked, all) {
			k.Fatalf("pages of %d give %v, want %v", limit, ids(walked), ids(all))
		}
	}
	if n := len(k.list(session.Query{Limit: -1})); n != 23 {
		k.Errorf("without a limit there are %d, want 23", n)
	}

	// What changes moves to the front and is not met again.
	first := k.list(session.Query{Limit: 10})
	k.clock.advance(time.Second)
	k.append(first[3].ID, 0, numberedNote(1))
	rest := k.list(session.Query{After: first[9].Cursor()})
	if !slices.Equal(rest, all[10:]) {
		k.Errorf("after a change the next page is %v, want %v", ids(rest), ids(all[10:]))
	}
	k.append(all[15].ID, 0, numberedNote(1))
	rest = k.list(session.Query{After: first[9].Cursor()})
	if want := slices.Concat(all[10:15], all[16:]); !slices.Equal(rest, want) {
		k.Errorf("after a change further down the next page is %v, want %v", ids(rest), ids(want))
	}
}

func listFilter(k *kit) {
	for _, m := range []session.Meta{
		{ID: "a", Dir: "/p"}, {ID: "b", Dir: "/q"}, {ID: "c", Dir: "/p", Parent: "a"}, {ID: "d"},
		{ID: "e", Dir: "/p/"}, {ID: "f", Dir: "/P"}, {ID: "g", Dir: "/p", Parent: "b"}, {ID: "h", Dir: "/p"},
	} {
		k.create(m)
		k.clock.advance(time.Second)
	}
	k.wantIDs(session.Query{Dir: "/p"}, "h", "g", "c", "a")
	k.wantIDs(session.Query{Dir: "/P"}, "f")
	k.wantIDs(session.Query{Dir: "/"})
	k.wantIDs(session.Query{Dir: "%"})
	k.wantIDs(session.Query{Dir: "/p", AlsoDir: "/q"}, "h", "g", "c", "b", "a")
	k.wantIDs(session.Query{Dir: "/p", AlsoDir: "/q", TopLevel: true, Limit: 2}, "h", "b")
	k.wantIDs(session.Query{Dir: "/nowhere", AlsoDir: "/q"}, "b")
	k.wantIDs(session.Query{AlsoDir: "/q"}, "h", "g", "f", "e", "d", "c", "b", "a")
	k.wantIDs(session.Query{Parent: "a"}, "c")
	k.wantIDs(session.Query{Parent: "nobody"})
	k.wantIDs(session.Query{TopLevel: true}, "h", "f", "e", "d", "b", "a")
	k.wantIDs(session.Query{Dir: "/p", TopLevel: true}, "h", "a")
	k.wantIDs(session.Query{Dir: "/p", Parent: "b"}, "g")
	k.wantIDs(session.Query{Parent: "b", TopLevel: true})
	k.wantIDs(session.Query{Dir: "/p", Limit: 2}, "h", "g")
	k.wantIDs(session.Query{Dir: "/p", Limit: 2, After: k.get("g").Cursor()}, "c", "a")
	k.wantIDs(session.Query{Dir: "/p", After: k.get("f").Cursor()}, "c", "a")
}

func cursorOutlives(k *kit) {
	for _, id := range []session.ID{"a", "b", "c"} {
		k.create(session.Meta{ID: id})
		k.clock.advance(time.Second)
	}
	cursor := k.get("b").Cursor()
	k.delete("b")
	k.wantIDs(session.Query{After: cursor}, "a")
	k.delete("a")
	k.wantIDs(session.Query{After: cursor})
}

func badCursor(k *kit) {
	k.filled(1)
	for _, cursor := range []session.Cursor{"x", "1", "1.", ".a", "1.a b", "1.a.b", "x.a", "99999999999999999999.a"} {
		_, err := k.store.List(k.ctx, session.Query{After: cursor})
		k.wantError("List after "+string(cursor), err, session.ErrCursor)
	}
}
