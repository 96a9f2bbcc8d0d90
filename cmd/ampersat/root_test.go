package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// A flag that names nothing is not as good as none: whoever wrote it means
// something by it.
func TestNoFlagIsEmpty(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AMPERSAT_HOME", "")
	seen := map[string]bool{}
	refused := func(args []string, flag string) bool {
		var out, errs bytes.Buffer
		code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errs})
		return code == exitUsage && out.Len() == 0 && strings.HasPrefix(errs.String(), "ampersat: "+flag+" was given without a value")
	}
	var walk func(*cobra.Command)
	walk = func(command *cobra.Command) {
		path := strings.Fields(command.CommandPath())[1:]
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if flag.Value.Type() != "string" && flag.Value.Type() != "stringArray" {
				return
			}
			seen[strings.Join(append(path, flag.Name), " ")] = true
			args := append(slices.Clone(path), "--"+flag.Name, "")
			// Some commands want an argument, or several, before they look at flags.
			if !refused(args, "--"+flag.Name) && !refused(append(args, "x"), "--"+flag.Name) && !refused(append(args, "x", "y"), "--"+flag.Name) {
				t.Errorf("%q is not refused", args)
			}
		})
		for _, below := range command.Commands() {
			walk(below)
		}
	}
	walk(rootCommand(streams{}, nil))
	for _, flag := range []string{
		"ask session", "ask allow", "ask provider", "ask profile", "ask permissions", "context session", "context for", "logs session", "config show profile", "session fork title",
	} {
		if !seen[flag] {
			t.Errorf("%s was not looked at", flag)
		}
	}
	if !refused([]string{"ask", "--allow", "a", "--allow=", "hi"}, "--allow") || !refused([]string{"ask", "--session=", "--profile=", "hi"}, "--profile and --session") {
		t.Error("one of several is not refused")
	}
}

// What can be said to a command is told in the documents, and not in its help
// alone.
func TestFlagsAreInTheDocuments(t *testing.T) {
	paths, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d documents, %v", len(paths), err)
	}
	var documents []byte
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, text...)
	}
	var walk func(*cobra.Command)
	walk = func(command *cobra.Command) {
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			told := `[^-\w]--` + regexp.QuoteMeta(flag.Name) + `[^-\w]`
			if flag.Shorthand != "" {
				told += `|[^-\w]-` + flag.Shorthand + `[^-\w]`
			}
			if !regexp.MustCompile(told).Match(documents) {
				t.Errorf("%s --%s is in no document", command.CommandPath(), flag.Name)
			}
		})
		for _, below := range command.Commands() {
			walk(below)
		}
	}
	for _, command := range rootCommand(streams{}, nil).Commands() {
		walk(command)
	}
}
