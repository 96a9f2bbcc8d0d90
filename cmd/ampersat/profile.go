package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/model"
	"github.com/spf13/cobra"
)

func profileCommand(io streams) *cobra.Command {
	command := &cobra.Command{
		Use:   "profile",
		Short: "Show who the assistant can be",
		Long: `A profile says who the assistant is: its instruction, its model, its tools. It
is a Markdown file with YAML front matter, in .ampersat/profiles/ of the project,
in ~/.ampersat/profiles/, or in a collection.`,
		Args: cobra.ArbitraryArgs,
		RunE: needsSubcommand,
	}
	command.AddCommand(listCommand(io, "profiles", (*profile.Library).Profiles), profileShowCommand(io), profileCheckCommand(io))
	return command
}

// needsSubcommand is what a command does that only has others below it.
func needsSubcommand(command *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{command, unknownCommand(command, args[0])}
	}
	return command.Help()
}

// libraryFlags are what all commands on profiles and agents take.
func libraryFlags(command *cobra.Command, options *app.Options, asJSON *bool) {
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.BoolVar(asJSON, "json", false, "print JSON")
}

func allowFlag(command *cobra.Command, options *app.Options) {
	command.Flags().StringArrayVar(&options.Allow, "allow", nil, "let a path, a URL or a secret through that would be blocked (may be repeated)")
}

// listCommand lists profiles, or agents.
func listCommand(io streams, what string, in func(*profile.Library) ([]profile.Entry, profile.Problems)) *cobra.Command {
	var options app.Options
	var asJSON bool
	command := &cobra.Command{
		Use:   "list",
		Short: "List the " + what + ", in the order in which they are taken",
		Args:  noArgs,
		RunE: func(command *cobra.Command, args []string) error {
			return withApp(options, func(a *app.App) error {
				entries, problems := in(a.Library)
				return printEntries(io, what, entries, problems, asJSON)
			})
		},
	}
	libraryFlags(command, &options, &asJSON)
	return command
}

// entryJSON is an entry as --json prints it.
type entryJSON struct {
	profile.Entry
	Problems []string `json:"problems,omitzero"`
}

// printEntries shows what there is, profiles or agents.
func printEntries(io streams, what string, entries []profile.Entry, problems profile.Problems, asJSON bool) error {
	if asJSON {
		list := []entryJSON{}
		for _, e := range entries {
			list = append(list, entryJSON{e, lines(e.Problems)})
		}
		return io.printJSON(map[string]any{what: list, "problems": append([]string{}, lines(problems)...)})
	}
	rows := [][]string{{"NAME", "PLACE", "FILE", ""}}
	for _, e := range entries {
		remark := e.Description
		switch {
		case len(e.Problems) > 0:
			remark = io.paint(fmt.Sprintf("cannot be used; see: ampersat profile check %s", e.Qualified()), red)
			if what != "profiles" {
				remark = io.paint("cannot be used: "+oneLine(e.Problems[0].What), red)
			}
		case e.ShadowedBy != "":
			remark = io.paint("replaced by "+e.ShadowedBy, faint)
		case !e.Trusted:
			remark = strings.TrimPrefix(remark+"; not trusted", "; ")
		}
		rows = append(rows, []string{cell(e.Call), string(e.Place), cell(e.File), oneLineStyled(remark)})
	}
	io.table(rows)
	for _, p := range problems {
		fmt.Fprintln(io.err, "note:", oneLine(p.Error()))
	}
	return nil
}

// oneLineStyled makes one line of a text that may have our own styles in it.
func oneLineStyled(text string) string {
	if strings.HasPrefix(text, "\x1b[") {
		return text
	}
	return oneLine(text)
}

func lines(problems profile.Problems) []string {
	var all []string
	for _, p := range problems {
		all = append(all, p.Error())
	}
	return all
}

func profileShowCommand(io streams) *cobra.Command {
	var options app.Options
	var asJSON bool
	command := &cobra.Command{
		Use:   "show NAME",
		Short: "Show a profile as it counts: merged, with its mentions and its system message",
		Long: `Show prints the profile merged with all that it extends, where each value came
from, each mention in it with what became of it and what it costs, and the
messages that a conversation with it begins with.`,
		Example: `  ampersat profile show dev
  ampersat profile show foundation:review
  ampersat profile show dev --json | jq .profile.chain`,
		Args: exactly(1, "the name of a profile"),
		RunE: func(command *cobra.Command, args []string) error {
			return withApp(options, func(a *app.App) error { return showProfile(command.Context(), io, a, args[0], asJSON) })
		},
	}
	libraryFlags(command, &options, &asJSON)
	allowFlag(command, &options)
	return command
}

// profileJSON is a merged profile as --json prints it.
type profileJSON struct {
	Name         string           `json:"name"`
	Version      string           `json:"version,omitzero"`
	Description  string           `json:"description,omitzero"`
	Trusted      bool             `json:"trusted"`
	Chain        []profile.Source `json:"chain"`
	Model        string           `json:"model,omitzero"`
	Session      profile.Session  `json:"session"`
	Context      profile.Context  `json:"context"`
	Providers    []profile.Module `json:"providers"`
	Tools        []profile.Module `json:"tools,omitzero"`
	ExceptTools  []string         `json:"except_tools,omitzero"`
	Hooks        []profile.Module `json:"hooks"`
	Agents       profile.Choice   `json:"agents"`
	ProjectFiles []string         `json:"project_files"`
	Body         string           `json:"body"`
	Withheld     []string         `json:"withheld,omitzero"`
	Warnings     []string         `json:"warnings,omitzero"`
}

func showProfile(ctx context.Context, io streams, a *app.App, name string, asJSON bool) error {
	stack, m, err := a.System(ctx, name)
	if err != nil {
		return err
	}
	if asJSON {
		shown := profileJSON{
			Name: m.Qualified(), Version: m.Version, Description: m.Description, Trusted: m.Trusted, Chain: m.Chain,
			Model: m.Model, Session: m.Session, Context: m.Context, Providers: m.Providers, Tools: m.Tools, ExceptTools: m.ExceptTools, Hooks: m.Hooks,
			Agents: m.Agents, ProjectFiles: m.ProjectFiles, Body: m.Body, Warnings: lines(m.Warnings),
		}
		for _, w := range m.Withheld {
			shown.Withheld = append(shown.Withheld, w.String())
		}
		return printStackJSON(io, stack, origin{Profile: shown})
	}
	merged, err := m.YAML()
	if err != nil {
		return fmt.Errorf("show profile %s: %w", name, err)
	}
	var chain []string
	for _, link := range m.Chain {
		chain = append(chain, fmt.Sprintf("%s (%s)", link.Qualified(), link.File))
	}
	fmt.Fprintln(io.out, io.paint("chain: ", faint)+shown(strings.Join(chain, " → ")))
	fmt.Fprintln(io.out)
	fmt.Fprintln(io.out, shown(merged))
	for _, w := range m.Warnings {
		fmt.Fprintln(io.err, "note:", oneLine(w.Error()))
	}
	named := m.Model
	if named == "" {
		named = app.DefaultModel
	}
	provider, modelName, _ := strings.Cut(named, "/")
	printStack(io, stack, model.Default().Find(provider, modelName), false)
	return nil
}

func profileCheckCommand(io streams) *cobra.Command {
	var options app.Options
	var asJSON bool
	command := &cobra.Command{
		Use:   "check [NAME...]",
		Short: "Check profiles, or all profiles and agents, and exit with 1 if anything is wrong",
		Long: `Check reads the profiles of these names, or all profiles and agents there are,
with everything that they extend and mention, and prints each problem with its
file, line and column.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			return withApp(options, func(a *app.App) error { return checkProfiles(command.Context(), io, a, args, asJSON) })
		},
	}
	libraryFlags(command, &options, &asJSON)
	allowFlag(command, &options)
	return command
}

func checkProfiles(ctx context.Context, io streams, a *app.App, names []string, asJSON bool) error {
	checked, problems, err := a.CheckProfiles(ctx, names)
	if err != nil {
		return err
	}
	if asJSON {
		err = printProblemsJSON(io, checked, problems)
	} else {
		for _, p := range problems {
			fmt.Fprintln(io.out, oneLine(p.Error()))
		}
	}
	switch {
	case err != nil:
		return err
	case len(problems) == 1:
		return errors.New("there is 1 problem")
	case len(problems) > 0:
		return fmt.Errorf("there are %d problems", len(problems))
	}
	fmt.Fprintf(io.err, "checked %d, nothing is wrong\n", checked)
	return nil
}

// problemJSON is a problem as --json prints it.
type problemJSON struct {
	File   string   `json:"file,omitzero"`
	Line   int      `json:"line,omitzero"`
	Column int      `json:"column,omitzero"`
	What   string   `json:"problem"`
	Chain  []string `json:"chain,omitzero"`
}

func printProblemsJSON(io streams, checked int, problems profile.Problems) error {
	list := []problemJSON{}
	for _, p := range problems {
		list = append(list, problemJSON{p.At.File, p.At.Line, p.At.Column, p.What, p.Chain})
	}
	return io.printJSON(struct {
		Checked  int           `json:"checked"`
		Problems []problemJSON `json:"problems"`
	}{checked, list})
}
