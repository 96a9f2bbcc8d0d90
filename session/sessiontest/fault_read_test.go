package sessiontest

import (
	"context"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
)

func readFaults() []fault {
	return []fault{
		{"the last entry is read first", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				return func(yield func(session.Record, error) bool) {
					records, err := collect(ctx, f.Store, id, from)
					if err != nil {
						yield(session.Record{}, err)
						return
					}
					for _, r := range slices.Backward(records) {
						if !yield(r, nil) {
							return
						}
					}
				}
			}
		}, []string{"reading begins where it is told", "entries of every kind come back as they were", "any history agrees with the model"}},

		{"reading always begins with the first", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = func(ctx context.Context, id session.ID, _ session.Seq) iter.Seq2[session.Record, error] {
				return f.Store.Read(ctx, id, 1)
			}
		}, []string{"reading begins where it is told", "any history agrees with the model"}},

		{"from is the entry before the first", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				return f.Store.Read(ctx, id, from+1)
			}
		}, []string{"reading begins where it is told", "entries of every kind come back as they were", "any history agrees with the model"}},

		{"reading follows the log", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				return func(yield func(session.Record, error) bool) {
					for more := true; more; {
						more = false
						for r, err := range f.Store.Read(ctx, id, from) {
							if !yield(r, err) || err != nil {
								return
							}
							from, more = r.Seq+1, true
						}
					}
				}
			}
		}, []string{"reading ends where the log ended"}},

		{"a sequence can be used once", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				used := false
				return func(yield func(session.Record, error) bool) {
					if used {
						return
					}
					used = true
					f.Store.Read(ctx, id, from)(yield)
				}
			}
		}, []string{"reading can be left and begun again"}},

		{"nobody appends while somebody reads", func(f *faulty, _ func() time.Time, t testing.TB) {
			closed := make(chan struct{})
			t.Cleanup(func() { close(closed) })
			var mu sync.Mutex
			readers := 0
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				return func(yield func(session.Record, error) bool) {
					mu.Lock()
					readers++
					mu.Unlock()
					f.Store.Read(ctx, id, from)(yield)
					mu.Lock()
					readers--
					mu.Unlock()
				}
			}
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				for {
					mu.Lock()
					free := readers == 0
					mu.Unlock()
					select {
					case <-closed:
						free = true
					case <-time.After(time.Millisecond):
					}
					if free {
						return f.Store.Append(ctx, id, after, token, entries...)
					}
				}
			}
		}, []string{"the body of a loop may call the store"}},
	}
}

// each changes the records that are read.
func each(f *faulty, do func(session.Record) session.Record) func(context.Context, session.ID, session.Seq) iter.Seq2[session.Record, error] {
	return func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
		return func(yield func(session.Record, error) bool) {
			for r, err := range f.Store.Read(ctx, id, from) {
				if err == nil {
					r = do(r)
				}
				if !yield(r, err) {
					return
				}
			}
		}
	}
}
