package sessiontest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/go-json-experiment/json/jsontext"
)

func roundTrip(k *kit) {
	m := k.create(session.Meta{})
	entries := Entries()
	head := k.append(m.ID, 0, entries...)
	if int(head) != len(entries) {
		k.Errorf("the head after %d entries is %d", len(entries), head)
	}
	k.wantLog(m.ID, Entries()...)

	// One by one as well.
	m = k.create(session.Meta{})
	for i, e := range entries {
		k.append(m.ID, session.Seq(i), e)
	}
	k.wantLog(m.ID, Entries()...)
}

func textComesBack(k *kit) {
	m := k.create(session.Meta{})
	texts := []string{"", "a\x00b", "\r\n\t", "é e\u0301", "日本語 👩‍👩‍👧 \u202e\u2028", `"\u0041\`, "</script>", "\uFFFD", "'; --", strings.Repeat("𝄞", 1000)}
	var want []session.Entry
	for i, text := range texts {
		k.append(m.ID, session.Seq(i), say(text))
		want = append(want, say(text))
	}
	k.wantLog(m.ID, want...)

	m = k.create(session.Meta{})
	k.append(m.ID, 0, say("a\xff\xc3(b"), session.Note{Name: "\x80"})
	k.wantLog(m.ID, say("a\uFFFD\uFFFD(b"), session.Note{Name: "\uFFFD"})
	_, err := k.store.Append(k.ctx, m.ID, 2, session.NoLease, session.Note{Name: "n", Value: jsontext.Value("\"\xff\"")})
	if err == nil {
		k.Errorf("raw JSON that is not UTF-8 was taken")
	}
}

func numbered(k *kit) {
	m := k.create(session.Meta{})
	var want []session.Record
	after := session.Seq(0)
	for batch := range 4 {
		k.clock.advance(time.Duration(batch) * 1234567 * time.Nanosecond)
		var entries []session.Entry
		for range batch {
			e := numberedNote(len(want) + 1)
			entries = append(entries, e)
			want = append(want, session.Record{Seq: session.Seq(len(want) + 1), Time: session.Stamp(k.clock.Now()), Entry: e})
		}
		head := k.append(m.ID, after, entries...)
		if int(head) != len(want) {
			k.Errorf("Append returned %d, want %d", head, len(want))
		}
		after = head
	}
	if have := k.read(m.ID, 1); !reflect.DeepEqual(have, want) {
		k.Errorf("have records %+v\n   want records %+v", have, want)
	}
	m.Head, m.Updated = after, session.Stamp(k.clock.Now())
	k.wantMeta(k.get(m.ID), m)
}

func hugeEntry(k *kit) {
	m := k.create(session.Meta{})
	// Nothing in it repeats with a short period, so that no part can stand for
	// another.
	var text strings.Builder
	for i := 0; text.Len() < 5<<20; i++ {
		fmt.Fprintf(&text, "%d é\n", i)
	}
	huge := say(text.String())
	raw := session.Unknown{Name: "huge", Raw: jsontext.Value(`{"kind":"huge","data":"` + strings.Repeat("0123456789", 1<<19) + `"}`)}
	k.append(m.ID, 0, numberedNote(1), huge, raw, numberedNote(4))
	k.wantLog(m.ID, numberedNote(1), huge, raw, numberedNote(4))
}

func emptyAppend(k *kit) {
	m := k.filled(2)
	k.clock.advance(time.Minute)
	if head := k.append(m.ID, 2); head != 2 {
		k.Errorf("Append of nothing returned %d, want 2", head)
	}
	_, err := k.store.Append(k.ctx, m.ID, 1, session.NoLease)
	k.wantConflict("Append of nothing", err, m.ID, 1, 2)
	k.wantMeta(k.get(m.ID), m)
	lease := k.lease(m.ID, "me", time.Minute)
	_, err = k.store.Append(k.ctx, m.ID, 2, session.NoLease)
	k.wantHeld("Append of nothing", err, lease)
}

func conflict(k *kit) {
	m := k.filled(3)
	for _, after := range []session.Seq{0, 1, 2, 4, 1000, -1} {
		head, err := k.store.Append(k.ctx, m.ID, after, session.NoLease, say("late"))
		k.wantConflict(fmt.Sprintf("Append after %d of 3", after), err, m.ID, after, 3)
		if head != 0 {
			k.Errorf("a refused append returned the head %d", head)
		}
	}
	k.wantLog(m.ID, numberedNote(1), numberedNote(2), numberedNote(3))
	k.wantMeta(k.get(m.ID), m)
	if head := k.append(m.ID, 3, say("in time")); head != 4 {
		k.Errorf("the head is %d, want 4", head)
	}
}

func oneWinner(k *kit) {
	m := k.create(session.Meta{})
	const writers = 12
	for round := range 10 {
		after := session.Seq(2 * round)
		var wins, losses int
		var mu sync.Mutex
		together(writers, func(writer int) {
			entry := numberedNote(writer)
			head, err := k.store.Append(k.ctx, m.ID, after, session.NoLease, entry, entry)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && head == after+2:
				wins++
			case errors.Is(err, session.ErrConflict):
				losses++
			default:
				k.Errorf("Append returned %d, %v", head, err)
			}
		})
		if wins != 1 || losses != writers-1 {
			k.Fatalf("of %d appends after %d, %d were taken and %d refused", writers, after, wins, losses)
		}
		records := k.read(m.ID, after+1)
		if len(records) != 2 {
			k.Fatalf("one append of two added %d", len(records))
		}
		k.wantEntry(records[1].Entry, records[0].Entry)
	}
}

func manyWriters(k *kit) {
	m := k.create(session.Meta{})
	const writers, each = 8, 25
	together(writers, func(writer int) {
		head := session.Seq(0)
		for i := 0; i < each; {
			entry := session.Note{Name: fmt.Sprint(writer), Value: jsontext.Value(fmt.Sprint(i))}
			next, err := k.store.Append(k.ctx, m.ID, head, session.NoLease, entry)
			var moved *session.ConflictError
			switch {
			case err == nil && next == head+1:
				head = next
				i++
			case errors.As(err, &moved) && moved.Head > head:
				head = moved.Head
			default:
				k.Errorf("Append after %d returned %d, %v", head, next, err)
				return
			}
		}
	})
	var have [writers]int
	for i, r := range k.read(m.ID, 1) {
		n, is := r.Entry.(session.Note)
		var writer int
		if _, err := fmt.Sscan(n.Name, &writer); !is || err != nil || r.Seq != session.Seq(i+1) {
			k.Fatalf("record %d is %+v", i+1, r)
		}
		if string(n.Value) != fmt.Sprint(have[writer]) {
			k.Fatalf("record %d is number %s of writer %d, want %d", i+1, n.Value, writer, have[writer])
		}
		have[writer]++
	}
	for writer, n := range have {
		if n != each {
			k.Errorf("of %d entries of writer %d there are %d", each, writer, n)
		}
	}
}

func refusedWhole(k *kit) {
	m := k.filled(1)
	for what, bad := range map[string]session.Entry{
		"no entry":                 nil,
		"a pointer":                &session.Note{Name: "n"},
		"a nil pointer":            (*session.Said)(nil),
		"a message of no role":     session.Said{},
		"a nil part":               session.Said{Message: message.Message{Role: message.User, Content: message.Of(nil)}},
		"JSON that is none":        session.Note{Name: "n", Value: jsontext.Value("{")},
		"an unknown entry":         session.Unknown{Name: "x", Raw: jsontext.Value(`{"kind":"y"}`)},
		"a member that is a field": session.Note{Name: "n", Extra: jsontext.Value(`{"value":1}`)},
	} {
		for _, entries := range [][]session.Entry{{bad}, {say("a"), say("b"), bad}, {say("a"), bad, say("b")}} {
			if head, err := k.store.Append(k.ctx, m.ID, 1, session.NoLease, entries...); err == nil || head != 0 {
				k.Errorf("%s: Append returned %d, %v", what, head, err)
			}
		}
	}
	k.wantLog(m.ID, numberedNote(1))
	k.wantMeta(k.get(m.ID), m)
}

// seenWhole reads while a writer appends three entries at a time.
func seenWhole(k *kit) {
	m := k.create(session.Meta{})
	const batches, size = 60, 3
	done := make(chan struct{})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			var before int
			for last := false; !last; {
				select {
				case <-done:
					last = true // once more, to see everything
				default:
				}
				meta, err := k.store.Get(k.ctx, m.ID)
				if err != nil || meta.Head%size != 0 {
					k.Errorf("Get while a writer appends: head %d, %v", meta.Head, err)
					return
				}
				records, err := collect(k.ctx, k.store, m.ID, 1)
				if err != nil || len(records)%size != 0 || len(records) < before || len(records) < int(meta.Head) {
					k.Errorf("%d records after there were %d and the head was %d: %v", len(records), before, meta.Head, err)
					return
				}
				for i, r := range records {
					if n, is := r.Entry.(session.Note); r.Seq != session.Seq(i+1) || !is || string(n.Value) != fmt.Sprint(i+1) {
						k.Errorf("record %d is %+v", i+1, r)
						return
					}
				}
				if last && len(records) != batches*size {
					k.Errorf("in the end there are %d records, want %d", len(records), batches*size)
				}
				before = len(records)
			}
		})
	}
	for batch := range batches {
		n := batch * size
		if _, err := k.store.Append(k.ctx, m.ID, session.Seq(n), session.NoLease, numberedNote(n+1), numberedNote(n+2), numberedNote(n+3)); err != nil {
			k.Errorf("Append while others read: %v", err)
			break
		}
	}
	close(done)
	group.Wait()
}

func appendedIsCopied(k *kit) {
	m := k.create(session.Meta{})
	entries := Entries()
	k.append(m.ID, 0, entries...)
	for _, e := range entries {
		scramble(reflect.ValueOf(e))
	}
	clear(entries)
	k.wantLog(m.ID, Entries()...)
}

func readIsCopied(k *kit) {
	m := k.create(session.Meta{})
	k.append(m.ID, 0, Entries()...)
	fork := k.fork(m.ID, session.Seq(len(Entries())), session.Meta{})
	for range 2 {
		for _, r := range k.read(m.ID, 1) {
			scramble(reflect.ValueOf(r.Entry))
		}
		// What one loop was given is not what another is given meanwhile.
		for r, err := range k.store.Read(k.ctx, m.ID, 1) {
			if err != nil {
				k.Fatalf("Read: %v", err)
			}
			k.wantEntry(r.Entry, Entries()[r.Seq-1])
			scramble(reflect.ValueOf(r.Entry))
		}
		k.wantLog(m.ID, Entries()...)
		k.wantLog(fork.ID, Entries()...)
	}
	list := k.list(session.Query{})
	clear(list)
	if again := k.list(session.Query{}); len(again) != 2 || again[0].ID == "" {
		k.Errorf("the list is %+v after the last one was changed", again)
	}
}

// together runs n functions that start at the same time, and waits for them.
func together(n int, do func(i int)) {
	var ready, group sync.WaitGroup
	ready.Add(n)
	for i := range n {
		group.Go(func() {
			ready.Done()
			ready.Wait()
			do(i)
		})
	}
	group.Wait()
}

// scramble overwrites all memory that v refers to.
func scramble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			scramble(v.Elem())
		}
		if v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().CanSet() {
			v.Elem().SetZero()
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				scramble(v.Field(i))
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			copy(v.Bytes(), bytes.Repeat([]byte("X"), v.Len()))
			return
		}
		for i := range v.Len() {
			scramble(v.Index(i))
			v.Index(i).SetZero()
		}
	}
}
