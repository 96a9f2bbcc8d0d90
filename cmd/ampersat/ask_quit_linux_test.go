package main

import (
	"database/sql"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// meddle runs a statement on the store of sessions while the program has it open,
// and, in the same connection, another one when it is told to.
func (p *person) meddle(first, then string) (end func()) {
	p.t.Helper()
	// The program brings the driver with it.
	db, err := sql.Open("sqlite", "file:"+filepath.Join(filepath.Dir(p.dir), ".ampersat/sessions.db")+"?_pragma=busy_timeout(60000)")
	if err != nil {
		p.t.Fatal(err)
	}
	db.SetMaxOpenConns(1) // a transaction is the connection's
	if _, err := db.Exec(first); err != nil {
		p.t.Fatal(err)
	}
	return func() {
		p.t.Helper()
		if _, err := db.Exec(then); err != nil {
			p.t.Error(err)
		}
		if err := db.Close(); err != nil {
			p.t.Error(err)
		}
	}
}

// The first Ctrl-C keeps what has come. Where that takes time, here because
// somebody else has the store, the next one ends the program at once.
func TestCtrlCAgainEndsTheProgramAtOnce(t *testing.T) {
	stopped := make(chan struct{})
	server := chatServer(t, func(out http.ResponseWriter, request *http.Request, _ string) {
		piece(out, "Half of it.\n\n", "")
		<-request.Context().Done()
		close(stopped)
	})
	p, screen := newPerson(t, server.URL), newPty(t)
	asking := screen.sits(p.command("ask", "a question"))
	screen.waits(asking, 1, "Half of it.")
	letGo := p.meddle("BEGIN IMMEDIATE", "ROLLBACK")
	screen.types("\x03")
	select {
	case <-stopped: // by the first one
	case <-time.After(tooLong):
		t.Fatal("the answer goes on after Ctrl-C")
	}
	// The program may need a moment to be ready for another one. As long as the
	// store is held it does not come to an end by itself.
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for late := time.After(tooLong); ; {
		select {
		case <-asking.ended:
		case <-again.C:
			screen.types("\x03")
			continue
		case <-late:
			t.Fatal("the program does not end")
		}
		break
	}
	letGo()
	if status := asking.ProcessState.Sys().(syscall.WaitStatus); !status.Signaled() || status.Signal() != syscall.SIGINT {
		t.Errorf("the program ended with %v, and not by the signal:\n%s", asking.ProcessState, screen.text())
	}
	if shown := p.run("session", "show", "last"); !strings.Contains(shown, "a question\n") {
		t.Errorf("what was asked is gone: %s", shown)
	}
}

// What cannot be kept when Ctrl-C stops an answer is not said to be kept.
func TestCtrlCSaysWhatIsNotKept(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, request *http.Request, _ string) {
		piece(out, "Half of it.\n\n", "")
		<-request.Context().Done()
	})
	for _, flag := range []string{"--quiet", "--json"} {
		p, screen := newPerson(t, server.URL), newPty(t)
		asking := screen.sits(p.command("ask", flag, "a question"))
		screen.waits(asking, 1, "Half of it.")
		p.meddle("CREATE TRIGGER broken BEFORE INSERT ON entry BEGIN SELECT RAISE(FAIL, 'the disk is broken'); END", "SELECT 1")()
		screen.types("\x03")
		code, shown := screen.ends(asking)
		if code != exitFailed || strings.Contains(shown, "is kept") || strings.Count(shown, "ampersat: what has come could not be kept: ") != 1 || !strings.Contains(shown, "the disk is broken") {
			t.Errorf("%s: exit %d: %s", flag, code, shown)
		}
	}
}

// Nor is it where nobody reads on: who calls head believes that --continue goes on
// with what has come.
func TestWhatIsNotReadAndNotKeptIsTold(t *testing.T) {
	for _, flag := range []string{"--quiet", "--json"} {
		t.Run(flag, func(t *testing.T) {
			p, code := asksAndReadsTheBeginning(t, flag, func(p *person) {
				p.meddle("CREATE TRIGGER broken BEFORE INSERT ON entry BEGIN SELECT RAISE(FAIL, 'the disk is broken'); END", "SELECT 1")()
			})
			said := p.stder.String()
			if code != exitFailed || strings.Contains(said, "is kept") || strings.Count(said, "ampersat: what has come could not be kept: ") != 1 || !strings.Contains(said, "the disk is broken") {
				t.Errorf("exit %d: %s", code, said)
			}
		})
	}
}

// A command of the model that ignores what it is told ends with the program, also
// where the person does not wait until it is killed.
func TestCtrlCAgainEndsAStubbornCommandToo(t *testing.T) {
	for name, keys := range map[string]string{"Ctrl-C twice": "\x03", "Ctrl-\\": "\x1c"} {
		t.Run(name, func(t *testing.T) {
			server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
				calls(out, "shell", `{"command":"trap '' INT TERM HUP; sleep 600 & echo $! > began.tmp && mv began.tmp began; wait; wait"}`)
			})
			p, screen := newPerson(t, server.URL), newPty(t)
			asking := screen.sits(p.command("ask", "--profile", "dev", "--permissions", "all", "wait"))
			var child int
			within(t, "the command does not begin", func() bool {
				text, err := os.ReadFile(filepath.Join(p.dir, "began"))
				if err != nil {
					return false
				}
				child, err = strconv.Atoi(strings.TrimSpace(string(text)))
				return err == nil
			})
			within(t, "the program does not end", func() bool {
				select {
				case <-asking.ended:
					return true
				default:
					screen.types(keys)
					return false
				}
			})
			within(t, "the command lives on", func() bool { return hasEnded(child) })
			if shown := screen.text(); strings.Contains(shown, "goroutine ") {
				t.Errorf("it shows its insides:\n%s", shown)
			}
		})
	}
}

// What ended the program is told by its exit code: not everything is Ctrl-C.
func TestASignalIsTheExitCode(t *testing.T) {
	began := make(chan struct{}, 1)
	server := chatServer(t, func(out http.ResponseWriter, request *http.Request, _ string) {
		piece(out, "Half of it.\n\n", "")
		began <- struct{}{}
		<-request.Context().Done()
	})
	for signal, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		p := newPerson(t, server.URL)
		asking := start(t, p.command("ask", "a question"))
		select {
		case <-began:
		case <-time.After(tooLong):
			t.Fatal("nothing is asked")
		}
		if err := asking.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if have := asking.ends(t); have != code {
			t.Errorf("%s: exit %d, want %d", signal, have, code)
		}
	}
}

// Whoever starts the program with a signal ignored, as nohup does, and sends it all
// the same, twice, is obeyed.
func TestASignalThatWasIgnoredEndsTheProgram(t *testing.T) {
	began := make(chan struct{})
	server := chatServer(t, func(out http.ResponseWriter, request *http.Request, _ string) {
		piece(out, "Half of it.\n\n", "")
		close(began)
		<-request.Context().Done()
	})
	p := newPerson(t, server.URL)
	command := p.command("ask", "a question")
	command.Path, command.Args = "/bin/sh", []string{"sh", "-c", `trap '' HUP; exec "$0" ask "a question"`, p.binary}
	asking := start(t, command)
	select {
	case <-began:
	case <-time.After(tooLong):
		t.Fatal("nothing is asked")
	}
	// As long as somebody else has the store it does not come to an end by itself.
	letGo := p.meddle("BEGIN IMMEDIATE", "ROLLBACK")
	defer letGo()
	within(t, "the program does not end", func() bool {
		select {
		case <-asking.ended:
			return true
		default:
			_ = asking.Process.Signal(syscall.SIGHUP) // it may have ended
			return false
		}
	})
	if code := asking.ProcessState.ExitCode(); code != 129 {
		t.Errorf("exit %d", code)
	}
}
