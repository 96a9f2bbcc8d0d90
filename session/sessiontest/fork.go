package sessiontest

import (
	"reflect"
	"time"

	"github.com/ampersat/ampersat/session"
)

func notes(numbers ...int) (entries []session.Entry) {
	for _, n := range numbers {
		entries = append(entries, numberedNote(n))
	}
	return entries
}

func forkPast(k *kit) {
	origin := k.create(session.Meta{Title: "title", Dir: "/p", Parent: "parent"})
	for i := range 4 {
		k.append(origin.ID, session.Seq(i), numberedNote(i+1))
		k.clock.advance(time.Second)
	}
	past := k.read(origin.ID, 1)
	before := k.get(origin.ID)
	k.clock.advance(time.Hour)
	for at := range session.Seq(5) {
		fork := k.fork(origin.ID, at, session.Meta{})
		now := session.Stamp(k.clock.Now())
		want := session.Meta{ID: fork.ID, Title: "title", Dir: "/p", ForkOf: origin.ID, ForkAt: at, Created: now, Updated: now, Head: at}
		k.wantMeta(fork, want)
		k.wantMeta(k.get(fork.ID), want)
		if have := k.read(fork.ID, 1); len(have) != int(at) || at > 0 && !reflect.DeepEqual(have, past[:at]) {
			k.Errorf("forked at %d: have %+v, want %+v", at, have, past[:at])
		}
	}
	k.wantMeta(k.get(origin.ID), before)

	// Whatever kinds there are.
	all := k.create(session.Meta{})
	k.append(all.ID, 0, Entries()...)
	k.wantLog(k.fork(all.ID, session.Seq(len(Entries())), session.Meta{}).ID, Entries()...)
}

func forkFuture(k *kit) {
	origin := k.filled(3)
	early, late := k.fork(origin.ID, 2, session.Meta{}), k.fork(origin.ID, 3, session.Meta{})
	k.append(late.ID, 3, notes(31, 32)...)
	k.append(origin.ID, 3, notes(4)...)
	k.append(early.ID, 2, notes(21)...)
	k.append(origin.ID, 4, notes(5)...)
	k.append(late.ID, 5, notes(33)...)
	k.append(early.ID, 3, notes(22)...)
	k.wantLog(origin.ID, notes(1, 2, 3, 4, 5)...)
	k.wantLog(early.ID, notes(1, 2, 21, 22)...)
	k.wantLog(late.ID, notes(1, 2, 3, 31, 32, 33)...)
	_, err := k.store.Append(k.ctx, early.ID, 5, session.NoLease, say("late"))
	k.wantConflict("Append to a fork where its origin is", err, early.ID, 5, 4)
	for i, r := range k.read(early.ID, 2) {
		k.wantEntry(r.Entry, notes(2, 21, 22)[i])
	}
}

func forkOfFork(k *kit) {
	origin := k.filled(3)
	second := k.fork(origin.ID, 2, session.Meta{})
	k.append(second.ID, 2, notes(21, 22)...)
	third := k.fork(second.ID, 3, session.Meta{})
	k.append(third.ID, 3, notes(31)...)
	shallow := k.fork(third.ID, 1, session.Meta{})
	k.append(shallow.ID, 1, notes(41)...)
	k.append(origin.ID, 3, notes(4)...)
	k.append(second.ID, 4, notes(23)...)
	k.wantLog(origin.ID, notes(1, 2, 3, 4)...)
	k.wantLog(second.ID, notes(1, 2, 21, 22, 23)...)
	k.wantLog(third.ID, notes(1, 2, 21, 31)...)
	k.wantLog(shallow.ID, notes(1, 41)...)
	if third.ForkOf != second.ID || third.ForkAt != 3 {
		k.Errorf("the fork of the fork says %+v", third)
	}
}

func forkOutlives(k *kit) {
	origin := k.filled(3)
	fork := k.fork(origin.ID, 2, session.Meta{})
	second := k.fork(fork.ID, 1, session.Meta{})
	k.delete(origin.ID)
	k.append(fork.ID, 2, notes(21)...)
	k.wantLog(fork.ID, notes(1, 2, 21)...)
	k.delete(fork.ID)
	k.wantLog(second.ID, notes(1)...)
	if m := k.get(second.ID); m.ForkOf != fork.ID {
		k.Errorf("the fork has forgotten where it is from: %+v", m)
	}

	// And the other way round.
	origin = k.filled(3)
	k.delete(k.fork(origin.ID, 3, session.Meta{}).ID)
	k.wantLog(origin.ID, notes(1, 2, 3)...)
}

func forkBeyond(k *kit) {
	origin := k.filled(2)
	for _, at := range []session.Seq{-1, 3, 1 << 40} {
		_, err := k.store.Fork(k.ctx, origin.ID, at, session.Meta{})
		k.wantError("Fork beyond the log", err, session.ErrNoEntry)
	}
	_, err := k.store.Fork(k.ctx, origin.ID, 1, session.Meta{ID: origin.ID})
	k.wantError("Fork onto itself", err, session.ErrExists)
	k.wantLog(origin.ID, notes(1, 2)...)
	if n := len(k.list(session.Query{})); n != 1 {
		k.Errorf("refused forks left %d sessions, want 1", n)
	}
}

func forkGiven(k *kit) {
	origin := k.create(session.Meta{Title: "title", Dir: "/p", Parent: "parent"})
	k.append(origin.ID, 0, notes(1, 2)...)
	held := k.lease(origin.ID, "somebody", time.Minute)
	fork := k.fork(origin.ID, 1, session.Meta{
		ID: "fork", Title: "mine", Dir: "/mine", Parent: "other",
		ForkOf: "ignored", ForkAt: 9, Head: 9, Created: time.Unix(1, 0), Updated: time.Unix(1, 0),
	})
	now := session.Stamp(k.clock.Now())
	k.wantMeta(fork, session.Meta{ID: "fork", Title: "mine", Dir: "/mine", Parent: "other", ForkOf: origin.ID, ForkAt: 1, Created: now, Updated: now, Head: 1})
	k.wantMeta(k.get("fork"), fork)

	// That is how a second writer goes on: the origin is held, the fork is not.
	_, err := k.store.Append(k.ctx, origin.ID, 2, session.NoLease, say("a"))
	k.wantHeld("Append to the origin", err, held)
	k.append("fork", 1, notes(3)...)
	k.wantLog("fork", notes(1, 3)...)
}
