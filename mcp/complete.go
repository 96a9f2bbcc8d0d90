package mcp

import (
	"context"
	"strings"
)

// maxCompletions is more than anybody looks through.
const maxCompletions = 100

// Completion is how the mention of a resource can go on.
type Completion struct {
	// URI is what may stand after the name of the server and the colon.
	URI string
	// Name, Description and MIME are what the server says about it.
	Name, Description, MIME string
	// Partial says that the URI goes on: an argument is to be typed at its end.
	Partial bool
}

// Complete returns how what was typed after "server:" can go on: the resources
// whose URI begins so or whose name has it, and templates, whose arguments the
// server completes. It starts the server if it does not run.
func (c *Client) Complete(ctx context.Context, server, prefix string) ([]Completion, error) {
	s, err := c.server(server)
	if err != nil {
		return nil, err
	}
	var all []Completion
	err = s.do(ctx, s.config.Timeout, true, func(ctx context.Context, conn *connection) (err error) {
		all, err = conn.complete(ctx, prefix)
		return err
	})
	return all, err
}

func (c *connection) complete(ctx context.Context, prefix string) ([]Completion, error) {
	resources, _, err := c.listResources(ctx)
	if err != nil {
		return nil, err
	}
	templates, _, err := c.listTemplates(ctx)
	if err != nil {
		return nil, err
	}
	var begin, contain []Completion
	folded := strings.ToLower(prefix)
	for _, r := range resources {
		found := Completion{URI: r.URI, Name: r.Name, Description: r.Description, MIME: r.MIME}
		switch {
		case strings.HasPrefix(strings.ToLower(r.URI), folded), strings.HasPrefix(strings.ToLower(r.Name), folded):
			begin = append(begin, found)
		case strings.Contains(strings.ToLower(r.Name), folded), strings.Contains(strings.ToLower(r.Title), folded):
			contain = append(contain, found)
		}
	}
	for _, t := range templates {
		found, err := c.fill(ctx, t, prefix)
		if err != nil {
			return nil, err
		}
		begin = append(begin, found...)
	}
	all := append(begin, contain...)
	return all[:min(len(all), maxCompletions)], nil
}

// fill completes a template.
func (c *connection) fill(ctx context.Context, t *resourceTemplate, prefix string) ([]Completion, error) {
	at, ok := parseTemplate(t.URITemplate).match(prefix)
	if !ok {
		return nil, nil
	}
	found := Completion{URI: at.head, Name: t.Name, Description: t.Description, MIME: t.MIME, Partial: at.more}
	if at.name == "" {
		return []Completion{found}, nil
	}
	if isNull(c.able.Completions) {
		return nil, nil
	}
	asked := params{
		Ref:      &reference{Type: "ref/resource", URI: t.URITemplate},
		Argument: &argument{Name: at.name, Value: at.value},
	}
	if len(at.args) > 0 {
		asked.Context = &completionSoFar{Arguments: at.args}
	}
	var said completeResult
	err := c.call(ctx, "completion/complete", asked, &said)
	if answered(err) != nil {
		return nil, nil // it completes other arguments, not this one
	}
	if err != nil {
		return nil, err
	}
	var all []Completion
	values := said.Completion.Values
	for _, value := range values[:min(len(values), maxCompletions)] {
		found.URI, found.Partial = at.with(value), at.more
		all = append(all, found)
	}
	return all, nil
}
