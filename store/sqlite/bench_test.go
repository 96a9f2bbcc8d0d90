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
