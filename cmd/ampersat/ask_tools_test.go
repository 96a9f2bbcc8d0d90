package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// calls is an answer that calls a tool.
func calls(out http.ResponseWriter, name, arguments string) { callsNumbered(out, 1, name, arguments) }

// callsNumbered is the same for the nth call of a turn.
func callsNumbered(out http.ResponseWriter, n int, name, arguments string) {
	fmt.Fprintf(out, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"tool_calls\":[{\"index\":0,\"id\":\"call_%d\",\"type\":\"function\",\"function\":{\"name\":%q,\"arguments\":%q}}]},\"finish_reason\":null}]}\n\n", n, name, arguments)
	piece(out, "", `"tool_calls"`)
	fmt.Fprint(out, "data: [DONE]\n\n")
}

// editingModel is a model that wants to edit notes.md and tells what came of it.
func editingModel(t *testing.T) (server *httptest.Server, results <-chan string) {
	came := make(chan string, 2)
	return chatServer(t, func(out http.ResponseWriter, _ *http.Request, body string) {
		if _, result, called := strings.Cut(body, `"tool_call_id"`); called {
			came <- result
			piece(out, "Finished.", `"stop"`)
			fmt.Fprint(out, "data: [DONE]\n\n")
			return
		}
		calls(out, "edit_file", `{"path":"notes.md","old":"a note","new":"another note"}`)
	}), came
}

// A model edits a file. With nobody to ask that is refused, and the model is told
// so; when it is allowed the file is changed, and undo puts it back.
func TestAskEditsAFileAndUndoPutsItBack(t *testing.T) {
	server, results := editingModel(t)
	p := newPerson(t, server.URL)
	notes := filepath.Join(p.dir, "notes.md")
	has := func(want string) {
		t.Helper()
		if have, err := os.ReadFile(notes); err != nil || string(have) != want {
			t.Fatalf("%q %v, want %q", have, err, want)
		}
	}

	p.run("ask", "--profile", "dev", "change @notes.md")
	has("a note\n")
	if result := <-results; !strings.Contains(result, "nobody to ask here") || !strings.Contains(p.stder.String(), "--permissions all") {
		t.Errorf("%s\n%s", result, p.stder.String())
	}

	if out := p.run("ask", "--profile", "dev", "--permissions", "all", "change @notes.md"); out != "Finished.\n" || !strings.Contains(p.stder.String(), "edit notes.md") {
		t.Errorf("%q\n%s", out, p.stder.String())
	}
	has("another note\n")
	if logs := p.run("logs", "--session", "last"); !strings.Contains(logs, "tool:call") || !strings.Contains(logs, "tool=edit_file") {
		t.Error(logs)
	}

	// Each turn had two requests, and says so.
	if first := p.run("session", "show", "last", "--turn", "1"); strings.Contains(first, "edited") || p.stder.String() != "request 1 of 2 in turn 1; --step N shows another\n" {
		t.Errorf("%s\n%s", first, p.stder.String())
	}
	if second := p.run("session", "show", "last", "--turn", "1", "--step", "2"); !strings.Contains(second, "── tool") || !strings.Contains(p.stder.String(), "request 2 of 2") {
		t.Errorf("%s\n%s", second, p.stder.String())
	}

	// A file that somebody has changed since is left alone, unless it is forced.
	if err := os.WriteFile(notes, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	failed := p.start("session", "undo")
	if err := failed.Wait(); err == nil || !strings.Contains(p.stder.String(), "--force") {
		t.Fatalf("%v %s", err, p.stder.String())
	}
	has("mine\n")
	if out := p.run("session", "undo", "--force"); !strings.Contains(out, "restored") || !strings.Contains(out, "the last turn is undone") {
		t.Error(out)
	}
	has("a note\n")
}
