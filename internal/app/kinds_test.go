package app

import (
	"context"
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

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// program finds something that tests need, and skips the test without it.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is missing: scripts/need installs it", name)
	}
	return path
}

// pane starts tmux with a pane that shows a text, and lets this process believe
// that it runs in it.
func pane(t *testing.T, text string) {
	t.Helper()
	tmux := program(t, "tmux")
	socket := filepath.Join(t.TempDir(), "tmux")
	run := func(args ...string) string {
		out, err := exec.Command(tmux, append([]string{"-S", socket, "-f", os.DevNull}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	run("new-session", "-d", "-x", "80", "-y", "24", "printf '"+text+"\\n'; exec sleep 600")
	t.Cleanup(func() { run("kill-server") })
	for deadline := time.Now().Add(time.Minute); !strings.Contains(run("capture-pane", "-p"), text); {
		if time.Now().After(deadline) {
			t.Fatal("the pane stays empty")
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Setenv("TMUX", socket+",1,0")
	t.Setenv("TMUX_PANE", run("display-message", "-p", "#{pane_id}"))
}

// One prompt with a mention of every kind, on this repository, with real
// programs behind each.
func TestEveryKindResolvesAtOnce(t *testing.T) {
	ctx := context.Background()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	everything := filepath.Join(root, ".cache/npm/mcp-servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	if _, err := os.Stat(everything); err != nil {
		t.Skip("server-everything is missing: scripts/need installs it")
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
	pane(t, "shown in the pane")

	home := t.TempDir()
	t.Setenv("HOME", home)
	userDir := filepath.Join(home, ".ampersat")
	t.Setenv("AMPERSAT_HOME", userDir)
	config := fmt.Sprintf("mcp: {everything: {command: %q, args: [%q, stdio]}}\ncustom: {greet: {command: [echo, \"hello {}\"]}}\nlanguage_servers: {go: {command: [%q], timeout: 2m}}\n",
		program(t, "node"), everything, strings.TrimSpace(string(gopls)))
	if err := os.MkdirAll(userDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(userDir, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(home, "dot.png")
	file, err := os.Create(picture)
	if err == nil {
		err = png.Encode(file, image.NewGray(image.Rect(0, 0, 8, 8)))
	}
	if err != nil {
		t.Fatal(err)
	}
	file.Close()

	a, err := New(Options{Dir: root, Allow: []string{page.URL}, Trusted: func() bool { return true }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	store, err := a.Store(ctx)
	if err != nil {
		t.Fatal(err)
	}
	meta, err := store.Create(ctx, session.Meta{Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Append(ctx, meta.ID, 0, session.NoLease, session.Said{Message: message.Message{Role: message.User, Content: message.Say("said before")}}); err != nil {
		t.Fatal(err)
	}

	turn := ampersat.Ask("@README.md @LICENSE:1-3 @blob/ @./blob/*.go @blob/blob.go#Digest @" + page.URL + "/page @commit:HEAD " +
		"@diagnostics:all:blob/ @terminal @everything:demo://resource/static/document/architecture.md @greet:world @session:last @explorer @foundation:context/AGENTS.md")
	attached, err := a.Attach(ctx, picture)
	if err != nil {
		t.Fatal(err)
	}
	turn.Message.Content = message.Of(append(turn.Message.Content.Parts, attached)...)
	stack, err := a.Pipeline.Prepare(ctx, turn)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[mention.Kind]bool{}
	for _, r := range stack.Reports {
		if r.Parent < 0 {
			seen[r.Mention.Kind()] = true
			if r.Outcome.Bad() {
				t.Errorf("%s is %s: %s", r.Written, r.Outcome, r.Reason)
			}
		}
	}
	for _, kind := range []mention.Kind{
		mention.KindFile, mention.KindSelection, mention.KindDirectory, mention.KindGlob, mention.KindSymbol, mention.KindURL, mention.KindGitDiff,
		mention.KindDiagnostics, mention.KindTerminal, mention.KindResource, mention.KindCustom, mention.KindSession, mention.KindAgent, mention.KindImage,
	} {
		if !seen[kind] {
			t.Errorf("there is no %s", kind)
		}
	}
	var text strings.Builder
	for _, m := range stack.All() {
		for _, part := range m.Content.Rendered().Parts {
			if said, ok := part.(message.Text); ok {
				text.WriteString(said.Text)
			}
		}
	}
	for _, want := range []string{
		"Apache License", "blob.go", "type Digest", "hello from the server", "shown in the pane", "hello world", "said before", "Working together",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("nothing says %q", want)
		}
	}
}
