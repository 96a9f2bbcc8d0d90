package main

import (
	"database/sql"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hold keeps everybody else from writing to the store until it is let go.
func (p *person) hold() (letGo func()) {
	p.t.Helper()
	// The program brings the driver with it.
	db, err := sql.Open("sqlite", "file:"+filepath.Join(filepath.Dir(p.dir), ".ampersat/sessions.db")+"?_pragma=busy_timeout(60000)")
	if err != nil {
		p.t.Fatal(err)
	}
	db.SetMaxOpenConns(1) // the transaction is the connection's
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		p.t.Fatal(err)
	}
	return func() {
		p.t.Helper()
		if _, err := db.Exec("ROLLBACK"); err != nil {
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
	letGo := p.hold()
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
