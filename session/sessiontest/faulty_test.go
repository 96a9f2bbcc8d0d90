package sessiontest

import (
	"context"
	"iter"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
)

// faulty is a good store with some of its methods replaced.
type faulty struct {
	session.Store
	create  func(context.Context, session.Meta) (session.Meta, error)
	get     func(context.Context, session.ID) (session.Meta, error)
	list    func(context.Context, session.Query) ([]session.Meta, error)
	rename  func(context.Context, session.ID, string) error
	append  func(context.Context, session.ID, session.Seq, session.Token, ...session.Entry) (session.Seq, error)
	read    func(context.Context, session.ID, session.Seq) iter.Seq2[session.Record, error]
	last    func(context.Context, session.ID, session.Kind) (session.Record, error)
	restore func(context.Context, session.Meta, iter.Seq2[session.Record, error]) (session.Meta, error)
	fork    func(context.Context, session.ID, session.Seq, session.Meta) (session.Meta, error)
	delete  func(context.Context, session.ID) error
	lease   func(context.Context, session.ID, string, time.Duration) (session.Lease, error)
	renew   func(context.Context, session.Lease, time.Duration) (session.Lease, error)
	release func(context.Context, session.Lease) error
	blobs   blob.Store
}

func (f *faulty) Create(ctx context.Context, m session.Meta) (session.Meta, error) {
	if f.create != nil {
		return f.create(ctx, m)
	}
	return f.Store.Create(ctx, m)
}

func (f *faulty) Get(ctx context.Context, id session.ID) (session.Meta, error) {
	if f.get != nil {
		return f.get(ctx, id)
	}
	return f.Store.Get(ctx, id)
}

func (f *faulty) List(ctx context.Context, q session.Query) ([]session.Meta, error) {
	if f.list != nil {
		return f.list(ctx, q)
	}
	return f.Store.List(ctx, q)
}

func (f *faulty) Rename(ctx context.Context, id session.ID, title string) error {
	if f.rename != nil {
		return f.rename(ctx, id, title)
	}
	return f.Store.Rename(ctx, id, title)
}

func (f *faulty) Append(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
	if f.append != nil {
		return f.append(ctx, id, after, token, entries...)
	}
	return f.Store.Append(ctx, id, after, token, entries...)
}

func (f *faulty) Read(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
	if f.read != nil {
		return f.read(ctx, id, from)
	}
	return f.Store.Read(ctx, id, from)
}

func (f *faulty) Last(ctx context.Context, id session.ID, kind session.Kind) (session.Record, error) {
	if f.last != nil {
		return f.last(ctx, id, kind)
	}
	return f.Store.Last(ctx, id, kind)
}

func (f *faulty) Restore(ctx context.Context, m session.Meta, records iter.Seq2[session.Record, error]) (session.Meta, error) {
	if f.restore != nil {
		return f.restore(ctx, m, records)
	}
	return f.Store.Restore(ctx, m, records)
}

func (f *faulty) Fork(ctx context.Context, id session.ID, at session.Seq, m session.Meta) (session.Meta, error) {
	if f.fork != nil {
		return f.fork(ctx, id, at, m)
	}
	return f.Store.Fork(ctx, id, at, m)
}

func (f *faulty) Delete(ctx context.Context, id session.ID) error {
	if f.delete != nil {
		return f.delete(ctx, id)
	}
	return f.Store.Delete(ctx, id)
}

func (f *faulty) Lease(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
	if f.lease != nil {
		return f.lease(ctx, id, holder, ttl)
	}
	return f.Store.Lease(ctx, id, holder, ttl)
}

func (f *faulty) Renew(ctx context.Context, l session.Lease, ttl time.Duration) (session.Lease, error) {
	if f.renew != nil {
		return f.renew(ctx, l, ttl)
	}
	return f.Store.Renew(ctx, l, ttl)
}

func (f *faulty) Release(ctx context.Context, l session.Lease) error {
	if f.release != nil {
		return f.release(ctx, l)
	}
	return f.Store.Release(ctx, l)
}

func (f *faulty) Blobs() blob.Store {
	if f.blobs != nil {
		return f.blobs
	}
	return f.Store.Blobs()
}
