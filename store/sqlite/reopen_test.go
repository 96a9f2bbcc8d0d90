package sqlite

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/sessiontest"
)

// Everything that a store is given is there after it was closed and opened.
func TestReopen(t *testing.T) {
	path := file(t)
	now := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	options := Options{Now: func() time.Time { return now }}
	store := must[*Store](t)(Open(ctx, path, options))

	m := must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s", Title: "a \x00 and \U0001F600", Dir: "/project", Parent: "p"}))
	must[session.Seq](t)(store.Append(ctx, m.ID, 0, session.NoLease, sessiontest.Entries()...))
	fork := must[session.Meta](t)(store.Fork(ctx, m.ID, 3, session.Meta{ID: "fork"}))
	if err := store.Rename(ctx, fork.ID, "renamed"); err != nil {
		t.Fatal(err)
	}
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "deleted"}))
	if err := store.Delete(ctx, "deleted"); err != nil {
		t.Fatal(err)
	}
	lease := must[session.Lease](t)(store.Lease(ctx, m.ID, "me", time.Minute))
	released := must[session.Lease](t)(store.Lease(ctx, fork.ID, "me", time.Minute))
	if err := store.Release(ctx, released); err != nil {
		t.Fatal(err)
	}
	content := []byte("content \x00\xff")
	digest, err := store.Blobs().Put(ctx, content)
	if err != nil {
		t.Fatal(err)
	}
	metas, log, forked := must[[]session.Meta](t)(store.List(ctx, session.Query{})), records(t, store, m.ID), records(t, store, fork.ID)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}

	store = opened(t, path, options)
	if diff := cmp.Diff(metas, must[[]session.Meta](t)(store.List(ctx, session.Query{}))); diff != "" {
		t.Errorf("the sessions differ:\n%s", diff)
	}
	if len(metas) != 2 || len(log) == 0 || len(forked) != 3 {
		t.Fatalf("have %d sessions, %d and %d records", len(metas), len(log), len(forked))
	}
	if diff := cmp.Diff(log, records(t, store, m.ID)); diff != "" {
		t.Errorf("the log differs:\n%s", diff)
	}
	if diff := cmp.Diff(forked, records(t, store, fork.ID)); diff != "" {
		t.Errorf("the fork differs:\n%s", diff)
	}
	if have, err := store.Blobs().Get(ctx, digest); err != nil || !bytes.Equal(have, content) {
		t.Errorf("the blob is %q, %v", have, err)
	}
	// The lease is still held by the same token, and no token comes twice.
	held, ok := errors.AsType[*session.HeldError](second(store.Lease(ctx, m.ID, "you", time.Minute)))
	if !ok || held.Holder != "me" || !held.Until.Equal(lease.Until) {
		t.Errorf("the lease is held as %+v, want %+v", held, lease)
	}
	must[session.Seq](t)(store.Append(ctx, m.ID, metas[0].Head, lease.Token, note("with the lease of before")))
	next := must[session.Lease](t)(store.Lease(ctx, fork.ID, "you", time.Minute))
	if next.Token <= released.Token {
		t.Errorf("the token %d comes after %d", next.Token, released.Token)
	}
}

func second[T any](_ T, err error) error { return err }
