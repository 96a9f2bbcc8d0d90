package tool

import (
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

//go:embed fetch.md
var aboutFetch string

// Fetch is the arguments of fetch.
type Fetch struct {
	URL string `json:"url"`
}

type fetch struct{ *kit }

// Spec implements [agent.Tool].
func (*fetch) Spec() message.ToolSpec {
	return message.ToolSpec{
		Name: "fetch", Description: aboutFetch,
		Parameters: jsontext.Value(`{"type":"object","properties":{` +
			`"url":{"type":"string","description":"the address, with http:// or https://"}` +
			`},"required":["url"]}`),
	}
}

func (*fetch) arguments(input jsontext.Value) (*url.URL, error) {
	a, err := arguments[Fetch]("fetch", input)
	if err != nil {
		return nil, err
	}
	address, err := url.Parse(a.URL)
	switch {
	case err != nil:
		return nil, fmt.Errorf("fetch %.200q: it is not an address", a.URL)
	case address.Scheme != "http" && address.Scheme != "https":
		return nil, fmt.Errorf("fetch %.200q: an address begins with http:// or https://; files are read with read_file", a.URL)
	case address.Hostname() == "":
		return nil, fmt.Errorf("fetch %.200q: it names no host", a.URL)
	case address.User != nil:
		return nil, fmt.Errorf("fetch %s: an address with a password in it is not fetched", address.Redacted())
	}
	address.Host = strings.ToLower(address.Host)
	return address, nil
}

// Plan implements [agent.Tool].
func (t *fetch) Plan(input jsontext.Value) (agent.Action, error) {
	address, err := t.arguments(input)
	if err != nil {
		return agent.Action{}, err
	}
	return agent.Action{Effect: agent.Fetches, Subject: address.Host, Summary: "fetch " + oneLine(address.String()), Detail: address.String()}, nil
}

// Run implements [agent.Tool].
func (t *fetch) Run(ctx context.Context, call agent.Call) (agent.Result, error) {
	address, err := t.arguments(call.Input)
	if err != nil {
		return agent.Result{}, err
	}
	result, _, err := t.read(ctx, t.Pipeline, call.View, mention.URL{URL: address.String()})
	if err != nil {
		return result, fmt.Errorf("fetch %s: %w", address, err)
	}
	return result, nil
}
