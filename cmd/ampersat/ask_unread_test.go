//go:build unix

package main

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// Whoever reads the answer stops before its end, as head does. The turn ends as
// with Ctrl-C: what has come is kept, and nobody holds the session.
func TestAskIsNotReadToItsEnd(t *testing.T) {
	for _, flag := range []string{"--quiet", "--json"} {
		t.Run(flag, func(t *testing.T) {
			p, code := asksAndReadsTheBeginning(t, flag, func(*person) {})
			if code != exitUnread || strings.Contains(p.stder.String(), "pipe") {
				t.Errorf("exit %d: %s", code, p.stder.String())
			}
			if shown := p.run("session", "show", "last"); !strings.Contains(shown, "The beginning") {
				t.Errorf("what came is gone:\n%s", shown)
			}
			p.run("session", "rm", "--yes", "last") // is refused while somebody holds it
		})
	}
}

// asksAndReadsTheBeginning asks something that has a long answer, reads how it
// begins, does something, and reads no more. It returns the exit code.
func asksAndReadsTheBeginning(t *testing.T, flag string, then func(*person)) (*person, int) {
	t.Helper()
	gone := make(chan struct{})
	server := chatServer(t, func(out http.ResponseWriter, request *http.Request, _ string) {
		piece(out, "The beginning", "")
		<-gone
		every := time.NewTicker(5 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-request.Context().Done():
				return
			case <-every.C:
				piece(out, " and more", "")
			}
		}
	})
	p := newPerson(t, server.URL)
	asked := p.command("ask", flag, "a question")
	out, err := asked.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	asked.Stderr = &p.stder
	if err := asked.Start(); err != nil {
		t.Fatal(err)
	}
	for read := ""; !strings.Contains(read, "The beginning"); {
		some := make([]byte, 512)
		n, err := out.Read(some)
		if read += string(some[:n]); err != nil {
			t.Fatalf("%v after %q", err, read)
		}
	}
	then(p)
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	close(gone)
	_ = asked.Wait()
	return p, asked.ProcessState.ExitCode()
}

// A command that prints line by line ends as quietly.
func TestOutputIsNotReadToItsEnd(t *testing.T) {
	p := newPerson(t, "http://127.0.0.1:1")
	listed := p.command("find", strings.Repeat("@a.md ", 20_000))
	out, err := listed.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	listed.Stderr = &p.stder
	if err := listed.Start(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	_ = listed.Wait()
	if code := listed.ProcessState.ExitCode(); code != exitUnread || p.stder.Len() > 0 {
		t.Errorf("exit %d: %s", code, p.stder.String())
	}
}
