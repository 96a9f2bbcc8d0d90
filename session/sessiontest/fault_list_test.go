package sessiontest

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
)

func listFaults() []fault {
	// overlook makes a store that overlooks something of a query.
	overlook := func(do func(*session.Query)) func(*faulty, func() time.Time, testing.TB) {
		return func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.list = func(ctx context.Context, q session.Query) ([]session.Meta, error) {
				do(&q)
				return f.Store.List(ctx, q)
			}
		}
	}
	reorder := func(compare func(a, b session.Meta) int) func(*faulty, func() time.Time, testing.TB) {
		return func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.list = func(ctx context.Context, q session.Query) ([]session.Meta, error) {
				list, err := f.Store.List(ctx, q)
				slices.SortStableFunc(list, compare)
				return list, err
			}
		}
	}
	return []fault{
		{"the oldest session is listed first", reorder(func(a, b session.Meta) int { return b.Compare(a) }),
			[]string{"the last changed session is listed first", "a list can be had in pages", "any history agrees with the model"}},
		{"sessions are listed by creation", reorder(func(a, b session.Meta) int { return b.Created.Compare(a.Created) }),
			[]string{"the last changed session is listed first", "any history agrees with the model"}},
		{"sessions of the same time are in any order", reorder(func(a, b session.Meta) int {
			if a.Updated.Equal(b.Updated) {
				return strings.Compare(string(a.ID), string(b.ID))
			}
			return 0
		}), []string{"the last changed session is listed first"}},
		{"the limit is overlooked", overlook(func(q *session.Query) { q.Limit = 0 }),
			[]string{"a list can be had in pages", "a list can be narrowed", "any history agrees with the model"}},
		{"the cursor is overlooked", overlook(func(q *session.Query) { q.After = "" }),
			[]string{"a list can be had in pages", "a cursor outlives its session", "a cursor that is none is refused", "any history agrees with the model"}},
		{"the project is overlooked", overlook(func(q *session.Query) { q.Dir = "" }), []string{"a list can be narrowed"}},
		{"the project's other path is overlooked", overlook(func(q *session.Query) { q.AlsoDir = "" }), []string{"a list can be narrowed"}},
		{"the parent is overlooked", overlook(func(q *session.Query) { q.Parent = "" }), []string{"a list can be narrowed"}},
		{"children are listed among the others", overlook(func(q *session.Query) { q.TopLevel = false }), []string{"a list can be narrowed"}},

		{"a page has one that the last one had", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.list = func(ctx context.Context, q session.Query) ([]session.Meta, error) {
				if updated, id, err := q.After.Place(); err == nil {
					q.After = session.Meta{ID: id + "0", Updated: updated}.Cursor()
				}
				return f.Store.List(ctx, q)
			}
		}, []string{"a list can be had in pages"}},

		{"a cursor is looked up", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.list = func(ctx context.Context, q session.Query) ([]session.Meta, error) {
				if _, id, err := q.After.Place(); err == nil {
					m, err := f.Store.Get(ctx, id)
					if err != nil {
						return nil, err
					}
					q.After = m.Cursor()
				}
				return f.Store.List(ctx, q)
			}
		}, []string{"a cursor outlives its session"}},
	}
}

func forkFaults() []fault {
	return []fault{
		{"a fork lacks the last entry", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.fork = func(ctx context.Context, id session.ID, at session.Seq, m session.Meta) (session.Meta, error) {
				return f.Store.Fork(ctx, id, max(at-1, min(at, 0)), m)
			}
		}, []string{"a fork has the past in common", "any history agrees with the model"}},

		{"a fork stamps the past anew", func(f *faulty, now func() time.Time, _ testing.TB) {
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				return each(f, func(r session.Record) session.Record {
					if m, err := f.Store.Get(ctx, id); err == nil && r.Seq <= m.ForkAt {
						r.Time = m.Created
					}
					return r
				})(ctx, id, from)
			}
		}, []string{"a fork has the past in common", "any history agrees with the model"}},

		{"what a fork appends is its origin's too", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				head, err := f.Store.Append(ctx, id, after, token, entries...)
				if m, _ := f.Store.Get(ctx, id); err == nil && m.ForkOf != "" {
					if origin, err := f.Store.Get(ctx, m.ForkOf); err == nil {
						f.Store.Append(ctx, origin.ID, origin.Head, session.NoLease, entries...)
					}
				}
				return head, err
			}
		}, []string{"a fork has a future of its own", "a fork can be forked", "any history agrees with the model"}},

		{"a fork of a fork lacks what the first one appended", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.fork = func(ctx context.Context, id session.ID, at session.Seq, m session.Meta) (session.Meta, error) {
				if origin, err := f.Store.Get(ctx, id); err == nil && origin.ForkOf != "" {
					at = min(at, origin.ForkAt)
				}
				return f.Store.Fork(ctx, id, at, m)
			}
		}, []string{"a fork can be forked"}},

		{"forks are deleted with their origin", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.delete = func(ctx context.Context, id session.ID) error {
				list, _ := f.Store.List(ctx, session.Query{})
				for _, m := range list {
					if m.ForkOf == id {
						f.Store.Delete(ctx, m.ID)
					}
				}
				return f.Store.Delete(ctx, id)
			}
		}, []string{"a fork outlives its origin"}},

		{"a fork beyond the log ends with the log", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.fork = func(ctx context.Context, id session.ID, at session.Seq, m session.Meta) (session.Meta, error) {
				if origin, err := f.Store.Get(ctx, id); err == nil {
					at = max(0, min(at, origin.Head))
				}
				return f.Store.Fork(ctx, id, at, m)
			}
		}, []string{"a fork is refused beyond the log", "any history agrees with the model"}},

		{"a fork has nothing of its own", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.fork = func(ctx context.Context, id session.ID, at session.Seq, _ session.Meta) (session.Meta, error) {
				return f.Store.Fork(ctx, id, at, session.Meta{})
			}
		}, []string{"a fork takes what it is given"}},
	}
}
