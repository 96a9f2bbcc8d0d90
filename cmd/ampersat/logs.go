package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
)

func logsCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var query app.LogQuery
	var name string
	var since time.Duration
	var asJSON bool
	command := &cobra.Command{
		Use:   "logs",
		Short: "Tell what happened in conversations, event by event",
		Long: `Logs prints what happened in the sessions of this project: which mentions were
loaded or skipped, what was sent to the provider and what came back, what tools
were called, what was compacted. It tells how many and how large, never what was
said. The names stay:

  mention:loaded  mention:skipped  system:set  user:message
  provider:request  provider:response  tool:call  tool:result
  compaction  delegation  return  note`,
		Example: `  ampersat logs --session last
  ampersat logs --follow
  ampersat logs --event mention:skipped --since 24h
  ampersat logs | grep provider:request`,
		Args: noArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if since < 0 {
				return &usageError{command, fmt.Errorf("--since %s: use a positive time, such as 24h", since)}
			}
			for _, name := range query.Names {
				if !app.IsLogName(name) {
					return &usageError{command, fmt.Errorf("--event %s: there is no such event; there are %s", name, strings.Join(app.LogNames, ", "))}
				}
			}
			if since > 0 {
				query.Since = time.Now().Add(-since)
			}
			return withApp(options, func(a *app.App) error {
				if name != "" {
					meta, err := a.FindSession(command.Context(), name)
					if err != nil {
						return err
					}
					query.Session = meta.ID
				}
				err := a.Logs(command.Context(), query, func(e app.LogEvent) error { return printEvent(io, e, asJSON) })
				if query.Follow && errors.Is(err, context.Canceled) {
					return nil // Ctrl-C is how following ends
				}
				return err
			})
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.StringVar(&name, "session", "", "only this session")
	f.BoolVar(&query.All, "all", false, "the sessions of all projects")
	f.StringArrayVar(&query.Names, "event", nil, "only events of this name, or all that begin so: mention (may be repeated)")
	f.DurationVar(&since, "since", 0, "only what happened in this time until now: 24h")
	f.BoolVarP(&query.Follow, "follow", "f", false, "go on until Ctrl-C")
	f.BoolVar(&asJSON, "json", false, "print JSON, one event a line")
	return command
}

func printEvent(io streams, e app.LogEvent, asJSON bool) error {
	if asJSON {
		return printEventJSON(io, e)
	}
	var line strings.Builder
	fmt.Fprintf(&line, "%s  %s  %-17s", e.Time.Local().Format("2006-01-02 15:04:05.000"), shortID(e.Session), e.Name)
	for _, field := range e.Fields {
		text := fmt.Sprint(field.Value)
		if strings.ContainsAny(text, " \"\n\t=") {
			text = fmt.Sprintf("%q", text)
		}
		fmt.Fprintf(&line, "  %s=%s", field.Name, shown(text))
	}
	_, err := fmt.Fprintln(io.out, line.String())
	return err
}

// printEventJSON writes the fields among the members that every event has.
func printEventJSON(io streams, e app.LogEvent) error {
	head, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("print event %s: %w", e.Name, err)
	}
	for _, field := range e.Fields {
		value, err := json.Marshal(field.Value, jsontext.AllowInvalidUTF8(true))
		if err != nil {
			return fmt.Errorf("print event %s: %w", e.Name, err)
		}
		head = append(head[:len(head)-1], fmt.Sprintf(",%q:%s}", field.Name, value)...)
	}
	_, err = fmt.Fprintf(io.out, "%s\n", head)
	return err
}
