package main

import (
	"context"
	"fmt"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/app"
	"github.com/ampersat/ampersat/message"
)

// showBody prints what "ask" would send first in a new session under the profile.
func showBody(ctx context.Context, io streams, a *app.App, flags contextFlags, text, piped string) error {
	rehearsal, err := a.Rehearse(flags.wire, func(note string) { fmt.Fprintln(io.err, "note:", oneLine(note)) })
	if err != nil {
		return err
	}
	turn, err := compose(ctx, a, rehearsal.Blobs, text, piped, flags.attach)
	if err != nil {
		return err
	}
	done := io.progress("reading what is mentioned", 500*time.Millisecond)
	body, stack, err := rehearsal.Body(ctx, turn)
	done()
	if err != nil {
		return err
	}
	if err := flags.copyStack(ctx, io, stack); err != nil {
		return err
	}
	if err := printBody(io, body); err != nil {
		return err
	}
	return flags.judge(stack)
}

// printPrompt prints what would be sent to an API of the prompt alone.
func printPrompt(io streams, a *app.App, flags contextFlags, stack ampersat.Stack) error {
	request := message.Request{Messages: stack.All(), Blobs: stack.Blobs, Stream: true}
	if flags.place == string(ampersat.AsTool) {
		request.Tools = app.Tools()
	}
	body, err := a.Encode(flags.wire, request)
	if err != nil {
		return err
	}
	return printBody(io, body)
}

// printBody prints a body, to the byte. What had to be said otherwise is told on
// stderr.
func printBody(io streams, body app.Body) error {
	if _, err := io.out.Write(body.JSON); err != nil {
		return err
	}
	if io.styled {
		fmt.Fprintln(io.out)
	}
	for _, d := range body.Degradations {
		fmt.Fprintln(io.err, "note:", oneLine(fmt.Sprintf("%s became %s: %s", d.Requested, d.Actual, d.Reason)))
	}
	return nil
}

// copyStack puts a stack on the clipboard, if the person wants it there.
func (f *contextFlags) copyStack(ctx context.Context, io streams, stack ampersat.Stack) error {
	if !f.copy {
		return nil
	}
	if err := io.copyToClipboard(ctx, plainStack(stack)); err != nil {
		return err
	}
	fmt.Fprintln(io.err, "copied")
	return nil
}

// judge returns an error if the person wants one for what is not in a stack.
func (f *contextFlags) judge(stack ampersat.Stack) error {
	if bad := stack.Bad(); f.strict && len(bad) > 0 {
		return &strictError{bad}
	}
	return nil
}
