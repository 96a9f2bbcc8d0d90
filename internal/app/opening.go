package app

import (
	"context"
	"iter"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

// opening is a [session.Store] that is being opened. Whoever uses it waits for
// that; whoever does not yet can go on meanwhile.
type opening struct {
	done  chan struct{}
	store session.Store
	err   error
}

var _ session.Store = (*opening)(nil)

// openLater opens the store of sessions in the background.
func (a *App) openLater(ctx context.Context) *opening {
	o := &opening{done: make(chan struct{})}
	go func() {
		defer close(o.done)
		store, err := a.Store(ctx)
		if o.err = err; err == nil {
			o.store = store
		}
	}()
	return o
}

// wait returns the store when it is open. Opening ends with the context that it
// was begun with.
func (o *opening) wait() (session.Store, error) {
	<-o.done
	return o.store, o.err
}

// use calls a method that returns a value.
func use[T any](o *opening, method func(session.Store) (T, error)) (T, error) {
	store, err := o.wait()
	if err != nil {
		var none T
		return none, err
	}
	return method(store)
}

// do calls a method that returns an error alone.
func (o *opening) do(method func(session.Store) error) error {
	store, err := o.wait()
	if err != nil {
		return err
	}
	return method(store)
}

func (o *opening) Create(ctx context.Context, m session.Meta) (session.Meta, error) {
	return use(o, func(s session.Store) (session.Meta, error) { return s.Create(ctx, m) })
}

func (o *opening) Get(ctx context.Context, id session.ID) (session.Meta, error) {
	return use(o, func(s session.Store) (session.Meta, error) { return s.Get(ctx, id) })
}

func (o *opening) List(ctx context.Context, q session.Query) ([]session.Meta, error) {
	return use(o, func(s session.Store) ([]session.Meta, error) { return s.List(ctx, q) })
}

func (o *opening) Rename(ctx context.Context, id session.ID, title string) error {
	return o.do(func(s session.Store) error { return s.Rename(ctx, id, title) })
}

func (o *opening) Append(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
	return use(o, func(s session.Store) (session.Seq, error) { return s.Append(ctx, id, after, token, entries...) })
}

func (o *opening) Read(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
	return func(yield func(session.Record, error) bool) {
		store, err := o.wait()
		if err != nil {
			yield(session.Record{}, err)
			return
		}
		store.Read(ctx, id, from)(yield)
	}
}

func (o *opening) Last(ctx context.Context, id session.ID, kind session.Kind) (session.Record, error) {
	return use(o, func(s session.Store) (session.Record, error) { return s.Last(ctx, id, kind) })
}

func (o *opening) Restore(ctx context.Context, m session.Meta, records iter.Seq2[session.Record, error]) (session.Meta, error) {
	return use(o, func(s session.Store) (session.Meta, error) { return s.Restore(ctx, m, records) })
}

func (o *opening) Fork(ctx context.Context, id session.ID, at session.Seq, m session.Meta) (session.Meta, error) {
	return use(o, func(s session.Store) (session.Meta, error) { return s.Fork(ctx, id, at, m) })
}

func (o *opening) Delete(ctx context.Context, id session.ID) error {
	return o.do(func(s session.Store) error { return s.Delete(ctx, id) })
}

func (o *opening) Lease(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
	return use(o, func(s session.Store) (session.Lease, error) { return s.Lease(ctx, id, holder, ttl) })
}

func (o *opening) Renew(ctx context.Context, lease session.Lease, ttl time.Duration) (session.Lease, error) {
	return use(o, func(s session.Store) (session.Lease, error) { return s.Renew(ctx, lease, ttl) })
}

func (o *opening) Release(ctx context.Context, lease session.Lease) error {
	return o.do(func(s session.Store) error { return s.Release(ctx, lease) })
}

func (o *opening) Blobs() blob.Store { return openingBlobs{o} }

// openingBlobs are the blobs of a store that is being opened.
type openingBlobs struct{ *opening }

func (o openingBlobs) Put(ctx context.Context, data []byte) (blob.Digest, error) {
	return use(o.opening, func(s session.Store) (blob.Digest, error) { return s.Blobs().Put(ctx, data) })
}

func (o openingBlobs) Get(ctx context.Context, digest blob.Digest) ([]byte, error) {
	return use(o.opening, func(s session.Store) ([]byte, error) { return s.Blobs().Get(ctx, digest) })
}
