package main

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// needed finds a program that the test runs, and skips the test without it.
func needed(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is missing: scripts/need installs it", name)
	}
	return path
}

// said runs a program and returns what it prints.
func (p *person) said(program string, args ...string) string {
	p.t.Helper()
	command := exec.Command(program, args...)
	command.Dir, command.Env = p.dir, p.environment
	out, err := command.CombinedOutput()
	if err != nil {
		p.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// paints makes a small picture in the project.
func (p *person) paints(name string) {
	p.t.Helper()
	file, err := os.Create(filepath.Join(p.dir, name))
	if err == nil {
		err = errors.Join(png.Encode(file, image.NewGray(image.Rect(0, 0, 8, 8))), file.Close())
	}
	if err != nil {
		p.t.Fatal(err)
	}
}

// sitsInTmux lets the person work in a pane of tmux that shows a text.
func (p *person) sitsInTmux(text string) {
	p.t.Helper()
	tmux, socket := needed(p.t, "tmux"), filepath.Join(p.t.TempDir(), "tmux")
	says := func(args ...string) string {
		p.t.Helper()
		return p.said(tmux, append([]string{"-S", socket, "-f", os.DevNull}, args...)...)
	}
	says("new-session", "-d", "-x", "80", "-y", "24", "printf '"+text+"\\n'; exec sleep 600")
	p.t.Cleanup(func() { says("kill-server") })
	for deadline := time.Now().Add(time.Minute); !strings.Contains(says("capture-pane", "-p"), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			p.t.Fatal("the pane stays empty")
		}
	}
	p.environment = append(p.environment, "TMUX="+socket+",1,0", "TMUX_PANE="+says("display-message", "-p", "#{pane_id}"))
}

// told is what "context --json" says of the mentions, and all that the model
// would read.
func (p *person) told(args ...string) (outcomes map[string]string, text string) {
	p.t.Helper()
	var out struct {
		Messages []jsontext.Value `json:"messages"`
		Mentions []struct {
			Kind    string `json:"kind"`
			Outcome string `json:"outcome"`
			Reason  string `json:"reason"`
			Parent  string `json:"parent"`
		} `json:"mentions"`
	}
	if err := json.Unmarshal([]byte(p.run(append([]string{"context", "--json"}, args...)...)), &out); err != nil {
		p.t.Fatal(err)
	}
	outcomes = map[string]string{}
	for _, m := range out.Mentions {
		if m.Parent == "" {
			outcomes[m.Kind] = strings.TrimSuffix(m.Outcome+" "+m.Reason, " ")
		}
	}
	for _, m := range out.Messages {
		var message struct {
			Content jsontext.Value `json:"content"`
		}
		if err := json.Unmarshal(m, &message); err != nil {
			p.t.Fatal(err)
		}
		var plain string
		if err := json.Unmarshal(message.Content, &plain); err == nil {
			text += plain
			continue
		}
		var parts []struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal(message.Content, &parts); err != nil {
			p.t.Fatal(err)
		}
		for _, part := range parts {
			text += part.Text + "[" + part.Type + "]"
		}
	}
	return outcomes, text
}

// A person mentions one of every kind in a project that brings its own servers
// and commands. Nothing of the project's runs before they agreed to it; then all
// of them are there, each with what only the real thing can say.
func TestEveryKindAfterConsent(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	everything := filepath.Join(root, ".cache/npm/mcp-servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	if _, err := os.Stat(everything); err != nil {
		t.Skip("server-everything is missing: scripts/need installs it")
	}
	architecture, err := os.ReadFile(filepath.Join(filepath.Dir(everything), "docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	gopls, err := exec.Command("go", "tool", "-modfile="+filepath.Join(root, "tools/gopls/go.mod"), "-n", "gopls").Output()
	if err != nil {
		t.Fatalf("gopls: %v", err)
	}
	page := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Content-Type", "text/html")
		fmt.Fprint(out, "<html><head><title>A page</title></head><body><article><h1>A page</h1><p>It says hello from the server, at some length.</p></article></body></html>")
	}))
	t.Cleanup(page.Close)

	p := newPerson(t, "http://127.0.0.1:1")
	p.environment = append(p.environment, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b.c")
	p.sitsInTmux("shown in the pane")
	for name, text := range map[string]string{
		"go.mod": "module example.com/x\n\ngo 1.26\n", "x.go": "package x\n\nfunc broken() {\n\tnobodyReadsThis := 1\n}\n",
		"guide.md": "# The first part\n\none\n\n# The second part\n\ntwo\n", "docs/deep.md": "a deep file\n", "lines.txt": "line one\nline two\nline three\n",
		".ampersat/config.yaml": fmt.Sprintf("mcp: {everything: {command: %q, args: [%q, stdio]}}\ncustom: {greet: {command: [echo, \"hello {}\"]}}\nlanguage_servers: {go: {command: [%q], timeout: 2m}}\n",
			needed(t, "node"), everything, strings.TrimSpace(string(gopls))),
	} {
		path := filepath.Join(p.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.paints("dot.png")
	p.said("git", "init", "-q")
	p.said("git", "add", "go.mod") // and nothing that is mentioned otherwise
	p.said("git", "commit", "-q", "-m", "the commit that was made")
	p.run("ask", "--provider", "echo", "--profile", "none", "--quiet", "said before")

	args := []string{
		"--attach", "dot.png", "--allow", page.URL,
		"@notes.md @lines.txt:2-3 @docs/ @./doc*/*.md @guide.md#'The second part' @" + page.URL + "/page @commit:HEAD @diagnostics @terminal " +
			"@everything:demo://resource/static/document/architecture.md @greet:world @session:last @explorer",
	}
	outcomes, text := p.told(args...)
	for _, kind := range []string{"diagnostics", "resource", "custom"} {
		if outcome := outcomes[kind]; !strings.HasPrefix(outcome, "blocked ") || !strings.Contains(outcome, "ampersat trust") {
			t.Errorf("nobody agreed, and the %s is %s", kind, outcome)
		}
	}
	for _, theirs := range []string{"nobodyReadsThis (", "Everything Server", "hello world"} {
		if strings.Contains(text, theirs) {
			t.Errorf("nobody agreed, and there is %q", theirs)
		}
	}

	p.run("trust", "--yes")
	outcomes, text = p.told(args...)
	for kind, want := range map[string]string{
		"file": "a note\n", "selection": "line two\nline three\n", "directory": "deep.md\n", "glob": "a deep file\n", "symbol": "# The second part\n\ntwo\n",
		"url": "It says hello from the server, at some length.", "git-diff": "the commit that was made", "diagnostics": "x.go:4:2: error: declared and not used: nobodyReadsThis",
		"terminal": "shown in the pane", "resource": string(architecture), "custom": "hello world", "session": "said before", "image": "[image]",
	} {
		if outcome := outcomes[kind]; outcome != "loaded" && !strings.HasPrefix(outcome, "loaded ") {
			t.Errorf("the %s is %q", kind, outcome)
		}
		if !strings.Contains(text, want) {
			t.Errorf("the %s does not say %q:\n%s", kind, want, text)
		}
	}
	if outcome := outcomes["agent"]; !strings.HasPrefix(outcome, "delegated") {
		t.Errorf("the agent is %q", outcome)
	}
	if len(outcomes) != 14 {
		t.Errorf("there are %d kinds: %v", len(outcomes), outcomes)
	}
}
