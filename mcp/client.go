package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
)

// Config says which servers there are.
type Config struct {
	Servers []Server
	// Version is that of the program, for the servers.
	Version string
	// Decode makes a content of bytes: text, an image, a document, or a
	// description of what is none of these. Limit is how many bytes of text are
	// of use, zero for any. Without it, bytes that are no text are described.
	Decode func(ctx context.Context, name string, data []byte, limit int) (ampersat.Content, error)
	// CacheDir is the folder where the lists of tools are kept for an hour, so that
	// a server is not started before one of its tools is called. That a server was
	// late is kept there for a few minutes, in which it is not asked for its tools.
	// Empty means that nothing is kept.
	CacheDir string
}

// Server says how to reach a server: by a command or by a URL.
type Server struct {
	// Name is what mentions call it.
	Name string

	// Command is a program, Args its arguments. Nothing of it is read by a
	// shell.
	Command string
	Args    []string
	// Env is added to the part of the environment that programs get.
	Env map[string]string
	// Dir is where it runs.
	Dir string

	// URL is where a server speaks streamable HTTP.
	URL string
	// Headers are sent with every request.
	Headers map[string]string
	// Transport makes the requests, and knows which addresses are allowed. Nil
	// means [http.DefaultTransport], which allows all.
	Transport http.RoundTripper

	// Timeout is how long the server may take to start, and how long a mention
	// may take in all. Zero means [DefaultTimeout].
	Timeout time.Duration
	// ToolTimeout is how long a call of a tool may take. Zero means
	// [DefaultToolTimeout].
	ToolTimeout time.Duration
	// Limit is the most bytes of one message from the server. Zero means
	// [DefaultLimit].
	Limit int

	// Secrets, if set, returns what is added to Env and Headers and is not to be
	// read before the server is needed. It is asked each time that the server is
	// started or reached.
	Secrets func() (env, headers map[string]string, err error)

	// Trust, if set, returns why the server may not be used. It is asked each
	// time before anything is started or sent.
	Trust func() error
	// Vouched says that the person configured the server, so that what it says
	// about its tools is believed.
	Vouched bool
}

const (
	// DefaultTimeout is time enough for a program that is fetched first.
	DefaultTimeout = 30 * time.Second
	// DefaultToolTimeout is time enough for a tool that works.
	DefaultToolTimeout = 5 * time.Minute
	// DefaultLimit is far more than any model reads.
	DefaultLimit = 32 << 20
)

// Client knows some servers. It is safe for concurrent use.
type Client struct {
	config  Config
	servers []*server

	// life ends with Close, for the reason errClosed.
	life context.Context
	end  context.CancelCauseFunc
}

var errClosed = errors.New("the MCP client is closed")

// New returns a client. Nothing is started before it is needed.
func New(c Config) *Client {
	client := &Client{config: c}
	client.life, client.end = context.WithCancelCause(context.Background())
	for _, s := range c.Servers {
		s.Timeout = cmp.Or(s.Timeout, DefaultTimeout)
		s.ToolTimeout = cmp.Or(s.ToolTimeout, DefaultToolTimeout)
		s.Limit = cmp.Or(s.Limit, DefaultLimit)
		client.servers = append(client.servers, &server{config: s, client: client})
	}
	return client
}

// Close ends all servers and waits until they have. Calls that are under way end
// with an error.
func (c *Client) Close() error {
	if c.end != nil { // nothing was started by a client that New has not made
		c.end(errClosed)
	}
	var wait sync.WaitGroup
	for _, s := range c.servers {
		wait.Go(s.close)
	}
	wait.Wait()
	return nil
}

// Namespaces are the names of the servers, for [ampersat.Mux.Name]: with them,
// @docs:guide is a resource and no file.
func (c *Client) Namespaces() []ampersat.Namespace {
	var all []ampersat.Namespace
	for _, s := range c.servers {
		all = append(all, ampersat.Namespace{
			Name: s.config.Name, What: "an MCP server",
			Mention: func(rest string) mention.Mention { return mention.Resource{Server: s.config.Name, URI: rest} },
		})
	}
	return all
}

// server returns the server of a name.
func (c *Client) server(name string) (*server, error) {
	for _, s := range c.servers {
		if s.config.Name == name {
			return s, nil
		}
	}
	return nil, errors.New(c.noSuch(name))
}

func (c *Client) noSuch(name string) string {
	if len(c.servers) == 0 {
		return fmt.Sprintf("there is no MCP server called %q; none is configured", name)
	}
	var names []string
	for _, s := range c.servers {
		names = append(names, s.config.Name)
	}
	slices.Sort(names)
	return fmt.Sprintf("there is no MCP server called %q; configured: %s", name, strings.Join(names, ", "))
}
