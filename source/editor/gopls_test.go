package editor_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/editor"
)

var (
	errorsOnly = mention.Diagnostics{Errors: true}
	all        = mention.Diagnostics{Errors: true, Warnings: true}
)

func trusted() error { return nil }

// project writes files into a folder without links on the way to it.
func project(t testing.TB, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for name, text := range files {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

// goServer is gopls, as it is pinned.
func goServer(t testing.TB) editor.Server {
	t.Helper()
	out, err := exec.Command("go", "tool", "-modfile=../../tools/gopls/go.mod", "-n", "gopls").Output()
	if err != nil {
		t.Fatalf("gopls: %v", err)
	}
	for _, s := range editor.Servers() {
		if s.Language == "go" {
			s.Command[0] = strings.TrimSpace(string(out))
			return s
		}
	}
	t.Fatal("there is no server for go")
	return editor.Server{}
}

func newDiagnostics(t testing.TB, c editor.Config) *editor.Diagnostics {
	t.Helper()
	if c.Trust == nil {
		c.Trust = trusted
	}
	d := editor.New(c)
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

func diagnose(t testing.TB, d *editor.Diagnostics, m mention.Diagnostics) ampersat.Content {
	t.Helper()
	c, err := d.Resolve(t.Context(), ampersat.Query{Mention: m, Asker: person})
	must(t, err)
	return c
}

func wantDiagnostics(t testing.TB, c ampersat.Content, want string) {
	t.Helper()
	if c.Text != want {
		t.Errorf("shown %q, note %q\nhave:\n%s\nwant:\n%s", c.Shown, c.Note, c.Text, want)
	}
}

// TestGopls has a real server tell about a project, and about what became of it
// when files change, come and go.
func TestGopls(t *testing.T) {
	t.Parallel()
	server := goServer(t)
	dir := project(t, map[string]string{
		"go.mod":       "module example.com/x\n\ngo 1.26\n",
		"a.go":         "package x\n\nfunc F() int {\n\treturn \"a\"\n}\n",
		"b/b.go":       "package b\n\nimport \"fmt\"\n\nfunc G() { fmt.Printf(\"%d\\n\", \"x\") }\n",
		"sub/c.go":     "package sub\n\nfunc H() int { return missing }\n",
		"sub/notes.md": "not Go\n",
	})
	d := newDiagnostics(t, editor.Config{Dir: dir, Servers: []editor.Server{server}, Quiet: 100 * time.Millisecond, Silent: 2 * time.Minute, Timeout: 5 * time.Minute})
	const a, b, c = "a.go:4:9: error: cannot use \"a\" (untyped string constant) as int value in return statement (compiler)\n",
		"b/b.go:5:24: warning: fmt.Printf format %d has arg \"x\" of wrong type string (printf)\n",
		"sub/c.go:3:23: error: undefined: missing (compiler)\n"
	got := diagnose(t, d, errorsOnly)
	wantDiagnostics(t, got, a+c)
	if got.Name != "diagnostics" || got.Shown != "" || got.Note != "" || got.Source == "" || got.Tree != "" {
		t.Errorf("have %+v", got)
	}
	wantDiagnostics(t, diagnose(t, d, all), a+b+c)
	wantDiagnostics(t, diagnose(t, d, mention.Diagnostics{Warnings: true}), b)
	wantDiagnostics(t, diagnose(t, d, mention.Diagnostics{Errors: true, Path: "sub/"}), c)
	wantDiagnostics(t, diagnose(t, d, mention.Diagnostics{Errors: true, Path: "a.go"}), a)

	write(t, filepath.Join(dir, "a.go"), "package x\n\nfunc F() int {\n\treturn 1\n}\n")
	must(t, os.Remove(filepath.Join(dir, "sub", "c.go")))
	write(t, filepath.Join(dir, "d.go"), "package x\n\nvar _ = F() + G2()\n")
	wantDiagnostics(t, diagnose(t, d, errorsOnly), "d.go:3:15: error: undefined: G2 (compiler)\n")
	must(t, os.Remove(filepath.Join(dir, "d.go")))
	wantDiagnostics(t, diagnose(t, d, errorsOnly), "[no errors, says gopls]\n")

	_, err := d.Resolve(t.Context(), ampersat.Query{Mention: mention.Diagnostics{Errors: true, Path: "sub/notes.md"}, Asker: person})
	missed(t, err, ampersat.Missing, "nothing here in a language that a server is known for: go, typescript")
}
