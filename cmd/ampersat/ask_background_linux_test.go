package main

import (
	"bytes"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// Who runs in the background of a terminal asks nobody there, and goes on: a
// program that reads from the terminal then is stopped. What needed a yes is
// refused as it is where there is no terminal.
func TestAskInTheBackgroundGoesOn(t *testing.T) {
	server, results := editingModel(t)
	for name, line := range map[string]string{
		"reading a pipe":         `echo piped | "$0" ask --profile dev 'change @notes.md' & wait`,
		"reading the terminal":   `"$0" ask --profile dev 'change @notes.md' & wait`,
		"in a script in between": `(echo piped | "$0" ask --profile dev 'change @notes.md') & wait`,
	} {
		t.Run(name, func(t *testing.T) {
			p, screen := newPerson(t, server.URL), newPty(t)
			// With -m each job is a group of processes, as at a prompt.
			command := exec.Command("/bin/sh", "-mc", line, p.binary)
			command.Dir, command.Env = p.dir, p.environment
			shell := screen.sits(command)
			screen.waits(shell, 1, "Finished.")
			if _, shown := screen.ends(shell); strings.Contains(shown, "y, n or s") {
				t.Errorf("somebody was asked:\n%s", shown)
			}
			if result := <-results; !strings.Contains(result, "there is nobody to ask here") {
				t.Errorf("the model is told: %s", result)
			}
			p.has("a note\n")
		})
	}
}

// The terminal is none of our business before there is a question.
func TestAskOpensNoKeyboardWithoutAQuestion(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AMPERSAT_HOME", "")
	var stdout, stderr bytes.Buffer
	opened := false
	code := run(t.Context(), []string{"ask", "--provider", "echo", "--profile", "none", "-C", t.TempDir(), "a question"}, streams{
		in: strings.NewReader("piped"), inPipe: true, out: &stdout, err: &stderr, errTerminal: true,
		openKeyboard: func() (io.ReadCloser, error) { opened = true; return nil, errors.New("there is none") },
	})
	if code != exitDone || opened {
		t.Errorf("exit %d, opened: %v\n%s", code, opened, stderr.String())
	}
}
