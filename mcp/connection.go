package mcp

import (
	"context"
	"errors"
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// carrier is what a connection goes over: a process or HTTP.
type carrier interface {
	// begin is called once, before anything else. What the server says that
	// is no answer is told to heard, one message after another for each
	// stream.
	begin(heard func(envelope))
	// ask sends a call and returns its answer.
	ask(ctx context.Context, call envelope) (envelope, error)
	// tell sends what has no answer.
	tell(ctx context.Context, e envelope) error
	// agreed is called once, when it is known which version is spoken.
	agreed(version string)
	// listen hears what the server says unasked, where that needs to be asked
	// for, until the context ends. Opened is called when it hears, or when
	// there is nothing to be heard.
	listen(ctx context.Context, opened func())
	// over is closed when nothing can come any more.
	over() <-chan struct{}
	// abort ends it at once, so that nothing that waits for it goes on waiting,
	// and returns when it has ended.
	abort()
	// hangUp ends it in good order, within a moment.
	hangUp()
	// complaint is the last thing it complained about, and how it ended.
	complaint() (said, end string)
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

// connection is a server that is spoken to.
type connection struct {
	server *server
	config Server // with its secrets
	carry  carrier

	// life ends with the carrier, and ended is closed when nothing of the
	// connection is under way any more.
	life    context.Context
	ended   chan struct{}
	beside  chan struct{} // full when enough is done beside
	givenUp atomic.Bool   // it did not react any more

	calls   atomic.Int64
	version string // what is spoken
	able    abilities

	resources listing[*resource]
	templates listing[*resourceTemplate]
	tools     listing[*toolSpec]

	outputs sync.Map // progress token → func(string)
}

const (
	// moment is how long something may take that is done at once by those who behave.
	moment = time.Second
	// maxBeside is how much is done at a time for which nobody waits.
	maxBeside = 8
)

// connect begins to speak over a carrier. Nothing is sent.
func (s *server) connect(config Server, carry carrier) *connection {
	c := &connection{server: s, config: config, carry: carry, ended: make(chan struct{}), beside: make(chan struct{}, maxBeside)}
	life, end := context.WithCancel(context.Background())
	c.life = life
	carry.begin(c.heard)
	go func() {
		<-carry.over()
		end()
		carry.abort()
		for range maxBeside { // what is done beside has ended, and nothing more begins
			c.beside <- struct{}{}
		}
		close(c.ended)
	}()
	return c
}

// aside does something for which nobody waits. It reports false if too much is
// being done aside already: a server that asks and asks gets no answers.
func (c *connection) aside(do func(life context.Context)) bool {
	select {
	case c.beside <- struct{}{}:
		go func() {
			defer func() { <-c.beside }()
			do(c.life)
		}()
		return true
	default:
		return false
	}
}

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

// close ends the connection and waits until it has.
func (c *connection) close() {
	c.carry.hangUp()
	<-c.ended
}
