package sessiontest

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

// fault is a promise that a store breaks.
type fault struct {
	name  string
	plant func(f *faulty, now func() time.Time, t testing.TB)
	found []string // by the checks that must find it
}

func faults() []fault {
	return slices.Concat(manageFaults(), appendFaults(), readFaults(), lastFaults(), listFaults(), forkFaults(), leaseFaults(), otherFaults())
}

func manageFaults() []fault {
	return []fault{
		{"Create forgets the project", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.create = func(ctx context.Context, m session.Meta) (session.Meta, error) {
				m.Dir = ""
				return f.Store.Create(ctx, m)
			}
		}, []string{"created sessions are found", "a list can be narrowed"}},

		{"Create replaces what is there", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.create = func(ctx context.Context, m session.Meta) (session.Meta, error) {
				created, err := f.Store.Create(ctx, m)
				if errors.Is(err, session.ErrExists) && f.Store.Delete(ctx, m.ID) == nil {
					return f.Store.Create(ctx, m)
				}
				return created, err
			}
		}, []string{"an id is taken once", "any history agrees with the model"}},

		{"ids are the same in upper and lower case", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.create = func(ctx context.Context, m session.Meta) (session.Meta, error) {
				m.ID = session.ID(strings.ToLower(string(m.ID)))
				return f.Store.Create(ctx, m)
			}
		}, []string{"an id is taken once"}},

		{"Create takes any id", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.create = func(ctx context.Context, m session.Meta) (session.Meta, error) {
				if _, err := session.ParseID(string(m.ID)); err != nil {
					m.ID = ""
				}
				return f.Store.Create(ctx, m)
			}
		}, []string{"ids that cannot be written are refused"}},

		{"a session that does not exist is an empty one", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				return func(yield func(session.Record, error) bool) {
					for r, err := range f.Store.Read(ctx, id, from) {
						if errors.Is(err, session.ErrNotFound) || !yield(r, err) {
							return
						}
					}
				}
			}
		}, []string{"sessions that do not exist are not found", "any history agrees with the model"}},

		{"Rename does nothing", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.rename = func(ctx context.Context, id session.ID, _ string) error {
				_, err := f.Store.Get(ctx, id)
				return err
			}
		}, []string{"a new title is kept and moves nothing", "names are kept as UTF-8"}},

		{"Rename asks for a lease", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.rename = func(ctx context.Context, id session.ID, title string) error {
				lease, err := f.Store.Lease(ctx, id, "Rename", time.Second)
				if err != nil {
					return err
				}
				defer f.Store.Release(ctx, lease)
				return f.Store.Rename(ctx, id, title)
			}
		}, []string{"a new title is kept and moves nothing", "any history agrees with the model"}},

		{"names keep bytes that are not UTF-8", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.create = func(ctx context.Context, m session.Meta) (session.Meta, error) {
				created, err := f.Store.Create(ctx, m)
				created.Title = m.Title
				return created, err
			}
		}, []string{"names are kept as UTF-8"}},

		{"Delete does nothing", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.delete = func(ctx context.Context, id session.ID) error {
				_, err := f.Store.Get(ctx, id)
				return err
			}
		}, []string{"a deleted session is gone", "a cursor outlives its session"}},

		{"Delete does not ask who holds it", func(f *faulty, now func() time.Time, _ testing.TB) {
			leases := remember(f)
			f.delete = func(ctx context.Context, id session.ID) error {
				if lease, held := leases.of(id); held {
					f.Store.Release(ctx, lease)
				}
				return f.Store.Delete(ctx, id)
			}
		}, []string{"a deleted session is gone", "a lease that ran out can be taken", "any history agrees with the model"}},

		{"what was deleted comes back with its id", func(f *faulty, _ func() time.Time, _ testing.TB) {
			logs := map[session.ID][]session.Entry{}
			f.delete = func(ctx context.Context, id session.ID) error {
				records, _ := collect(ctx, f.Store, id, 1)
				for _, r := range records {
					logs[id] = append(logs[id], r.Entry)
				}
				return f.Store.Delete(ctx, id)
			}
			f.create = func(ctx context.Context, m session.Meta) (session.Meta, error) {
				created, err := f.Store.Create(ctx, m)
				if err == nil && logs[m.ID] != nil {
					f.Store.Append(ctx, m.ID, 0, session.NoLease, logs[m.ID]...)
				}
				return created, err
			}
		}, []string{"a deleted session is gone"}},

		{"a list ends at a hundred", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.list = func(ctx context.Context, q session.Query) ([]session.Meta, error) {
				list, err := f.Store.List(ctx, q)
				return list[:min(100, len(list))], err
			}
		}, []string{"many sessions stay apart"}},
	}
}

func otherFaults() []fault {
	return []fault{
		{"blobs are the caller's buffers", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.blobs = &aliased{data: map[blob.Digest][]byte{}}
		}, []string{"blobs are kept by digest"}},

		{"contexts are not looked at", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				return f.Store.Append(context.WithoutCancel(ctx), id, after, token, entries...)
			}
		}, []string{"a cancelled context changes nothing"}},

		{"reading does not look at its context again", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				if ctx.Err() != nil {
					return f.Store.Read(ctx, id, from)
				}
				return f.Store.Read(context.WithoutCancel(ctx), id, from)
			}
		}, []string{"a cancelled context changes nothing"}},

		{"notes lose their value", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = each(f, func(r session.Record) session.Record {
				if n, is := r.Entry.(session.Note); is && n.Value != nil {
					n.Value = jsontext.Value("null")
					r.Entry = n
				}
				return r
			})
		}, []string{"many sessions stay apart", "any history agrees with the model"}},
	}
}

// aliased keeps what it is given without a copy.
type aliased struct {
	mu   sync.Mutex
	data map[blob.Digest][]byte
}

func (a *aliased) Put(_ context.Context, data []byte) (blob.Digest, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	digest := blob.Of(data)
	a.data[digest] = data
	return digest, nil
}

func (a *aliased) Get(_ context.Context, digest blob.Digest) ([]byte, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	data, held := a.data[digest]
	if !held {
		return nil, blob.ErrNotFound
	}
	return data, nil
}
