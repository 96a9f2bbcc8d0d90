package main

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// copying is somebody whose PATH has no other programs than those of the test.
func copying(t *testing.T, programs map[string]string, environment ...string) *person {
	p := newPerson(t, "http://127.0.0.1:1")
	dir := t.TempDir()
	for name, script := range programs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p.environment = append(p.environment, "PATH="+dir, "SSH_CONNECTION=", "SSH_TTY=", "DISPLAY=", "WAYLAND_DISPLAY=")
	p.environment = append(p.environment, environment...)
	return p
}

// theStack is what is pasted of the prompt of these tests.
const theStack = "<context_file paths=\"notes.md\">\na note\n\n</context_file>\n\nExplain @notes.md\n"

// copied takes what a terminal was asked to copy out of what it was shown.
func copied(t *testing.T, shown string) (text, rest string) {
	t.Helper()
	before, after, asked := strings.Cut(shown, "\x1b]52;c;")
	encoded, after, ended := strings.Cut(after, "\a")
	if !asked || !ended {
		t.Fatalf("the terminal is not asked to copy: %q", shown)
	}
	decoded, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return string(decoded), before + after
}

// Where there is no program for it, and over ssh in any case, the terminal is
// asked to copy (OSC 52).
func TestCopyByTheTerminal(t *testing.T) {
	take := "/bin/cat >\"$HOME/taken\"\n"
	for name, p := range map[string]*person{
		"no program":              copying(t, nil, "DISPLAY=:0"),
		"a program that fails":    copying(t, map[string]string{"xclip": "exit 1\n", "xsel": "exit 1\n"}, "DISPLAY=:0"),
		"a program for no screen": copying(t, map[string]string{"xclip": take, "xsel": take, "wl-copy": take}),
		"over ssh":                copying(t, map[string]string{"xclip": take}, "DISPLAY=:0", "SSH_CONNECTION=192.0.2.1 1 192.0.2.2 22"),
		"over ssh with a tty":     copying(t, map[string]string{"pbcopy": take}, "SSH_TTY=/dev/pts/9"),
	} {
		t.Run(name, func(t *testing.T) {
			screen := newPty(t)
			code, shown := screen.ends(screen.sits(p.command("context", "--copy", "Explain @notes.md")))
			text, rest := copied(t, shown)
			if code != exitDone || text != theStack || !strings.Contains(rest, "copied\n") {
				t.Errorf("exit %d, copied %q, shown %q", code, text, rest)
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(p.dir), "taken")); err == nil {
				t.Error("a clipboard program was called")
			}
		})
	}
}

// What goes through a pipe has nothing of what the terminal is asked for.
func TestCopyWhileTheOutputGoesElsewhere(t *testing.T) {
	p, screen := copying(t, nil), newPty(t)
	command := p.command("context", "--copy", "--json", "Explain @notes.md")
	command.Stdout, command.Stderr = &p.stdout, &p.stder
	screen.holds(command)
	code, shown := screen.ends(start(t, command))
	if text, rest := copied(t, shown); code != exitDone || text != theStack || rest != "" {
		t.Errorf("exit %d, copied %q, shown %q", code, text, rest)
	}
	if out := p.stdout.String(); !strings.HasPrefix(out, `{"messages":`) || strings.Contains(out, "\x1b") || p.stder.String() != "copied\n" {
		t.Errorf("%q %q", out, p.stder.String())
	}
}

// On the machine that a person sits at, a program of the desktop copies, and the
// terminal is asked nothing.
func TestCopyByAProgram(t *testing.T) {
	take := "echo \"${0##*/} $*\" >\"$HOME/called\"\n/bin/cat >\"$HOME/taken\"\n"
	fail := "exit 1\n"
	for name, test := range map[string]struct {
		p    *person
		want string
	}{
		"wayland": {copying(t, map[string]string{"wl-copy": take, "xclip": fail}, "WAYLAND_DISPLAY=w", "DISPLAY=:0"), "wl-copy "},
		"x":       {copying(t, map[string]string{"wl-copy": fail, "xclip": take, "xsel": fail}, "DISPLAY=:0"), "xclip -selection clipboard"},
		"another": {copying(t, map[string]string{"xclip": fail, "xsel": take}, "DISPLAY=:0"), "xsel --clipboard --input"},
		"macos":   {copying(t, map[string]string{"pbcopy": take}), "pbcopy "},
		"windows": {copying(t, map[string]string{"clip.exe": take}), "clip.exe "},
	} {
		t.Run(name, func(t *testing.T) {
			screen := newPty(t)
			code, shown := screen.ends(screen.sits(test.p.command("context", "--copy", "Explain @notes.md")))
			if code != exitDone || strings.Contains(shown, "\x1b]52") || !strings.Contains(shown, "copied\n") {
				t.Errorf("exit %d: %q", code, shown)
			}
			home := filepath.Dir(test.p.dir)
			taken, err := os.ReadFile(filepath.Join(home, "taken"))
			if err != nil || string(taken) != theStack {
				t.Errorf("taken %q, %v", taken, err)
			}
			called, err := os.ReadFile(filepath.Join(home, "called"))
			if err != nil || string(called) != test.want+"\n" {
				t.Errorf("called %q, %v", called, err)
			}
		})
	}
}

// With neither a program nor a terminal it fails, and says what is missing; and a
// terminal is not asked for more than it takes.
func TestCopyFails(t *testing.T) {
	p := copying(t, nil)
	command := p.command("context", "--copy", "Explain @notes.md")
	command.Stdout, command.Stderr = &p.stdout, &p.stder
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // there is no /dev/tty
	if code := start(t, command).ends(t); code != exitFailed || p.stdout.Len() > 0 || !strings.Contains(p.stder.String(), "neither a clipboard program (wl-copy, xclip, xsel, pbcopy) nor a terminal") {
		t.Errorf("exit %d: %q %q", code, p.stdout.String(), p.stder.String())
	}

	if err := os.WriteFile(filepath.Join(p.dir, "large.md"), bytes.Repeat([]byte("some words\n"), 80<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	screen := newPty(t)
	code, shown := screen.ends(screen.sits(p.command("context", "--copy", "--budget", "10000000", "Explain @large.md")))
	if code != exitFailed || strings.Contains(shown, "\x1b]52") || !strings.Contains(shown, "are more than a terminal takes") {
		t.Errorf("exit %d: %.200q", code, shown)
	}
}
