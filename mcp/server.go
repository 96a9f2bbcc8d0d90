package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ampersat/ampersat"
)

// server is a server and its connection, once there is one.
type server struct {
	config Server
	client *Client

	mu      sync.Mutex
	current *attempt
	closed  bool

	// starting is the connection that was begun last.
	starting atomic.Pointer[connection]

	checks sync.WaitGroup
}

// attempt is a try to reach a server. All who need the server wait for the same
// one.
type attempt struct {
	done     chan struct{} // closed when conn or err is set
	conn     *connection
	err      error
	failedAt time.Time
}

// again is how long a failure counts: a turn with twenty mentions of a server
// that hangs waits for it once.
const again = 3 * time.Second

// over reports whether the attempt is of no more use.
func (a *attempt) over() bool {
	select {
	case <-a.done:
	default:
		return false
	}
	if a.err != nil {
		return time.Since(a.failedAt) > again
	}
	return a.conn.over()
}

// has reports whether a connection came of the attempt. One that is still going
// on has none.
func (a *attempt) has(conn *connection) bool {
	select {
	case <-a.done:
		return a.conn == conn
	default:
		return false
	}
}

// runs reports whether there is a connection: whoever wants to know something can
// ask.
func (s *server) runs() bool {
	s.mu.Lock()
	a := s.current
	s.mu.Unlock()
	if a == nil {
		return false
	}
	select {
	case <-a.done:
		return a.err == nil && !a.conn.over()
	default:
		return false
	}
}

// connection returns a connection to the server. Kept says that it was there
// already.
func (s *server) connection(ctx context.Context) (conn *connection, kept bool, err error) {
	if s.config.Trust != nil {
		if err := s.config.Trust(); err != nil {
			return nil, false, err
		}
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil, false, errClosed
	}
	a, kept := s.current, true
	if a == nil || a.over() {
		a, kept = &attempt{done: make(chan struct{})}, false
		s.current = a
		go s.try(a)
	}
	s.mu.Unlock()
	select {
	case <-a.done:
		return a.conn, kept, a.err
	case <-ctx.Done():
	}
	if errors.Is(context.Cause(ctx), errTime) {
		// The attempt has no more time either, and is about to say why.
		select {
		case <-a.done:
			return a.conn, kept, a.err
		case <-time.After(moment):
		}
	}
	return nil, false, ctx.Err()
}

// try reaches the server, for as long as it may take, whoever still waits.
func (s *server) try(a *attempt) {
	ctx, cancel := context.WithTimeoutCause(s.client.life, s.config.Timeout, errTime)
	defer cancel()
	a.conn, a.err = s.open(ctx)
	a.failedAt = time.Now()
	if a.err == nil {
		s.noteInTime()
	}
	close(a.done)
}

var errTime = errors.New("out of time")

// open starts or reaches the server.
func (s *server) open(ctx context.Context) (*connection, error) {
	conn, err := s.openWith(ctx, (*connection).initialize)
	code := status(0)
	if (answered(err) != nil || errors.As(err, &code)) && ctx.Err() == nil {
		if newer, again := s.openWith(ctx, (*connection).discover); again == nil {
			return newer, nil
		}
	}
	return conn, err
}

// openWith is open with one of the ways to begin.
func (s *server) openWith(ctx context.Context, begin func(*connection, context.Context) error) (*connection, error) {
	config, err := s.config.withSecrets()
	var carry carrier
	if err == nil {
		carry, err = config.carrier()
	}
	if err != nil {
		return nil, &failure{server: s.config.Name, what: err.Error(), err: err}
	}
	conn := s.connect(config, carry)
	s.starting.Store(conn)
	err = conn.within(ctx, func(ctx context.Context) error { return begin(conn, ctx) })
	if err == nil {
		return conn, nil
	}
	carry.abort()
	<-conn.ended
	if cause := context.Cause(ctx); errors.Is(cause, errTime) {
		return nil, s.failed(conn, fmt.Sprintf("it did not start within %v", s.config.Timeout), cause)
	} else if cause != nil {
		return nil, cause
	}
	return nil, s.explain(conn, err)
}

// do has something done by the server, within its time. Repeatable says that it
// does no harm to ask twice, so that a connection that turns out to be broken is
// replaced and asked again.
func (s *server) do(ctx context.Context, within time.Duration, repeatable bool, ask func(context.Context, *connection) error) error {
	limited, cancel := context.WithTimeoutCause(ctx, within, errTime)
	defer cancel()
	limited, end := context.WithCancelCause(limited)
	defer end(nil)
	defer context.AfterFunc(s.client.life, func() { end(errClosed) })()
	for {
		conn, kept, err := s.connection(limited)
		if err == nil {
			err = conn.within(limited, func(ctx context.Context) error { return ask(ctx, conn) })
		}
		f, miss := (*failure)(nil), (*ampersat.Miss)(nil)
		switch cause := context.Cause(limited); {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case s.client.life.Err() != nil:
			return errClosed
		case conn == nil && errors.As(err, &f), errors.As(err, &miss):
			return err
		case errors.Is(cause, errTime):
			s.doubt(conn)
			return s.failed(conn, fmt.Sprintf("it did not answer within %v", within), cause)
		case cause != nil:
			return cause
		case conn == nil:
			return err
		case kept && (errors.Is(err, errForgotten) || repeatable && isBroken(err)):
			s.drop(conn)
			continue
		}
		return s.explain(conn, err)
	}
}

// doubt has a server looked at that took too long.
func (s *server) doubt(conn *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if conn != nil && !s.closed {
		s.checks.Go(func() { s.check(conn) })
	}
}

// check gives up a server that does not react at all, so that
// the next who needs it gets another.
func (s *server) check(conn *connection) {
	ctx, cancel := context.WithTimeout(s.client.life, moment)
	defer cancel()
	err := conn.within(ctx, func(ctx context.Context) error { return conn.call(ctx, "ping", params{}, nil) })
	if err != nil && answered(err) == nil {
		conn.givenUp.Store(true)
		s.drop(conn)
	}
}

// drop ends a connection that is of no more use.
func (s *server) drop(conn *connection) {
	s.mu.Lock()
	if s.current != nil && s.current.has(conn) {
		s.current = nil
	}
	s.mu.Unlock()
	conn.close()
}

// close ends the server for good.
func (s *server) close() {
	s.mu.Lock()
	a := s.current
	s.current, s.closed = nil, true
	s.mu.Unlock()
	if a != nil {
		<-a.done // soon: the client's life is over
		if a.conn != nil {
			a.conn.close()
		}
	}
	s.checks.Wait()
}
