package app

import (
	"fmt"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// Whatever is forked, goes on and is removed, in whatever order: what is in the
// log of any session that is left is told by exactly one of them.
func TestEveryEntryIsToldOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		ctx := t.Context()
		now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		store := &session.Memory{Now: func() time.Time { now = now.Add(time.Millisecond); return now }}
		entries := 0
		list := func() []session.Meta {
			metas, err := store.List(ctx, session.Query{})
			if err != nil {
				rt.Fatal(err)
			}
			return metas
		}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			metas, err := list(), error(nil)
			if len(metas) == 0 {
				_, err = store.Create(ctx, session.Meta{})
			} else {
				m := rapid.SampledFrom(metas).Draw(rt, "session")
				switch rapid.SampledFrom([]string{"append", "append", "fork", "fork", "delete", "create"}).Draw(rt, "step") {
				case "append":
					var notes []session.Entry
					for range rapid.IntRange(1, 3).Draw(rt, "notes") {
						entries++
						notes = append(notes, session.Note{Name: "n", Value: jsontext.Value(fmt.Sprint(entries))})
					}
					_, err = store.Append(ctx, m.ID, m.Head, session.NoLease, notes...)
				case "fork":
					at := session.Seq(rapid.Int64Range(0, int64(m.Head)).Draw(rt, "at"))
					_, err = store.Fork(ctx, m.ID, at, session.Meta{})
				case "delete":
					err = store.Delete(ctx, m.ID)
				case "create":
					_, err = store.Create(ctx, session.Meta{})
				}
			}
			if err != nil {
				rt.Fatal(err)
			}
		}
		told := map[string]int{}
		metas := list()
		copied := newCopies(store, metas)
		for _, m := range metas {
			others, err := copied.in(ctx, m)
			if err != nil {
				rt.Fatal(err)
			}
			for record, err := range store.Read(ctx, m.ID, 1) {
				if err != nil {
					rt.Fatal(err)
				}
				value := string(record.Entry.(session.Note).Value)
				told[value] += 0
				if record.Seq > others {
					told[value]++
				}
			}
		}
		for value, times := range told {
			if times != 1 {
				rt.Errorf("entry %s is told %d times by %v", value, times, metas)
			}
		}
	})
}
