package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/session/export"
	"github.com/spf13/cobra"
)

func sessionExportCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var asJSON bool
	command := &cobra.Command{
		Use:   "export SESSION...",
		Short: "Write sessions to standard output, as Markdown or as JSON Lines",
		Long: `Export writes a session as Markdown, for people, or with --json everything there
is of one or more, a record a line, which "session import" reads back without
loss.`,
		Example: `  ampersat session export last > talk.md
  ampersat session export --json last > talk.jsonl`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return &usageError{command, errors.New("name the session to export, or \"last\"")}
			case len(args) > 1 && !asJSON:
				return &usageError{command, errors.New("one session at a time is written as Markdown; use --json for several")}
			}
			return withApp(options, func(a *app.App) error { return exportSessions(command.Context(), io, a, args, asJSON) })
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&asJSON, "json", false, "write everything, as JSON Lines")
	return command
}

func exportSessions(ctx context.Context, io streams, a *app.App, names []string, asJSON bool) error {
	store, err := a.Store(ctx)
	if err != nil {
		return err
	}
	metas, err := findSessions(ctx, a, names)
	if err != nil {
		return err
	}
	if !asJSON {
		return export.Markdown(io.plainOut(), metas[0], store.Read(ctx, metas[0].ID, 1))
	}
	var ids []session.ID
	for _, meta := range metas {
		ids = append(ids, meta.ID)
	}
	return export.Write(ctx, io.out, store, ids...)
}

func sessionImportCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var importing export.Options
	command := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Read sessions that were exported as JSON Lines, or salvaged",
		Args:  cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{command, errors.New("name the file to read, or - for standard input")}
			}
			return withApp(options, func(a *app.App) error { return importSessions(command.Context(), io, a, args[0], importing) })
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&importing.NewIDs, "new-ids", false, "give the sessions ids of their own, to have them beside those that are there")
	return command
}

func importSessions(ctx context.Context, out streams, a *app.App, name string, importing export.Options) error {
	from := out.in
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("import sessions: %w", err)
		}
		defer file.Close()
		from = file
	}
	store, err := a.Store(ctx)
	if err != nil {
		return err
	}
	done, err := export.Read(ctx, from, store, importing)
	for _, meta := range done.Sessions {
		fmt.Fprintln(out.out, meta.ID)
	}
	if err == nil || len(done.Sessions)+done.Blobs > 0 {
		fmt.Fprintf(out.err, "%s, %s, %s\n", wording.Count(len(done.Sessions), "session"), wording.Count(done.Entries, "record"), wording.Count(done.Blobs, "content"))
	}
	if len(done.Same) > 0 {
		fmt.Fprintf(out.err, "%s there already, and the same\n", wording.Count(len(done.Same), "session"))
	}
	if done.Lost > 0 {
		fmt.Fprintf(out.err, "%s lost; where others follow, a note stands in their place\n", wording.Count(done.Lost, "record"))
	}
	if done.LostElse > 0 {
		fmt.Fprintf(out.err, "%s lost (the lines of type \"lost\" tell of what)\n", wording.Count(done.LostElse, "other thing"))
	}
	if done.Skipped > 0 {
		fmt.Fprintf(out.err, "%s of a newer version left out\n", wording.Count(done.Skipped, "line"))
	}
	if errors.Is(err, session.ErrExists) {
		return fmt.Errorf("%w; --new-ids has all of the file come in under ids of their own", err)
	}
	return err
}

func sessionSalvageCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	command := &cobra.Command{
		Use:   "salvage",
		Short: "Write what can be read of a damaged store, as JSON Lines",
		Long: `Salvage writes all sessions that can still be read, for when the store is damaged.
It changes nothing. Move the file away and import what was written:

  ampersat session salvage > saved.jsonl
  mv ~/.ampersat/sessions.db ~/damaged.db
  ampersat session import saved.jsonl`,
		Args: noArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			return withApp(options, func(a *app.App) error {
				saved, err := a.Salvage(command.Context(), io.out)
				if err != nil {
					return err
				}
				lost := wording.Number(saved.Lost)
				if saved.Lost+saved.LostElse > 0 {
					lost = wording.Count(saved.Lost, "record")
				}
				if saved.LostElse > 0 {
					lost += fmt.Sprintf(" and %s (the lines of type \"lost\" tell of what)", wording.Count(saved.LostElse, "other thing"))
				}
				fmt.Fprintf(io.err, "saved %s, %s, %s; %s lost\n", wording.Count(saved.Sessions, "session"), wording.Count(saved.Entries, "record"),
					wording.Count(saved.Blobs, "content"), lost)
				if saved.Sessions == 0 && saved.Lost+saved.LostElse > 0 {
					return errors.New("salvage: no session could be read")
				}
				return nil
			})
		},
	}
	return command
}

func sessionSearchCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var all, asJSON bool
	var limit int
	command := &cobra.Command{
		Use:   "search TEXT",
		Short: "Find where something was said",
		Long: `Search looks for a text in what was said in the sessions of this project, in upper
or lower case, and in their titles. Contents of mentions are not searched, their
names are.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if strings.TrimSpace(text) == "" {
				return &usageError{command, errors.New("say what to look for")}
			}
			if limit < 0 {
				return &usageError{command, fmt.Errorf("--limit %d: use a number of places, or 0 for all", limit)}
			}
			return withApp(options, func(a *app.App) error {
				store, err := a.Store(command.Context())
				if err != nil {
					return err
				}
				query := a.OwnSessions()
				if all {
					query = session.Query{}
				}
				hits, err := session.Search(command.Context(), store, query, text, math.MaxInt)
				if err != nil {
					return err
				}
				found := len(hits)
				if limit > 0 {
					hits = hits[:min(limit, found)]
				}
				if err := printHits(io, hits, found, asJSON); err != nil {
					return err
				}
				if len(hits) < found {
					fmt.Fprintf(io.err, "%s of %s places; --limit 0 prints all\n", wording.Number(len(hits)), wording.Number(found))
				}
				return nil
			})
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&all, "all", false, "search those of all projects")
	f.IntVarP(&limit, "limit", "n", 50, "print at most so many places, 0 for all")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return command
}

// printHits prints places, of which there are found in all.
func printHits(io streams, hits []session.Hit, found int, asJSON bool) error {
	if asJSON {
		list := []map[string]any{}
		for _, h := range hits {
			list = append(list, map[string]any{
				"session": h.Session.ID, "title": h.Session.Title, "entry": h.Seq, "time": h.Time, "role": h.Role,
				"snippet": h.Snippet, "start": h.Start, "end": h.End,
			})
		}
		return io.printJSON(map[string]any{"hits": list, "found": found})
	}
	if len(hits) == 0 {
		fmt.Fprintln(io.err, "nothing was found")
		return nil
	}
	for _, h := range hits {
		where := fmt.Sprintf("%s  %s  %s", shortID(h.Session.ID), when(h.Time), oneLine(string(h.Role)))
		if h.Seq == 0 {
			where = fmt.Sprintf("%s  %s  title", shortID(h.Session.ID), when(h.Time))
		}
		fmt.Fprintf(io.out, "%s  %s%s%s\n", io.paint(where, faint), shown(h.Snippet[:h.Start]), io.paint(shown(h.Snippet[h.Start:h.End]), yellow), shown(h.Snippet[h.End:]))
	}
	return nil
}
