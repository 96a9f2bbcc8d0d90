package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/session"
	"github.com/spf13/cobra"
)

func sessionCommand(io streams) *cobra.Command {
	command := &cobra.Command{
		Use:   "session",
		Short: "List, show, fork, pin, compact, export and remove conversations",
		Long: `Session works on the conversations that "ampersat ask" had. A session is named by
its id, by the first or last characters of it, or by "last", which is the one of
this project that changed last.`,
		Example: `  ampersat session list
  ampersat session show last
  ampersat session show last --turn 2        what the model got in the second turn
  ampersat session export last > talk.md`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &usageError{command, unknownCommand(command, args[0])}
			}
			return command.Help()
		},
	}
	command.AddCommand(
		sessionListCommand(io), sessionShowCommand(io), sessionForkCommand(io), sessionRenameCommand(io), sessionCompactCommand(io),
		sessionPinCommand(io), sessionUndoCommand(io), sessionExportCommand(io), sessionImportCommand(io), sessionSearchCommand(io),
		sessionSalvageCommand(io), sessionRemoveCommand(io),
	)
	return command
}

// withApp runs a command that needs the program put together, and closes it.
func withApp(options app.Options, run func(*app.App) error) error {
	a, err := app.New(options)
	if err != nil {
		return err
	}
	return errors.Join(run(a), a.Close())
}

// withSession runs a command on a session that the person named.
func withSession(ctx context.Context, options app.Options, name string, run func(a *app.App, store session.Store, meta session.Meta) error) error {
	return withApp(options, func(a *app.App) error {
		store, err := a.Store(ctx)
		if err != nil {
			return err
		}
		meta, err := a.FindSession(ctx, name)
		if err != nil {
			return err
		}
		return run(a, store, meta)
	})
}

// findSessions returns the sessions that the person named, each once.
func findSessions(ctx context.Context, a *app.App, names []string) (metas []session.Meta, err error) {
	for _, name := range names {
		meta, err := a.FindSession(ctx, name)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(metas, func(other session.Meta) bool { return other.ID == meta.ID }) {
			metas = append(metas, meta)
		}
	}
	return metas, nil
}

// oneArgument is for commands that name one session.
func oneArgument(command *cobra.Command, args []string) error {
	return exactly(1, "one session, or \"last\"")(command, args)
}

func sessionListCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var all, asJSON bool
	var limit int
	command := &cobra.Command{
		Use:   "list",
		Short: "List the sessions of this project, the last changed first",
		Long: `List prints the sessions of this project, the last changed first. One in which
nothing was said, because its turn is beginning or did not come to it, is listed
with --all alone.`,
		Args: noArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if limit < 0 {
				return &usageError{command, fmt.Errorf("--limit %d: use a number of sessions, or 0 for all", limit)}
			}
			return withApp(options, func(a *app.App) error {
				list, err := listSessions(command.Context(), a, all, limit)
				if err != nil {
					return err
				}
				if asJSON {
					return io.printJSON(map[string]any{"sessions": append([]session.Meta{}, list...)})
				}
				if len(list) == 0 {
					return noSessions(command.Context(), io, a)
				}
				printSessions(io, list, all)
				return nil
			})
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&all, "all", false, "list those of all projects")
	f.IntVarP(&limit, "limit", "n", 0, "list at most so many, 0 for all")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return command
}

// listSessions returns the sessions of the project that have begun, or all there
// are.
func listSessions(ctx context.Context, a *app.App, all bool, limit int) ([]session.Meta, error) {
	if !all {
		query := a.OwnSessions()
		query.Limit = limit
		return a.Sessions(ctx, query)
	}
	store, err := a.Store(ctx)
	if err != nil {
		return nil, err
	}
	return store.List(ctx, session.Query{Limit: limit})
}

// noSessions says that there are none, here or at all.
func noSessions(ctx context.Context, io streams, a *app.App) error {
	others, err := a.Sessions(ctx, session.Query{Limit: 1})
	if err != nil {
		return err
	}
	if len(others) > 0 {
		fmt.Fprintf(io.err, "no sessions in %s; \"ampersat session list --all\" lists those of other projects\n", shown(a.Root))
		return nil
	}
	fmt.Fprintln(io.err, "no sessions yet; \"ampersat ask\" begins one")
	return nil
}

func printSessions(io streams, list []session.Meta, all bool) {
	rows := [][]string{{"SESSION", "CHANGED", "ENTRIES", "TITLE"}}
	if all {
		rows[0] = append(rows[0], "PROJECT")
	}
	for _, m := range list {
		row := []string{shortID(m.ID), when(m.Updated), fmt.Sprint(m.Head), oneLine(m.Title)}
		if all {
			row = append(row, oneLine(m.Dir))
		}
		rows = append(rows, row)
	}
	io.table(rows)
}

// shortID is the end of an id, which tells sessions apart better than their
// beginning: that is the time.
func shortID(id session.ID) string { return string(id[max(0, len(id)-8):]) }

// when is a time as people read it, in their own zone.
func when(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

func sessionForkCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var title string
	var at int64
	command := &cobra.Command{
		Use:   "fork SESSION",
		Short: "Begin a session as a copy of another",
		Args:  cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if err := oneArgument(command, args); err != nil {
				return err
			}
			return withSession(command.Context(), options, args[0], func(_ *app.App, store session.Store, meta session.Meta) error {
				through := meta.Head
				if command.Flags().Changed("at") {
					through = session.Seq(at)
				}
				fork, err := store.Fork(command.Context(), meta.ID, through, session.Meta{Title: title})
				if errors.Is(err, session.ErrNoEntry) {
					err = fmt.Errorf("%w; \"ampersat session show %s --log\" numbers them", err, shortID(meta.ID))
				}
				if err != nil {
					return err
				}
				fmt.Fprintln(io.out, fork.ID)
				return nil
			})
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.StringVar(&title, "title", "", "the title of the new session (default that of the other)")
	f.Int64Var(&at, "at", 0, "the last entry that the two share (default all); \"session show --log\" numbers them")
	return command
}

func sessionRenameCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	command := &cobra.Command{
		Use:   "rename SESSION TITLE",
		Short: "Change the title of a session",
		Args:  cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) < 2 || strings.TrimSpace(strings.Join(args[1:], " ")) == "" {
				return &usageError{command, errors.New("name a session and its new title")}
			}
			return withSession(command.Context(), options, args[0], func(_ *app.App, store session.Store, meta session.Meta) error {
				return store.Rename(command.Context(), meta.ID, strings.Join(args[1:], " "))
			})
		},
	}
	command.Flags().StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	return command
}

func sessionRemoveCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var yes bool
	command := &cobra.Command{
		Use:   "rm SESSION...",
		Short: "Remove sessions for good, with what no other mentions",
		Args:  cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return &usageError{command, errors.New("name the sessions to remove")}
			}
			return withApp(options, func(a *app.App) error { return removeSessions(command.Context(), io, a, args, yes) })
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&yes, "yes", false, "do not ask")
	return command
}

func removeSessions(ctx context.Context, io streams, a *app.App, names []string, yes bool) error {
	metas, err := findSessions(ctx, a, names)
	if err != nil {
		return err
	}
	if !yes {
		for _, m := range metas {
			fmt.Fprintf(io.err, "%s  %s  %s\n", shortID(m.ID), when(m.Updated), oneLine(m.Title))
		}
		agreed, err := io.confirm(ctx, fmt.Sprintf("remove %s for good?", wording.Count(len(metas), "session")))
		if err != nil {
			return err
		}
		if !agreed {
			return errors.New("session rm: nothing was removed")
		}
	}
	done := io.waitFor(a)
	defer done()
	var failed []error
	for _, m := range metas {
		if err := a.Remove(ctx, m.ID); err != nil {
			failed = append(failed, fmt.Errorf("remove session %s: %w", shortID(m.ID), busy(err)))
		}
	}
	if len(failed) < len(metas) {
		failed = append(failed, prune(ctx, io, a))
	}
	return errors.Join(failed...)
}

// prune removes what was mentioned in sessions that are gone, or says why it stays.
func prune(ctx context.Context, io streams, a *app.App) error {
	err := a.Prune(ctx)
	if errors.Is(err, app.ErrOthers) {
		fmt.Fprintf(io.err, "ampersat: what was mentioned there is still kept, since %v; it goes with the next \"session rm\" while none has\n", err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("the conversation is removed; what was mentioned in it is still kept: %w", err)
	}
	return nil
}
