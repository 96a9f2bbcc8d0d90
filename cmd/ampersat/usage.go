package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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

// noEmptyFlags makes it an error of usage to give a flag and say nothing with it,
// as in --session "$ID" where ID is not set: the command would do what it does
// without the flag, and somebody believes that it goes by it.
func noEmptyFlags(command *cobra.Command, _ []string) error {
	var empty []string
	command.Flags().Visit(func(flag *pflag.Flag) {
		values := []string{flag.Value.String()}
		if list, is := flag.Value.(pflag.SliceValue); is {
			values = list.GetSlice()
		}
		if slices.Contains(values, "") {
			empty = append(empty, "--"+flag.Name)
		}
	})
	if len(empty) == 0 {
		return nil
	}
	return &usageError{command, fmt.Errorf("%s was given without a value, as happens with a variable that is not set; give it one, or leave it out", strings.Join(empty, " and "))}
}
