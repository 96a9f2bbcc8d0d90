package sqlite

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

// Whoever goes on with a store that was closed is told so, and can test for it.
func TestAClosedStoreSaysSo(t *testing.T) {
	path := file(t)
	store := must[*Store](t)(Open(ctx, path, Options{}))
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	lease := must[session.Lease](t)(store.Lease(ctx, "s", "me", time.Minute))
	if err := errors.Join(store.Close(), store.Close()); err != nil {
		t.Fatal(err)
	}
	errs := map[string]error{
		"Rename": store.Rename(ctx, "s", "x"), "Delete": store.Delete(ctx, "s"), "Release": store.Release(ctx, lease),
	}
	_, errs["Create"] = store.Create(ctx, session.Meta{})
	_, errs["Get"] = store.Get(ctx, "s")
	_, errs["List"] = store.List(ctx, session.Query{})
	_, errs["Append"] = store.Append(ctx, "s", 0, session.NoLease, session.Note{Name: "n"})
	_, errs["Last"] = store.Last(ctx, "s", session.KindSaid)
	_, errs["Restore"] = store.Restore(ctx, session.Meta{ID: "r"}, func(func(session.Record, error) bool) {})
	_, errs["Fork"] = store.Fork(ctx, "s", 0, session.Meta{})
	_, errs["Lease"] = store.Lease(ctx, "s", "me", time.Minute)
	_, errs["Renew"] = store.Renew(ctx, lease, time.Minute)
	_, errs["Search"] = store.Search(ctx, session.Query{}, "x", 1)
	_, errs["Put"] = store.Blobs().Put(ctx, []byte("x"))
	_, errs["Get of a blob"] = store.Blobs().Get(ctx, blob.Of([]byte("x")))
	for _, err := range store.Read(ctx, "s", 1) {
		errs["Read"] = err
	}
	if len(errs) != 16 {
		t.Errorf("%d methods", len(errs))
	}
	for method, err := range errs {
		if !errors.Is(err, session.ErrClosed) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// What is running when the store is closed comes to its end or is told.
func TestCloseWhileOthersWrite(t *testing.T) {
	store := must[*Store](t)(Open(ctx, file(t), Options{}))
	must[session.Meta](t)(store.Create(ctx, session.Meta{ID: "s"}))
	var writing, begun sync.WaitGroup
	for range 4 {
		begun.Add(1)
		writing.Go(func() {
			once := sync.OnceFunc(begun.Done)
			for {
				_, err := store.Blobs().Put(ctx, []byte(time.Now().String()))
				if err == nil {
					_, err = store.Get(ctx, "s")
				}
				once()
				if err != nil {
					if !errors.Is(err, session.ErrClosed) {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	begun.Wait()
	if err := store.Close(); err != nil {
		t.Error(err)
	}
	writing.Wait()
}
