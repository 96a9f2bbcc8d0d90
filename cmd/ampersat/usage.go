package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// noArgs is for commands that take no arguments.
func noArgs(command *cobra.Command, args []string) error {
	return between(0, 0, "no argument")(command, args)
}

// exactly is for commands that take so many arguments, which are what it says.
func exactly(n int, what string) cobra.PositionalArgs { return between(n, n, what) }

// atMost is for commands that take no more than so many arguments.
func atMost(n int, what string) cobra.PositionalArgs { return between(0, n, "at most "+what) }

// between makes a wrong number of arguments an error of usage.
func between(least, most int, what string) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		given := "nothing"
		if len(args) > 0 {
			given = fmt.Sprintf("%q", args)
			given = given[1 : len(given)-1]
		}
		name := strings.TrimPrefix(command.CommandPath(), command.Root().Name()+" ")
		return &usageError{command, fmt.Errorf("%s takes %s, and was given %s", name, what, given)}
	}
}

// oneOf makes it an error of usage to give more than one of some flags.
func oneOf(command *cobra.Command, flags ...string) error {
	var given []string
	for _, flag := range flags {
		if command.Flags().Changed(flag) {
			given = append(given, "--"+flag)
		}
	}
	if len(given) < 2 {
		return nil
	}
	return &usageError{command, fmt.Errorf("%s exclude each other; use one of them", strings.Join(given, " and "))}
}
