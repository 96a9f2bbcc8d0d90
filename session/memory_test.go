package session_test

import (
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
