package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// maxAtOnce is how many calls run at the same time.
const maxAtOnce = 8

// job is a call on its way to its result.
type job struct {
	call   message.ToolCall
	tool   Tool
	action Action

	// started says that whoever watches was told that it is run, and done that
	// there is a result.
	started bool
	done    bool
	// told says that whoever watches knows of the result; it belongs to who
	// holds turn.mu.
	told bool
	// result is what is told of the result, which may be cut, and whole all of it.
	result  message.ToolResult
	whole   message.ToolResult
	failed  bool
	err     error
	blobs   map[blob.Digest][]byte
	changes []Change
	// changing says that the log may have it that files are about to be written,
	// kept are the contents that were put into the store for that, and ended says
	// that no more will be; they belong to who holds turn.noting.
	changing, ended bool
	kept            map[blob.Digest]bool
	// unkept is what could not be kept of what it did.
	unkept error
}

// work answers the calls of one message, in their order. Every call gets a
// result, whatever happens: a history with an open call is refused by most
// providers.
//
// What only reads runs at the same time; what writes or runs a program waits
// for those before it, since a model that asks for an edit and a test in one
// breath means them in this order.
//
// What reads is given a view that has what the calls before it have shown, since
// that is what the model will read before it. What writes is not: the model had
// seen none of that when it called.
func (t *turn) work(ctx context.Context, calls []message.ToolCall, view ampersat.View) []*job {
	jobs := make([]*job, len(calls))
	for i, call := range calls {
		jobs[i] = &job{call: call}
	}
	after := ampersat.View{Messages: slices.Clip(view.Messages), FirstTurn: view.FirstTurn}
	for at := 0; at < len(jobs); {
		batch, seen := 0, after
		for at+batch < len(jobs) {
			j := jobs[at+batch]
			if j.tool == nil && !j.done {
				t.plan(ctx, j)
			}
			alone := !j.done && (j.action.Effect == Writes || j.action.Effect == Runs)
			if alone && batch > 0 {
				break
			}
			batch++
			if alone {
				seen = view
				break
			}
		}
		seen.Messages = slices.Clip(seen.Messages) // whoever appends to it does so elsewhere
		t.runAll(ctx, jobs[at:at+batch], seen)
		after.Messages = append(after.Messages, exchange(jobs[at:at+batch])...)
		at += batch
	}
	return jobs
}

// exchange returns calls with their results, as the model will see them.
func exchange(jobs []*job) []message.Message {
	var calls, results []message.Part
	for _, j := range jobs {
		calls, results = append(calls, j.call), append(results, j.result)
	}
	return []message.Message{{Role: message.Assistant, Content: message.Of(calls...)}, {Role: message.Tool, Content: message.Of(results...)}}
}

// plan finds the tool of a call and asks whether it may be run. A call that may
// not has its result.
func (t *turn) plan(ctx context.Context, j *job) {
	switch raw, broken := rawArguments(j.call); {
	case ctx.Err() != nil:
		t.finish(ctx, j, Result{}, errNotRun)
		return
	case broken:
		t.finish(ctx, j, Result{}, misread(raw))
		return
	}
	i := slices.IndexFunc(t.specs, func(s message.ToolSpec) bool { return s.Name == j.call.Name })
	if i < 0 {
		t.finish(ctx, j, Result{}, fmt.Errorf("there is no tool called %q; there are %s", j.call.Name, strings.Join(t.toolNames(), ", ")))
		return
	}
	tool := t.config.Tools[i]
	action, err := planned(tool, j.call.Name, input(j.call))
	j.action = action
	if err == nil {
		err = t.config.Permissions.Check(ctx, Question{Action: action, Tool: j.call.Name, Call: j.call.ID, Session: t.Conversation.id, Turn: t.id})
	}
	if err != nil {
		if ctx.Err() != nil {
			err = errNotRun
		}
		t.finish(ctx, j, Result{}, err)
		return
	}
	j.tool = tool
}

var errNotRun = errors.New("it was not run: the person stopped the turn")

// runAll runs jobs at the same time and waits for all of them. If whoever watches
// panics, it does so here, where the caller of the turn can recover.
func (t *turn) runAll(ctx context.Context, jobs []*job, view ampersat.View) {
	var wait sync.WaitGroup
	slots := make(chan struct{}, maxAtOnce)
	panics := make(chan any, len(jobs))
	for _, j := range jobs {
		if j.done {
			continue
		}
		wait.Go(func() {
			defer func() {
				if value := recover(); value != nil {
					panics <- value
				}
			}()
			slots <- struct{}{}
			defer func() { <-slots }()
			t.runOne(ctx, j, view)
		})
	}
	wait.Wait()
	if len(panics) > 0 {
		panic(<-panics)
	}
}

// runOne runs a job. Whatever the tool does, the job has a result.
func (t *turn) runOne(ctx context.Context, j *job, view ampersat.View) {
	if ctx.Err() != nil {
		t.finish(ctx, j, Result{}, errNotRun)
		return
	}
	if err := t.noteActing(ctx, j); err != nil {
		if ctx.Err() != nil {
			err = errNotRun
		}
		t.finish(ctx, j, Result{}, err)
		return
	}
	j.started = true
	t.emit(func(s message.Stamp) Event { return ToolStarted{Stamp: s, Call: j.call, Action: j.action} })
	result, err := Result{}, fmt.Errorf("%s: %w", j.call.Name, errNoResult)
	defer func() { t.finish(ctx, j, result, err) }()
	defer recovered(j.call.Name, &err)
	output := func(text string) {
		t.emit(func(s message.Stamp) Event {
			if j.told {
				return nil
			}
			return ToolOutput{Stamp: s, ID: j.call.ID, Text: text}
		})
	}
	changing := func(ctx context.Context, changes []Change, blobs map[blob.Digest][]byte) error {
		return t.noteChanging(ctx, j, changes, blobs)
	}
	result, err = j.tool.Run(ctx, Call{ID: j.call.ID, Input: input(j.call), View: view, Output: output, Changing: changing})
}

// finish gives a job its result. What a tool changed is kept even if it failed.
func (t *turn) finish(ctx context.Context, j *job, result Result, err error) {
	result, wrong := t.check(ctx, result)
	if wrong != nil {
		err = errors.Join(err, fmt.Errorf("%s: %w", j.call.Name, wrong))
	}
	j.done, j.failed, j.err, j.changes = true, result.Failed || err != nil, err, result.Changes
	j.blobs = result.Blobs
	j.unkept = t.noteChanged(ctx, j)
	parts := result.Parts
	// A tool that was stopped and says so has said it all.
	if err != nil && !(len(parts) > 0 && wrong == nil && ctx.Err() != nil && errors.Is(err, ctx.Err())) {
		parts = append(slices.Clip(parts), message.Text{Text: lineBreak(parts) + "error: " + err.Error()})
	}
	switch {
	case len(parts) == 0:
		j.result = message.TextResult(j.call.ID, "(no output)")
	case len(parts) == 1 && isPlainText(parts[0]):
		j.result = message.TextResult(j.call.ID, parts[0].(message.Text).Text)
	default:
		if j.result, err = message.PartResult(j.call.ID, parts...); err != nil {
			j.err, j.failed = errors.Join(j.err, fmt.Errorf("%s: %w", j.call.Name, err)), true
			j.result = message.TextResult(j.call.ID, "error: "+j.err.Error())
		}
	}
	if j.failed {
		j.result.Extra = jsontext.Value(`{"is_error":true}`)
	}
	// What a single call brings must not fill the window.
	j.whole = j.result
	capped, _ := t.config.Policy.Cap(message.Message{Content: message.Of(j.whole)})
	j.result = capped.Content.Parts[0].(message.ToolResult)
	if !j.started {
		t.emit(func(s message.Stamp) Event {
			return ToolStarted{Stamp: s, Call: j.call, Action: j.action, Refused: true}
		})
	}
	t.emit(func(s message.Stamp) Event {
		j.told = true
		return ToolEnded{Stamp: s, Call: j.call, Result: j.result, Failed: j.failed, Err: j.err, Changes: slices.Clone(j.changes)}
	})
}

// lineBreak is what comes before a line of its own, after what was said.
func lineBreak(parts []message.Part) string {
	if len(parts) == 0 {
		return ""
	}
	if text, ok := parts[len(parts)-1].(message.Text); ok && !strings.HasSuffix(text.Text, "\n") {
		return "\n"
	}
	return ""
}

func isPlainText(p message.Part) bool {
	text, ok := p.(message.Text)
	return ok && text.Visibility == "" && text.Extra == nil
}

// input is the arguments of a call, an empty object if it has none.
func input(call message.ToolCall) jsontext.Value {
	if len(call.Input) == 0 {
		return jsontext.Value("{}")
	}
	return call.Input
}

// rawArguments returns what a model wrote in place of arguments.
func rawArguments(call message.ToolCall) (raw string, broken bool) {
	var extra struct {
		Raw *string `json:"raw_arguments"`
	}
	if len(call.Extra) == 0 || json.Unmarshal(call.Extra, &extra) != nil || extra.Raw == nil {
		return "", false
	}
	return *extra.Raw, true
}

// misread tells a model what is wrong with what it wrote in place of arguments.
func misread(raw string) error {
	if value := jsontext.Value(raw); value.IsValid(jsontext.AllowDuplicateNames(true)) && value.Kind() == '{' {
		return fmt.Errorf("the arguments have a name twice: %.200s; call it again with each name once", raw)
	}
	return fmt.Errorf("the arguments are not a JSON object: %.200s; call it again with one", raw)
}

// toolNames are the names of the tools, for a model that made one up.
func (t *turn) toolNames() []string {
	names := make([]string, len(t.specs))
	for i, s := range t.specs {
		names[i] = s.Name
	}
	return names
}
