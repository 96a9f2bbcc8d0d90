package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/message"
)

// TestWhatAPersonHasBeforeThem resolves, in one prompt, the output of a
// terminal, what a real language server reports, a symbol and a picture.
func TestWhatAPersonHasBeforeThem(t *testing.T) {
	gopls, err := exec.Command("go", "tool", "-modfile=../../tools/gopls/go.mod", "-n", "gopls").Output()
	if err != nil {
		t.Fatalf("gopls: %v", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOPLSCACHE", filepath.Join(cache, "gopls"))
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, strings.TrimSpace(string(value)))
	}
	w := newWorld(t, map[string]string{
		"go.mod":   "module example.com/x\n\ngo 1.26\n",
		"main.go":  "package main\n\n// answer is known.\nfunc answer() int { return \"42\" }\n\nfunc main() { answer() }\n",
		"make.log": "compiling  1%\rcompiling 99%\n\x1b[31mfailed\x1b[0m\n",
	})
	config := "language_servers:\n  go:\n    command: [\"" + strings.TrimSpace(string(gopls)) + "\"]\n"
	if err := os.MkdirAll(w.ampHome, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(w.ampHome, "config.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := filepath.Join(t.TempDir(), "dot.gif")
	if err := os.WriteFile(picture, []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"), 0o600); err != nil {
		t.Fatal(err)
	}
	trusted := false
	a, err := New(Options{Dir: w.project, Terminal: filepath.Join(w.project, "make.log"), Trusted: func() bool { return trusted }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	ref, err := a.Attach(context.Background(), picture)
	if err != nil {
		t.Fatal(err)
	}
	turn := ampersat.Ask("Why? @terminal @diagnostics @main.go#answer ")
	turn.Message.Content.Parts = append(turn.Message.Content.Parts, ref)

	stack, err := a.Pipeline.Prepare(context.Background(), turn)
	if err != nil {
		t.Fatal(err)
	}
	if r := stack.Reports[1]; r.Outcome != ampersat.Blocked || !strings.Contains(r.Reason, "ampersat trust") {
		t.Errorf("without trust: %+v", r)
	}
	trusted = true
	stack, err = a.Pipeline.Prepare(context.Background(), turn)
	if err != nil {
		t.Fatal(err)
	}
	var sent strings.Builder
	images := 0
	for _, part := range stack.Messages[0].Content.Parts {
		block := part.(message.Context)
		sent.WriteString(block.Render() + "\n")
		images += len(block.Parts)
	}
	want := `<context_file paths="terminal" kind="terminal">
compiling 99%
failed

</context_file>
<context_file paths="diagnostics" kind="diagnostics">
main.go:4:28: error: cannot use "42" (untyped string constant) as int value in return statement (compiler)

</context_file>
<context_file paths="main.go" lines="3-4" symbol="answer">
// answer is known.
func answer() int { return "42" }

</context_file>
<context_file paths="dot.gif" kind="image">

</context_file>
`
	if sent.String() != want || images != 1 {
		t.Errorf("%d images; have:\n%s\nwant:\n%s", images, sent.String(), want)
		for _, r := range stack.Reports {
			t.Logf("%s: %s %s", r.Written, r.Outcome, r.Reason)
		}
	}
}

// TestNothingIsStartedBeforeItIsNeeded prepares a prompt that mentions none of
// what takes a process, in an environment where none could be started.
func TestNothingIsStartedBeforeItIsNeeded(t *testing.T) {
	w := newWorld(t, map[string]string{"go.mod": "module x\n", "a.md": "alpha\n"})
	t.Setenv("PATH", t.TempDir())
	t.Setenv("TMUX", "/nowhere,1,0")
	t.Setenv("TMUX_PANE", "%1")
	asked := false
	a, err := New(Options{Dir: w.project, Terminal: filepath.Join(w.project, "no such pipe"), Trusted: func() bool { asked = true; return true }})
	if err != nil {
		t.Fatal(err)
	}
	stack, err := a.Pipeline.Prepare(context.Background(), ampersat.Ask("Read @a.md"))
	if err != nil || len(stack.Bad()) > 0 {
		t.Errorf("%v: %+v", err, stack.Reports)
	}
	if err := a.Close(); err != nil || asked {
		t.Errorf("%v, asked whether the project is trusted: %t", err, asked)
	}
}
