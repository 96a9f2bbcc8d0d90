package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// checkHelp makes it wrong usage to ask for help about a command that there is
// not, in both ways of asking. The library would show the help of something
// else. What it returns says, after the run, what was wrong.
func checkHelp(root *cobra.Command) (unknown func() error) {
	var wrong error
	show := root.HelpFunc()
	root.SetHelpFunc(func(command *cobra.Command, args []string) {
		if wrong = unknownIn(command, command.Flags().Args()); wrong == nil {
			show(command, args)
		}
	})
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Run = func(_ *cobra.Command, args []string) {
				about, rest, err := root.Find(args)
				if err != nil {
					about, rest = root, args
				}
				if wrong = unknownIn(about, rest); wrong == nil {
					about.InitDefaultHelpFlag()
					show(about, rest)
				}
			}
		}
	}
	return func() error { return wrong }
}

// unknownIn returns an error if the arguments of a command that has others below
// it name none of them.
func unknownIn(command *cobra.Command, args []string) error {
	if len(args) == 0 || !command.HasSubCommands() {
		return nil
	}
	return &usageError{command, unknownCommand(command, args[0])}
}

// versionLine says which program this is: its version, or for a build of one's
// own the commit, if that is known.
func versionLine(version string, info *debug.BuildInfo) string {
	if version != "" {
		return "ampersat version " + version
	}
	commit, changed := "", ""
	if info != nil {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				commit = ", commit " + s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", changed since"
			}
		}
	}
	if commit == "" {
		changed = ""
	}
	return fmt.Sprintf("ampersat (built from source%s%s)", commit, changed)
}
