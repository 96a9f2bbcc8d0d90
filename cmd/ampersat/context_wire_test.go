package main

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What "context --profile --for" prints is what "ask --profile" sends first in a
// new session: to the byte, for every API, whichever way the model was chosen.
func TestContextIsWhatAskSends(t *testing.T) {
	var sent string
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		sent = string(body)
		out.WriteHeader(http.StatusBadRequest) // it is the request that we want
	}))
	t.Cleanup(server.Close)
	home := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("work/.git/HEAD", "ref: refs/heads/main\n")
	write("work/AGENTS.md", "Test everything. See @notes.md.\n")
	write("work/notes.md", "a note\n")
	write("work/long.md", strings.Repeat("a line of a long file\n", 400))
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatal(err)
	}
	write("work/dot.png", picture.String())
	write(".ampersat/profiles/own.md", "---\nprofile: {extends: foundation:dev}\ntools: [read_file, \"docs__*\"]\ncontext: {config: {budget: 300, placement: tool}}\n---\nBe brief. @user:mine.md\n")
	write(".ampersat/mine.md", "mine\n")
	config := `
context: {compact_threshold: 0.5, compact_target: 0.2}
mcp: {docs: {command: would-be-started}}
providers:
  anthropic: {base_url: SERVER}
  openai: {base_url: SERVER/v1, summary: auto}
  azure: {base_url: SERVER/openai/v1, deployment: mine, model: gpt-4.1}
  gemini: {base_url: SERVER}
  ollama: {base_url: SERVER/v1, attempts: 1, models: {small: {window: 8000, output: 500, tools: true}, dumb: {window: 9000}}}
`
	write(".ampersat/config.yaml", strings.ReplaceAll(config, "SERVER", server.URL))
	t.Setenv("HOME", home)
	t.Setenv("AMPERSAT_HOME", "")
	keys := map[string]string{"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY", "azure": "AZURE_OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}
	for _, key := range append([]string{"GOOGLE_API_KEY"}, keys["anthropic"], keys["openai"], keys["azure"], keys["gemini"]) {
		t.Setenv(key, "")
	}
	t.Chdir(filepath.Join(home, "work"))

	call := func(piped string, args ...string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		code = run(context.Background(), args, streams{in: strings.NewReader(piped), inPipe: piped != "", out: &stdout, err: &stderr})
		return code, stdout.String(), stderr.String()
	}
	prompts := []struct {
		piped string
		args  []string
	}{
		{"", []string{"--profile", "general", "Explain @notes.md and @gone.md"}},
		{"", []string{"--profile", "dev", "--place", "top", "Explain @notes.md, @long.md and @AGENTS.md"}},
		{"", []string{"--profile", "own", "Explain @notes.md and @long.md"}},
		{"", []string{"--profile", "none", "--place", "system", "Explain @long.md"}},
		{"from a pipe, with @notes.md\n", []string{"--profile", "none", "--attach", "dot.png", "--budget", "200", "and @long.md"}},
	}
	for _, api := range []struct {
		wire, model, key string
	}{
		{"anthropic", "anthropic/claude-sonnet-4-5", "anthropic"},
		{"anthropic", "", "anthropic"},
		{"openai", "openai/gpt-5.6-terra", "openai"},
		{"openai", "", "openai"},
		{"azure", "", "azure"},
		{"gemini", "", "gemini"},
		{"chat", "ollama/small", ""},
		{"chat", "ollama/dumb", ""},
		{"chat", "ollama/nobody-knows-it", ""},
	} {
		t.Run(api.wire+" "+api.model, func(t *testing.T) {
			if api.key != "" {
				t.Setenv(keys[api.key], "sk-test-0123456789")
			}
			for _, prompt := range prompts {
				args := prompt.args
				if api.model != "" {
					args = append([]string{"--model", api.model}, args...)
				}
				sent = ""
				if code, _, errs := call(prompt.piped, append([]string{"ask"}, args...)...); code != exitRefused || sent == "" {
					t.Fatalf("ask %q: code %d, sent %q: %s", args, code, sent, errs)
				}
				code, shown, errs := call(prompt.piped, append([]string{"context", "--for", api.wire}, args...)...)
				if code != exitDone || shown != sent {
					t.Errorf("context %q: code %d: %s\nhave %s\nsent %s", args, code, errs, shown, sent)
				}
				if lacks := api.model != "ollama/dumb"; lacks != strings.Contains(errs, "the tools of MCP servers are not in it") {
					t.Errorf("context %q: what is not in it: %s", args, errs)
				}
			}
		})
	}
}
