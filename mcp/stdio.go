package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ampersat/ampersat/internal/process"
)

// program is a server that runs as a process, and speaks on its standard input
// and output.
type program struct {
	cmd    *exec.Cmd
	kill   context.CancelFunc
	limit  int
	stdin  *os.File
	stdout *os.File
	said   process.Tail
	exited chan struct{} // closed when it has ended, with all that it started

	writing chan struct{} // full while somebody writes
	silent  chan struct{} // closed when nothing more is read, for the reason why
	why     error

	leaving atomic.Bool // it reads or says no more, as one does that ends
	hungUp  sync.Once
	mu      sync.Mutex
	ours    bool                     // it ended because of us
	waiting map[string]chan envelope // by the ID of the call
}

// start runs the program.
func start(c Server) (*program, error) {
	p := &program{
		limit: c.Limit, exited: make(chan struct{}), silent: make(chan struct{}),
		writing: make(chan struct{}, 1), waiting: map[string]chan envelope{},
	}
	life, kill := context.WithCancel(context.Background())
	p.kill = kill
	p.cmd = exec.CommandContext(life, c.Command, c.Args...)
	p.cmd.Dir, p.cmd.Env = c.Dir, process.Environment(c.Env)
	p.cmd.Stderr, p.cmd.WaitDelay = &p.said, moment
	process.Alone(p.cmd)
	// Not exec's own pipes: waiting for the process would close them under
	// whoever still reads what it said last.
	theirIn, ourOut, err := os.Pipe()
	if err != nil {
		p.kill()
		return nil, err
	}
	ourIn, theirOut, err := os.Pipe()
	if err != nil {
		p.kill()
		return nil, errors.Join(err, theirIn.Close(), ourOut.Close())
	}
	p.cmd.Stdin, p.cmd.Stdout, p.stdin, p.stdout = theirIn, theirOut, ourOut, ourIn
	err = process.Start(p.cmd)
	theirIn.Close()
	theirOut.Close()
	if err != nil {
		p.kill()
		ourIn.Close()
		ourOut.Close()
		if errors.Is(err, exec.ErrNotFound) {
			return nil, fmt.Errorf("its command %s is not installed", c.Command)
		}
		return nil, fmt.Errorf("its command does not start: %w", err)
	}
	go func() {
		_ = p.cmd.Wait() // how it ended is asked of its state
		// It may have left others behind.
		_ = process.Kill(p.cmd)
		close(p.exited)
	}()
	return p, nil
}

// begin implements [carrier].
func (p *program) begin(heard func(envelope)) { go p.read(heard) }

// read takes in what the program says until it says no more, or something that
// nobody understands.
func (p *program) read(heard func(envelope)) {
	from := newLines(p.stdout, p.limit, &p.said)
	for {
		e, err := from.next()
		if err != nil {
			if p.why = err; errors.Is(err, io.EOF) {
				p.why = &trouble{what: "it says no more"}
				p.leaving.Store(true)
			}
			close(p.silent)
			return
		}
		if answer := p.waitingFor(e); answer != nil {
			answer <- e
		} else {
			heard(e)
		}
	}
}

// waitingFor returns to whom an answer goes. There is only one answer to a call.
func (p *program) waitingFor(e envelope) chan<- envelope {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Method != "" || e.ID == nil {
		return nil
	}
	answer := p.waiting[string(e.ID)]
	delete(p.waiting, string(e.ID))
	return answer
}

// ask implements [carrier].
func (p *program) ask(ctx context.Context, call envelope) (envelope, error) {
	id, answer := string(call.ID), make(chan envelope, 1)
	p.mu.Lock()
	p.waiting[id] = answer
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.waiting, id)
	}()
	if err := p.tell(ctx, call); err != nil {
		return envelope{}, err
	}
	select {
	case e := <-answer:
		return e, nil
	case <-ctx.Done():
		return envelope{}, ctx.Err()
	case <-p.silent:
	}
	select {
	case e := <-answer: // the last thing that it said
		return e, nil
	default:
		return envelope{}, &broken{p.why}
	}
}

// tell implements [carrier]. A line that was begun is written to its end, whatever
// becomes of the context; a program that does not read it is to be aborted.
func (p *program) tell(ctx context.Context, e envelope) error {
	line, err := e.seal()
	if err != nil {
		return err
	}
	select {
	case p.writing <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.writing }()
	switch _, err := p.stdin.Write(append(line, '\n')); {
	case errors.Is(err, syscall.EPIPE):
		p.leaving.Store(true)
		return &broken{&trouble{what: "it reads no more"}}
	case err != nil:
		return &broken{err}
	}
	return nil
}

func (p *program) agreed(string) {}

// listen implements [carrier]. All is heard already.
func (p *program) listen(_ context.Context, opened func()) { opened() }

func (p *program) over() <-chan struct{} { return p.silent }

// disown notes that it ends because of us, and not by itself.
func (p *program) disown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.exited:
	default:
		p.ours = true
	}
}

// abort kills it, unless it has ended by itself.
func (p *program) abort() {
	patience := moment / 10
	if p.leaving.Load() {
		patience = moment // how it ends says more than that it did
	}
	select {
	case <-p.exited:
	case <-time.After(patience):
		p.disown()
	}
	p.kill()
	<-p.exited
	// What it said last may still be read; who would write is told.
	p.stdin.Close()
	p.stdout.Close()
}

// hangUp closes its input, which means that it is to end, and kills it if it
// does not.
func (p *program) hangUp() {
	p.hungUp.Do(func() {
		p.stdin.Close()
		select {
		case <-p.exited:
		case <-time.After(moment / 2):
		}
		p.abort()
	})
}

func (p *program) complaint() (said, end string) {
	select {
	case <-p.exited:
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.ours || process.EndedByItself(p.cmd) {
			end = "it ended"
			if state := p.cmd.ProcessState; state != nil && !state.Success() {
				end += " (" + state.String() + ")"
			}
		}
	default:
	}
	return p.said.LastLine(), end
}
