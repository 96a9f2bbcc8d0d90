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

//go:embed list_files.md
var aboutListFiles string

// ListFiles is the arguments of list_files.
type ListFiles struct {
	Path string `json:"path"`
}

type listFiles struct{ *kit }

// Spec implements [agent.Tool].
func (*listFiles) Spec() message.ToolSpec { return ListFilesSpec() }

// ListFilesSpec describes list_files.
func ListFilesSpec() message.ToolSpec {
	return message.ToolSpec{
		Name: "list_files", Description: aboutListFiles,
		Parameters: jsontext.Value(`{"type":"object","properties":{` +
			`"path":{"type":"string","description":"the folder, from the working directory, or absolute; . is the working directory"}` +
			`},"required":["path"]}`),
	}
}

func (t *listFiles) arguments(input jsontext.Value) (a ListFiles, at aim, err error) {
	if a, err = arguments[ListFiles]("list_files", input); err == nil {
		if at, err = t.aim(a.Path); err != nil {
			err = fmt.Errorf("list_files: %w", err)
		}
	}
	return a, at, err
}

// Plan implements [agent.Tool].
func (t *listFiles) Plan(input jsontext.Value) (agent.Action, error) {
	_, at, err := t.arguments(input)
	if err != nil {
		return agent.Action{}, err
	}
	return at.listing(t.kit), nil
}

// listing is what it is to list what a path means.
func (a aim) listing(k *kit) agent.Action {
	return agent.Action{Effect: agent.Lists, Subject: folder(a.subject), Summary: "list " + k.name(a.path)}
}

// Run implements [agent.Tool].
func (t *listFiles) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	a, at, err := t.arguments(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	result, report, err := t.read(ctx, t.pipeline(at), call.View, at.mentions(func(namespace, path string) mention.Mention {
		return mention.Directory{Namespace: namespace, Path: path}
	})...)
	// What may be listed and is no folder is closed: nobody has opened what is in it.
	info := at.info()
	isFile := err != nil && info != nil && !info.IsDir()
	switch {
	case err != nil && !isFile:
		return result, fmt.Errorf("list %s: %w", a.Path, err)
	case isFile, report.Mention.Kind() != mention.KindDirectory:
		return agent.Result{}, fmt.Errorf("list %s: it is a file; read it with read_file", a.Path)
	}
	return result, nil
}
