package tool

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

//go:embed read_file.md
var aboutReadFile string

// manyLines is how many lines are read where only the first is said.
const manyLines = 2_000

// ReadFile is the arguments of read_file.
type ReadFile struct {
	Path  string `json:"path"`
	First int    `json:"first,omitzero"`
	Last  int    `json:"last,omitzero"`
}

type readFile struct{ *kit }

// Spec implements [agent.Tool].
func (*readFile) Spec() message.ToolSpec { return ReadFileSpec() }

// ReadFileSpec describes read_file.
func ReadFileSpec() message.ToolSpec {
	return message.ToolSpec{
		Name: "read_file", Description: aboutReadFile,
		Parameters: jsontext.Value(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"the file, from the working directory, or absolute"},` +
			`"first":{"type":"integer","description":"the first line to read, counted from one"},` +
			`"last":{"type":"integer","description":"the last line to read"}` +
			`},"required":["path"]}`),
	}
}

func (t *readFile) arguments(input jsontext.Value) (a ReadFile, at aim, err error) {
	if a, err = arguments[ReadFile]("read_file", input); err != nil {
		return a, aim{}, err
	}
	if at, err = t.aim(a.Path); err != nil {
		return a, aim{}, fmt.Errorf("read_file: %w", err)
	}
	switch {
	case a.First < 0 || a.Last < 0:
		err = fmt.Errorf("read_file: lines are counted from one")
	case a.Last > 0 && a.First > a.Last:
		err = fmt.Errorf("read_file: line %d comes before line %d", a.Last, a.First)
	case a.First > 0 && a.Last == 0:
		a.Last = a.First + manyLines - 1
	case a.Last > 0 && a.First == 0:
		a.First = 1
	}
	return a, at, err
}

// Plan implements [agent.Tool].
func (t *readFile) Plan(input jsontext.Value) (agent.Action, error) {
	a, at, err := t.arguments(input)
	if err != nil {
		return agent.Action{}, err
	}
	if info := at.info(); info != nil && info.IsDir() {
		return at.listing(t.kit), nil // which is what one gets to see of a folder
	}
	action := agent.Action{Effect: agent.Reads, Subject: at.subject, Summary: "read " + t.name(at.path)}
	if a.First > 0 {
		action.Summary += fmt.Sprintf(", lines %d-%d", a.First, a.Last)
	}
	return action, nil
}

// Run implements [agent.Tool].
func (t *readFile) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	a, at, err := t.arguments(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	result, _, err := t.read(ctx, t.pipeline(at), call.View, at.mentions(func(namespace, path string) mention.Mention {
		if a.First > 0 {
			return mention.Selection{Namespace: namespace, Path: path, First: a.First, Last: a.Last}
		}
		return mention.File{Namespace: namespace, Path: path}
	})...)
	if err != nil {
		return result, fmt.Errorf("read %s: %w", a.Path, err)
	}
	return result, nil
}
