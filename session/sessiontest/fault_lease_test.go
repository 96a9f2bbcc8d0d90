package sessiontest

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
)

// leases are those that were given out last.
type leases struct {
	mu sync.Mutex
	by map[session.ID]session.Lease
}

// remember makes a faulty store remember the leases it gives out.
func remember(f *faulty) *leases {
	l := &leases{by: map[session.ID]session.Lease{}}
	f.lease = func(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
		lease, err := f.Store.Lease(ctx, id, holder, ttl)
		if err == nil {
			l.mu.Lock()
			l.by[id] = lease
			l.mu.Unlock()
		}
		return lease, err
	}
	return l
}

func (l *leases) of(id session.ID) (session.Lease, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lease, found := l.by[id]
	return lease, found
}

func leaseFaults() []fault {
	return []fault{
		{"everybody gets the lease", func(f *faulty, _ func() time.Time, _ testing.TB) {
			given := remember(f)
			first := f.lease
			f.lease = func(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
				if lease, found := given.of(id); found {
					f.Store.Release(ctx, lease)
				}
				return first(ctx, id, holder, ttl)
			}
		}, []string{"a held session is refused, with the holder's name", "one of many gets the lease", "any history agrees with the model"}},

		{"a holder gets the lease again", func(f *faulty, _ func() time.Time, _ testing.TB) {
			given := remember(f)
			first := f.lease
			f.lease = func(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
				if lease, found := given.of(id); found && lease.Holder == holder {
					return f.Store.Renew(ctx, lease, ttl)
				}
				return first(ctx, id, holder, ttl)
			}
		}, []string{"a held session is refused, with the holder's name", "any history agrees with the model"}},

		{"appends need no lease", func(f *faulty, _ func() time.Time, _ testing.TB) {
			given := remember(f)
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				head, err := f.Store.Append(ctx, id, after, token, entries...)
				if lease, found := given.of(id); found && errors.Is(err, session.ErrHeld) {
					return f.Store.Append(ctx, id, after, lease.Token, entries...)
				}
				return head, err
			}
		}, []string{"a held session is refused, with the holder's name", "an append without entries only checks", "any history agrees with the model"}},

		{"leases never run out", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.lease = func(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
				lease, err := f.Store.Lease(ctx, id, holder, min(ttl, 1)*1e15)
				if err == nil {
					lease.Until = lease.Until.Add(ttl - 1e15)
				}
				return lease, err
			}
		}, []string{"a lease that ran out can be taken"}},

		{"leases run out early", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.lease = func(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
				lease, err := f.Store.Lease(ctx, id, holder, ttl-time.Millisecond)
				if err == nil {
					lease.Until = lease.Until.Add(time.Millisecond)
				}
				return lease, err
			}
		}, []string{"a lease that ran out can be taken"}},

		{"a lease is lost when it runs out", func(f *faulty, now func() time.Time, _ testing.TB) {
			given := remember(f)
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				if lease, found := given.of(id); found && token == lease.Token && now().After(lease.Until) {
					return 0, session.ErrLost
				}
				return f.Store.Append(ctx, id, after, token, entries...)
			}
		}, []string{"a lease that ran out is good until it is taken"}},

		{"Renew does nothing", func(f *faulty, now func() time.Time, _ testing.TB) {
			f.renew = func(_ context.Context, lease session.Lease, ttl time.Duration) (session.Lease, error) {
				return session.NewLease(lease.Session, lease.Holder, lease.Token, now(), ttl)
			}
		}, []string{"a renewed lease lasts", "a lost lease cannot append", "any history agrees with the model"}},

		{"Release does nothing", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.release = func(ctx context.Context, lease session.Lease) error {
				_, err := f.Store.Get(ctx, lease.Session)
				return err
			}
		}, []string{"a released lease can be taken", "one of many gets the lease", "any history agrees with the model"}},

		{"Release ends anybody's lease", func(f *faulty, _ func() time.Time, _ testing.TB) {
			given := remember(f)
			f.release = func(ctx context.Context, lease session.Lease) error {
				if current, found := given.of(lease.Session); found {
					lease = current
				}
				return f.Store.Release(ctx, lease)
			}
		}, []string{"a released lease can be taken", "a lease is its session's alone", "any history agrees with the model"}},

		{"a lost lease can append", func(f *faulty, _ func() time.Time, _ testing.TB) {
			given := remember(f)
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				head, err := f.Store.Append(ctx, id, after, token, entries...)
				if lease, found := given.of(id); found && errors.Is(err, session.ErrLost) {
					return f.Store.Append(ctx, id, after, lease.Token, entries...)
				}
				return head, err
			}
		}, []string{"a lost lease cannot append", "a lease is its session's alone"}},

		{"tokens are counted for each session", func(f *faulty, _ func() time.Time, _ testing.TB) {
			counts := map[session.ID]session.Token{}
			f.lease = func(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
				lease, err := f.Store.Lease(ctx, id, holder, ttl)
				if err == nil {
					counts[id]++
					lease.Token = counts[id]
				}
				return lease, err
			}
		}, []string{"tokens are never given twice"}},

		{"a lease for no time is one for a while", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.lease = func(ctx context.Context, id session.ID, holder string, ttl time.Duration) (session.Lease, error) {
				if ttl <= 0 {
					ttl = time.Minute
				}
				return f.Store.Lease(ctx, id, holder, ttl)
			}
		}, []string{"leases that make no sense are refused"}},
	}
}
