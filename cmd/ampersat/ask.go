package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/spf13/cobra"
)

// askFlags is what the person said to "ampersat ask".
type askFlags struct {
	options app.Options
	attach  []string
	session string
	// goOn says that the last session of the project goes on.
	goOn    bool
	noTools bool
	strict  bool
	json    bool
	quiet   bool
}

func askCommand(io streams) *cobra.Command {
	var flags askFlags
	var provider, model, profile, place, permissions string
	var budget tokenCount
	command := &cobra.Command{
		Use:   "ask [PROMPT|-]",
		Short: "Ask a model; what the prompt mentions goes with it",
		Long: `Ask sends a prompt to a model, with what its mentions name, and prints the answer
while it comes. The model can read, list and search the files of the project, and
with a profile such as dev write them and run commands; what is not harmless is
asked first. What is said is kept: --continue goes on with it, with the profile and
the model that it had.

What comes from a pipe goes with the prompt: git log | ampersat ask "summarise".

Ctrl-C stops the answer and keeps what has come; a second one quits.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 --strict and a mention was missing,
blocked or failed, or what came from a pipe was, 4 the provider refused, or its
filter stopped the answer, 130 interrupted, 141 nobody read the answer to its end.`,
		Example: `  ampersat ask "Explain @README.md"
  ampersat ask --continue "And in one sentence?"
  ampersat ask --model openai/gpt-5.6-terra "Compare @a.md and @b.md:3-9"
  ampersat ask --profile dev "Fix the failing test in @parser_test.go"
  git diff | ampersat ask "Write a commit message"`,
		Args: cobra.ArbitraryArgs,
		RunE: func(command *cobra.Command, args []string) error {
			flags.options.Flags = configFlags(command)
			if flags.goOn && flags.session != "" {
				return &usageError{command, errors.New("--continue is the last session, and --session names one; use one of them")}
			}
			prompt, piped, err := io.prompt(command, args)
			if err != nil {
				return err
			}
			err = withApp(flags.options, func(a *app.App) error { return ask(command.Context(), io, a, flags, prompt, piped) })
			if other := (*app.OtherProfileError)(nil); errors.As(err, &other) {
				return &usageError{command, err}
			}
			return flagMistake(command, err)
		},
	}
	f := command.Flags()
	f.StringVarP(&flags.options.Dir, "dir", "C", "", "work in this folder")
	f.StringArrayVar(&flags.options.Allow, "allow", nil, "let a path, a URL or a secret through that would be blocked (may be repeated)")
	f.StringVar(&flags.options.Terminal, "terminal", "", "the file, or pipe, with the output that @terminal names (default the tmux pane)")
	f.StringArrayVar(&flags.attach, "attach", nil, "attach a picture (may be repeated)")
	f.StringVar(&provider, "provider", "", "whose model to ask: anthropic, openai, azure, gemini, ollama, echo, or one that is configured")
	f.StringVar(&model, "model", "", "the model, as NAME or PROVIDER/NAME")
	f.StringVar(&profile, "profile", "", "who the assistant is (default "+app.DefaultProfile+"; "+app.NoProfile+" for nobody)")
	f.StringVar(&place, "place", "", "where the contents go: "+strings.Join(placements(), ", "))
	f.Var(&budget, "budget", "tokens that the contents may cost (default half of the window)")
	f.StringVar(&permissions, "permissions", "", "what tools may do without asking: ask, auto-read, all")
	f.StringVar(&flags.session, "session", "", "go on with this session")
	f.BoolVar(&flags.goOn, "continue", false, "go on with the last session of this project")
	f.BoolVar(&flags.noTools, "no-tools", false, "give the model no tools")
	f.BoolVar(&flags.strict, "strict", false, "ask nothing and exit with 3 if a mention is missing, blocked or failed")
	f.BoolVar(&flags.json, "json", false, "print every event as JSON, one a line")
	f.BoolVar(&flags.quiet, "quiet", false, "print the answer alone")
	return command
}

// prompt returns what the person wants to ask with a command, and what came from
// a pipe beside it. To ask nothing is wrong usage.
func (s streams) prompt(command *cobra.Command, args []string) (prompt, piped string, err error) {
	ctx := command.Context()
	prompt, err = s.inputText(ctx, args)
	switch {
	case errors.Is(err, errNoText):
		return "", "", &usageError{command, err}
	case err == nil && strings.TrimSpace(prompt) == "":
		return "", "", &usageError{command, errors.New("the prompt is empty")}
	case err != nil || len(args) == 0 || len(args) == 1 && args[0] == "-" || !s.inPipe:
		return prompt, "", err
	}
	// Who started us may have left a pipe open that says nothing.
	done := s.progress("reading standard input, which is not closed", 500*time.Millisecond)
	piped, err = s.inputText(ctx, nil)
	done()
	return prompt, piped, err
}

// noteReplaced says on stderr that a prompt does not reach the model as it is.
func (s streams) noteReplaced(prompt string) {
	n := 0
	for i, r := range prompt {
		if _, size := utf8.DecodeRuneInString(prompt[i:]); r == utf8.RuneError && size == 1 {
			n++
		}
	}
	if n > 0 {
		fmt.Fprintf(s.err, "note: the prompt is not valid UTF-8: the model gets it with %s replaced\n", wording.Count(n, "byte"))
	}
}

func ask(ctx context.Context, io streams, a *app.App, flags askFlags, prompt, piped string) error {
	answer := newAnswer(io, flags)
	answer.trusted = a.Trusted
	if !flags.quiet {
		io.noteReplaced(prompt)
	}
	talk := app.Talk{Session: flags.session, Title: prompt, NoTools: flags.noTools, Warn: answer.note, Alert: answer.warn, Notify: answer.retry}
	if flags.goOn {
		talk.Session = "last"
	}
	if io.hasKeyboard() {
		talk.Ask = answer.permission
	}
	talk.Admit = func(stack ampersat.Stack) error {
		bad := stack.Bad()
		// A prompt without what came with it through a pipe is another prompt.
		if len(bad) > 0 && flags.strict || slices.ContainsFunc(bad, app.IsPiped) {
			return &strictError{bad}
		}
		return nil
	}
	ready := io.progress("waiting for MCP servers", 500*time.Millisecond)
	dialogue, err := a.Talk(ctx, talk)
	ready()
	if err != nil {
		return refused(err)
	}
	if dialogue.Note != "" {
		answer.warn(dialogue.Note)
	}
	answer.atOnce = dialogue.AtOnce
	turn, err := compose(ctx, a, dialogue.Blobs, prompt, piped, flags.attach)
	if err != nil {
		return err
	}
	turn.Place, turn.Budget = dialogue.Place, dialogue.Budget
	waited := io.waitFor(a)
	tell := a.Waiting
	a.Waiting = func(holder string) {
		answer.still.over()
		tell(holder)
	}
	answer.waits("reading what is mentioned")
	done, err := dialogue.Turn(ctx, turn, func(e agent.Event) {
		waited()
		answer.watch(e)
	})
	if lost, ok := errors.AsType[*agent.NotKeptError](err); ok && ctx.Err() != nil {
		err = lost // who pressed Ctrl-C knows the rest
	}
	answer.close(ctx, done, dialogue, err)
	switch {
	case errors.Is(err, agent.ErrSteps):
		err = fmt.Errorf("%w: ampersat ask --continue \"go on\"", err)
	case err == nil && done.FinishReason == agent.FinishFilter:
		err = &providerError{errors.New("the provider's filter stopped the answer; what has come is kept")}
	}
	return errors.Join(refused(busy(err)), answer.lost)
}

// compose makes a turn of a prompt, what came from a pipe beside it, and the
// pictures that are attached.
func compose(ctx context.Context, a *app.App, blobs blob.Store, prompt, piped string, pictures []string) (ampersat.Turn, error) {
	turn := ampersat.Ask(prompt)
	if piped != "" {
		if err := withPiped(ctx, a, blobs, &turn, piped); err != nil {
			return turn, err
		}
	}
	for _, path := range pictures {
		picture, err := a.Attach(ctx, path)
		if err != nil {
			return turn, err
		}
		turn.Message.Content.Parts = append(turn.Message.Content.Parts, picture)
		turn.Message.Content.Plain = false
	}
	return turn, nil
}

// withPiped puts what came from a pipe before the prompt.
func withPiped(ctx context.Context, a *app.App, blobs blob.Store, turn *ampersat.Turn, piped string) error {
	ref, err := a.Piped(ctx, blobs, piped)
	if err != nil {
		return err
	}
	turn.Message.Content = message.Of(append([]message.Part{ref}, turn.Message.Content.Parts...)...)
	return nil
}

// providerError is a request that the provider refused: it was reached, and would
// not.
type providerError struct{ err error }

func (e *providerError) Error() string { return e.err.Error() }
func (e *providerError) Unwrap() error { return e.err }

// refused marks the errors that are the provider's, for the exit code.
func refused(err error) error {
	var failure *message.Error
	if !errors.As(err, &failure) {
		return err
	}
	// What may pass by itself is no refusal: a script can try that again.
	if failure.Kind.Retryable() || failure.Kind == message.ErrAborted || failure.Kind == message.ErrConfiguration {
		return err
	}
	return &providerError{err}
}
