package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// Resolve implements [ampersat.Resolver].
func (c *Client) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	if err := ctx.Err(); err != nil {
		return ampersat.Content{}, err
	}
	if err := q.Asker.Allow(q.Mention); err != nil {
		return ampersat.Content{}, err
	}
	m, ok := q.Mention.(mention.Resource)
	if !ok {
		return ampersat.Content{}, q.Unfit("is not a resource of a server")
	}
	s, err := c.server(m.Server)
	if err != nil {
		return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: ampersat.Missing, Reason: err.Error()}
	}
	var content ampersat.Content
	err = s.do(ctx, s.config.Timeout, true, func(ctx context.Context, conn *connection) (err error) {
		content, err = conn.resolve(ctx, m, q.Limit)
		return err
	})
	if err != nil {
		return ampersat.Content{}, missed(ctx, m, err)
	}
	return content, nil
}

// missed is the error of a mention for an error of a server.
func missed(ctx context.Context, m mention.Resource, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if denied, ok := access.IsDenied(err); ok {
		return denied
	}
	var miss *ampersat.Miss
	if errors.As(err, &miss) {
		return miss
	}
	outcome := ampersat.Failed
	if isMissing(err) {
		outcome = ampersat.Missing
	}
	return &ampersat.Miss{Mention: m, Outcome: outcome, Reason: err.Error(), Err: err}
}

// isMissing reports whether a server said that there is no such resource.
func isMissing(err error) bool {
	answer := answered(err)
	if answer == nil {
		return false
	}
	if answer.Code == resourceNotFound {
		return true
	}
	said := strings.ToLower(answer.Message)
	for _, words := range [...]string{"not found", "unknown resource", "no such", "does not exist"} {
		if strings.Contains(said, words) && answer.Code != methodNotFound {
			return true
		}
	}
	return false
}

// resolve reads a resource, by its URI or by its name.
func (c *connection) resolve(ctx context.Context, m mention.Resource, limit int) (ampersat.Content, error) {
	if !hasScheme(m.URI) {
		uri, err := c.named(ctx, m)
		if err != nil {
			return ampersat.Content{}, err
		}
		m.URI = uri
	}
	var read readResult
	if err := c.call(ctx, "resources/read", params{URI: m.URI}, &read); err != nil {
		return ampersat.Content{}, err
	}
	contents := present(read.Contents)
	switch len(contents) {
	case 0:
		return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: ampersat.Missing,
			Reason: fmt.Sprintf("the MCP server %s has nothing there", m.Server)}
	case 1:
		content, err := c.content(ctx, m.Server, m.URI, contents[0], limit)
		content.Mention = m
		return content, err
	}
	all := ampersat.Content{Mention: m, Name: nameOf(m.Server, m.URI)}
	for _, one := range contents {
		uri := one.URI
		if uri == "" {
			uri = m.URI
		}
		content, err := c.content(ctx, m.Server, uri, one, limit)
		if err != nil {
			return ampersat.Content{}, err
		}
		content.Mention = mention.Resource{Server: m.Server, URI: uri}
		all.Files = append(all.Files, content)
		all.Size += content.Size
	}
	return all, nil
}

// named finds the URI of the resource that a server calls by a name.
func (c *connection) named(ctx context.Context, m mention.Resource) (string, error) {
	miss := func(outcome ampersat.Outcome, format string, args ...any) error {
		return &ampersat.Miss{Mention: m, Outcome: outcome, Reason: fmt.Sprintf(format, args...)}
	}
	resources, more, err := c.listResources(ctx)
	if err != nil {
		return "", err
	}
	var found []string
	for _, called := range []func(*resource) string{
		func(r *resource) string { return r.Name },
		func(r *resource) string { return r.Title },
	} {
		for _, r := range resources {
			if called(r) == m.URI {
				found = append(found, r.URI)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return "", miss(ampersat.Failed, "the MCP server %s has %d resources called %q: %s; mention one by its URI", m.Server, len(found), m.URI, few(found))
	case len(resources) == 0:
		return "", miss(ampersat.Missing, "the MCP server %s lists no resources; mention one by its URI", m.Server)
	case more:
		return "", miss(ampersat.Missing, "the MCP server %s has no resource called %q among its first %d; mention it by its URI", m.Server, m.URI, maxListed)
	}
	var names []string
	for _, r := range resources {
		names = append(names, r.Name)
	}
	return "", miss(ampersat.Missing, "the MCP server %s has no resource called %q; it has %s", m.Server, m.URI, few(names))
}

// few names the first of many.
func few(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// nameOf is what a resource is called to the model and to people: as it is
// mentioned.
func nameOf(server, uri string) string { return server + ":" + uri }

// hasScheme reports whether a text begins like a URI.
func hasScheme(text string) bool {
	scheme, _, ok := strings.Cut(text, ":")
	if !ok || scheme == "" {
		return false
	}
	for i, r := range scheme {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", r)) {
			return false
		}
	}
	return true
}
