package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// step sends one request and runs what the answer calls for. It reports whether
// the model is to be asked again.
func (t *turn) step(ctx context.Context) (more bool, err error) {
	if _, err := t.compact(ctx, "", false); err != nil {
		return false, err
	}
	end, at, failure := t.request(ctx)
	if errors.Is(failure, message.ErrContextLength) && end == nil && !t.shrunk {
		// Once: a provider that still finds it too long will find it so again.
		t.shrunk = true
		smaller, err := t.compact(ctx, "the provider found the request too long", true)
		if err != nil || smaller {
			return smaller, err
		}
		return false, fmt.Errorf("%w; nothing in the session can be left out", failure)
	}
	if end == nil {
		return false, failure
	}
	t.answer.Steps++
	t.account(*end)
	return t.settle(ctx, *end, at, failure)
}

// compact lets go of what the model need not see any more, if the view is too
// large or must be made smaller.
func (t *turn) compact(ctx context.Context, reason string, force bool) (smaller bool, err error) {
	entry, smaller, err := t.view.Compact(ctx, reason, force)
	if err != nil {
		return false, fmt.Errorf("make room: %w", err)
	}
	if !smaller {
		return false, nil
	}
	if err := t.append(ctx, entry); err != nil {
		return false, err
	}
	t.emit(func(s message.Stamp) Event { return Compacted{Stamp: s, Entry: entry} })
	return true, nil
}

// request writes a request to the log, sends it and returns the end of what
// came, nil if nothing did.
func (t *turn) request(ctx context.Context) (end *message.MessageEnd, at session.Seq, err error) {
	request := t.config.Settings
	request.Model, request.Stream, request.Tools = t.config.Model, true, t.specs
	var shorter *message.Degradation
	request.MaxOutputTokens, shorter = t.limit()
	request.Messages, request.Blobs, err = t.load(ctx, t.view.Request())
	if err != nil {
		return nil, 0, err
	}
	at, err = t.write(ctx, request)
	if err != nil {
		return nil, 0, err
	}
	stream := t.config.Provider.Stream(ctx, request)
	if stream == nil {
		stream = func(func(message.Event, error) bool) {}
	}
	for event, err := range stream {
		if last, ok := event.(message.MessageEnd); ok {
			if shorter != nil {
				last.Degradations = append(slices.Clip(last.Degradations), *shorter)
				event = last
			}
			end = &last
		}
		if event != nil {
			t.emit(func(s message.Stamp) Event { return Streamed{stampedPiece(event, s)} })
		}
		if err != nil {
			return end, at, err
		}
	}
	if end == nil {
		return nil, at, &message.Error{Kind: message.ErrStream, Provider: t.config.Provider.Name(), Model: t.config.Model, Message: "it ended without an end"}
	}
	return end, at, nil
}

// write appends the entry for a request, before it leaves.
func (t *turn) write(ctx context.Context, request message.Request) (session.Seq, error) {
	whole, err := session.Prepare(t.config.Provider.Name(), request)
	if err != nil {
		return 0, err
	}
	whole.Through, whole.Epoch, whole.Tokens = t.view.Head(), t.view.Epoch(), t.view.Tokens()
	whole.Report, t.report = t.report, nil
	whole.Choice = t.config.Choice
	entry := whole
	// An earlier request that cannot be put together any more is no reason to
	// stop: this one stands alone then.
	if base, earlier, sent, err := t.view.LastPrepared(ctx); err == nil && base != 0 {
		if entry, err = whole.Since(base, earlier, sent); err != nil {
			return 0, err
		}
	}
	if err := t.append(ctx, entry); err != nil {
		return 0, err
	}
	at := t.view.Head()
	t.emit(func(s message.Stamp) Event {
		return Requested{Stamp: s, At: at, Provider: t.config.Provider.Name(), Model: t.config.Model, Tokens: entry.Tokens}
	})
	return at, nil
}

// settle writes an answer to the log, whole or not, and runs its calls.
func (t *turn) settle(ctx context.Context, end message.MessageEnd, at session.Seq, failure error) (more bool, err error) {
	response := Respond(end)
	said := session.Said{
		Message:  message.Message{Role: message.Assistant, Content: response.Content},
		Prepared: at, Usage: response.Usage, Degradations: response.Degradations, FinishReason: response.FinishReason,
	}
	t.answer.Message, t.answer.At, t.answer.FinishReason = said.Message, 0, response.FinishReason
	// A call that cannot be read is told to the model in its result. If there is no
	// call, nobody would learn of it.
	whole := failure == nil || errors.Is(failure, message.ErrInvalidToolCall) && len(response.ToolCalls) > 0
	if !whole {
		said.Interrupted = failure.Error()
	}
	if len(response.Content.Parts) == 0 && !whole {
		return false, failure // nothing came: there is nothing to keep
	}
	if err := t.close(ctx, said); err != nil {
		return false, errors.Join(failure, err)
	}
	t.answer.At = t.view.Head()
	if !whole {
		return false, errors.Join(failure, t.leave(ctx, response.ToolCalls))
	}
	if len(response.ToolCalls) == 0 {
		return response.FinishReason == FinishPause, nil
	}
	view := t.View()
	view.Messages = without(view.Messages, t.gone) // as in the request
	jobs := t.work(ctx, response.ToolCalls, view)
	if err := t.finishTools(ctx, jobs); err != nil {
		return false, err
	}
	return true, ctx.Err()
}

// account adds up what a turn costs.
func (t *turn) account(end message.MessageEnd) {
	for _, d := range end.Degradations {
		same := func(o message.Degradation) bool {
			return o.Requested == d.Requested && o.Actual == d.Actual && o.Reason == d.Reason
		}
		if !slices.ContainsFunc(t.answer.Degradations, same) {
			t.answer.Degradations = append(t.answer.Degradations, d)
		}
	}
	if end.Usage == nil {
		return
	}
	if t.answer.Usage == nil {
		t.answer.Usage = &message.Usage{}
	}
	sum, u := t.answer.Usage, *end.Usage
	sum.InputTokens += u.InputTokens
	sum.OutputTokens += u.OutputTokens
	sum.TotalTokens += u.TotalTokens
	sum.ReasoningTokens += u.ReasoningTokens
	sum.CacheReadTokens += u.CacheReadTokens
	sum.CacheWriteTokens += u.CacheWriteTokens
	if u.CostUSD != nil {
		cost := *u.CostUSD
		if sum.CostUSD != nil {
			cost = cost.Add(*sum.CostUSD)
		}
		sum.CostUSD = &cost
	}
}

// leave gives the calls of an answer that was cut short a result each.
func (t *turn) leave(ctx context.Context, calls []message.ToolCall) error {
	if len(calls) == 0 {
		return nil
	}
	jobs := make([]*job, len(calls))
	for i, call := range calls {
		jobs[i] = &job{call: call}
		t.finish(ctx, jobs[i], Result{}, errors.New("it was not run: the answer was cut short"))
	}
	return t.finishTools(ctx, jobs)
}
