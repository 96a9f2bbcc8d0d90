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

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

func appendFaults() []fault {
	// change makes a store that keeps something else than it was given.
	change := func(do func(session.Entry) session.Entry) func(*faulty, func() time.Time, testing.TB) {
		return func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				changed := make([]session.Entry, len(entries))
				for i, e := range entries {
					changed[i] = do(e)
				}
				return f.Store.Append(ctx, id, after, token, changed...)
			}
		}
	}
	// anywhere appends at the end, wherever that is.
	anywhere := func(f *faulty, ctx context.Context, id session.ID, token session.Token, entries []session.Entry) (session.Seq, error) {
		for {
			m, err := f.Store.Get(ctx, id)
			if err != nil {
				return 0, err
			}
			head, err := f.Store.Append(ctx, id, m.Head, token, entries...)
			if !errors.Is(err, session.ErrConflict) {
				return head, err
			}
		}
	}
	return []fault{
		{"unknown members are dropped", change(func(e session.Entry) session.Entry {
			if n, is := e.(session.Note); is {
				n.Extra = nil
				return n
			}
			return e
		}), []string{"entries of every kind come back as they were", "any history agrees with the model"}},

		{"unknown entries are respelled", change(func(e session.Entry) session.Entry {
			if u, is := e.(session.Unknown); is {
				u.Raw = slices.Clone(u.Raw)
				u.Raw.Compact()
				return u
			}
			return e
		}), []string{"entries of every kind come back as they were", "any history agrees with the model"}},

		{"a message loses what JSON libraries respell", change(func(e session.Entry) session.Entry {
			if s, is := e.(session.Said); is && s.Message.Extra != nil {
				s.Message.Extra = slices.Clone(s.Message.Extra)
				s.Message.Extra.Canonicalize()
				return s
			}
			return e
		}), []string{"entries of every kind come back as they were"}},

		{"nothing is decoded", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = each(f, func(r session.Record) session.Record {
				raw, _ := session.Encode(r.Entry)
				r.Entry = session.Unknown{Name: string(r.Entry.Kind()), Raw: raw}
				return r
			})
		}, []string{"entries of every kind come back as they were"}},

		{"text ends at a zero byte", change(func(e session.Entry) session.Entry {
			if s, is := e.(session.Said); is && s.Message.Content.Plain {
				before, _, _ := strings.Cut(s.Message.Content.Parts[0].(message.Text).Text, "\x00")
				s.Message.Content = message.Say(before)
				return s
			}
			return e
		}), []string{"text comes back, and what is not UTF-8 is marked"}},

		{"entries are cut at a megabyte", change(func(e session.Entry) session.Entry {
			if s, is := e.(session.Said); is && s.Message.Content.Plain {
				text := s.Message.Content.Parts[0].(message.Text).Text
				s.Message.Content = message.Say(text[:min(len(text), 1<<20)])
				return s
			}
			return e
		}), []string{"an entry may have five megabytes"}},

		{"times are local", func(f *faulty, _ func() time.Time, _ testing.TB) {
			zone := time.FixedZone("east", 3600)
			f.read = each(f, func(r session.Record) session.Record { r.Time = r.Time.In(zone); return r })
		}, []string{"entries are numbered from one and stamped"}},

		{"entries are numbered from zero", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.read = each(f, func(r session.Record) session.Record { r.Seq--; return r })
		}, []string{"entries are numbered from one and stamped", "reading begins where it is told"}},

		{"an append without entries is not checked", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				if len(entries) == 0 {
					m, err := f.Store.Get(ctx, id)
					return m.Head, err
				}
				return f.Store.Append(ctx, id, after, token, entries...)
			}
		}, []string{"an append without entries only checks", "any history agrees with the model"}},

		{"appends are not conditional", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.append = func(ctx context.Context, id session.ID, _ session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				return anywhere(f, ctx, id, token, entries)
			}
		}, []string{
			"an append is refused where the log has moved", "of many appends after one entry one is taken",
			"nothing is lost among many writers", "any history agrees with the model",
		}},

		{"the condition is checked before the lock is taken", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				if m, err := f.Store.Get(ctx, id); err != nil || m.Head != after {
					return f.Store.Append(ctx, id, after, token, entries...)
				}
				time.Sleep(time.Millisecond)
				return anywhere(f, ctx, id, token, entries)
			}
		}, []string{"of many appends after one entry one is taken", "nothing is lost among many writers"}},

		{"an append is lost now and then", func(f *faulty, _ func() time.Time, _ testing.TB) {
			var mu sync.Mutex
			n := 0
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				mu.Lock()
				n++
				lose := n%20 == 0
				mu.Unlock()
				if lose {
					return after + session.Seq(len(entries)), nil
				}
				return f.Store.Append(ctx, id, after, token, entries...)
			}
		}, []string{"nothing is lost among many writers", "any history agrees with the model"}},

		{"entries are appended one by one", func(f *faulty, _ func() time.Time, _ testing.TB) {
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				if len(entries) == 0 {
					return f.Store.Append(ctx, id, after, token)
				}
				for _, e := range entries {
					var err error
					if after, err = f.Store.Append(ctx, id, after, token, e); err != nil {
						return 0, err
					}
					time.Sleep(50 * time.Microsecond)
				}
				return after, nil
			}
		}, []string{"an append is refused as a whole", "a reader sees appends as a whole"}},

		{"the caller's entries are kept", func(f *faulty, _ func() time.Time, _ testing.TB) {
			kept := map[session.ID][]session.Entry{}
			f.append = func(ctx context.Context, id session.ID, after session.Seq, token session.Token, entries ...session.Entry) (session.Seq, error) {
				head, err := f.Store.Append(ctx, id, after, token, entries...)
				if err == nil {
					kept[id] = append(kept[id], entries...)
				}
				return head, err
			}
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				return func(yield func(session.Record, error) bool) {
					for r, err := range f.Store.Read(ctx, id, from) {
						if err == nil {
							r.Entry = kept[id][r.Seq-1]
						}
						if !yield(r, err) {
							return
						}
					}
				}
			}
		}, []string{"a caller may change what it appended"}},

		{"what is kept is given out", func(f *faulty, _ func() time.Time, _ testing.TB) {
			type place struct {
				id  session.ID
				seq session.Seq
			}
			decoded := map[place]session.Entry{}
			f.read = func(ctx context.Context, id session.ID, from session.Seq) iter.Seq2[session.Record, error] {
				return func(yield func(session.Record, error) bool) {
					for r, err := range f.Store.Read(ctx, id, from) {
						at := place{id, r.Seq}
						if decoded[at] == nil {
							decoded[at] = r.Entry
						}
						r.Entry = decoded[at]
						if !yield(r, err) {
							return
						}
					}
				}
			}
		}, []string{"a caller may change what it read"}},
	}
}
