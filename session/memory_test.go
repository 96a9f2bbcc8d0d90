package session_test

import (
	"context"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/sessiontest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemory(t *testing.T) {
	sessiontest.Run(t, func(_ testing.TB, now func() time.Time) session.Store {
		return &session.Memory{Now: now}
	})
}

var ctx = context.Background()

func TestZeroMemoryIsReady(t *testing.T) {
	var store session.Memory
	before := session.Stamp(time.Now())
	m, err := store.Create(ctx, session.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Created.Before(before) || m.Created.After(time.Now()) {
		t.Errorf("it was created at %v, not now", m.Created)
	}
	if _, err := store.Append(ctx, m.ID, 0, session.NoLease, session.Note{Name: "n"}); err != nil {
		t.Error(err)
	}
}

func TestErrorsSayWhatHappened(t *testing.T) {
	var store session.Memory
	m, err := store.Create(ctx, session.Meta{ID: "s"})
	if err != nil {
		t.Fatal(err)
	}
	_, conflict := store.Append(ctx, m.ID, 3, session.NoLease, session.Note{Name: "n"})
	_, missing := store.Get(ctx, "other")
	_, bad := store.Append(ctx, m.ID, 0, session.NoLease, session.Note{Name: "n"}, session.Note{})
	lease := session.Lease{Session: "s", Holder: "ampersat on a laptop", Token: 1, Until: time.Unix(1e9, 0).UTC()}
	for want, have := range map[string]error{
		"append to session s after entry 3: the log is at 0":                                      conflict,
		`get session "other": there is no such session`:                                           missing,
		`append to session "s": entry 2 of 2: encode note entry: name: it is missing`:             bad,
		"session s is held by ampersat on a laptop until 2001-09-09T01:46:40Z":                    lease.Held(time.Unix(0, 0)),
		"the lease is lost: session s is held by ampersat on a laptop until 2001-09-09T01:46:40Z": lease.Admits(2, time.Unix(0, 0)),
	} {
		if have == nil || have.Error() != want {
			t.Errorf("have %v\nwant %s", have, want)
		}
	}
}
