package editor

import (
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// TestTerminalIsTheTmuxPane captures a pane of a real tmux, as a process in it
// would.
func TestTerminalIsTheTmuxPane(t *testing.T) {
	server := newTmux(t)
	server.show("$ make\n\x1b[31mmain.go:3: undefined: x\x1b[0m\n" + strings.Repeat("ok\n", 40) + strings.Repeat("wide ", 30) + "\n$ \n")
	t.Setenv("TMUX", server.socket+",1,0")
	t.Setenv("TMUX_PANE", strings.TrimSpace(server.run("display-message", "-p", "-t", "judge", "#{pane_id}")))
	for lines, want := range map[int]string{
		0: "$ make\nmain.go:3: undefined: x\n" + strings.Repeat("ok\n", 40) + strings.TrimRight(strings.Repeat("wide ", 30), " ") + "\n$\n",
		2: strings.TrimRight(strings.Repeat("wide ", 30), " ") + "\n$\n",
	} {
		c, err := NewTerminal(TerminalConfig{}).Resolve(t.Context(), ampersat.Query{Mention: mention.Terminal{Lines: lines}, Asker: access.Asker{Origin: access.FromPerson}})
		if err != nil {
			t.Fatal(err)
		}
		if c.Text != want || c.Shown != "" {
			t.Errorf("%d lines: shown %q\nhave %q\nwant %q", lines, c.Shown, c.Text, want)
		}
	}
}

// Of a key that begins far above the lines that are asked for, tmux is asked for
// the beginning too.
func TestTerminalPaneBeginsInsideASecret(t *testing.T) {
	server := newTmux(t)
	server.show("-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n", 90) + "-----END PRIVATE KEY-----\n")
	t.Setenv("TMUX", server.socket+",1,0")
	t.Setenv("TMUX_PANE", strings.TrimSpace(server.run("display-message", "-p", "-t", "judge", "#{pane_id}")))
	p := &ampersat.Pipeline{Resolver: NewTerminal(TerminalConfig{})}
	stack, err := p.Prepare(t.Context(), ampersat.Ask("@terminal:5"))
	if err != nil {
		t.Fatal(err)
	}
	if report := stack.Reports[0]; report.Outcome != ampersat.Blocked {
		t.Errorf("%s: %s", report.Outcome, report.Reason)
	}
}
