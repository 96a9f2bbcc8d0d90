package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
)

const (
	// maxTools is how many tools of one server a model is told of.
	maxTools = 200
	// maxDescription is how much of a description is worth its tokens.
	maxDescription = 8 << 10
)

// Tools returns the tools of all servers, in the order of the configuration. It
// starts the servers that do not run, except those whose tools are known (see
// [Config.CacheDir]). The error says which of them have none to
// offer because they could not be reached; the tools of the others are there all
// the same.
func (c *Client) Tools(ctx context.Context) ([]agent.Tool, error) {
	found := make([][]*tool, len(c.servers))
	errs := make([]error, len(c.servers))
	var wait sync.WaitGroup
	for i, s := range c.servers {
		wait.Go(func() { found[i], errs[i] = s.tools(ctx) })
	}
	wait.Wait()
	var all []*tool
	for _, tools := range found {
		all = append(all, tools...)
	}
	toolNames(all)
	offered := make([]agent.Tool, len(all))
	for i, t := range all {
		offered[i] = t
	}
	return offered, errors.Join(errs...)
}

func (s *server) tools(ctx context.Context) ([]*tool, error) {
	if s.config.Trust != nil {
		if err := s.config.Trust(); err != nil {
			return nil, err
		}
	}
	var listed []*toolSpec
	known := false
	var err error
	if !s.runs() {
		if listed, known = s.recall(); !known {
			if err := s.wasLate(); err != nil {
				return nil, err
			}
		}
	}
	if !known {
		err = s.do(ctx, s.config.Timeout, true, func(ctx context.Context, conn *connection) (err error) {
			listed, err = s.list(ctx, conn)
			return err
		})
	}
	if err != nil && ctx.Err() != nil {
		err = s.failed(s.starting.Load(), "its tools were not there in time, and are left out", err)
	}
	if err != nil {
		s.noteLate(err)
	}
	var tools []*tool
	for _, spec := range listed[:min(len(listed), maxTools)] {
		tools = append(tools, &tool{server: s, spec: spec})
	}
	return tools, err
}

// list asks the server for its tools, and keeps what it says.
func (s *server) list(ctx context.Context, conn *connection) ([]*toolSpec, error) {
	if tools, held := conn.tools.now(); held {
		return tools, nil
	}
	tools, _, err := conn.listTools(ctx)
	if err == nil {
		s.remember(tools)
	}
	return tools, err
}

// tool is an [agent.Tool] of a server.
type tool struct {
	server *server
	spec   *toolSpec
	name   string
}

// Spec implements [agent.Tool].
func (t *tool) Spec() message.ToolSpec {
	return message.ToolSpec{Name: t.name, Description: cut(t.spec.Description, maxDescription), Parameters: t.parameters()}
}

// parameters is the schema as the server gave it, with its members sorted, so
// that it is the same each time. A server that gives none takes any object.
func (t *tool) parameters() jsontext.Value {
	schema, err := inOrder(t.spec.InputSchema)
	if err != nil || schema.Kind() != '{' {
		return jsontext.Value(`{"type":"object"}`)
	}
	return schema
}

// inOrder is a value with the members of its objects sorted.
func inOrder(value jsontext.Value) (jsontext.Value, error) {
	value = value.Clone()
	err := value.Format(jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return value, err
}

// Plan implements [agent.Tool].
//
// What a tool does cannot be foreseen, so that calling it is like running a
// program. A server that the person configured is believed when it says that a
// tool changes nothing.
func (t *tool) Plan(input jsontext.Value) (agent.Action, error) {
	arguments, err := t.arguments(input)
	if err != nil {
		return agent.Action{}, err
	}
	action := agent.Action{
		Effect: agent.Runs, Subject: t.name,
		Summary: fmt.Sprintf("call %s of the MCP server %s", t.spec.Name, t.server.config.Name),
		Detail:  string(arguments),
	}
	if hints := t.spec.Annotations; t.server.config.Vouched && hints.ReadOnly {
		action.Effect = agent.Fetches
		if hints.OpenWorld != nil && !*hints.OpenWorld {
			action.Effect = agent.Reads
		}
	}
	return action, nil
}

// arguments are what a tool is called with.
func (t *tool) arguments(input jsontext.Value) (jsontext.Value, error) {
	if len(input) == 0 {
		return jsontext.Value("{}"), nil
	}
	input = input.Clone()
	if !input.IsValid() || input.Kind() != '{' {
		return nil, fmt.Errorf("call %s: the arguments must be a JSON object", t.name)
	}
	if err := input.Indent(); err != nil {
		return nil, fmt.Errorf("call %s: the arguments are not JSON: %w", t.name, err)
	}
	return input, nil
}

// Run implements [agent.Tool].
func (t *tool) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	arguments, err := t.arguments(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	var result agent.Result
	err = t.server.do(ctx, t.server.config.ToolTimeout, false, func(ctx context.Context, conn *connection) error {
		// What was known of its tools may be old. If they cannot be listed now, the
		// call tells why.
		_, _ = t.server.list(ctx, conn)
		asked, header := params{Name: t.spec.Name, Arguments: arguments}, map[string]string(nil)
		if call.Output != nil && call.ID != "" {
			conn.outputs.Store(call.ID, call.Output)
			defer conn.outputs.Delete(call.ID)
			asked.Meta = &meta{ProgressToken: call.ID}
		}
		if conn.version >= modern {
			header = argumentHeaders(t.spec.InputSchema, arguments)
		}
		var said callResult
		if err := conn.callWith(ctx, "tools/call", asked, header, &said); err != nil {
			return err
		}
		result, err = conn.result(ctx, &said)
		return err
	})
	return result, err
}
