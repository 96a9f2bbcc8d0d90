package main

import (
	"errors"
	"os/exec"
	"slices"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/spf13/cobra"
)

func doctorCommand(io streams) *cobra.Command {
	var options app.Options
	var asJSON bool
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Say which mentions can be resolved here, and what is missing for the others",
		Long: `Doctor looks at every kind of mention, at the programs that some need, at the
servers, commands and providers that are configured, and at the configuration, the
trust, the store, and the profile and the model that a conversation would begin
with, and says what to type where something is missing. It starts nothing, asks no
address, and prints no key.

It fails if something that was configured does not work.`,
		Example: `  ampersat doctor
  ampersat doctor --json | jq '.checks[] | select(.state != "ok")'`,
		Args: noArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			checks, err := app.Diagnose(command.Context(), options, clipboardCheck())
			if err != nil {
				return err
			}
			return printChecks(io, checks, asJSON)
		},
	}
	command.Flags().StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	command.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return command
}

// clipboardCheck says whether --copy has a program.
func clipboardCheck() app.Check {
	for _, program := range clipboardPrograms() {
		if path, err := exec.LookPath(program[0]); err == nil {
			return app.Check{Group: "program", Name: program[0], State: app.Fine, Detail: path}
		}
	}
	return app.Check{Group: "program", Name: "clipboard", State: app.Fine, Detail: "by the terminal (OSC 52), for --copy"}
}

func printChecks(io streams, checks []app.Check, asJSON bool) error {
	broken := slices.ContainsFunc(checks, func(c app.Check) bool { return c.State == app.Broken })
	if asJSON {
		if err := io.printJSON(map[string]any{"checks": checks}); err != nil {
			return err
		}
	} else {
		rows := [][]string{{"", "NAME", "STATE", ""}}
		group := ""
		for _, c := range checks {
			heading := ""
			if c.Group != group {
				group, heading = c.Group, c.Group
			}
			state := string(c.State)
			switch c.State {
			case app.Broken:
				state = io.paint(state, red)
			case app.Absent, app.Withheld:
				state = io.paint(state, faint)
			}
			remark := c.Detail
			if c.Fix != "" {
				remark += "; " + c.Fix
			}
			rows = append(rows, []string{heading, cell(c.Name), state, oneLine(remark)})
		}
		io.table(rows)
	}
	if broken {
		return errors.New("something that is configured does not work")
	}
	return nil
}
