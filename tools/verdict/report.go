package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// event is a line of go test -json, as `go doc test2json` describes it.
type event struct {
	Action  string
	Package string
	Test    string
	Elapsed float64
	Output  string
}

// report is what was learned from the events of one run.
type report struct {
	passed, failed int      // tests, without the subtests in them
	broken         []string // packages that failed, whatever their tests did
	skipped        []skip
}

type skip struct{ pkg, test, reason string }

// progress is a package whose tests are still running.
type progress struct {
	tests []string // in the order in which they began
	said  map[string][]string
	ended map[string]string // pass, fail or skip, by test
}

// read follows a run to its end and writes the line of each package, and what
// its failed tests said, as soon as the package is done.
func read(in io.Reader, out io.Writer) (*report, error) {
	r := &report{}
	running := map[string]*progress{}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) && line == "" {
			break
		} else if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			// Not an event: go itself speaks, for instance of a broken go.mod.
			fmt.Fprint(out, line)
			continue
		}
		if strings.HasPrefix(e.Action, "build-") {
			fmt.Fprint(out, e.Output)
			continue
		}
		p := running[e.Package]
		if p == nil {
			p = &progress{said: map[string][]string{}, ended: map[string]string{}}
			running[e.Package] = p
		}
		if e.Test != "" {
			p.hear(e)
			r.count(p, e)
			continue
		}
		switch e.Action {
		case "output":
			p.said[""] = append(p.said[""], e.Output)
		case "pass", "fail", "skip":
			r.tell(out, p, e)
			delete(running, e.Package)
		}
	}
	for name := range running {
		// A run that was cut off must not look like one that went well.
		r.broken = append(r.broken, name)
		fmt.Fprintf(out, "FAIL  %s  no verdict: the run was cut off\n", name)
	}
	return r, nil
}

func (p *progress) hear(e event) {
	if _, known := p.said[e.Test]; !known {
		p.tests = append(p.tests, e.Test)
		p.said[e.Test] = nil
	}
	switch e.Action {
	case "output":
		if !strings.HasPrefix(e.Output, "=== ") {
			p.said[e.Test] = append(p.said[e.Test], e.Output)
		}
	case "pass", "fail", "skip":
		p.ended[e.Test] = e.Action
	}
}

func (r *report) count(p *progress, e event) {
	whole := !strings.Contains(e.Test, "/")
	switch e.Action {
	case "pass":
		if whole {
			r.passed++
		}
	case "fail":
		if whole {
			r.failed++
		}
	case "skip":
		r.skipped = append(r.skipped, skip{e.Package, e.Test, reason(p.said[e.Test])})
	}
}

// reason is what a skipped test said, on one line and without its verdict.
func reason(said []string) string {
	var words []string
	for _, line := range said {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "--- SKIP") {
			words = append(words, line)
		}
	}
	if len(words) == 0 {
		return "no reason given"
	}
	return strings.Join(words, " ")
}

// tell writes what became of a package.
func (r *report) tell(out io.Writer, p *progress, e event) {
	if e.Action == "fail" {
		r.broken = append(r.broken, e.Package)
		for _, test := range p.tests {
			// A test without a verdict was running when the process died.
			if ended := p.ended[test]; ended == "pass" || ended == "skip" {
				continue
			}
			fmt.Fprint(out, strings.Join(p.said[test], ""))
		}
		fmt.Fprint(out, strings.Join(p.said[""], ""))
		return
	}
	if len(p.tests) == 0 {
		return
	}
	how := fmt.Sprintf("%.1fs", e.Elapsed)
	if strings.Contains(strings.Join(p.said[""], ""), "(cached)") {
		how = "cached"
	}
	fmt.Fprintf(out, "ok    %-55s %s\n", e.Package, how)
}

// close writes the skipped tests and the count of all.
func (r *report) close(out io.Writer) {
	for _, s := range r.skipped {
		fmt.Fprintf(out, "skip  %s %s: %s\n", s.pkg, s.test, s.reason)
	}
	fmt.Fprintf(out, "%d passed, %d failed, %d skipped\n", r.passed, max(r.failed, len(r.broken)), len(r.skipped))
}

// good tells whether the run passed.
func (r *report) good(nothingSkipped bool) bool {
	if nothingSkipped && len(r.skipped) > 0 {
		return false
	}
	return r.failed == 0 && len(r.broken) == 0
}
