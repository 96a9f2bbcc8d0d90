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

//go:embed edit_file.md
var aboutEditFile string

// EditFile is the arguments of edit_file.
type EditFile struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
	All  bool   `json:"all,omitzero"`
}

type editFile struct{ *kit }

// Spec implements [agent.Tool].
func (*editFile) Spec() message.ToolSpec {
	return message.ToolSpec{
		Name: "edit_file", Description: aboutEditFile,
		Parameters: jsontext.Value(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"the file, from the working directory, or absolute"},` +
			`"old":{"type":"string","description":"the text to replace, exactly as it stands in the file"},` +
			`"new":{"type":"string","description":"the text to put in its place; empty to delete"},` +
			`"all":{"type":"boolean","description":"replace every occurrence, not just one"}` +
			`},"required":["path","old","new"]}`),
	}
}

// edit is an edit that fits the file as it is now.
type edit struct {
	target target
	was    present
	// text is the new text, without the byte order mark.
	text  string
	count int
}

// prepare works the edit out. Errors are for the model, and hold nothing of the
// file: whether it may be read is another question.
func (t *editFile) prepare(input jsontext.Value) (EditFile, edit, error) {
	a, err := arguments[EditFile]("edit_file", input)
	if err != nil {
		return a, edit{}, err
	}
	path, err := t.path(a.Path)
	if err != nil {
		return a, edit{}, fmt.Errorf("edit_file: %w", err)
	}
	e, err := t.plan(path, a)
	if err != nil {
		return a, edit{}, fmt.Errorf("edit %s: %w", a.Path, err)
	}
	return a, e, nil
}

func (t *editFile) plan(path string, a EditFile) (edit, error) {
	e := edit{}
	var err error
	if e.target, err = locate(t.Roots, path); err != nil {
		return e, err
	}
	if e.was, err = e.target.read(); err != nil {
		return e, err
	}
	switch {
	case !e.was.exists:
		return e, fmt.Errorf("there is no such file; make it with write_file")
	case !e.was.isText:
		return e, fmt.Errorf("it is not text in UTF-8")
	case a.Old == "":
		return e, fmt.Errorf("old is empty; give the text to replace, or write the whole file with write_file")
	case a.Old == a.New:
		return e, fmt.Errorf("old and new are the same")
	}
	if err := e.target.writable(e.was); err != nil {
		return e, err
	}
	if err := t.secrets(e.target.spelled, e.was.text); err != nil {
		return e, err
	}
	old, new := lineEnds(e.was.text, a.Old, a.New)
	e.count = strings.Count(e.was.text, old)
	switch {
	case e.count == 0:
		return e, fmt.Errorf("old does not stand in it; %s", nearest(e.was.text, old))
	case e.count > 1 && !a.All:
		return e, fmt.Errorf("old stands in it %s times, in %s; give more of the lines around it, or all: true", wording.Number(e.count), linesOf(e.was.text, old))
	}
	e.text = strings.ReplaceAll(e.was.text, old, new)
	if len(e.text) > maxFile {
		return e, fmt.Errorf("it would have %s bytes; files of up to %s are written", wording.Number(len(e.text)), wording.Number(maxFile))
	}
	return e, nil
}

// Plan implements [agent.Tool].
func (t *editFile) Plan(input jsontext.Value) (agent.Action, error) {
	_, e, err := t.prepare(input)
	if err != nil {
		return agent.Action{}, err
	}
	name := t.name(e.target.spelled)
	return agent.Action{
		Effect: agent.Writes, Subject: e.target.spelled, Summary: "edit " + name,
		Detail: e.was.elsewhere() + difference(name, e.was.text, e.text), Undoable: true,
	}, nil
}

// Run implements [agent.Tool].
func (t *editFile) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	a, e, err := t.prepare(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	sight := t.sight(call.View, e.target, e.was.digest())
	if sight.seen && !sight.current {
		return agent.Result{}, fmt.Errorf("edit %s: it has changed since you saw it; read it again and look whether the edit still fits", a.Path)
	}
	result, err := t.put(ctx, call, e.target, e.was, e.was.mark+e.text)
	if err != nil {
		return result, fmt.Errorf("edit %s: %w", a.Path, err)
	}
	told := difference(sight.names[0], e.was.text, e.text)
	if len(told) > maxTold {
		told = fmt.Sprintf("[%s, as you gave it]", wording.Count(e.count, "replacement"))
	}
	result.Parts = []message.Part{changed(sight, e.was.digest(), e.text, told)}
	return result, nil
}
