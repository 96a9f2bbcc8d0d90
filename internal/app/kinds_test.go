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
	"slices"
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

	// What each mention must bring is what nothing but the thing itself can say.
	text := func(name string) string {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	commit := gitSays(t, root, "log", "-1", "--format=%H", "--", "LICENSE")
	kinds := []struct {
		written string
		kind    mention.Kind
		want    []string
	}{
		{"@README.md", mention.KindFile, []string{text(filepath.Join(root, "README.md"))}},
		{"@LICENSE:1-3", mention.KindSelection, strings.SplitAfter(text(filepath.Join(root, "LICENSE")), "\n")[:3]},
		{"@blob/", mention.KindDirectory, []string{"blob.go\n", "doc.go\n"}},
		{"@./blob/*.go", mention.KindGlob, nil}, // its files are mentions of their own
		{"@blob/late.go", mention.KindFile, []string{text(filepath.Join(root, "blob/late.go"))}},
		{"@blob/blob.go#Digest", mention.KindSymbol, []string{"type Digest string"}},
		{"@" + page.URL + "/page", mention.KindURL, []string{"It says hello from the server, at some length."}},
		{"@commit:" + commit, mention.KindGitDiff, []string{"commit " + commit, gitSays(t, root, "show", "-s", "--format=%s", commit), "+++ b/LICENSE"}},
		{"@diagnostics:internal/app/testdata/broken/", mention.KindDiagnostics, []string{"broken.go:5:2: error: declared and not used: nobodyReadsThis"}},
		{"@terminal", mention.KindTerminal, []string{"shown in the pane"}},
		{"@everything:demo://resource/static/document/architecture.md", mention.KindResource, []string{text(filepath.Join(filepath.Dir(everything), "docs/architecture.md"))}},
		{"@greet:world", mention.KindCustom, []string{"hello world"}},
		{"@session:last", mention.KindSession, []string{"said before"}},
		{"@foundation:context/AGENTS.md", mention.KindFile, []string{"Working together"}},
		{"@explorer", mention.KindAgent, nil}, // it is handed the task, not read
	}
	var prompt []string
	for _, k := range kinds {
		prompt = append(prompt, k.written)
	}
	turn := ampersat.Ask(strings.Join(prompt, " "))
	attached, err := a.Attach(ctx, picture)
	if err != nil {
		t.Fatal(err)
	}
	turn.Message.Content = message.Of(append(turn.Message.Content.Parts, attached)...)
	stack, err := a.Pipeline.Prepare(ctx, turn)
	if err != nil {
		t.Fatal(err)
	}
	// What stands under each name.
	named := map[string]string{}
	images := 0
	for _, m := range stack.All() {
		for _, part := range m.Content.Parts {
			c, ok := part.(message.Context)
			if !ok {
				continue
			}
			for _, name := range c.Names {
				named[name] += c.Text
			}
			for _, inside := range c.Parts {
				if _, ok := inside.(message.Image); ok && slices.Contains(c.Names, "dot.png") {
					images++
				}
			}
		}
	}
	reports := map[string]ampersat.Report{}
	for _, r := range stack.Reports {
		if r.Outcome.Bad() {
			t.Errorf("%s is %s: %s", r.Written, r.Outcome, r.Reason)
		}
		if r.Parent < 0 {
			reports[r.Written] = r
		}
	}
	for _, k := range kinds {
		r, ok := reports[k.written]
		if !ok || r.Mention.Kind() != k.kind {
			t.Errorf("%s is %+v, want a %s", k.written, r, k.kind)
			continue
		}
		for _, want := range k.want {
			if !strings.Contains(named[r.Name], want) {
				t.Errorf("%s, which is %s, does not say %q:\n%s", k.written, r.Outcome, want, named[r.Name])
			}
		}
	}
	if r := reports["@explorer"]; r.Outcome != ampersat.Delegated {
		t.Errorf("the agent is %s", r.Outcome)
	}
	if images != 1 {
		t.Errorf("the picture is there %d times", images)
	}
}

// gitSays asks git about a repository.
func gitSays(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}
