package sessiontest

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

func lastFaults() []fault {
	return []fault{
		{"what was said is changed on the way", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = each(f, func(r session.Record) session.Record {
				if said, is := r.Entry.(session.Said); is {
					said.Message.Content = message.Say(strings.ToUpper(message.Flatten(said.Message.Content)))
					r.Entry = said
				}
				return r
			})
		}, []string{"what was said is found"}},

		{"the first of a kind is taken for the last", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.last = func(ctx context.Context, id session.ID, kind session.Kind) (session.Record, error) {
				for r, err := range f.Store.Read(ctx, id, 1) {
					if err != nil || r.Entry.Kind() == kind {
						return r, err
					}
				}
				return session.Record{}, session.ErrNoEntry
			}
		}, []string{"the last entry of a kind is found", "any history agrees with the model"}},

		{"only what is understood is of a kind", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.last = func(ctx context.Context, id session.ID, kind session.Kind) (found session.Record, err error) {
				err = session.ErrNoEntry
				for r, failure := range f.Store.Read(ctx, id, 1) {
					if failure != nil {
						return session.Record{}, failure
					}
					if _, unknown := r.Entry.(session.Unknown); !unknown && r.Entry.Kind() == kind {
						found, err = r, nil
					}
				}
				return found, err
			}
		}, []string{"the last entry of a kind is found"}},

		{"a restored log has the time of its restoration", func(f *faulty, now func() time.Time, _ testing.TB) {
			f.restore = func(ctx context.Context, m session.Meta, records iter.Seq2[session.Record, error]) (session.Meta, error) {
				return f.Store.Restore(ctx, m, func(yield func(session.Record, error) bool) {
					for r, err := range records {
						r.Time = now()
						if !yield(r, err) {
							return
						}
					}
				})
			}
		}, []string{"a log is restored as it was"}},

		{"a restored session was updated now", func(f *faulty, now func() time.Time, _ testing.TB) {
			f.restore = func(ctx context.Context, m session.Meta, records iter.Seq2[session.Record, error]) (session.Meta, error) {
				m.Updated = now()
				return f.Store.Restore(ctx, m, records)
			}
		}, []string{"a log is restored as it was"}},

		{"what was read of a log that broke off is kept", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.restore = func(ctx context.Context, m session.Meta, records iter.Seq2[session.Record, error]) (session.Meta, error) {
				var failure error
				m, err := f.Store.Restore(ctx, m, func(yield func(session.Record, error) bool) {
					for r, err := range records {
						if failure = err; err != nil || !yield(r, nil) {
							return
						}
					}
				})
				return m, errors.Join(err, failure)
			}
		}, []string{"a log is restored whole or not at all"}},

		{"gaps in a restored log are closed", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.restore = func(ctx context.Context, m session.Meta, records iter.Seq2[session.Record, error]) (session.Meta, error) {
				return f.Store.Restore(ctx, m, func(yield func(session.Record, error) bool) {
					next := session.Seq(1)
					for r, err := range records {
						r.Seq = next
						next++
						if !yield(r, err) {
							return
						}
					}
				})
			}
		}, []string{"a log is restored whole or not at all"}},
	}
}
