package sessiontest

import (
	"time"

	"github.com/ampersat/ampersat/session"
)

func readFrom(k *kit) {
	m := k.filled(5)
	for from, want := range map[session.Seq]int{-3: 1, 0: 1, 1: 1, 2: 2, 5: 5, 6: 6, 7: 6, 1 << 40: 6} {
		records := k.read(m.ID, from)
		if len(records) != 6-want {
			k.Errorf("Read from %d of 5: have %d records, want %d", from, len(records), 6-want)
			continue
		}
		for i, r := range records {
			if r.Seq != session.Seq(want+i) {
				k.Errorf("Read from %d: record %d has the number %d, want %d", from, i, r.Seq, want+i)
			}
			k.wantEntry(r.Entry, numberedNote(want+i))
		}
	}
}

func readEnds(k *kit) {
	m := k.filled(3)
	n := 0
	for r, err := range k.store.Read(k.ctx, m.ID, 1) {
		if err != nil {
			k.Fatalf("Read: %v", err)
		}
		n++
		if n > 3 {
			k.Fatalf("Read goes on to entry %d, which was appended while it read", r.Seq)
		}
		k.append(m.ID, session.Seq(2+n), numberedNote(3+n))
	}
	if head := k.get(m.ID).Head; n != 3 || head != 6 {
		k.Errorf("have read %d records and a head of %d, want 3 and 6", n, head)
	}
}

func readAgain(k *kit) {
	m := k.filled(4)
	sequence := k.store.Read(k.ctx, m.ID, 2)
	for round := range 3 {
		for r, err := range sequence {
			if err != nil || r.Seq != 2 {
				k.Fatalf("the first record from 2 is %d, %v", r.Seq, err)
			}
			break
		}
		n := 0
		for _, err := range sequence {
			if err != nil {
				k.Fatalf("Read: %v", err)
			}
			n++
		}
		if n != 3+round {
			k.Fatalf("have %d records from 2, want %d", n, 3+round)
		}
		k.append(m.ID, session.Seq(4+round), numberedNote(5+round))
	}
}

// readReenters finds a store that keeps a lock, or its only connection, while
// the loop runs.
func readReenters(k *kit) {
	m := k.filled(3)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for r, err := range k.store.Read(k.ctx, m.ID, 1) {
			if err != nil {
				k.Errorf("Read: %v", err)
				return
			}
			head := session.Seq(2 + r.Seq)
			if _, err := k.store.Append(k.ctx, m.ID, head, session.NoLease, numberedNote(int(head)+1)); err != nil {
				k.Errorf("Append in a loop: %v", err)
			}
			if _, err := k.store.Get(k.ctx, m.ID); err != nil {
				k.Errorf("Get in a loop: %v", err)
			}
			if _, err := k.store.Fork(k.ctx, m.ID, r.Seq, session.Meta{}); err != nil {
				k.Errorf("Fork in a loop: %v", err)
			}
			if _, err := k.store.Blobs().Put(k.ctx, []byte("blob")); err != nil {
				k.Errorf("Put in a loop: %v", err)
			}
			if records, err := collect(k.ctx, k.store, m.ID, r.Seq); err != nil || len(records) != 4 {
				k.Errorf("Read in a loop: %d records, %v", len(records), err)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(k.patience):
		k.Fatalf("the store waits for the end of a loop that waits for the store")
	}
}
