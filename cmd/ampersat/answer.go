package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/internal/terminal"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// answer prints a turn while it runs: what the model says to stdout, what is to
// be known about it to stderr.
type answer struct {
	io    streams
	flags askFlags

	// text is where the model's words go, nil between two answers.
	text io.WriteCloser
	// sent says that a request is in the log.
	sent bool
	// said says that some words have been printed.
	said bool
	// atOnce says that an answer is printed when it is whole.
	atOnce bool
	// lost is which events could not be printed.
	lost error
	// trusted reports whether anything can be remembered for the project.
	trusted func() bool
	// still is what the person sees while nothing comes.
	still waiting
}

func newAnswer(io streams, flags askFlags) *answer {
	return &answer{io: io, flags: flags, still: waiting{io: io}}
}

// waits says what is waited for, unless the person wants the answer alone.
func (a *answer) waits(what string) {
	if !a.flags.quiet && !a.flags.json {
		a.still.begin(what)
	}
}

// watch is told what happens in the turn.
func (a *answer) watch(e agent.Event) {
	if _, ok := e.(agent.Requested); ok {
		a.sent = true
	}
	if a.flags.json {
		a.printEvent(e)
		return
	}
	switch e := e.(type) {
	case agent.Resolved:
		a.still.over()
		a.report(e.Stack)
	case agent.Requested:
		a.waits("waiting for the model")
	case agent.Streamed:
		switch piece := e.Event.(type) {
		case message.TextDelta:
			if !a.atOnce {
				a.print(piece.Text)
			}
		case message.MessageEnd:
			if text := message.Flatten(message.Of(piece.Content...)); a.atOnce && text != "" {
				a.print(text)
			}
			a.endText()
			a.still.over()
		}
	case agent.ToolStarted:
		if !e.Refused { // else its end says why
			a.remark("%s", e.Action.Summary)
			a.waits("waiting for " + oneLine(e.Call.Name))
		}
	case agent.ToolEnded:
		a.still.over()
		if e.Failed {
			a.remark("%s: %s", e.Call.Name, gist(result(e.Result)))
		}
	case agent.Compacted:
		a.remark("made room: %s → %s tokens; %s", wording.Number(e.Entry.TokensBefore), wording.Number(e.Entry.TokensAfter), e.Entry.Reason)
	}
}

// printEvent prints an event as JSON. In the place of one that cannot be written
// there is an error, so that no program takes the turn for one without it.
func (a *answer) printEvent(e agent.Event) {
	encoded, err := agent.EncodeEvent(e)
	if err != nil {
		err = fmt.Errorf("print event %s: %w", e.Type(), err)
		a.lost = errors.Join(a.lost, err)
		failure := message.Failure{Stamp: e.Stamped(), Err: &message.Error{Kind: message.ErrStream, Message: err.Error()}}
		failure.Extra = nil // which may be what cannot be written
		if encoded, err = message.EncodeEvent(failure); err != nil {
			return // it is lost, and the command fails for it
		}
	}
	// That nothing can be written any more is noticed by the checked writer.
	fmt.Fprintf(a.io.out, "%s\n", encoded)
}

// print shows some words of the model.
func (a *answer) print(text string) {
	a.still.over()
	if a.text == nil {
		if a.said { // another step of the same turn
			fmt.Fprintln(a.io.out)
		}
		a.text = a.io.answerWriter()
	}
	if text != "" {
		a.said = true
	}
	_, _ = io.WriteString(a.text, text) // the checked writer remembers
}

// endText ends what the model says in one step.
func (a *answer) endText() {
	if a.text != nil {
		_ = a.text.Close()
		a.text = nil
	}
}

// answerWriter returns where an answer is written to: Markdown is rendered on a
// terminal, and passed on as it is otherwise.
func (s streams) answerWriter() io.WriteCloser {
	if s.outTerminal {
		return terminal.NewMarkdown(s.out, s.columns, s.styled)
	}
	return &rawText{out: s.out, show: func(text string) string { return text }}
}

// rawText writes text as it is, and a line end if it has none.
type rawText struct {
	out  io.Writer
	show func(string) string
	last byte
}

func (r *rawText) Write(p []byte) (int, error) {
	if len(p) > 0 {
		r.last = p[len(p)-1]
	}
	_, err := io.WriteString(r.out, r.show(string(p)))
	return len(p), err
}

func (r *rawText) Close() error {
	if r.last == '\n' || r.last == 0 {
		return nil
	}
	_, err := io.WriteString(r.out, "\n")
	return err
}

// report says what became of the mentions.
func (a *answer) report(stack ampersat.Stack) {
	for i, r := range stack.Reports {
		line := fmt.Sprintf("%s%s  %s", strings.Repeat("  ", depth(stack, i)), cell(label(r)), r.Outcome)
		if r.Tokens > 0 {
			line += fmt.Sprintf("  %s tokens", number(r.Tokens))
		}
		if text := remark(r); text != "" {
			line += "  " + text
		}
		a.remark("%s", line)
	}
	for _, note := range stack.Notes {
		a.remark("note: %s", note)
	}
}

// remark says something to the person, unless they want the answer alone.
func (a *answer) remark(format string, args ...any) {
	if a.flags.quiet || a.flags.json {
		return
	}
	a.still.over()
	text := oneLine(fmt.Sprintf(format, args...))
	if a.io.errTerminal && a.io.styled {
		text = a.io.paint(text, faint)
	}
	fmt.Fprintln(a.io.err, text)
}

// note says what people should know and what stops nothing.
func (a *answer) note(text string) { a.remark("note: %s", text) }

// warn says what a person must know, also one who wants the answer alone.
func (a *answer) warn(text string) {
	a.still.over()
	fmt.Fprintln(a.io.err, "ampersat:", oneLine(text))
}

// retry says that a request is sent again.
func (a *answer) retry(failure *message.Error, pause time.Duration) {
	// What to do about it is being done.
	what := *failure
	what.RetryAfter = 0
	text := fmt.Sprintf("%s; trying again in %s", strings.TrimSuffix(what.Error(), "; "+what.Kind.Remedy()), pause.Round(100*time.Millisecond))
	if a.flags.json { // no event tells it
		fmt.Fprintln(a.io.err, oneLine(text))
		return
	}
	a.remark("%s", text)
	a.waits("waiting for the model")
}

// close ends the output, and says what the turn cost and how to go on.
func (a *answer) close(ctx context.Context, done agent.Answer, d *app.Dialogue, err error) {
	a.still.over()
	if a.flags.json {
		return
	}
	a.endText()
	for _, g := range done.Degradations {
		a.remark("note: %s: %s; %s", g.Requested, g.Actual, g.Reason)
	}
	if done.Unflushed != nil && err == nil {
		a.warn(fmt.Sprintf("the answer is kept, what was read for it is not (%v): the next turn may send whole files again", done.Unflushed))
	}
	var strict *strictError
	var lost *agent.NotKeptError
	switch {
	case errors.As(err, &strict):
		return
	case errors.As(err, &lost): // which is told after this
	case !a.sent && done.Said == 0:
		if ctx.Err() != nil {
			a.warn("stopped; nothing was sent or kept")
		} else if err != nil && !errors.As(err, new(*session.HeldError)) {
			a.warn("nothing was sent or kept")
		}
		return
	case ctx.Err() != nil:
		a.warn("stopped; what has come is kept, --continue goes on")
	case done.FinishReason == agent.FinishLength:
		a.warn("the answer is cut: the model's limit was reached; --continue \"go on\" gets the rest")
	case done.FinishReason == agent.FinishFilter: // which is told after this
	case err == nil && !a.said:
		a.warn("the model said nothing")
	}
	pieces := []string{d.Provider.Name() + "/" + d.Model}
	if u := done.Usage; u != nil {
		pieces = append(pieces, fmt.Sprintf("%s tokens in, %s out", wording.Number(u.Occupied()), wording.Number(u.OutputTokens)))
		if u.CostUSD != nil && !u.CostUSD.IsZero() {
			pieces = append(pieces, dollars(*u.CostUSD))
		}
	}
	a.remark("%s", strings.Join(append(pieces, "session "+shortID(d.ID())), " · "))
}

// permission asks the person whether a tool may do something. Whether there is
// one may be otherwise with each question: programs are sent to the background.
func (a *answer) permission(ctx context.Context, question agent.Question) (agent.Decision, error) {
	action := question.Action
	keyboard := a.io.keyboard()
	if keyboard == nil {
		return agent.Refuse, agent.ErrNobody
	}
	defer keyboard.Close()
	a.still.over()
	a.endText()
	fmt.Fprintln(a.io.err)
	if detail := strings.TrimSpace(action.Detail); detail != "" && !strings.Contains(action.Summary, detail) {
		fmt.Fprintln(a.io.err, shown(strings.TrimRight(action.Detail, "\n")))
	}
	fmt.Fprintf(a.io.err, "%s?\n  y  yes, this once\n  n  no\n  s  %s, in this session\n", shown(action.Summary), shown(agent.RuleFor(action).String()))
	choices := "y, n or s: "
	if a.trusted() {
		fmt.Fprintln(a.io.err, "  p  the same in this project, for good")
		choices = "y, n, s or p: "
	}
	for {
		fmt.Fprint(a.io.err, choices)
		line, err := a.io.readLine(ctx, keyboard)
		if err != nil && !errors.Is(err, io.EOF) { // Ctrl-D is a no
			return agent.Refuse, err
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "y", "yes":
			return agent.AllowOnce, nil
		case "s", "session":
			return agent.AllowForSession, nil
		case "p", "project":
			return agent.AllowForProject, nil
		case "n", "no", "":
			return agent.Refuse, nil
		}
	}
}

// gist is the first line of what a tool said, and the last if that is in
// brackets: there a command's end is told.
func gist(text string) string {
	first, rest, more := strings.Cut(strings.TrimSpace(text), "\n")
	if !more {
		return first
	}
	last := rest[strings.LastIndexByte(rest, '\n')+1:]
	if !strings.HasPrefix(last, "[") || !strings.HasSuffix(last, "]") {
		return first + " …"
	}
	if last != rest {
		first += " …"
	}
	return first + " " + last
}
