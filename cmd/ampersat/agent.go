package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/model"
	"github.com/spf13/cobra"
)

func agentCommand(io streams) *cobra.Command {
	command := &cobra.Command{
		Use:   "agent",
		Short: "Show the agents that work can be handed to",
		Long: `An agent is somebody that work can be handed to: @reviewer in a prompt, or
@task:reviewer(what to do). It is a Markdown file with YAML front matter, in
.ampersat/agents/ of the project, in ~/.ampersat/agents/, or in a collection.`,
		Args: cobra.ArbitraryArgs,
		RunE: needsSubcommand,
	}
	command.AddCommand(listCommand(io, "agents", (*profile.Library).Agents), agentShowCommand(io))
	return command
}

func agentShowCommand(io streams) *cobra.Command {
	var options app.Options
	var asJSON bool
	command := &cobra.Command{
		Use:   "show NAME",
		Short: "Show an agent, with its mentions and what its model reads",
		Args:  exactly(1, "the name of an agent"),
		RunE: func(command *cobra.Command, args []string) error {
			return withApp(options, func(a *app.App) error { return showAgent(command.Context(), io, a, args[0], asJSON) })
		},
	}
	libraryFlags(command, &options, &asJSON)
	allowFlag(command, &options)
	return command
}

// agentJSON is an agent as --json prints it.
type agentJSON struct {
	profile.Source
	Description string         `json:"description,omitzero"`
	Tools       profile.Choice `json:"tools"`
	Models      []string       `json:"model"`
	Budget      profile.Budget `json:"budget"`
	Callers     profile.Choice `json:"callers"`
	Body        string         `json:"body"`
}

func showAgent(ctx context.Context, io streams, a *app.App, name string, asJSON bool) error {
	stack, agent, err := a.Agent(ctx, name)
	if err != nil {
		return err
	}
	if asJSON {
		return printStackJSON(io, stack, origin{Agent: agentJSON{
			agent.Source, agent.Description, agent.Tools, agent.Models, agent.Budget, agent.Callers, agent.Body,
		}})
	}
	rows := [][2]string{
		{"agent", agent.Qualified()},
		{"file", agent.File},
		{"description", agent.Description},
		{"tools", choice(agent.Tools)},
		{"model", strings.Join(agent.Models, ", ")},
		{"budget", budget(agent.Budget)},
		{"callers", choice(agent.Callers)},
	}
	for _, row := range rows {
		if row[1] != "" {
			fmt.Fprintf(io.out, "%s  %s\n", io.paint(fmt.Sprintf("%-11s", row[0]), faint), oneLine(row[1]))
		}
	}
	fmt.Fprintln(io.out)
	named := app.DefaultModel
	if len(agent.Models) > 0 {
		named = agent.Models[0]
	}
	provider, modelName, _ := strings.Cut(named, "/")
	printStack(io, stack, model.Default().Find(provider, modelName), false)
	return nil
}

func choice(c profile.Choice) string {
	switch {
	case c.All:
		return "all"
	case len(c.Names) == 0:
		return "none"
	}
	return strings.Join(c.Names, ", ")
}

func budget(b profile.Budget) string {
	var limits []string
	if b.Tokens != nil {
		limits = append(limits, number(*b.Tokens)+" tokens")
	}
	if b.Steps != nil {
		limits = append(limits, number(*b.Steps)+" steps")
	}
	return strings.Join(limits, ", ")
}
