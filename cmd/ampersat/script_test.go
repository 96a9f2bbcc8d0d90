package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"ampersat": main, "guide-server": guideServer})
}

// atOnce is a variable with which a program that was built with the race detector
// ends when it is done: it would wait for a second each time.
const atOnce, atOnceValue = "GORACE", "atexit_sleep_ms=0"

// TestScripts runs the program as people do. Each archive begins with what it
// guards.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"cmpbody": compareBody},
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv(atOnce, atOnceValue)
			return nil
		},
	})
}

// compareBody compares stdout with a file to the byte, but for the line end
// that every file of an archive has.
func compareBody(ts *testscript.TestScript, _ bool, args []string) {
	have, want := ts.ReadFile("stdout"), strings.TrimSuffix(ts.ReadFile(args[0]), "\n")
	if have != want {
		ts.Fatalf("have %s\nwant %s", have, want)
	}
}

// TestStyled shows that a terminal gets underlining, and that nothing in the
// text can use it for itself.
func TestStyled(t *testing.T) {
	var out, errs bytes.Buffer
	text := "see @a.md \x1b[31m red"
	code := run(context.Background(), []string{"find", text}, streams{in: strings.NewReader(""), out: &out, err: &errs, styled: true})
	if code != exitDone || errs.Len() > 0 {
		t.Fatalf("code %d: %s", code, errs.String())
	}
	first, rest, _ := strings.Cut(out.String(), "\n")
	if want := "see \x1b[4m@a.md\x1b[0m \\x1b[31m red"; first != want {
		t.Errorf("have %q\nwant %q", first, want)
	}
	if strings.Contains(rest, "~~~") {
		t.Errorf("marks beneath a styled line:\n%s", rest)
	}
}

// TestAtATerminalWithoutText must not wait for standard input.
func TestAtATerminalWithoutText(t *testing.T) {
	var out, errs bytes.Buffer
	code := run(context.Background(), []string{"find"}, streams{in: os.Stdin, out: &out, err: &errs, inTerminal: true})
	if code != exitUsage || !strings.Contains(errs.String(), "there is no text") {
		t.Errorf("code %d: %s", code, errs.String())
	}
}
