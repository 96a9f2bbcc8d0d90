package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/spf13/cobra"
)

// The exit codes. Scripts depend on them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitStrict = 3
	// exitRefused is for what the provider would not do.
	exitRefused = 4
	// exitInterrupted is what shells expect of a program that Ctrl-C ended. Other
	// signals have codes of their own: see [stopped].
	exitInterrupted = 130
	// exitUnread is what shells expect of a program whose output nobody reads any
	// more, as in "| head".
	exitUnread = 141
)

// usageError is a call that was wrong in itself: an unknown flag, a missing
// argument. Where to read more follows the message, and not all of that: the
// message would be off the screen.
type usageError struct {
	command *cobra.Command
	err     error
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// run runs the program and returns its exit code.
func run(ctx context.Context, args []string, io streams) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := &checkedWriter{to: io.out, unread: stop}
	io.out = out
	root := rootCommand(io, args)
	root.SetArgs(args)
	unknown := checkHelp(root)
	err := cmp.Or(root.ExecuteContext(ctx), unknown())
	if err == nil && out.err != nil {
		err = fmt.Errorf("write the result: %w", out.err)
	}
	var usage *usageError
	var strict *strictError
	var provider *providerError
	var notKept *agent.NotKeptError
	switch {
	case errors.As(err, &notKept): // whoever stopped it believes that it is kept
	case out.isUnread():
		return exitUnread // that is no mistake
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return stopCode(ctx) // the person knows
	}
	for _, err := range each(err) {
		fmt.Fprintln(io.err, "ampersat:", shown(err.Error()))
	}
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(io.err, "see: %s --help\n", usage.command.CommandPath())
		return exitUsage
	case errors.As(err, &strict):
		return exitStrict
	case errors.As(err, &provider):
		return exitRefused
	}
	return exitFailed
}

// each returns the errors that were joined, or the one that there is. What was
// put around them and says nothing of its own is taken off.
func each(err error) (all []error) {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil && inner.Error() == err.Error() {
			return each(inner)
		}
	case interface{ Unwrap() []error }:
		var texts []string
		for _, inner := range e.Unwrap() {
			texts = append(texts, inner.Error())
			all = append(all, each(inner)...)
		}
		if strings.Join(texts, "\n") == err.Error() {
			return all
		}
	}
	return []error{err}
}

// commands are all there are, by the names they are called by.
var commands = []struct {
	name  string
	build func(streams) *cobra.Command
}{
	{"ask", askCommand}, {"context", contextCommand}, {"find", findCommand}, {"profile", profileCommand}, {"agent", agentCommand},
	{"session", sessionCommand}, {"logs", logsCommand}, {"collection", collectionCommand}, {"config", configCommand}, {"trust", trustCommand},
	{"doctor", doctorCommand},
}

// rootCommand puts together the commands for a call with args: all of them, or
// the one that is called alone, since each start would pay for the flags and the
// help of every other.
func rootCommand(io streams, args []string) *cobra.Command {
	version := false
	root := &cobra.Command{
		Use:   "ampersat",
		Short: "Mentions as first-class context for AI agents",
		Long: `Ampersat knows what the mentions in a text name: @docs/api.md is a file,
@server.go:40-90 some lines of one, @diff:main a difference.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(command *cobra.Command, args []string) error {
			switch {
			case len(args) > 0:
				return &usageError{command, unknownCommand(command, args[0])}
			case version:
				info, _ := debug.ReadBuildInfo()
				fmt.Fprintln(io.out, versionLine(app.Version(), info))
				return nil
			}
			return command.Help()
		},
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: noEmptyFlags, // no command below has a hook of its own, which would be run instead
	}
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	root.SetFlagErrorFunc(func(command *cobra.Command, err error) error {
		return &usageError{command, err}
	})
	called := ""
	if len(args) > 0 {
		called = args[0]
	}
	for _, c := range commands {
		if c.name == called {
			root.AddCommand(c.build(io))
			return root
		}
	}
	// Not by a template: a program with text/template in it keeps every method of
	// every type, and with them the tables of packages that nobody uses.
	root.Flags().BoolVarP(&version, "version", "v", false, "print the version")
	for _, c := range commands {
		root.AddCommand(c.build(io))
	}
	return root
}

// flagMistake makes wrong usage of a mistake in the configuration that is in
// nothing but the flags.
func flagMistake(command *cobra.Command, err error) error {
	var problems config.Problems
	if errors.As(err, &problems) && !slices.ContainsFunc(problems, func(p config.Problem) bool { return p.Origin.Layer != config.CommandLine }) {
		return &usageError{command, problems}
	}
	return err
}

func unknownCommand(root *cobra.Command, name string) error {
	root.SuggestionsMinimumDistance = 2
	if near := root.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("unknown command %q, did you mean %q?", name, near[0])
	}
	return fmt.Errorf("unknown command %q", name)
}
