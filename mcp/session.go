package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// broken is the error for a connection that is of no more use.
type broken struct{ why error }

// Error implements error.
func (b *broken) Error() string { return b.why.Error() }
func (b *broken) Unwrap() error { return b.why }

func isBroken(err error) bool {
	var b *broken
	return errors.As(err, &b)
}

// call has the server do something. The server is told when nobody waits for it
// any more.
func (c *connection) call(ctx context.Context, method string, p params, result any) error {
	return c.callWith(ctx, method, p, nil, result)
}

// callWith is call with headers of its own, for where there are headers.
func (c *connection) callWith(ctx context.Context, method string, p params, header map[string]string, result any) error {
	if c.version >= modern {
		p.Meta = c.introduce(p.Meta)
	}
	return c.exchange(ctx, method, p, header, result)
}

// exchange sends a call and reads its answer.
func (c *connection) exchange(ctx context.Context, method string, p any, header map[string]string, result any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	asked, err := c.compose(method, p, header)
	if err != nil {
		return err
	}
	asked.ID = jsontext.Value(strconv.FormatInt(c.calls.Add(1), 10))
	answer, err := c.carry.ask(ctx, asked)
	switch {
	case err == nil:
		return answer.into(result)
	case ctx.Err() == nil:
		return err
	case method == "initialize": // which must not be cancelled; there is nothing else to say
		return ctx.Err()
	}
	if cancelled, err := c.compose("notifications/cancelled", params{RequestID: asked.ID, Reason: ctx.Err().Error()}, nil); err == nil {
		c.mutter(cancelled)
	}
	return ctx.Err()
}

// compose writes a call or a notice.
func (c *connection) compose(method string, p any, header map[string]string) (envelope, error) {
	if p, ok := p.(params); ok && c.version >= modern {
		header = withStandardHeaders(header, method, p)
	}
	value, err := json.Marshal(p, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return envelope{Method: method, Params: value, header: header}, err
}

// mutter says something that does no harm if it is not heard.
func (c *connection) mutter(e envelope) {
	c.aside(func(life context.Context) {
		ctx, cancel := context.WithTimeout(life, 5*moment)
		defer cancel()
		_ = c.carry.tell(ctx, e)
	})
}

// heard takes in what the server says unasked.
func (c *connection) heard(e envelope) {
	switch {
	case e.Method == "": // an answer that nobody waits for
	case e.ID != nil:
		c.mutter(reply(e))
	case e.Method == toolsChanged:
		c.tools.forget()
	case e.Method == resourcesChanged:
		c.resources.forget()
		c.templates.forget()
	case e.Method == "notifications/progress":
		var p progress
		if decode(e.Params, &p) != nil || p.Message == "" {
			return
		}
		if output, ok := c.outputs.Load(p.ProgressToken); ok {
			output.(func(string))(p.Message + "\n")
		}
	}
}

// reply answers what the server asks: that we are there, and nothing else, since
// we said that there is nothing else we can do.
func reply(asked envelope) envelope {
	if asked.Method == "ping" {
		return envelope{ID: asked.ID, Result: jsontext.Value("{}")}
	}
	return envelope{ID: asked.ID, Error: jsontext.Value(fmt.Sprintf(`{"code":%d,"message":"method not found"}`, methodNotFound))}
}

// us is what we say of ourselves.
func (c *connection) us() implementation {
	return implementation{Name: "ampersat", Version: c.server.client.config.Version}
}

// introduce adds to what a call says about itself who calls.
func (c *connection) introduce(m *meta) *meta {
	said := meta{}
	if m != nil {
		said = *m
	}
	us := c.us()
	said.Version, said.Client, said.Capabilities = modern, &us, &struct{}{}
	return &said
}

// initialize begins as all versions before modern do.
func (c *connection) initialize(ctx context.Context) error {
	var r initializeResult
	if err := c.exchange(ctx, "initialize", initializeParams{ProtocolVersion: legacy, ClientInfo: c.us()}, nil, &r); err != nil {
		return err
	}
	if !isKnown(r.ProtocolVersion) {
		return fmt.Errorf("it speaks the version %q of the protocol, which is not known here", r.ProtocolVersion)
	}
	c.agree(r.ProtocolVersion, r.Capabilities)
	ready, err := c.compose("notifications/initialized", params{}, nil)
	if err == nil {
		err = c.carry.tell(ctx, ready)
	}
	if err == nil && c.version < modern && r.Capabilities.changes() != (subscriptions{}) {
		err = c.listen(ctx)
	}
	return err
}

// listen hears what changes. It is waited for a little, so that no change of what is
// asked next goes unheard; a server that takes longer is not waited for.
func (c *connection) listen(ctx context.Context) error {
	opened := make(chan struct{})
	if !c.aside(func(life context.Context) { c.carry.listen(life, func() { close(opened) }) }) {
		return nil
	}
	select {
	case <-opened:
	case <-time.After(moment / 4):
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// discover begins as the newest version does, for servers that refuse the older
// ones.
func (c *connection) discover(ctx context.Context) error {
	c.agree(modern, abilities{})
	var r discoverResult
	if err := c.call(ctx, "server/discover", params{}, &r); err != nil {
		return err
	}
	if !slices.Contains(r.SupportedVersions, modern) {
		return fmt.Errorf("it speaks the versions %q of the protocol, of which none is known here", r.SupportedVersions)
	}
	c.able = r.Capabilities
	if wanted := r.Capabilities.changes(); wanted != (subscriptions{}) {
		c.aside(func(life context.Context) {
			// It is answered when it is over.
			_ = c.call(life, "subscriptions/listen", params{Listen: &wanted}, nil)
		})
	}
	return nil
}

// agree notes which version is spoken, and what the server can do.
func (c *connection) agree(version string, able abilities) {
	c.version, c.able = version, able
	c.carry.agreed(version)
}
