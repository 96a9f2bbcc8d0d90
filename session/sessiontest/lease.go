package sessiontest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ampersat/ampersat/session"
)

func leaseHeld(k *kit) {
	m := k.filled(1)
	lease := k.lease(m.ID, "ampersat on a laptop", time.Minute)
	want := session.Lease{Session: m.ID, Holder: "ampersat on a laptop", Token: lease.Token, Until: session.Stamp(k.clock.Now().Add(time.Minute))}
	if lease != want || lease.Token == session.NoLease {
		k.Errorf("have %+v, want %+v and a token", lease, want)
	}
	for _, holder := range []string{"another", "ampersat on a laptop"} {
		got, err := k.store.Lease(k.ctx, m.ID, holder, time.Hour)
		k.wantHeld("Lease of a held session", err, lease)
		if got != (session.Lease{}) {
			k.Errorf("a refused lease is %+v", got)
		}
	}
	_, err := k.store.Append(k.ctx, m.ID, 1, session.NoLease, say("a"))
	k.wantHeld("Append without a lease", err, lease)
	_, err = k.store.Append(k.ctx, m.ID, 0, session.NoLease, say("a"))
	k.wantHeld("Append without a lease, and too late", err, lease)
	k.wantLog(m.ID, notes(1)...)

	head, err := k.store.Append(k.ctx, m.ID, 1, lease.Token, numberedNote(2))
	if err != nil || head != 2 {
		k.Errorf("the holder's append returned %d, %v", head, err)
	}
	_, err = k.store.Append(k.ctx, m.ID, 1, lease.Token, numberedNote(3))
	k.wantConflict("the holder's append, too late", err, m.ID, 1, 2)
	k.wantLog(m.ID, notes(1, 2)...)
}

func leaseOneWinner(k *kit) {
	m := k.filled(0)
	for range 10 {
		var mu sync.Mutex
		var leases []session.Lease
		together(12, func(i int) {
			lease, err := k.store.Lease(k.ctx, m.ID, fmt.Sprint("holder ", i), time.Minute)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				leases = append(leases, lease)
			} else if !errors.Is(err, session.ErrHeld) {
				k.Errorf("Lease: %v", err)
			}
		})
		if len(leases) != 1 {
			k.Fatalf("%d of 12 have the lease", len(leases))
		}
		if err := k.store.Release(k.ctx, leases[0]); err != nil {
			k.Fatalf("Release: %v", err)
		}
	}
}

func leaseExpires(k *kit) {
	m := k.filled(1)
	first := k.lease(m.ID, "first", time.Minute)
	k.clock.advance(time.Minute - time.Microsecond)
	_, err := k.store.Lease(k.ctx, m.ID, "second", time.Minute)
	k.wantHeld("Lease a microsecond before the end", err, first)
	k.wantHeld("Delete a microsecond before the end", k.store.Delete(k.ctx, m.ID), first)
	k.clock.advance(2 * time.Microsecond)

	// Others may append, take it, or delete the session.
	k.append(m.ID, 1, numberedNote(2))
	second := k.lease(m.ID, "second", time.Minute)
	_, err = k.store.Lease(k.ctx, m.ID, "first", time.Minute)
	k.wantHeld("Lease after it was taken", err, second)
	k.clock.advance(time.Hour)
	k.delete(m.ID)
}

func leaseOutlives(k *kit) {
	m := k.filled(0)
	lease := k.lease(m.ID, "sleeper", time.Minute)
	k.clock.advance(24 * time.Hour)
	if _, err := k.store.Append(k.ctx, m.ID, 0, lease.Token, numberedNote(1)); err != nil {
		k.Errorf("Append under a lease that ran out and nobody took: %v", err)
	}
	renewed, err := k.store.Renew(k.ctx, lease, time.Minute)
	if err != nil {
		k.Fatalf("Renew of a lease that ran out and nobody took: %v", err)
	}
	_, err = k.store.Lease(k.ctx, m.ID, "another", time.Minute)
	k.wantHeld("Lease after the sleeper renewed", err, renewed)

	// Somebody who needed no lease was faster: the log tells.
	k.clock.advance(time.Hour)
	k.append(m.ID, 1, numberedNote(2))
	_, err = k.store.Append(k.ctx, m.ID, 1, lease.Token, numberedNote(3))
	k.wantConflict("the sleeper's append", err, m.ID, 1, 2)
	k.wantLog(m.ID, notes(1, 2)...)
}

func leaseRenewed(k *kit) {
	m := k.filled(0)
	lease := k.lease(m.ID, "me", time.Minute)
	for i := range 5 {
		k.clock.advance(40 * time.Second)
		renewed, err := k.store.Renew(k.ctx, lease, time.Minute)
		want := lease
		want.Until = session.Stamp(k.clock.Now().Add(time.Minute))
		if err != nil || renewed != want {
			k.Fatalf("renewal %d: have %+v, %v; want %+v", i, renewed, err, want)
		}
		_, err = k.store.Lease(k.ctx, m.ID, "another", time.Minute)
		k.wantHeld("Lease of a renewed lease", err, renewed)
		// The token is what counts: the first lease is as good as the last.
		if _, err := k.store.Append(k.ctx, m.ID, session.Seq(i), lease.Token, numberedNote(i)); err != nil {
			k.Fatalf("Append after a renewal: %v", err)
		}
	}
	// It can be shortened too.
	if _, err := k.store.Renew(k.ctx, lease, time.Second); err != nil {
		k.Fatalf("Renew: %v", err)
	}
	k.clock.advance(2 * time.Second)
	k.lease(m.ID, "another", time.Minute)
}

func leaseReleased(k *kit) {
	m := k.filled(1)
	first := k.lease(m.ID, "first", time.Minute)
	for range 2 {
		if err := k.store.Release(k.ctx, first); err != nil {
			k.Fatalf("Release: %v", err)
		}
	}
	_, err := k.store.Append(k.ctx, m.ID, 1, first.Token, say("late"))
	k.wantError("Append under a released lease", err, session.ErrLost)
	_, err = k.store.Renew(k.ctx, first, time.Minute)
	k.wantError("Renew of a released lease", err, session.ErrLost)
	k.append(m.ID, 1, numberedNote(2))

	second := k.lease(m.ID, "second", time.Minute)
	if err := k.store.Release(k.ctx, first); err != nil {
		k.Errorf("Release of a lost lease: %v", err)
	}
	_, err = k.store.Lease(k.ctx, m.ID, "third", time.Minute)
	k.wantHeld("Lease after somebody released what was not theirs", err, second)
	if err := k.store.Release(k.ctx, session.Lease{Session: m.ID}); err != nil {
		k.Errorf("Release of no lease: %v", err)
	}
	_, err = k.store.Lease(k.ctx, m.ID, "third", time.Minute)
	k.wantHeld("Lease after no lease was released", err, second)
}

func leaseFencing(k *kit) {
	m := k.filled(1)
	first := k.lease(m.ID, "first", time.Minute)
	k.clock.advance(2 * time.Minute)
	second := k.lease(m.ID, "second", time.Minute)

	_, err := k.store.Append(k.ctx, m.ID, 1, first.Token, say("late"))
	k.wantError("Append under a lost lease", err, session.ErrLost)
	k.wantHeld("Append under a lost lease", err, second)
	_, err = k.store.Append(k.ctx, m.ID, 0, first.Token, say("late"))
	k.wantError("Append under a lost lease, and too late", err, session.ErrLost)
	_, err = k.store.Renew(k.ctx, first, time.Hour)
	k.wantError("Renew of a lost lease", err, session.ErrLost)
	_, err = k.store.Append(k.ctx, m.ID, 1, second.Token+1, say("guessed"))
	k.wantError("Append under a token that was never given", err, session.ErrLost)
	_, err = k.store.Renew(k.ctx, session.Lease{Session: m.ID}, time.Hour)
	k.wantError("Renew of no lease", err, session.ErrLost)
	k.wantLog(m.ID, notes(1)...)

	// Nor when the second has gone again.
	if _, err := k.store.Append(k.ctx, m.ID, 1, second.Token, numberedNote(2)); err != nil {
		k.Fatalf("Append: %v", err)
	}
	if err := k.store.Release(k.ctx, second); err != nil {
		k.Fatalf("Release: %v", err)
	}
	_, err = k.store.Append(k.ctx, m.ID, 2, first.Token, say("late"))
	k.wantError("Append under a lost lease after the release", err, session.ErrLost)
	k.wantLog(m.ID, notes(1, 2)...)
}

func leaseApart(k *kit) {
	a, b := k.filled(1), k.filled(1)
	leaseA := k.lease(a.ID, "me", time.Minute)
	k.append(b.ID, 1, numberedNote(2))
	leaseB := k.lease(b.ID, "me", time.Minute)
	_, err := k.store.Append(k.ctx, b.ID, 2, leaseA.Token, say("wrong"))
	k.wantError("Append under the lease of another session", err, session.ErrLost)
	crossed := leaseA
	crossed.Session = b.ID
	_, err = k.store.Renew(k.ctx, crossed, time.Hour)
	k.wantError("Renew with the token of another session", err, session.ErrLost)
	if err := k.store.Release(k.ctx, crossed); err != nil {
		k.Errorf("Release with the token of another session: %v", err)
	}
	_, err = k.store.Lease(k.ctx, b.ID, "you", time.Minute)
	k.wantHeld("Lease after a release with another's token", err, leaseB)
	if err := k.store.Release(k.ctx, leaseA); err != nil {
		k.Fatalf("Release: %v", err)
	}
	_, err = k.store.Lease(k.ctx, b.ID, "you", time.Minute)
	k.wantHeld("Lease after the other session was released", err, leaseB)

	// A fork begins without one.
	fork := k.fork(b.ID, 2, session.Meta{})
	k.append(fork.ID, 2, numberedNote(3))
	k.lease(fork.ID, "you", time.Minute)
}

func tokensOnce(k *kit) {
	a, b := k.filled(0), k.filled(0)
	last := session.NoLease
	for i := range 20 {
		id := []session.ID{a.ID, b.ID}[i%2]
		lease := k.lease(id, "me", time.Minute)
		if lease.Token <= last {
			k.Fatalf("the token %d was given out after %d", lease.Token, last)
		}
		last = lease.Token
		if i%3 == 0 {
			if err := k.store.Release(k.ctx, lease); err != nil {
				k.Fatalf("Release: %v", err)
			}
		}
		k.clock.advance(time.Hour)
		if i%5 == 4 {
			k.delete(id)
			k.create(session.Meta{ID: id})
		}
	}
}

func badLease(k *kit) {
	m := k.filled(0)
	for _, c := range []struct {
		holder string
		ttl    time.Duration
	}{{"", time.Minute}, {"me", 0}, {"me", -time.Second}} {
		if lease, err := k.store.Lease(k.ctx, m.ID, c.holder, c.ttl); err == nil || lease != (session.Lease{}) {
			k.Errorf("Lease of %q for %v: %+v, %v", c.holder, c.ttl, lease, err)
		}
	}
	lease := k.lease(m.ID, "me", time.Minute)
	if _, err := k.store.Renew(k.ctx, lease, 0); err == nil {
		k.Errorf("Renew for no time was taken")
	}
	_, err := k.store.Lease(k.ctx, m.ID, "you", time.Minute)
	k.wantHeld("Lease after a renewal for no time", err, lease)
}
