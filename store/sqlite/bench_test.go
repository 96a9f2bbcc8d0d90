package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// said is a message of the usual size.
func said(n int) session.Entry {
	return session.Said{Message: message.Message{
		Role: message.User, Content: message.Say(fmt.Sprintf("message %d %s", n, strings.Repeat("word ", 100))),
	}}
}

// BenchmarkAppend holds an append against a bare write and fsync of the same
// bytes on the same disk, one after the other, so that both meet the same load.
func BenchmarkAppend(b *testing.B) {
	folder := b.TempDir()
	store := opened(b, filepath.Join(folder, "sessions.db"), Options{})
	m := must[session.Meta](b)(store.Create(ctx, session.Meta{}))
	bare := must[*os.File](b)(os.Create(filepath.Join(folder, "bare")))
	defer bare.Close()
	entry := said(1)
	body, err := session.Encode(entry)
	if err != nil {
		b.Fatal(err)
	}
	var appends, writes []time.Duration
	head := session.Seq(0)
	for b.Loop() {
		begun := time.Now()
		if head, err = store.Append(ctx, m.ID, head, session.NoLease, entry); err != nil {
			b.Fatal(err)
		}
		appended := time.Now()
		if _, err := bare.Write(body); err != nil {
			b.Fatal(err)
		}
		if err := bare.Sync(); err != nil {
			b.Fatal(err)
		}
		appends, writes = append(appends, appended.Sub(begun)), append(writes, time.Since(appended))
	}
	slices.Sort(appends)
	slices.Sort(writes)
	at := func(all []time.Duration, percent int) float64 { return float64(all[(len(all)-1)*percent/100]) }
	b.ReportMetric(at(appends, 50)/1e3, "append-p50-µs")
	b.ReportMetric(at(appends, 99)/1e3, "append-p99-µs")
	b.ReportMetric(at(writes, 50)/1e3, "fsync-p50-µs")
	b.ReportMetric(at(writes, 99)/1e3, "fsync-p99-µs")
	b.ReportMetric(at(appends, 50)/at(writes, 50), "p50-ratio")
	b.ReportMetric(at(appends, 99)/at(writes, 99), "p99-ratio")
}

// BenchmarkOpenAndRead opens a store and reads a log of 10,000 messages.
func BenchmarkOpenAndRead(b *testing.B) {
	path := file(b)
	store := must[*Store](b)(Open(ctx, path, Options{}))
	m := must[session.Meta](b)(store.Create(ctx, session.Meta{}))
	entries := make([]session.Entry, 10_000)
	for i := range entries {
		entries[i] = said(i)
	}
	must[session.Seq](b)(store.Append(ctx, m.ID, 0, session.NoLease, entries...))
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		store := must[*Store](b)(Open(ctx, path, Options{}))
		if n := len(records(b, store, m.ID)); n != len(entries) {
			b.Fatalf("have %d records", n)
		}
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkList lists a store of 10,000 sessions, whole and by its first page.
func BenchmarkList(b *testing.B) {
	store := opened(b, file(b), Options{})
	err := store.write(ctx, func(t *transaction) error {
		for i := range 10_000 {
			m, err := session.Meta{Title: fmt.Sprintf("session %d", i), Dir: "/home/me/project"}.New(time.Now())
			if err != nil {
				return err
			}
			if _, err := t.add(m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for name, q := range map[string]session.Query{"all": {}, "page": {Limit: 50}, "project": {Dir: "/home/me/project", TopLevel: true, Limit: 50}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if list := must[[]session.Meta](b)(store.List(ctx, q)); len(list) < 50 {
					b.Fatalf("have %d sessions", len(list))
				}
			}
		})
	}
}

// BenchmarkSearch looks for a word in 10,000 sessions of ten messages each.
func BenchmarkSearch(b *testing.B) {
	store := opened(b, file(b), Options{})
	err := store.write(ctx, func(t *transaction) error {
		for i := range 10_000 {
			m, err := session.Meta{Title: fmt.Sprintf("session %d", i)}.New(time.Now())
			if err != nil {
				return err
			}
			key, err := t.add(m)
			if err != nil {
				return err
			}
			var log []addition
			for j := range 10 {
				body, err := session.Encode(said(i*10 + j))
				if err != nil {
					return err
				}
				log = append(log, addition{kind: session.KindSaid, body: body})
			}
			if err := t.append(state{key: key}, int64(i), log); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if hits := must[[]session.Hit](b)(session.Search(ctx, store, session.Query{}, "Message 77777", 0)); len(hits) != 1 {
			b.Fatalf("have %d hits", len(hits))
		}
	}
}

// conversation fills a store with a session of so many messages under a window
// of 32,000 tokens, as an agent would have it, and closes it.
func conversation(b *testing.B, path string, messages int) session.Policy {
	b.Helper()
	policy := session.NewPolicy(32_000)
	memory := &session.Memory{}
	must[session.Meta](b)(memory.Create(ctx, session.Meta{ID: "s"}))
	view := must[*session.View](b)(session.Open(ctx, memory, "s", policy))
	for i := 0; i < messages; i += 2 {
		turn(b, view, i)
	}
	store := must[*Store](b)(Open(ctx, path, Options{}))
	must[session.Meta](b)(store.Restore(ctx, session.Meta{ID: "s"}, memory.Read(ctx, "s", 1)))
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	return policy
}

// turn is what an agent does with a view: it says something, compacts if that is
// due, prepares a request and keeps the answer.
func turn(b *testing.B, view *session.View, n int) {
	b.Helper()
	must[session.Seq](b)(view.Append(ctx, session.NoLease, said(n)))
	if done, ok, err := view.Compact(ctx, "", false); err != nil {
		b.Fatal(err)
	} else if ok {
		must[session.Seq](b)(view.Append(ctx, session.NoLease, done))
	}
	request := must[session.Prepared](b)(session.Prepare("echo", message.Request{Messages: view.Messages()}))
	base, earlier, sent, err := view.LastPrepared(ctx)
	if err != nil {
		b.Fatal(err)
	}
	must[session.Seq](b)(view.Append(ctx, session.NoLease, must[session.Prepared](b)(request.Since(base, earlier, sent))))
	must[session.Seq](b)(view.Append(ctx, session.NoLease, said(n+1)))
}

// BenchmarkTurn takes one turn in sessions of different lengths: by a program
// that has the session open, and by one that opens store and session for it.
func BenchmarkTurn(b *testing.B) {
	for _, messages := range []int{1_000, 10_000, 100_000} {
		path := file(b)
		policy := conversation(b, path, messages)
		b.Run(fmt.Sprintf("open/%d", messages), func(b *testing.B) {
			store := opened(b, path, Options{})
			view := must[*session.View](b)(session.Open(ctx, store, "s", policy))
			for i := 0; b.Loop(); i += 2 {
				turn(b, view, i)
			}
		})
		b.Run(fmt.Sprintf("anew/%d", messages), func(b *testing.B) {
			for i := 0; b.Loop(); i += 2 {
				store := must[*Store](b)(Open(ctx, path, Options{}))
				turn(b, must[*session.View](b)(session.Open(ctx, store, "s", policy)), i)
				if err := store.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpenAndView opens a store and the view of 10,000 messages of which
// nothing was ever compacted.
func BenchmarkOpenAndView(b *testing.B) {
	path := file(b)
	store := must[*Store](b)(Open(ctx, path, Options{}))
	m := must[session.Meta](b)(store.Create(ctx, session.Meta{}))
	entries := make([]session.Entry, 10_000)
	for i := range entries {
		entries[i] = said(i)
	}
	must[session.Seq](b)(store.Append(ctx, m.ID, 0, session.NoLease, entries...))
	if err := store.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		store := must[*Store](b)(Open(ctx, path, Options{}))
		view := must[*session.View](b)(session.Open(ctx, store, m.ID, session.NewPolicy(1_000_000)))
		if n := len(view.Messages()); n != len(entries) {
			b.Fatalf("have %d messages", n)
		}
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen is what a program pays that looks at one session.
func BenchmarkOpen(b *testing.B) {
	path := file(b)
	m := must[session.Meta](b)(opened(b, path, Options{}).Create(ctx, session.Meta{}))
	for b.Loop() {
		store := must[*Store](b)(Open(ctx, path, Options{}))
		must[session.Meta](b)(store.Get(ctx, m.ID))
		if err := store.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
