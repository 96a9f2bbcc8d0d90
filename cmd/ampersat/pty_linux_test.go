package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// tooLong is after what time a test gives up. Nothing here takes a hundredth of
// it, even on a machine that is busy with other things.
const tooLong = 2 * time.Minute

// pty is a terminal with a person at it, who reads and types.
type pty struct {
	t *testing.T
	// line is the program's end of it.
	line   *os.File
	person *os.File

	mu    sync.Mutex
	shown bytes.Buffer
	// more is closed and replaced when something is shown.
	more chan struct{}
}

func newPty(t *testing.T) *pty {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	var number, unlocked int32
	control, err := person.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var refused error
	err = control.Control(func(fd uintptr) {
		for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlocked, syscall.TIOCGPTN: &number} {
			if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(value))); errno != 0 {
				refused = errno
			}
		}
	})
	if err := errors.Join(err, refused); err != nil {
		t.Fatalf("make a terminal: %v", err)
	}
	line, err := os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &pty{t: t, line: line, person: person, more: make(chan struct{})}
	read := make(chan struct{})
	go func() {
		defer close(read)
		buffer := make([]byte, 4096)
		for {
			n, err := person.Read(buffer)
			p.mu.Lock()
			p.shown.Write(buffer[:n])
			close(p.more)
			p.more = make(chan struct{})
			p.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		line.Close()
		person.Close()
		<-read
	})
	return p
}

// holds gives a command the terminal as the one that its session is controlled
// by, where Ctrl-C is a signal and /dev/tty leads.
func (p *pty) holds(command *exec.Cmd) {
	command.ExtraFiles = append(command.ExtraFiles, p.line)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 2 + len(command.ExtraFiles)}
}

// sits starts a program that has nothing but the terminal.
func (p *pty) sits(command *exec.Cmd) *running {
	p.t.Helper()
	command.Stdin, command.Stdout, command.Stderr = p.line, p.line, p.line
	p.holds(command)
	return start(p.t, command)
}

// running is a program that was started. It is killed if the test is done before
// it.
type running struct {
	*exec.Cmd
	ended chan struct{}
}

func start(t *testing.T, command *exec.Cmd) *running {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	r := &running{command, make(chan struct{})}
	go func() {
		defer close(r.ended)
		_ = command.Wait() // the exit code is the test's business
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-r.ended
	})
	return r
}

// ends waits until the program ends by itself, and returns its exit code.
func (r *running) ends(t *testing.T) int {
	t.Helper()
	select {
	case <-r.ended:
		return r.ProcessState.ExitCode()
	case <-time.After(tooLong):
		t.Fatal("the program does not end")
		return -1
	}
}

// types sends what a person types.
func (p *pty) types(text string) {
	p.t.Helper()
	if _, err := p.person.WriteString(text); err != nil {
		p.t.Fatal(err)
	}
}

// text is all that has been shown, with the line ends that a program writes.
func (p *pty) text() string {
	text, _ := p.now()
	return text
}

func (p *pty) now() (text string, more <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.ReplaceAll(p.shown.String(), "\r\n", "\n"), p.more
}

// waits until so many of a text have been shown, while a program runs.
func (p *pty) waits(r *running, count int, text string) {
	p.t.Helper()
	late, ended := time.After(tooLong), r.ended
	for {
		shown, more := p.now()
		if strings.Count(shown, text) >= count {
			return
		}
		select {
		case <-more:
		case <-ended:
			// What it wrote last is read before this.
			p.mark()
			if ended = nil; strings.Count(p.text(), text) < count {
				p.t.Fatalf("the program ended, and %q was not shown %d times:\n%s", text, count, p.text())
			}
		case <-late:
			p.t.Fatalf("%q is not shown %d times:\n%s", text, count, shown)
		}
	}
}

const mark = "<the program has ended>"

// mark waits until what has been written is shown.
func (p *pty) mark() {
	p.t.Helper()
	if _, err := p.line.WriteString(mark); err != nil {
		p.t.Fatal(err)
	}
	late := time.After(tooLong)
	for {
		shown, more := p.now()
		if strings.Contains(shown, mark) {
			return
		}
		select {
		case <-more:
		case <-late:
			p.t.Fatal("the terminal shows nothing any more")
		}
	}
}

// ends waits until a program ends, and returns its exit code and all that the
// terminal has shown of it.
func (p *pty) ends(r *running) (code int, shown string) {
	p.t.Helper()
	code = r.ends(p.t)
	p.mark()
	shown, _, _ = strings.Cut(p.text(), mark)
	return code, shown
}
