package main

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// Only the command that is called is built, by its name: one that is listed
// under another name could not be called.
func TestCommandsAreListedByTheirNames(t *testing.T) {
	all := rootCommand(streams{}, nil)
	for _, c := range commands {
		if name := c.build(streams{}).Name(); name != c.name {
			t.Errorf("%s is listed as %s", name, c.name)
		}
		one := rootCommand(streams{}, []string{c.name, "--json"})
		if len(one.Commands()) != 1 || one.Commands()[0].Name() != c.name {
			t.Errorf("%s: %d commands", c.name, len(one.Commands()))
		}
		if found, _, err := all.Find([]string{c.name}); err != nil || found.Name() != c.name {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	for _, args := range [][]string{nil, {"help"}, {"contxt"}, {"--json", "context"}} {
		if n := len(rootCommand(streams{}, args).Commands()); n != len(commands) {
			t.Errorf("%v: %d commands", args, n)
		}
	}
}

// Each of the errors that were joined has a line that says whose it is, also where
// something is around them; lines of one error stay together.
func TestEachJoinedErrorHasItsLine(t *testing.T) {
	one, two, lines := errors.New("one"), errors.New("two"), errors.New("three:\n  a\n  b")
	both := fmt.Errorf("%w and %w", one, two)
	for _, c := range []struct {
		err  error
		want []error
	}{
		{one, []error{one}},
		{both, []error{both}},
		{errors.Join(one, nil), []error{one}},
		{errors.Join(&providerError{errors.Join(one, errors.Join(two, lines))}, both), []error{one, two, lines, both}},
	} {
		if have := each(c.err); !slices.Equal(have, c.want) {
			t.Errorf("%q: %q, want %q", c.err, have, c.want)
		}
	}
}
