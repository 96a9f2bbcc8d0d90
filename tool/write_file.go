package tool

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/wording"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

//go:embed write_file.md
var aboutWriteFile string

// WriteFile is the arguments of write_file.
type WriteFile struct {
	Path    string `json:"path"`
	Content string `json:"content"`
}

type writeFile struct{ *kit }

// Spec implements [agent.Tool].
func (*writeFile) Spec() message.ToolSpec {
	return message.ToolSpec{
		Name: "write_file", Description: aboutWriteFile,
		Parameters: jsontext.Value(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"the file, from the working directory, or absolute"},` +
			`"content":{"type":"string","description":"the whole content of the file"}` +
			`},"required":["path","content"]}`),
	}
}

func (t *writeFile) prepare(input jsontext.Value) (a WriteFile, at target, was present, err error) {
	if a, err = arguments[WriteFile]("write_file", input); err != nil {
		return a, at, was, err
	}
	path, err := t.path(a.Path)
	if err != nil {
		return a, at, was, fmt.Errorf("write_file: %w", err)
	}
	if at, err = locate(t.Roots, path); err == nil {
		was, err = at.read()
	}
	if err == nil {
		err = at.writable(was)
	}
	switch {
	case err != nil:
	case strings.HasSuffix(a.Path, "/"):
		err = fmt.Errorf("it is the name of a folder")
	case len(a.Content) > maxFile:
		err = fmt.Errorf("the content has %s bytes; files of up to %s are written", wording.Number(len(a.Content)), wording.Number(maxFile))
	case was.exists && string(was.raw) == a.Content:
		err = fmt.Errorf("this is what the file holds already")
	}
	if err != nil {
		err = fmt.Errorf("write %s: %w", a.Path, err)
	}
	return a, at, was, err
}

// Plan implements [agent.Tool].
func (t *writeFile) Plan(input jsontext.Value) (agent.Action, error) {
	a, at, was, err := t.prepare(input)
	if err != nil {
		return agent.Action{}, err
	}
	name := t.name(at.spelled)
	action := agent.Action{Effect: agent.Writes, Subject: at.spelled, Summary: "overwrite " + name, Undoable: true}
	switch {
	case !was.exists:
		action.Summary = "create " + name
		action.Detail = difference(name, "", a.Content)
	case was.isText:
		action.Detail = difference(name, was.text, a.Content)
	default:
		action.Detail = fmt.Sprintf("replaces %s that are not text\n%s", wording.Count(len(was.raw), "byte"), difference(name, "", a.Content))
	}
	action.Detail = was.elsewhere() + action.Detail
	return action, nil
}

// Run implements [agent.Tool].
func (t *writeFile) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	a, at, was, err := t.prepare(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	sight := t.sight(call.View, at, was.digest())
	switch {
	case was.exists && sight.seen && !sight.current:
		return agent.Result{}, fmt.Errorf("write %s: it has changed since you saw it; read it again before you overwrite it", a.Path)
	case was.exists && !sight.current:
		return agent.Result{}, fmt.Errorf("write %s: there is such a file, and you have not seen all of it as it is now; read it first, or change a part of it with edit_file", a.Path)
	}
	result, err := t.put(ctx, call, at, was, a.Content)
	if err != nil {
		return result, fmt.Errorf("write %s: %w", a.Path, err)
	}
	told := fmt.Sprintf("[created with %s, as you gave it]", wording.Count(len(a.Content), "byte"))
	if was.exists {
		told = fmt.Sprintf("[overwritten with %s, as you gave it]", wording.Count(len(a.Content), "byte"))
	}
	result.Parts = []message.Part{changed(sight, "", strings.TrimPrefix(a.Content, byteOrderMark), told)}
	return result, nil
}
