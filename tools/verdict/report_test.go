package main

import (
	"strings"
	"testing"
)

// Each run is the output of go test -json, shortened to what matters.
const (
	good = `{"Action":"start","Package":"m/a"}
{"Action":"run","Package":"m/a","Test":"TestA"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"m/a","Test":"TestA","Output":"    a_test.go:9: chatter\n"}
{"Action":"pass","Package":"m/a","Test":"TestA/one","Elapsed":0}
{"Action":"pass","Package":"m/a","Test":"TestA","Elapsed":0}
{"Action":"pass","Package":"m/a","Elapsed":1.25}
`
	failing = `{"Action":"output","Package":"m/b","Test":"TestQuiet","Output":"    b_test.go:3: fine\n"}
{"Action":"pass","Package":"m/b","Test":"TestQuiet"}
{"Action":"output","Package":"m/b","Test":"TestB/deep","Output":"    b_test.go:7: want 1, have 2\n"}
{"Action":"fail","Package":"m/b","Test":"TestB/deep"}
{"Action":"fail","Package":"m/b","Test":"TestB"}
{"Action":"output","Package":"m/b","Output":"FAIL\tm/b\t0.1s\n"}
{"Action":"fail","Package":"m/b","Elapsed":0.1}
`
	skipping = `{"Action":"output","Package":"m/c","Test":"TestC","Output":"=== RUN   TestC\n"}
{"Action":"output","Package":"m/c","Test":"TestC","Output":"    c_test.go:5: tmux is missing\n"}
{"Action":"output","Package":"m/c","Test":"TestC","Output":"--- SKIP: TestC (0.00s)\n"}
{"Action":"skip","Package":"m/c","Test":"TestC"}
{"Action":"pass","Package":"m/c","Elapsed":0.1}
`
	unbuilt = `{"ImportPath":"m/d","Action":"build-output","Output":"d/d.go:3:1: undefined: x\n"}
{"ImportPath":"m/d","Action":"build-fail"}
{"Action":"output","Package":"m/d","Output":"FAIL\tm/d [build failed]\n"}
{"Action":"fail","Package":"m/d","Elapsed":0,"FailedBuild":"m/d"}
`
	died = `{"Action":"output","Package":"m/e","Test":"TestE","Output":"os.Exit called\n"}
{"Action":"fail","Package":"m/e","Elapsed":0.1}
`
	cutOff = `{"Action":"start","Package":"m/f"}
{"Action":"run","Package":"m/f","Test":"TestF"}
`
)

func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		name, run   string
		says, hides string
		last        string
		ok, strict  bool
	}{
		{"a good run is one line", good, "ok    m/a ", "chatter", "1 passed, 0 failed, 0 skipped", true, true},
		{"a failure is shown in full, the rest is not", failing, "want 1, have 2", "fine", "1 passed, 1 failed, 0 skipped", false, false},
		{"a skipped test is named with its reason", skipping, "skip  m/c TestC: c_test.go:5: tmux is missing\n", "--- SKIP", "0 passed, 0 failed, 1 skipped", true, false},
		{"a package that does not build has failed", unbuilt, "undefined: x", "ok ", "0 passed, 1 failed, 0 skipped", false, false},
		{"a test that took the process with it is shown", died, "os.Exit called", "ok ", "0 passed, 1 failed, 0 skipped", false, false},
		{"a run that was cut off has failed", cutOff, "m/f  no verdict", "ok ", "0 passed, 1 failed, 0 skipped", false, false},
		{"what go itself says is passed on", "go: go.mod is broken\n", "go: go.mod is broken", "ok ", "0 passed, 0 failed, 0 skipped", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			r, err := read(strings.NewReader(c.run), &out)
			if err != nil {
				t.Fatal(err)
			}
			r.close(&out)
			if !strings.Contains(out.String(), c.says) || strings.Contains(out.String(), c.hides) {
				t.Errorf("want %q and not %q in:\n%s", c.says, c.hides, &out)
			}
			if !strings.HasSuffix(out.String(), "\n"+c.last+"\n") {
				t.Errorf("want %q at the end of:\n%s", c.last, &out)
			}
			if r.good(false) != c.ok || r.good(true) != c.strict {
				t.Errorf("good is %t, with nothing skipped %t; want %t and %t", r.good(false), r.good(true), c.ok, c.strict)
			}
		})
	}
}
