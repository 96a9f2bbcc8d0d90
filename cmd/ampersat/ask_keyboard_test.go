package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A person at a terminal is asked whether a tool may do something, also where the
// program reads a pipe. Enter and Ctrl-D are a no.
func TestAskAsksThePersonAtTheKeyboard(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is missing: there is no terminal to be at")
	}
	server, results := editingModel(t)
	for _, test := range []struct {
		name, input string
		keys        []string
		want        string
	}{
		{"yes beside a pipe", "echo piped |", []string{"y", "Enter"}, "another note\n"},
		{"Enter beside a pipe", "echo piped |", []string{"Enter"}, "a note\n"},
		{"Ctrl-D", "", []string{"C-d"}, "a note\n"},
		{"what is no answer, then yes", "", []string{"what", "Enter", "yes", "Enter"}, "another note\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPerson(t, server.URL)
			screen := atTerminal(t, p, test.input+" '"+p.binary+"' ask --profile dev 'change @notes.md'", test.keys...)
			have, err := os.ReadFile(filepath.Join(p.dir, "notes.md"))
			if err != nil || string(have) != test.want {
				t.Errorf("%q %v, want %q\n%s", have, err, test.want, screen)
			}
			refused := strings.Contains(<-results, "the person said no")
			if refused != (test.want == "a note\n") || !strings.Contains(screen, "Finished.") {
				t.Errorf("refused: %v\n%s", refused, screen)
			}
		})
	}
}

// atTerminal runs a line of shell in a terminal of its own, at which somebody
// presses keys when they are asked something, until it has ended, and returns what
// the screen shows.
func atTerminal(t *testing.T, p *person, line string, keys ...string) string {
	t.Helper()
	// A socket's path is short, and that of a test's folder may not be.
	dir, err := os.MkdirTemp("", "tmux")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s")
	tmux := func(args ...string) string {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		command := exec.CommandContext(ctx, "tmux", append([]string{"-u", "-S", socket}, args...)...)
		command.Dir, command.WaitDelay = p.dir, time.Second
		command.Env = append(p.environment, "TMUX=", "TMUX_PANE=", "TERM=screen-256color", "LC_ALL=C.UTF-8")
		out, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	tmux("-f", os.DevNull, "new-session", "-d", "-x", "100", "-y", "50", "-s", "person", line+"; tmux -S '"+socket+"' wait-for -S ended; exec sleep 1000")
	t.Cleanup(func() { tmux("kill-server") })
	within(t, "no question is asked", func() bool {
		return strings.Contains(tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "person"), "y, n or s: ")
	})
	tmux(append([]string{"send-keys", "-t", "person"}, keys...)...)
	tmux("wait-for", "ended")
	return tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "person")
}

// within waits until something holds, for as long as a slow machine may take.
func within(t *testing.T, otherwise string, holds func() bool) {
	t.Helper()
	for begin := time.Now(); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > 30*time.Second {
			t.Fatal(otherwise)
		}
	}
}
