package main

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"
)

// What is done within half a second is not talked about. After that a terminal
// has a line that goes on and goes away again, and anything else one line.
func TestProgressComesAfterAWhile(t *testing.T) {
	const after = 500 * time.Millisecond
	for name, test := range map[string]struct {
		terminal    bool
		took        time.Duration
		during, end string
	}{
		"soon":                       {true, after - time.Millisecond, "", ""},
		"soon, to a file":            {false, after - time.Millisecond, "", ""},
		"later":                      {true, after + 250*time.Millisecond, "\rreading… 0.6 s\rreading… 0.7 s", "\r\x1b[K"},
		"just when it would be said": {true, after + time.Millisecond, "", "\r\x1b[K"},
		"later, to a file":           {false, time.Minute, "reading…\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var errs bytes.Buffer
				done := streams{err: &errs, errTerminal: test.terminal}.progress("reading", after)
				time.Sleep(test.took)
				synctest.Wait()
				if have := errs.String(); have != test.during {
					t.Errorf("%q, want %q", have, test.during)
				}
				errs.Reset()
				done()
				if have := errs.String(); have != test.end {
					t.Errorf("at the end %q, want %q", have, test.end)
				}
			})
		})
	}
}

// A line that is wider than the terminal cannot be taken back.
func TestProgressFitsOnALine(t *testing.T) {
	const what = "waiting for the session: 日本 was ended"
	for columns, want := range map[int]string{
		0: what + "… 2.5 s", 80: what + "… 2.5 s", 47: what + "… 2.5 s", 46: "waiting for the session: 日本 was ende… 2.5 s",
		35: "waiting for the session: 日… 2.5 s", 34: "waiting for the session: … 2.5 s", 9: "w… 2.5 s", 8: "… 2.5 s", 5: "… 2.", 1: "",
	} {
		s := streams{errColumns: func() int { return columns }}
		if have := s.progressLine(what, 2500*time.Millisecond); have != want || columns > 0 && width(have) >= columns {
			t.Errorf("%d columns: %q, want %q", columns, have, want)
		}
	}
}
