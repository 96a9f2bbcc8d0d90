package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/model"
	"github.com/spf13/cobra"
)

// contextFlags is what the person said to "ampersat context".
type contextFlags struct {
	options app.Options
	attach  []string
	place   string
	wire    string
	// provider and model are whose window and prices count. They are chosen if
	// somebody would be asked, so that the model's limits count too.
	provider, model string
	chosen          bool
	profile         string // the one to begin with, empty for the prompt alone
	session         string // the one that the prompt would go on with
	budget          int
	itemBudget      int
	// fixed says of a key of the configuration that it is not to be the profile's.
	fixed  func(key string) bool
	strict bool
	json   bool
	copy   bool
	quiet  bool
}

func contextCommand(io streams) *cobra.Command {
	var flags contextFlags
	command := &cobra.Command{
		Use:   "context [PROMPT|-]",
		Short: "Show what a model would see of a prompt; no model is called",
		Long: `Context reads what the mentions of a prompt name and shows the messages that a
model would get: each mention with what became of it and what it costs, and the
stack beneath. Nothing is sent anywhere. Without --profile that is the prompt
alone; with it, what "ampersat ask --profile" begins a session with; with --session,
what the prompt would add to one, where the model has seen some files already.

The project is the folder above that has a .git or an .ampersat in it, or the
working directory. The user's own folder is ~/.ampersat; AMPERSAT_HOME, an
absolute path, moves it.`,
		Example: `  ampersat context "Compare @a.md and @b.md:3-9 and @src/"
  ampersat context --budget 2000 --strict "Explain @README.md"
  ampersat context --json "Explain @README.md" | jq .tokens
  ampersat context --profile general --for anthropic "Explain @README.md"
  ampersat context --copy "Review @main.go"      paste it where you like`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			flags.options.Flags = configFlags(command)
			if err := flags.check(); err != nil {
				return &usageError{command, err}
			}
			text, piped, err := io.prompt(command, args)
			if err != nil {
				return err
			}
			err = withApp(flags.options, func(a *app.App) error {
				if err := flags.checkModel(a); err != nil {
					return &usageError{command, err}
				}
				return showContext(command.Context(), io, a, flags, text, piped)
			})
			return flagMistake(command, err)
		},
	}
	f := command.Flags()
	f.StringVarP(&flags.options.Dir, "dir", "C", "", "work in this folder")
	f.StringArrayVar(&flags.options.Allow, "allow", nil, "let a path, a URL or a secret through that would be blocked (may be repeated)")
	f.StringVar(&flags.options.Terminal, "terminal", "", "the file, or pipe, with the output that @terminal names (default the tmux pane)")
	f.StringArrayVar(&flags.attach, "attach", nil, "attach a picture (may be repeated)")
	f.StringVar(&flags.profile, "profile", "", "begin with this profile, as ask does; "+app.NoProfile+" for nobody (default the prompt alone)")
	f.StringVar(&flags.session, "session", "", "show what the next turn of this session would add; \"last\" for the latest")
	f.StringVar(&flags.place, "place", string(ampersat.Before), "where the contents go: "+strings.Join(placements(), ", "))
	f.StringVar(&flags.wire, "for", "", "print the exact body for an API, and nothing else: "+strings.Join(app.Wires(), ", "))
	f.StringVar(&flags.model, "model", "", "the model whose window and prices count (default the one that ask would choose)")
	f.Var((*tokenCount)(&flags.budget), "budget", "tokens that the contents may cost (default half of the window)")
	f.BoolVar(&flags.strict, "strict", false, "exit with 3 if a mention is missing, blocked or failed")
	f.BoolVar(&flags.json, "json", false, "print JSON: messages, mentions, tokens")
	f.BoolVar(&flags.copy, "copy", false, "put the stack on the clipboard too")
	f.BoolVar(&flags.quiet, "quiet", false, "print the stack without the table")
	return command
}

func placements() []string {
	var names []string
	for _, p := range ampersat.Placements {
		names = append(names, string(p))
	}
	return names
}

func (f *contextFlags) check() error {
	if !slices.Contains(placements(), f.place) {
		return fmt.Errorf("there is no placement %q; use one of %s", f.place, strings.Join(placements(), ", "))
	}
	if f.wire != "" && !slices.Contains(app.Wires(), f.wire) {
		return fmt.Errorf("there is no API called %q; use one of %s", f.wire, strings.Join(app.Wires(), ", "))
	}
	if f.wire != "" && f.json {
		return errors.New("--for prints a body, which is JSON already; leave out --json")
	}
	if f.session != "" && (f.wire != "" || f.profile != "") {
		return errors.New("--session shows what a prompt adds to a session, which has its profile; leave out --for and --profile")
	}
	return nil
}

// checkModel returns an error if the API of --for does not serve the model that
// the person named.
func (f *contextFlags) checkModel(a *app.App) error {
	provider, _ := a.Config.Selected()
	if f.wire == "" || f.model == "" || provider == app.WireProvider(f.wire) || a.Config.APIOf(provider) == f.wire {
		return nil
	}
	return fmt.Errorf("the model %s is not one of %s; write --model %s/NAME", f.model, f.wire, app.WireProvider(f.wire))
}

func showContext(ctx context.Context, io streams, a *app.App, flags contextFlags, text, piped string) error {
	io.noteAllowed(flags.options.Allow, a.Dir)
	io.noteReplaced(text)
	flags.configure(a.Config)
	if flags.wire != "" && flags.profile != "" {
		return showBody(ctx, io, a, flags, text, piped)
	}
	seen := app.Seen{Blobs: new(blob.Memory)}
	var system beginning
	var err error
	if flags.session != "" {
		if seen, err = a.Seen(ctx, flags.session, func(note string) { fmt.Fprintln(io.err, "note:", oneLine(note)) }); err == nil {
			flags.settle(io, a, seen.Profile, seen.Choice)
		}
	} else {
		system, err = flags.begin(ctx, io, a)
	}
	if err != nil {
		return err
	}
	// The table of models is read only if something depends on it.
	card := sync.OnceValue(func() model.Card {
		card, err := a.Config.Card(flags.provider, flags.model)
		if err != nil {
			fmt.Fprintln(io.err, "note:", oneLine(err.Error()))
		}
		return card
	})
	if piped != "" || flags.session != "" {
		a.Pipeline.Blobs = seen.Blobs
	}
	turn, err := compose(ctx, a, seen.Blobs, text, piped, flags.attach)
	if err != nil {
		return err
	}
	turn.Place = ampersat.Placement(flags.place)
	turn.View = seen.View
	turn.View.Messages = append(turn.View.Messages, system.stack.All()...)
	turn.Budget.Turn, turn.Budget.Item = flags.budget, flags.itemBudget
	if flags.chosen {
		turn.BoundThinking = card().BoundThinking
		turn.NoImages, turn.NoDocuments = card().Known && !card().Images, card().Known && !card().Documents
	}
	if flags.budget == 0 && card().Window > 0 {
		turn.Budget.Turn = card().Window / 2
	}
	done := io.progress("reading what is mentioned", 500*time.Millisecond)
	stack, err := a.Pipeline.Prepare(ctx, turn)
	done()
	if err != nil {
		return fmt.Errorf("prepare the prompt: %w", err)
	}
	mentions := stack.Reports
	stack = app.Join(system.stack, stack)
	if err := flags.copyStack(ctx, io, stack); err != nil {
		return err
	}
	switch {
	case flags.wire != "":
		err = printPrompt(io, a, flags, stack)
	case flags.json:
		all := stack
		all.Reports = mentions // the profile's are with the profile
		err = printStackJSON(io, all, system.origin)
	default:
		printStack(io, stack, card(), flags.quiet)
	}
	if err != nil {
		return err
	}
	return flags.judge(stack)
}
