package sessiontest

import (
	"context"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

func cancelled(k *kit) {
	m := k.filled(2)
	lease := k.lease(m.ID, "me", time.Minute)
	kept, err := k.store.Blobs().Put(k.ctx, []byte("kept"))
	if err != nil {
		k.Fatalf("Put: %v", err)
	}
	ctx, cancel := context.WithCancel(k.ctx)
	cancel()
	errs := map[string]error{}
	_, errs["Create"] = k.store.Create(ctx, session.Meta{ID: "late"})
	_, errs["Get"] = k.store.Get(ctx, m.ID)
	_, errs["List"] = k.store.List(ctx, session.Query{})
	errs["Rename"] = k.store.Rename(ctx, m.ID, "late")
	_, errs["Append"] = k.store.Append(ctx, m.ID, 2, lease.Token, say("late"))
	_, errs["Read"] = collect(ctx, k.store, m.ID, 1)
	_, errs["Read of nothing"] = collect(ctx, k.store, m.ID, 9)
	_, errs["Last"] = k.store.Last(ctx, m.ID, session.KindNote)
	_, errs["Restore"] = k.store.Restore(ctx, session.Meta{ID: "late"}, sequence(nil, nil))
	_, errs["Fork"] = k.store.Fork(ctx, m.ID, 1, session.Meta{ID: "late"})
	errs["Delete"] = k.store.Delete(ctx, m.ID)
	_, errs["Lease"] = k.store.Lease(ctx, m.ID, "late", time.Hour)
	_, errs["Renew"] = k.store.Renew(ctx, lease, time.Hour)
	errs["Release"] = k.store.Release(ctx, lease)
	_, errs["Put"] = k.store.Blobs().Put(ctx, []byte("late"))
	_, errs["Get of a blob"] = k.store.Blobs().Get(ctx, kept)
	for call, err := range errs {
		k.wantError(call+" with a cancelled context", err, context.Canceled)
	}

	if list := k.list(session.Query{}); len(list) != 1 {
		k.Errorf("there are sessions that were created with a cancelled context: %+v", list)
	}
	k.wantMeta(k.get(m.ID), m)
	k.wantLog(m.ID, notes(1, 2)...)
	_, err = k.store.Lease(k.ctx, m.ID, "you", time.Minute)
	k.wantHeld("Lease after the cancelled calls", err, lease)
	_, err = k.store.Blobs().Get(k.ctx, blob.Of([]byte("late")))
	k.wantError("Get of what was put with a cancelled context", err, blob.ErrNotFound)

	// What closes a cancelled turn is kept.
	if _, err := k.store.Append(context.WithoutCancel(ctx), m.ID, 2, lease.Token, numberedNote(3)); err != nil {
		k.Errorf("Append that closes a cancelled turn: %v", err)
	}
	k.wantLog(m.ID, notes(1, 2, 3)...)

	// A loop ends soon after its context does.
	ctx, cancel = context.WithCancel(k.ctx)
	defer cancel()
	long := k.create(session.Meta{})
	var many []session.Entry
	for i := range 5000 {
		many = append(many, numberedNote(i))
	}
	k.append(long.ID, 0, many...)
	n := 0
	for _, err = range k.store.Read(ctx, long.ID, 1) {
		if err != nil {
			break
		}
		n++
		cancel()
	}
	k.wantError("Read whose context was cancelled meanwhile", err, context.Canceled)
	if n > 1000 {
		k.Errorf("Read went on for %d records after its context was cancelled", n)
	}
}
