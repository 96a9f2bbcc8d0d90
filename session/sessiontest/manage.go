package sessiontest

import (
	"fmt"
	"strings"
	"time"

	"github.com/ampersat/ampersat/session"
)

func created(k *kit) {
	given := session.Meta{Title: "Über @a.md 𝄞", Dir: "/home/x/a project", Parent: "parent-1"}
	before := k.clock.Now()
	m := k.create(given)
	if _, err := session.ParseID(string(m.ID)); err != nil {
		k.Errorf("the id that was given out: %v", err)
	}
	want := given
	want.ID, want.Created, want.Updated = m.ID, session.Stamp(before), session.Stamp(before)
	k.wantMeta(m, want)
	k.clock.advance(time.Hour)
	k.wantMeta(k.get(m.ID), want)
	k.wantLog(m.ID)

	// An import brings its id and its time.
	old := time.Date(1999, 12, 31, 23, 59, 59, 987654321, time.FixedZone("east", 3600))
	imported := k.create(session.Meta{ID: "Imported_1-x", Created: old, ForkOf: "gone", ForkAt: 7, Head: 9, Updated: k.clock.Now()})
	want = session.Meta{ID: "Imported_1-x", Created: session.Stamp(old), Updated: session.Stamp(old), ForkOf: "gone", ForkAt: 7}
	k.wantMeta(imported, want)
	k.wantMeta(k.get("Imported_1-x"), want)
}

func takenOnce(k *kit) {
	m := k.create(session.Meta{ID: "once", Title: "first"})
	k.append("once", 0, numberedNote(1))
	_, err := k.store.Create(k.ctx, session.Meta{ID: "once", Title: "second"})
	k.wantError("Create of an id that is taken", err, session.ErrExists)
	m.Head = 1
	k.wantMeta(k.get("once"), m)
	k.wantLog("once", numberedNote(1))

	// Ids differ by case, and by what follows.
	for i, id := range []session.ID{"Once", "ONCE", "once-", "once2"} {
		k.create(session.Meta{ID: id})
		k.append(id, 0, numberedNote(10+i))
	}
	k.wantLog("once", numberedNote(1))
	k.wantLog("ONCE", numberedNote(11))

	seen := map[session.ID]bool{}
	for range 1000 {
		id := k.create(session.Meta{}).ID
		if seen[id] {
			k.Fatalf("the id %s was given out twice", id)
		}
		seen[id] = true
	}
}

func badIDs(k *kit) {
	for _, id := range []session.ID{" ", "a b", "a/b", "../a", "-a", "é", "a.b", "a\x00", "\xff", "a'b", session.ID(strings.Repeat("a", 129))} {
		if m, err := k.store.Create(k.ctx, session.Meta{ID: id}); err == nil {
			k.Errorf("Create took the id %.20q as %s", string(id), m.ID)
		}
		if _, err := k.store.Get(k.ctx, id); err == nil {
			k.Errorf("there is a session %.20q", string(id))
		}
	}
	k.create(session.Meta{ID: session.ID(strings.Repeat("a", 128))})
	origin := k.filled(1)
	if _, err := k.store.Fork(k.ctx, origin.ID, 1, session.Meta{ID: "a b"}); err == nil {
		k.Errorf("Fork took the id %q", "a b")
	}
	if n := len(k.list(session.Query{})); n != 2 {
		k.Errorf("there are %d sessions, want 2", n)
	}
}

func notFound(k *kit) {
	k.filled(2)
	for _, id := range []session.ID{"", "missing", "\xff", "'; DROP TABLE sessions; --", session.ID(strings.Repeat("x", 5000))} {
		for call, err := range k.everyCall(id) {
			k.wantError(fmt.Sprintf("%s of %.30q", call, string(id)), err, session.ErrNotFound)
		}
	}
}

// everyCall calls every method that takes an id, and returns what it reported.
func (k *kit) everyCall(id session.ID) map[string]error {
	errs := map[string]error{}
	_, errs["Get"] = k.store.Get(k.ctx, id)
	errs["Rename"] = k.store.Rename(k.ctx, id, "title")
	_, errs["Append"] = k.store.Append(k.ctx, id, 0, session.NoLease, say("hi"))
	_, errs["Append under a lease"] = k.store.Append(k.ctx, id, 0, 7, say("hi"))
	_, errs["Append of nothing"] = k.store.Append(k.ctx, id, 0, session.NoLease)
	_, errs["Read"] = collect(k.ctx, k.store, id, 0)
	_, errs["Last"] = k.store.Last(k.ctx, id, session.KindCompacted)
	_, errs["Fork"] = k.store.Fork(k.ctx, id, 0, session.Meta{})
	errs["Delete"] = k.store.Delete(k.ctx, id)
	_, errs["Lease"] = k.store.Lease(k.ctx, id, "me", time.Minute)
	_, errs["Renew"] = k.store.Renew(k.ctx, session.Lease{Session: id, Holder: "me", Token: 7}, time.Minute)
	errs["Release"] = k.store.Release(k.ctx, session.Lease{Session: id, Holder: "me", Token: 7})
	return errs
}

func renamed(k *kit) {
	first, other := k.filled(1), k.filled(1)
	k.clock.advance(time.Hour)
	held := k.lease(first.ID, "somebody", time.Minute)
	for _, title := range []string{"a title", "", "另一个标题 🎼\n'quoted'"} {
		if err := k.store.Rename(k.ctx, first.ID, title); err != nil {
			k.Fatalf("Rename while %s holds it: %v", held.Holder, err)
		}
		want := first
		want.Title = title
		k.wantMeta(k.get(first.ID), want)
		k.wantMeta(k.get(other.ID), other)
	}
	k.wantLog(first.ID, numberedNote(1))
}

func namesAreUTF8(k *kit) {
	m := k.create(session.Meta{Title: "a\xff\xfeb", Dir: "/home/caf\xe9"})
	if m.Title != "a\uFFFD\uFFFDb" || m.Dir != "/home/caf\uFFFD" {
		k.Errorf("Create returned the title %q and the project %q", m.Title, m.Dir)
	}
	k.wantMeta(k.get(m.ID), m)
	if list := k.list(session.Query{Dir: "/home/caf\xe9"}); len(list) != 1 || list[0].ID != m.ID {
		k.Errorf("the project's sessions are %+v", list)
	}
	if err := k.store.Rename(k.ctx, m.ID, "\xc3("); err != nil {
		k.Fatalf("Rename: %v", err)
	}
	if title := k.get(m.ID).Title; title != "\uFFFD(" {
		k.Errorf("renamed to %q", title)
	}
	lease := k.lease(m.ID, "me\xff", time.Minute)
	_, err := k.store.Lease(k.ctx, m.ID, "you", time.Minute)
	k.wantHeld("Lease", err, session.Lease{Session: m.ID, Holder: "me\uFFFD", Until: lease.Until})
}

func deleted(k *kit) {
	gone, stays := k.filled(3), k.filled(2)
	lease := k.lease(gone.ID, "me", time.Minute)
	k.wantHeld("Delete of a held session", k.store.Delete(k.ctx, gone.ID), lease)
	k.wantLog(gone.ID, numberedNote(1), numberedNote(2), numberedNote(3))
	if err := k.store.Release(k.ctx, lease); err != nil {
		k.Fatalf("Release: %v", err)
	}
	k.delete(gone.ID)
	for call, err := range k.everyCall(gone.ID) {
		k.wantError(call+" of a deleted session", err, session.ErrNotFound)
	}
	if list := k.list(session.Query{}); len(list) != 1 || list[0] != stays {
		k.Errorf("after the deletion the list is %+v", list)
	}
	k.wantLog(stays.ID, numberedNote(1), numberedNote(2))

	// Nothing of it comes back with the id.
	k.create(session.Meta{ID: gone.ID})
	k.wantLog(gone.ID)
	_, err := k.store.Append(k.ctx, gone.ID, 0, lease.Token, say("late"))
	k.wantError("Append under a lease from before", err, session.ErrLost)
	k.append(gone.ID, 0, say("new"))
	k.wantLog(gone.ID, say("new"))
}

func manySessions(k *kit) {
	const n = 500
	var ids [n]session.ID
	for i := range ids {
		ids[i] = k.create(session.Meta{Title: fmt.Sprint(i)}).ID
		k.append(ids[i], 0, numberedNote(i), numberedNote(i+1))
	}
	for i, id := range ids {
		if title := k.get(id).Title; title != fmt.Sprint(i) {
			k.Fatalf("session %d has the title %q", i, title)
		}
		k.wantLog(id, numberedNote(i), numberedNote(i+1))
	}
	if list := k.list(session.Query{}); len(list) != n {
		k.Errorf("%d of %d sessions are listed", len(list), n)
	}
}
