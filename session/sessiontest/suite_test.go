package sessiontest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat/session"
)

// The suite must find each fault, in the checks that are named for it.
func TestSuiteFindsFaults(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			open := func(t testing.TB, now func() time.Time) session.Store {
				broken := &faulty{Store: &session.Memory{Now: now}}
				f.plant(broken, now, t)
				return broken
			}
			for _, name := range f.found {
				i := slices.IndexFunc(checks(), func(c check) bool { return c.name == name })
				if i < 0 {
					t.Errorf("there is no check %q", name)
					continue
				}
				reported := failures(checks()[i], open)
				if len(reported) == 0 {
					t.Errorf("not found by the check %q", name)
				} else {
					t.Logf("%s: %.300s", name, strings.TrimSpace(reported[0]))
				}
			}
		})
	}
}

// A check that no fault makes fail has not been seen to work.
func TestEveryCheckFindsAFault(t *testing.T) {
	found := map[string]bool{}
	for _, f := range faults() {
		for _, name := range f.found {
			found[name] = true
		}
	}
	for _, c := range checks() {
		if !found[c.name] {
			t.Errorf("no fault is planted for the check %q", c.name)
		}
	}
}

// The wrapper itself is no fault.
func TestSuitePassesTheStoreThatFaultsArePlantedIn(t *testing.T) {
	open := func(_ testing.TB, now func() time.Time) session.Store {
		return &faulty{Store: &session.Memory{Now: now}}
	}
	Run(t, open)
	for _, c := range checks()[:3] {
		if reported := failures(c, open); len(reported) > 0 {
			t.Errorf("the recorder reports %v", reported)
		}
	}
}
