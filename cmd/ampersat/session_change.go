package main

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/session"
	"github.com/spf13/cobra"
)

func sessionCompactCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	command := &cobra.Command{
		Use:   "compact SESSION",
		Short: "Let the model see less of a session; nothing is lost",
		Long: `Compact decides what the model no longer sees of a session, as it is done by
itself when the window is full, and prints what that saves. The log keeps all of
it: "session show" tells what was taken out, and a file that is mentioned again
is sent again.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if err := oneArgument(command, args); err != nil {
				return err
			}
			return withSession(command.Context(), options, args[0], func(a *app.App, _ session.Store, meta session.Meta) error {
				defer io.waitFor(a)()
				entry, done, err := a.Compact(command.Context(), meta.ID, func(text string) { fmt.Fprintln(io.err, "note:", oneLine(text)) })
				if err != nil {
					return fmt.Errorf("compact session %s: %w", shortID(meta.ID), busy(err))
				}
				if !done {
					fmt.Fprintln(io.out, "nothing can be taken out")
					return nil
				}
				fmt.Fprintf(io.out, "%s tokens saved: %s, now %s; %s left out or shortened\n", wording.Number(entry.TokensBefore-entry.TokensAfter),
					wording.Number(entry.TokensBefore), wording.Number(entry.TokensAfter), wording.Count(len(entry.Decisions), "piece"))
				return nil
			})
		},
	}
	command.Flags().StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	return command
}

func sessionPinCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var unpin bool
	command := &cobra.Command{
		Use:   "pin SESSION TURN",
		Short: "Keep a turn before the model's eyes, whatever is compacted",
		Long: `Pin keeps a turn of a session whole: what was said in it, what that mentioned and
what was answered is not taken out or shortened when the session is compacted.
What was taken out before stays out, and pin says how much that is. Turns are
counted from one, as in "session show --turn"; "session show" marks what is pinned.`,
		Example: `  ampersat session pin last 1
  ampersat session pin last 1 --unpin`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) != 2 {
				return &usageError{command, fmt.Errorf("name a session, or \"last\", and one of its turns; have %d", len(args))}
			}
			turn, err := strconv.Atoi(args[1])
			if err != nil || turn < 1 {
				return &usageError{command, fmt.Errorf("turn %q: turns are counted from one", args[1])}
			}
			return withSession(command.Context(), options, args[0], func(a *app.App, _ session.Store, meta session.Meta) error {
				return pin(command.Context(), io, a, meta, turn, unpin)
			})
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&unpin, "unpin", false, "it need not stay any more")
	return command
}

func pin(ctx context.Context, io streams, a *app.App, meta session.Meta, turn int, unpin bool) error {
	defer io.waitFor(a)()
	pinned, err := a.Pin(ctx, meta.ID, turn, unpin)
	if err != nil {
		return fmt.Errorf("pin turn %d of session %s: %w", turn, shortID(meta.ID), busy(err))
	}
	out := ""
	if pinned.Out > 0 && !unpin {
		out = fmt.Sprintf("; of its messages %d had been taken out or shortened, and what is out stays out", pinned.Out)
	}
	switch {
	case pinned.Changed == 0 && unpin:
		fmt.Fprintf(io.out, "turn %d is not pinned\n", turn)
	case pinned.Changed == 0:
		fmt.Fprintf(io.out, "turn %d is pinned already%s\n", turn, out)
	case unpin:
		fmt.Fprintf(io.out, "turn %d is not pinned any more: %s\n", turn, wording.Count(pinned.Changed, "message"))
	default:
		fmt.Fprintf(io.out, "turn %d is pinned: %s%s\n", turn, wording.Count(pinned.Changed, "message"), out)
	}
	return nil
}

func sessionUndoCommand(io streams) *cobra.Command {
	options := app.Options{AnyConfig: true}
	var force bool
	command := &cobra.Command{
		Use:   "undo [SESSION]",
		Short: "Take back the last turn, and what its tools wrote",
		Long: `Undo takes back the last turn of a session, by default the last one of this
project: files that tools wrote are as they were before, and the model does not
see what was said. The log keeps it all. Called again it takes back the turn
before. What commands and MCP servers did is not taken back; undo names the calls.`,
		Args: atMost(1, "one session"),
		RunE: func(command *cobra.Command, args []string) error {
			name := "last"
			if len(args) > 0 {
				name = args[0]
			}
			return withSession(command.Context(), options, name, func(a *app.App, _ session.Store, meta session.Meta) error {
				return undo(command.Context(), io, a, meta, force)
			})
		},
	}
	f := command.Flags()
	f.StringVarP(&options.Dir, "dir", "C", "", "work in this folder")
	f.BoolVar(&force, "force", false, "put files back that have changed since, too, and leave those whose former content is lost")
	return command
}

func undo(ctx context.Context, io streams, a *app.App, meta session.Meta, force bool) error {
	defer io.waitFor(a)()
	undone, err := a.Undo(ctx, meta.ID, force)
	left := map[string]bool{}
	for _, u := range undone.Files {
		switch {
		case u.Reason != "" && left[u.Change.Path]:
		case u.Reason != "":
			left[u.Change.Path] = true
			fmt.Fprintf(io.err, "left alone: %s: %s\n", shown(u.Change.Path), shown(u.Reason))
		case !u.Already && u.Change.Before == "":
			fmt.Fprintln(io.out, "removed", shown(u.Change.Path))
		case !u.Already:
			fmt.Fprintln(io.out, "restored", shown(u.Change.Path))
		}
	}
	if err != nil {
		return fmt.Errorf("undo in session %s: %w", shortID(meta.ID), busy(err))
	}
	for _, call := range undone.Left {
		how := ""
		switch {
		case !call.Ended:
			how = " (it did not come to its end)"
		case call.Effect == "":
			how = " (if it was run: the log is of an older version, and does not say)"
		}
		fmt.Fprintf(io.err, "not taken back: %s%s\n", oneLine(cmp.Or(call.Summary, call.Tool)), how)
	}
	var but []string
	if n := len(left); n > 0 {
		but = append(but, wording.Count(n, "file"))
	}
	if n := len(undone.Left); n > 0 {
		but = append(but, "what "+wording.Count(n, "call")+" did")
	}
	if len(but) > 0 {
		fmt.Fprintln(io.out, "the last turn is undone, but not", strings.Join(but, " and "))
		return nil
	}
	fmt.Fprintln(io.out, "the last turn is undone")
	return nil
}
