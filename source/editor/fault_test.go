//go:build unix

package editor_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/editor"
)

type jsonValue = jsontext.Value

// soon makes waiting short where nothing is waited for.
func soon(c editor.Config) editor.Config {
	c.Quiet, c.Silent, c.Grace = 50*time.Millisecond, time.Minute, time.Minute
	if c.Timeout == 0 {
		c.Timeout = 2 * time.Minute
	}
	return c
}

// inTime calls try with one time after another until it says that the time was
// enough. How long a server takes to start depends on the machine.
func inTime(t *testing.T, try func(time.Duration) bool) {
	t.Helper()
	for timeout := 4 * time.Second; timeout < 2*time.Minute; timeout *= 4 {
		if try(timeout) {
			return
		}
	}
	t.Error("no time is enough")
}

func toyProject(t testing.TB) string {
	return project(t, map[string]string{"toy.mod": "", "a.toy": "a\n"})
}

// TestAttackServersThatMisbehave holds that each fault is a miss that says what
// is wrong, in time, and that nothing of the server is left.
func TestAttackServersThatMisbehave(t *testing.T) {
	for how, c := range map[string]struct {
		timeout time.Duration
		reasons []string
	}{
		"hangs":                         {time.Second, []string{"did not answer within 1s"}},
		"ends at once":                  {0, []string{" ended", "it said last: toy.mod:3: bad value"}},
		"ends later":                    {0, []string{" ended", "it said last: panic: index out of range"}},
		"greets in plain words":         {0, []string{`does not speak the protocol: it sent "Welcome to the toy server!"`}},
		"sends a header without an end": {0, []string{"does not speak the protocol: it sent a header that does not end"}},
		"sends a gigantic message":      {0, []string{"a message of 999,999,999 bytes, more than the 16,777,216"}},
		"sends no JSON":                 {0, []string{`a message that is not one: "{oops"`}},
		"refuses":                       {0, []string{"refused: no licence"}},
		"floods in one message":         {0, []string{"more than the 16,777,216"}},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			config := soon(editor.Config{Dir: toyProject(t), Timeout: c.timeout, Servers: []editor.Server{unrulyServer(how)}})
			config.Grace = 100 * time.Millisecond
			_, err := newDiagnostics(t, config).Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
			missed(t, err, ampersat.Failed, c.reasons...)
		})
	}
	for _, how := range []string{"never finishes and finds nothing", "does not read"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir := toyProject(t)
			if how == "does not read" { // more than a pipe holds
				write(t, filepath.Join(dir, "a.toy"), strings.Repeat("long line\n", 50_000))
			}
			inTime(t, func(timeout time.Duration) bool {
				config := soon(editor.Config{Dir: dir, Timeout: timeout, Servers: []editor.Server{unrulyServer(how)}})
				config.Grace = 100 * time.Millisecond
				_, err := newDiagnostics(t, config).Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
				missed(t, err, ampersat.Failed, " within "+timeout.String())
				return strings.Contains(err.Error(), "did not finish")
			})
		})
	}
}

// What a server found in time is better than nothing, and is not taken for all.
func TestServerThatNeverFinishes(t *testing.T) {
	for how, text := range map[string]string{"never finishes": "found so far", "floods without an end": "again"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir, name := toyProject(t), filepath.Base(os.Args[0])
			inTime(t, func(timeout time.Duration) bool {
				config := soon(editor.Config{Dir: dir, Timeout: timeout, Servers: []editor.Server{unrulyServer(how)}})
				config.Grace, config.Quiet = 100*time.Millisecond, time.Minute
				c, err := newDiagnostics(t, config).Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
				if err != nil {
					missed(t, err, ampersat.Failed, " within "+timeout.String())
					return false
				}
				wantDiagnostics(t, c, "a.toy:1:5: error: "+text+" ("+name+")\n")
				if c.Shown != "what "+name+" had found when time was up" || c.Source != "" {
					t.Errorf("shown %q", c.Shown)
				}
				return true
			})
		})
	}
}

func TestServerIsWaitedFor(t *testing.T) {
	for how, c := range map[string]struct{ want string }{
		"takes its time":                   {"found in the end"},
		"speaks of an older version first": {"fresh"},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			config := soon(editor.Config{Dir: toyProject(t), Servers: []editor.Server{unrulyServer(how)}})
			got := diagnose(t, newDiagnostics(t, config), errorsOnly)
			wantDiagnostics(t, got, "a.toy:1:5: error: "+c.want+" ("+filepath.Base(os.Args[0])+")\n")
		})
	}
}

// A server that has nothing to say about a file is not waited for until the end.
func TestServerThatSaysNothing(t *testing.T) {
	config := soon(editor.Config{Dir: toyProject(t), Timeout: time.Minute, Servers: []editor.Server{unrulyServer("says nothing")}})
	config.Silent = 300 * time.Millisecond
	wantDiagnostics(t, diagnose(t, newDiagnostics(t, config), all), "[no errors and no warnings, says "+filepath.Base(os.Args[0])+"]\n")
}

func TestServerThatIsAsked(t *testing.T) {
	d := newDiagnostics(t, soon(editor.Config{Dir: toyProject(t), Servers: []editor.Server{unrulyServer("is asked")}}))
	name := filepath.Base(os.Args[0])
	// It publishes something as well when a file is opened.
	wantDiagnostics(t, diagnose(t, d, errorsOnly), fmt.Sprintf("a.toy:1:5: error: asked about a.toy (%s)\na.toy:1:5: error: found in a.toy (%[1]s)\nother.toy:2:5: error: asked about all (%[1]s)\n", name))
}

func TestServerThatAsks(t *testing.T) {
	server := unrulyServer("asks questions")
	server.Settings = map[string]jsonValue{"toy": jsonValue(`{"strict":true}`)}
	d := newDiagnostics(t, soon(editor.Config{Dir: toyProject(t), Servers: []editor.Server{server}}))
	wantDiagnostics(t, diagnose(t, d, errorsOnly), `a.toy:1:5: error: [{"strict":true},null] true true (`+filepath.Base(os.Args[0])+")\n")
}

// TestAttackFlood: a million diagnostics are counted, not held.
func TestAttackFlood(t *testing.T) {
	d := newDiagnostics(t, soon(editor.Config{Dir: toyProject(t), Timeout: 5 * time.Minute, Servers: []editor.Server{unrulyServer("floods")}}))
	c := diagnose(t, d, errorsOnly)
	total := fmt.Sprintf("%d,000 diagnostics", floodedFiles)
	if floodedFiles == 1000 {
		total = "1,000,000 diagnostics"
	}
	if c.Shown != "1,000 of "+total || strings.Count(c.Text, "\n") != 1000 || c.Source != "" {
		t.Errorf("shown %q, %d lines", c.Shown, strings.Count(c.Text, "\n"))
	}
	limited, err := d.Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person, Limit: 500})
	must(t, err)
	if len(limited.Text) > 500 || len(limited.Text) < 400 || !strings.HasSuffix(limited.Text, "\n") || !strings.HasSuffix(limited.Shown, " of "+total) {
		t.Errorf("shown %q: %q", limited.Shown, limited.Text)
	}
}

// What servers say is sorted, each thing once, and nothing in it is obeyed.
func TestServerThatSaysOddThings(t *testing.T) {
	d := newDiagnostics(t, soon(editor.Config{Dir: toyProject(t), Servers: []editor.Server{unrulyServer("says odd things")}}))
	c := diagnose(t, d, all)
	long, rest, _ := strings.Cut(c.Text, "a.toy:10:5: error: long ")
	name := filepath.Base(os.Args[0])
	want := strings.ReplaceAll("a.toy:1:1: error:  (toy)\na.toy:2:5: error: first\n\t  because of this (toy)\na.toy:3:5: error: twice (toy)\na.toy:5:1: error: marked (lint)\na.toy:6:1: warning: warned (toy)\n", "(toy)", "("+name+")")
	if long != want || len(rest) > 2100 || !strings.Contains(rest, "…") {
		t.Errorf("have:\n%s\nwant:\n%s\nthen %d bytes", long, want, len(rest))
	}
}

// isAlive reports whether a process runs. One that has ended and that nobody
// asked about yet does not.
func isAlive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err == nil {
		_, state, _ := strings.Cut(string(stat), ") ")
		return !strings.HasPrefix(state, "Z")
	}
	return syscall.Kill(pid, 0) == nil
}

// Nothing of a server is left when it was asked to end, nor of what it started.
func TestServersEnd(t *testing.T) {
	for how, polite := range map[string]bool{"behaves": true, "has children": true, "does not want to end": false} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir := toyProject(t)
			config := soon(editor.Config{Dir: dir, Trust: trusted, Servers: []editor.Server{unrulyServer(how)}})
			if !polite {
				config.Grace = 200 * time.Millisecond
			}
			d := editor.New(config)
			diagnose(t, d, errorsOnly)
			must(t, d.Close())
			if _, err := os.Stat(filepath.Join(dir, "said goodbye")); (err == nil) != polite {
				t.Errorf("asked to end: %v, want %t", err, polite)
			}
			if text, err := os.ReadFile(filepath.Join(dir, "child")); err == nil {
				pid, err := strconv.Atoi(string(text))
				must(t, err)
				for deadline := time.Now().Add(time.Minute); isAlive(pid); time.Sleep(10 * time.Millisecond) {
					if time.Now().After(deadline) {
						t.Fatal("what the server started lives on")
					}
				}
			} else if how == "has children" {
				t.Error(err)
			}
			_, err := d.Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
			missed(t, err, ampersat.Failed, "have been ended")
			must(t, d.Close())
		})
	}
}

// A server is started once, and again after it died.
func TestServerIsKept(t *testing.T) {
	dir := toyProject(t)
	starts := 0
	d := newDiagnostics(t, soon(editor.Config{Dir: dir, Trust: func() error { starts++; return nil }, Servers: []editor.Server{unrulyServer("ends later")}}))
	for range 2 {
		_, err := d.Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
		missed(t, err, ampersat.Failed, " ended")
	}
	write(t, filepath.Join(dir, "mended"), "")
	first := diagnose(t, d, errorsOnly).Text
	write(t, filepath.Join(dir, "a.toy"), "changed\n")
	again := diagnose(t, d, errorsOnly).Text
	if first != again || !strings.Contains(first, "found by ") || starts != 4 {
		t.Errorf("%s and %s, trust was asked for %d times", first, again, starts)
	}
}

func TestCancelledWhileAServerHangs(t *testing.T) {
	d := newDiagnostics(t, soon(editor.Config{Dir: toyProject(t), Timeout: time.Minute, Servers: []editor.Server{unrulyServer("hangs")}}))
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := d.Resolve(ctx, ampersat.Query{Mention: errorsOnly, Asker: person}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("have %v", err)
	}
}

// Closing does not wait for a server that never answers.
func TestClosedWhileAServerHangs(t *testing.T) {
	d := editor.New(soon(editor.Config{Dir: toyProject(t), Trust: trusted, Timeout: time.Hour, Servers: []editor.Server{unrulyServer("hangs")}}))
	done := make(chan error)
	go func() {
		_, err := d.Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
		done <- err
	}()
	time.Sleep(100 * time.Millisecond) // it holds whether or not it was started yet
	must(t, d.Close())
	missed(t, <-done, ampersat.Failed, "have been ended")
}

// Nothing is started before the person has agreed to it.
func TestTrust(t *testing.T) {
	marker := filepath.Join(t.TempDir(), "ran")
	server := editor.Server{Language: "toy", Command: []string{"touch", marker}, Marks: []string{"toy.mod"}, Files: map[string]string{".toy": "toy"}}
	denied := &access.Denied{What: "language servers", Reason: access.ReasonTrust, Detail: "the project is not trusted", Grant: "ampersat trust"}
	d := newDiagnostics(t, soon(editor.Config{Dir: toyProject(t), Trust: func() error { return denied }, Servers: []editor.Server{server}}))
	_, err := d.Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
	if got, ok := access.IsDenied(err); !ok || got != denied {
		t.Errorf("have %v", err)
	}
	nobody := editor.New(editor.Config{Dir: toyProject(t), Servers: []editor.Server{server}})
	_, err = nobody.Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
	missed(t, err, ampersat.Failed, "no language server may be started here")
	if _, err := os.Stat(marker); err == nil {
		t.Error("it was started")
	}
	must(t, nobody.Close())
	_, err = d.Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: access.Asker{Origin: access.FromFile, Tree: "/"}})
	if got, ok := access.IsDenied(err); !ok || got.Reason != access.ReasonKind {
		t.Errorf("a file mentions diagnostics: %v", err)
	}
}

func TestNotInstalled(t *testing.T) {
	dir := project(t, map[string]string{"toy.mod": "", "a.toy": "", "b.lab": ""})
	missing := editor.Server{Language: "lab", Command: []string{"no-such-server"}, Install: "lab install server", Marks: []string{"toy.mod"}, Files: map[string]string{".lab": "lab"}}
	d := newDiagnostics(t, soon(editor.Config{Dir: dir, Servers: []editor.Server{missing}}))
	_, err := d.Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
	missed(t, err, ampersat.Failed, "no-such-server is not installed; to install it: lab install server")
	_, err = newDiagnostics(t, soon(editor.Config{Dir: dir, Servers: []editor.Server{{Language: "lab", Marks: missing.Marks, Files: missing.Files}}})).
		Resolve(t.Context(), ampersat.Query{Mention: errorsOnly, Asker: person})
	missed(t, err, ampersat.Failed, "no command is configured for the server of lab")

	// With one of two, there is half of it, and that is said.
	half := newDiagnostics(t, soon(editor.Config{Dir: dir, Servers: []editor.Server{missing, unrulyServer("behaves")}}))
	c := diagnose(t, half, errorsOnly)
	wantDiagnostics(t, c, "a.toy:1:5: error: found in a.toy ("+filepath.Base(os.Args[0])+")\n")
	if c.Shown != "nothing from no-such-server" || !strings.Contains(c.Note, "lab install server") || c.Source != "" {
		t.Errorf("shown %q, note %q", c.Shown, c.Note)
	}
}

func TestDiagnosticsOfWhatIsNotThere(t *testing.T) {
	dir := toyProject(t)
	d := newDiagnostics(t, soon(editor.Config{Dir: filepath.Join(dir), Servers: []editor.Server{unrulyServer("behaves")}}))
	ask := func(m mention.Mention) error {
		_, err := d.Resolve(t.Context(), ampersat.Query{Mention: m, Asker: person})
		return err
	}
	missed(t, ask(mention.Diagnostics{Errors: true, Path: "nothing/"}), ampersat.Missing, "there is no file or folder of that name")
	missed(t, ask(mention.Diagnostics{Errors: true, Path: ".."}), ampersat.Failed, "outside the project")
	missed(t, ask(mention.Terminal{}), ampersat.Failed, "a terminal has no diagnostics")
	must(t, os.Symlink(t.TempDir(), filepath.Join(dir, "link")))
	missed(t, ask(mention.Diagnostics{Errors: true, Path: "link"}), ampersat.Failed, "outside the project")
}

// Of many files the newest are looked at, and it is said of how many.
func TestOnlySomeFilesAreOpened(t *testing.T) {
	files := map[string]string{"toy.mod": ""}
	for i := range 6 {
		files[fmt.Sprintf("%d.toy", i)] = ""
	}
	dir := project(t, files)
	for i := range 6 {
		at := time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC)
		must(t, os.Chtimes(filepath.Join(dir, fmt.Sprintf("%d.toy", i)), at, at))
	}
	config := soon(editor.Config{Dir: dir, Files: 2, Servers: []editor.Server{unrulyServer("behaves")}})
	c := diagnose(t, newDiagnostics(t, config), errorsOnly)
	name := filepath.Base(os.Args[0])
	wantDiagnostics(t, c, "4.toy:1:5: error: found in 4.toy ("+name+")\n5.toy:1:5: error: found in 5.toy ("+name+")\n")
	if c.Shown != "of 2 of 6 toy files, the newest" {
		t.Errorf("shown %q", c.Shown)
	}
}
