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
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/spf13/cobra"
)

// contextFlags is what the person said to "ampersat context".
type contextFlags struct {
	options app.Options
	attach  []string
	place   string
	wire    string
	model   string
	// modelGiven says that the model was named, so that its limits count too.
	modelGiven bool
	profile    string // the one to begin with
	budget     int
	itemBudget int
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
stack beneath. Nothing is sent anywhere.

The project is the folder above that has a .git or an .ampersat in it, or the
working directory. The user's own folder is ~/.ampersat; AMPERSAT_HOME, an
absolute path, moves it.`,
		Example: `  ampersat context "Compare @a.md and @b.md:3-9 and @src/"
  ampersat context --budget 2000 --strict "Explain @README.md"
  ampersat context --json "Explain @README.md" | jq .tokens
  ampersat context --for anthropic "Explain @README.md"
  ampersat context --copy "Review @main.go"      paste it where you like`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			flags.modelGiven = command.Flags().Changed("model")
			flags.options.Flags = configFlags(command)
			if err := flags.check(); err != nil {
				return &usageError{command, err}
			}
			go access.PrepareScan() // while the prompt is read and the project looked for
			text, piped, err := io.prompt(command, args)
			if err != nil {
				return err
			}
			err = withApp(flags.options, func(a *app.App) error { return showContext(command.Context(), io, a, flags, text, piped) })
			return flagMistake(command, err)
		},
	}
	f := command.Flags()
	f.StringVarP(&flags.options.Dir, "dir", "C", "", "work in this folder")
	f.StringArrayVar(&flags.options.Allow, "allow", nil, "let a path, a URL or a secret through that would be blocked (may be repeated)")
	f.StringVar(&flags.options.Terminal, "terminal", "", "the file, or pipe, with the output that @terminal names (default the tmux pane)")
	f.StringArrayVar(&flags.attach, "attach", nil, "attach a picture (may be repeated)")
	f.StringVar(&flags.profile, "profile", "", "begin with this profile, whose settings count where no flag says otherwise")
	f.StringVar(&flags.place, "place", string(ampersat.Before), "where the contents go: "+strings.Join(placements(), ", "))
	f.StringVar(&flags.wire, "for", "", "print the exact body for an API, and nothing else: "+strings.Join(app.Wires(), ", "))
	f.StringVar(&flags.model, "model", app.DefaultModel, "the model whose window and prices count")
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
	if owner := app.WireProvider(f.wire); f.wire != "" && f.modelGiven && !strings.HasPrefix(f.model, owner+"/") {
		return fmt.Errorf("the model %s is not one of %s; write --model %s/NAME", f.model, f.wire, owner)
	}
	if f.wire != "" && f.json {
		return errors.New("--for prints a body, which is JSON already; leave out --json")
	}
	if provider, name, ok := strings.Cut(f.model, "/"); !ok || provider == "" || name == "" {
		return fmt.Errorf("the model %q is not written provider/model", f.model)
	}
	return nil
}

func showContext(ctx context.Context, io streams, a *app.App, flags contextFlags, text, piped string) error {
	io.noteAllowed(flags.options.Allow, a.Dir)
	flags.configure(a.Config)
	system, err := flags.begin(ctx, a)
	if err != nil {
		return err
	}
	provider, name, _ := strings.Cut(flags.model, "/")
	// The table of models is read only if something depends on it.
	card := sync.OnceValue(func() model.Card {
		card, err := a.Config.Card(provider, name)
		if err != nil {
			fmt.Fprintln(io.err, "note:", oneLine(err.Error()))
		}
		return card
	})
	turn := ampersat.Ask(text)
	if piped != "" {
		blobs := new(blob.Memory)
		a.Pipeline.Blobs = blobs
		if err := withPiped(ctx, a, blobs, &turn, piped); err != nil {
			return err
		}
	}
	for _, path := range flags.attach {
		picture, err := a.Attach(ctx, path)
		if err != nil {
			return err
		}
		turn.Message.Content.Parts = append(turn.Message.Content.Parts, picture)
	}
	turn.Place = ampersat.Placement(flags.place)
	turn.View.Messages = system.stack.All()
	turn.Budget.Turn, turn.Budget.Item = flags.budget, flags.itemBudget
	turn.BoundThinking = flags.modelGiven && card().BoundThinking
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
	if flags.copy {
		if err := io.copyToClipboard(ctx, plainStack(stack)); err != nil {
			return err
		}
		fmt.Fprintln(io.err, "copied")
	}
	switch {
	case flags.wire != "":
		err = printBody(io, flags, name, stack)
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
	if bad := stack.Bad(); flags.strict && len(bad) > 0 {
		return &strictError{bad}
	}
	return nil
}

// printBody prints what would be sent to an API, to the byte. What had to be
// said otherwise is told on stderr.
func printBody(io streams, flags contextFlags, model string, stack ampersat.Stack) error {
	request := message.Request{Messages: stack.All(), Blobs: stack.Blobs, Stream: true}
	if flags.place == string(ampersat.AsTool) {
		request.Tools = app.Tools()
	}
	if flags.modelGiven {
		request.Model = model
	}
	body, degradations, err := app.Encode(flags.wire, request)
	if err != nil {
		return err
	}
	if _, err := io.out.Write(body); err != nil {
		return err
	}
	if io.styled {
		fmt.Fprintln(io.out)
	}
	for _, d := range degradations {
		fmt.Fprintln(io.err, "note:", oneLine(fmt.Sprintf("%s became %s: %s", d.Requested, d.Actual, d.Reason)))
	}
	return nil
}

// strictError is what --strict says of mentions that the model does not get.
type strictError struct{ bad []ampersat.Report }

func (e *strictError) Error() string {
	var lines []string
	for _, r := range e.bad {
		lines = append(lines, fmt.Sprintf("%s is %s: %s", oneLine(label(r)), r.Outcome, oneLine(r.Reason)))
	}
	return strings.Join(lines, "\nampersat: ")
}
