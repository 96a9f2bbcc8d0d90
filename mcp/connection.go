package mcp

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// carrier is what a connection goes over: a process or HTTP.
type carrier interface {
	// transport is called once.
	transport() sdk.Transport
	// abort ends it at once, so that nothing that waits for it goes on waiting,
	// and returns when it has ended.
	abort()
	// hangUp ends it in good order, within a moment. The session has been told
	// to close.
	hangUp(session *sdk.ClientSession)
	// complaint is the last thing it complained about, and how it ended.
	complaint() (said, end string)
	// forgotten reports whether the server refused a request because it does
	// not know the session any more.
	forgotten() bool
	// denied is why a request was not allowed to leave, if it was not.
	denied() error
}

// carrier starts or prepares what a connection to the server goes over.
func (c Server) carrier() (carrier, error) {
	switch {
	case c.Command != "" && c.URL != "":
		return nil, errors.New("it has a command and a URL; it can have one of them")
	case c.Command != "":
		return start(c)
	case c.URL != "":
		return reach(c)
	}
	return nil, errors.New("it has neither a command nor a URL")
}

// withSecrets is the server with what is read only now.
func (c Server) withSecrets() (Server, error) {
	if c.Secrets == nil {
		return c, nil
	}
	env, headers, err := c.Secrets()
	if err != nil {
		return c, err
	}
	c.Env, c.Headers = joined(c.Env, env), joined(c.Headers, headers)
	return c, nil
}

func joined(one, two map[string]string) map[string]string {
	all := maps.Clone(one)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, two)
	return all
}

// connection is a server that answers.
type connection struct {
	server  *server
	config  Server // with its secrets
	carry   carrier
	session *sdk.ClientSession
	ended   chan struct{} // closed when the session is over
	givenUp atomic.Bool   // it did not react any more

	resources listing[*sdk.Resource]
	templates listing[*sdk.ResourceTemplate]
	tools     listing[*sdk.Tool]

	outputs sync.Map // progress token → func(string)
}

// moment is how long something may take that is done at once by those who behave.
const moment = time.Second

// within runs ask, and aborts the connection if it does not heed the end of its
// context: a server that does not read blocks whoever writes to it.
func (c *connection) within(ctx context.Context, ask func(context.Context) error) error {
	returned := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-returned:
		case <-time.After(moment):
			c.carry.abort()
		}
	})
	defer stop()
	defer close(returned)
	return ask(ctx)
}

func (c *connection) over() bool {
	select {
	case <-c.ended:
		return true
	default:
		return false
	}
}

// isBroken reports whether an error means that the connection is of no more use.
// A connection that is about to end, which explains the error, is given the time.
func (c *connection) isBroken(err error) bool {
	if c.session == nil || errors.Is(err, sdk.ErrConnectionClosed) || errors.Is(err, sdk.ErrSessionMissing) {
		return true
	}
	if answered(err) != nil {
		return false
	}
	select {
	case <-c.ended:
		return true
	case <-time.After(moment / 4):
		return false
	}
}

// changed forgets what the server said it has.
func (c *connection) changed() {
	c.resources.forget()
	c.templates.forget()
}

// close ends the connection and waits until it has.
func (c *connection) close() {
	c.carry.hangUp(c.session)
	<-c.ended
}

// progress tells whoever called a tool how it is getting on.
func (c *connection) progress(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
	if r.Params == nil || r.Params.Message == "" {
		return
	}
	if output, ok := c.outputs.Load(r.Params.ProgressToken); ok {
		output.(func(string))(r.Params.Message + "\n")
	}
}
