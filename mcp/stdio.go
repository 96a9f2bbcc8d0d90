package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

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

	hungUp sync.Once
	mu     sync.Mutex
	ours   bool // it ended because of us
}

// start runs the program.
func start(c Server) (*program, error) {
	p := &program{limit: c.Limit, exited: make(chan struct{})}
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
	err = p.cmd.Start()
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

func (p *program) transport() sdk.Transport {
	messages := &messages{from: bufio.NewReaderSize(p.stdout, 64<<10), other: &p.said, close: func(ended bool) error {
		if !ended {
			p.disown()
		}
		return p.stdout.Close()
	}}
	return &sdk.IOTransport{Reader: messages, Writer: p.stdin, MaxLineLength: p.limit}
}

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
	select {
	case <-p.exited:
	case <-time.After(moment / 10): // one that is about to end may say why
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
func (p *program) hangUp(session *sdk.ClientSession) {
	p.hungUp.Do(func() {
		p.stdin.Close()
		select {
		case <-p.exited:
		case <-time.After(moment / 2):
		}
		p.abort()
		_ = session.Close() // it cannot fail in a way that matters any more
	})
}

func (p *program) complaint() (said, end string) {
	select {
	case <-p.exited:
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.ours {
			end = "it ended"
			if state := p.cmd.ProcessState; state != nil && !state.Success() {
				end += " (" + state.String() + ")"
			}
		}
	default:
	}
	return p.said.LastLine(), end
}

func (p *program) forgotten() bool { return false }
func (p *program) denied() error   { return nil }

// messages is what a program prints, without the lines that are no messages.
// Those count as what it said.
type messages struct {
	from  *bufio.Reader
	other io.Writer
	// close is told whether the program has closed its side.
	close func(ended bool) error

	line  []byte // what is left of a piece of a message
	more  bool   // the line of the message goes on
	ended atomic.Bool
}

// Read implements [io.Reader].
func (m *messages) Read(buffer []byte) (int, error) {
	for len(m.line) == 0 {
		begins := !m.more
		piece, err := m.from.ReadSlice('\n')
		m.more = errors.Is(err, bufio.ErrBufferFull)
		if m.more {
			err = nil
		}
		if errors.Is(err, io.EOF) {
			m.ended.Store(true)
		}
		if err != nil && (len(piece) == 0 || !errors.Is(err, io.EOF)) {
			return 0, err
		}
		if begins && !isMessage(piece) {
			if err := m.skip(piece); err != nil {
				return 0, err
			}
			continue
		}
		m.line = piece
	}
	n := copy(buffer, m.line)
	m.line = m.line[n:]
	return n, nil
}

// skip passes over the rest of a line.
func (m *messages) skip(piece []byte) error {
	for {
		m.other.Write(piece)
		if !m.more {
			return nil
		}
		var err error
		piece, err = m.from.ReadSlice('\n')
		m.more = errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !m.more && !errors.Is(err, io.EOF) {
			return err
		}
	}
}

// isMessage tells messages from what people print. A list of messages, which the
// protocol once had, is not among them: "[info] ready" is printed too often.
func isMessage(line []byte) bool {
	line = bytes.TrimLeft(line, " \t\r\n")
	return len(line) > 0 && line[0] == '{'
}

// Close implements [io.Closer].
func (m *messages) Close() error { return m.close(m.ended.Load()) }
