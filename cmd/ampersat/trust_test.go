package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrustAsks answers as a person at a terminal would.
func TestTrustAsks(t *testing.T) {
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("AMPERSAT_HOME", "")
	if err := os.WriteFile(filepath.Join(project, "AGENTS.md"), []byte("be kind\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	trust := func(answer string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		code = run(context.Background(), []string{"trust", "-C", project}, streams{
			in: strings.NewReader(answer), out: &stdout, err: &stderr, inTerminal: true, styled: true,
		})
		return code, stdout.String(), stderr.String()
	}
	for _, answer := range []string{"n\n", "\n", "no way\n", "yesterday\n"} {
		if code, _, errs := trust(answer); code != exitFailed || !strings.HasPrefix(errs, "\nTrust the project as it is now? [y/N] ") || !strings.Contains(errs, "nothing was recorded") {
			t.Errorf("%q: code %d: %s", answer, code, errs)
		}
	}
	if code, _, _ := trust(""); code != exitFailed {
		t.Errorf("no answer: code %d", code)
	}
	if code, _, errs := trust("Yes\n"); code != exitDone {
		t.Errorf("yes: code %d: %s", code, errs)
	}
	if code, out, errs := trust(""); code != exitDone || errs != "" || !strings.Contains(out, "you agreed to all this") {
		t.Errorf("asked again: code %d: %s%s", code, out, errs)
	}
}

// TestTrustCanBeInterrupted while it waits for an answer.
func TestTrustCanBeInterrupted(t *testing.T) {
	project := t.TempDir()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AMPERSAT_HOME", "")
	if err := os.WriteFile(filepath.Join(project, "AGENTS.md"), []byte("be kind\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	never, writer := io.Pipe()
	defer writer.Close()
	var errs bytes.Buffer
	asked := writerFunc(func(p []byte) (int, error) {
		if bytes.Contains(p, []byte("[y/N]")) {
			cancel()
		}
		return errs.Write(p)
	})
	code := run(ctx, []string{"trust", "-C", project}, streams{in: never, out: io.Discard, err: asked, inTerminal: true})
	if code != exitInterrupted {
		t.Errorf("code %d: %s", code, errs.String())
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
