package ampersat_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every start of the program pays for the initialisation of every package in
// it, used or not. A table of character widths once cost 36 to 51 ms at each
// start, because a new minor version of a library computed it in its init; a
// package that makes command-line help prettier turned a start of 2.4 ms into
// one of 53 to 60 ms. Neither was called by the command that was run, and
// neither shows in a benchmark. So no package, ours or another's, may take more
// than this before main begins.
const (
	maxInitTime  = time.Millisecond
	maxInitBytes = 160 << 10
)

func TestStartup(t *testing.T) {
	dependOnTree(t)
	if _, err := os.Stat("cmd/ampersat"); errors.Is(err, fs.ErrNotExist) {
		t.Skip("there is no cmd/ampersat to start")
	}
	for _, fault := range tooDear(start(t, ".", "./cmd/ampersat", "find", "Explain @README.md")) {
		t.Error(fault)
	}
}

func TestStartupFindsPlantedProgram(t *testing.T) {
	var have []string
	for _, c := range tooDear(start(t, "testdata/startup", ".")) {
		have = append(have, strings.Join(strings.Fields(c)[:4], " ")) // without the figures
	}
	want := []string{"init of planted.example/module/greedy allocates", "init of planted.example/module/slow takes"}
	if slices.Sort(have); !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}

// start builds a program, runs it ten times and returns the least that each
// package cost. The best run counts: a busy machine makes a good init slow, but
// nothing makes a slow one fast.
func start(t *testing.T, dir, program string, args ...string) []initCost {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "ampersat.exe")
	build := exec.Command("go", "build", "-o", binary, program)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", program, err, out)
	}
	var runs [][]initCost
	for range 10 {
		run := exec.Command(binary, args...)
		run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
		var trace strings.Builder
		run.Stderr = &trace
		if err := run.Run(); err != nil {
			t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, &trace)
		}
		costs := initCosts(trace.String())
		if len(costs) < 5 {
			// The runtime alone has more: the lines must have changed their form.
			t.Fatalf("only %d packages in the trace:\n%s", len(costs), &trace)
		}
		runs = append(runs, costs)
	}
	return best(runs)
}

// initCost is what one package cost before main began.
type initCost struct {
	pkg   string
	took  time.Duration
	bytes int
}

// initCosts reads the lines that GODEBUG=inittrace=1 writes, such as
//
//	init internal/bytealg @0.008 ms, 0.02 ms clock, 1024 bytes, 3 allocs
//
// and passes over what the program itself wrote between them.
func initCosts(trace string) (costs []initCost) {
	for line := range strings.Lines(trace) {
		var c initCost
		var at, clock string
		var allocs int
		_, err := fmt.Sscanf(line, "init %s @%s ms, %s ms clock, %d bytes, %d allocs", &c.pkg, &at, &clock, &c.bytes, &allocs)
		if err != nil {
			continue
		}
		if c.took, err = time.ParseDuration(clock + "ms"); err == nil {
			costs = append(costs, c)
		}
	}
	return costs
}

// best returns for each package the least that it cost in any run.
func best(runs [][]initCost) []initCost {
	var all []initCost
	for _, run := range runs {
		for _, c := range run {
			i := slices.IndexFunc(all, func(b initCost) bool { return b.pkg == c.pkg })
			if i < 0 {
				all = append(all, c)
				continue
			}
			all[i].took = min(all[i].took, c.took)
			all[i].bytes = min(all[i].bytes, c.bytes)
		}
	}
	return all
}

func tooDear(costs []initCost) (faults []string) {
	for _, c := range costs {
		if c.took > maxInitTime {
			faults = append(faults, fmt.Sprintf("init of %s takes %v, more than %v", c.pkg, c.took, maxInitTime))
		}
		if c.bytes > maxInitBytes {
			faults = append(faults, fmt.Sprintf("init of %s allocates %d bytes, more than %d", c.pkg, c.bytes, maxInitBytes))
		}
	}
	return faults
}

func TestStartupReadsTheTrace(t *testing.T) {
	first := `init internal/bytealg @0.008 ms, 0 ms clock, 0 bytes, 0 allocs
init planted.example/slow @0.5 ms, 36.1 ms clock, 120 bytes, 2 allocs
a line of the program: init of nothing
init planted.example/greedy @40 ms, 0.2 ms clock, 163841 bytes, 9 allocs
init planted.example/unlucky @41 ms, 4 ms clock, 300000 bytes, 9 allocs
init planted.example/just @42 ms, 1 ms clock, 163840 bytes, 9 allocs
`
	second := `init planted.example/unlucky @0.6 ms, 0.3 ms clock, 12 bytes, 1 allocs
init planted.example/slow @0.9 ms, 1.001 ms clock, 120 bytes, 2 allocs
`
	have := tooDear(best([][]initCost{initCosts(first), initCosts(second)}))
	want := []string{
		"init of planted.example/slow takes 1.001ms, more than 1ms",
		"init of planted.example/greedy allocates 163841 bytes, more than 163840",
	}
	if !slices.Equal(have, want) {
		t.Errorf("have:\n\t%s\nwant:\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}
