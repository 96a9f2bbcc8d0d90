package editor_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/editor"
)

var person = access.Asker{Origin: access.FromPerson}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// outside makes sure that the test does not run in a pane of tmux.
func outside(t testing.TB) {
	t.Setenv("TMUX", "")
	t.Setenv("TMUX_PANE", "")
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o755))
	must(t, os.WriteFile(name, []byte(text), 0o644))
	return name
}

func askTerminal(t testing.TB, c editor.TerminalConfig, m mention.Mention, limit int) (ampersat.Content, error) {
	t.Helper()
	return editor.NewTerminal(c).Resolve(t.Context(), ampersat.Query{Mention: m, Asker: person, Limit: limit})
}

// missed checks that an error is a miss that says something.
func missed(t testing.TB, err error, outcome ampersat.Outcome, reasons ...string) {
	t.Helper()
	var miss *ampersat.Miss
	if !errors.As(err, &miss) {
		t.Fatalf("want a miss, have %v", err)
	}
	if miss.Outcome != outcome || miss.Mention == nil {
		t.Errorf("outcome %s of %v, want %s", miss.Outcome, miss.Mention, outcome)
	}
	for _, reason := range reasons {
		if !strings.Contains(miss.Detail(), reason) {
			t.Errorf("no %q in %q", reason, miss.Detail())
		}
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func TestTerminalFromAFile(t *testing.T) {
	outside(t)
	file := write(t, filepath.Join(t.TempDir(), "make.log"), "\x1b[31mfail\x1b[0m\n 1%\r99%\n\n")
	c, err := askTerminal(t, editor.TerminalConfig{File: file, Output: func(int) (string, bool) { t.Error("not asked"); return "", true }}, mention.Terminal{}, 0)
	must(t, err)
	if want := "fail\n99%\n"; c.Text != want || c.Shown != "" || c.Source != blob.Of([]byte(want)) || c.Name != "terminal" || c.Size != int64(len(want)) {
		t.Errorf("have %+v", c)
	}
	if c.Tree != "" {
		t.Error("the output would be searched for mentions")
	}
}

func TestTerminalShowsTheLastLines(t *testing.T) {
	outside(t)
	file := write(t, filepath.Join(t.TempDir(), "log"), numbered(5204))
	for _, c := range []struct {
		lines, limit  int
		begins, shown string
		name          string
		many          int
	}{
		{lines: 0, begins: "line 1\n", name: "terminal", many: 5204},
		{lines: 3, begins: "line 5202\n", name: "terminal:3", many: 3},
		{lines: 9999, begins: "line 1\n", name: "terminal:9999", many: 5204},
		{lines: 0, limit: 100, begins: "line 5195\n", shown: "the last 10 of 5,204 lines", name: "terminal", many: 10},
		{lines: 20, limit: 100, begins: "line 5195\n", shown: "the last 10 of 20 lines", name: "terminal:20", many: 10},
		{lines: 0, limit: 5, begins: " 5204\n", shown: "the end of the last of 5,204 lines", name: "terminal", many: 1},
	} {
		got, err := askTerminal(t, editor.TerminalConfig{File: file}, mention.Terminal{Lines: c.lines}, c.limit)
		must(t, err)
		if !strings.HasPrefix(got.Text, c.begins) || !strings.HasSuffix(got.Text, "5204\n") || got.Shown != c.shown || got.Name != c.name || strings.Count(got.Text, "\n") != c.many {
			t.Errorf("%d lines, limit %d: %q shown %q: %.40q…", c.lines, c.limit, got.Name, got.Shown, got.Text)
		}
		if (got.Source == "") != (c.shown != "") {
			t.Errorf("%d lines, limit %d: digest %q", c.lines, c.limit, got.Source)
		}
	}
}

// What is usual is not what was asked for: that there is more is said.
func TestTerminalShowsTheUsualNumberOfLines(t *testing.T) {
	outside(t)
	file := write(t, filepath.Join(t.TempDir(), "log"), numbered(30))
	for lines, want := range map[int]string{0: "the last 4 of 30 lines", 5: ""} {
		c, err := askTerminal(t, editor.TerminalConfig{File: file, Lines: 4}, mention.Terminal{Lines: lines}, 0)
		must(t, err)
		if many := strings.Count(c.Text, "\n"); c.Shown != want || many != max(lines, 4) {
			t.Errorf("%d lines: shown %q, have %d", lines, c.Shown, many)
		}
	}
}

func TestTerminalOfAHugeFile(t *testing.T) {
	outside(t)
	name := filepath.Join(t.TempDir(), "huge")
	must(t, os.WriteFile(name, []byte("start\n"), 0o644))
	must(t, os.Truncate(name, 10<<30)) // sparse
	file, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = file.WriteString("\nthe end\n")
	must(t, errors.Join(err, file.Close()))
	c, err := askTerminal(t, editor.TerminalConfig{File: name}, mention.Terminal{}, 0)
	must(t, err)
	if c.Text != "\nthe end\n" || !strings.HasPrefix(c.Shown, "the last ") {
		t.Errorf("shown %q: %.40q", c.Shown, c.Text)
	}
}

// A pipe is what the shell makes of <(make), and can be read once; two mentions
// in one prompt see the same.
func TestTerminalFromAPipe(t *testing.T) {
	outside(t)
	reader, writer, err := os.Pipe()
	must(t, err)
	defer reader.Close()
	_, err = writer.WriteString("one\ntwo\n")
	must(t, errors.Join(err, writer.Close()))
	r := editor.NewTerminal(editor.TerminalConfig{File: fmt.Sprintf("/dev/fd/%d", reader.Fd())})
	for lines, want := range map[int]string{0: "one\ntwo\n", 1: "two\n"} {
		c, err := r.Resolve(t.Context(), ampersat.Query{Mention: mention.Terminal{Lines: lines}, Asker: person})
		must(t, err)
		if c.Text != want {
			t.Errorf("%d lines: %q", lines, c.Text)
		}
	}
}

// A pipe that is not closed is waited for until the context ends.
func TestTerminalFromAPipeThatHangs(t *testing.T) {
	outside(t)
	reader, writer, err := os.Pipe()
	must(t, err)
	defer reader.Close()
	defer writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := editor.NewTerminal(editor.TerminalConfig{File: fmt.Sprintf("/dev/fd/%d", reader.Fd())}).Resolve(ctx, ampersat.Query{Mention: mention.Terminal{}, Asker: person})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("have %v", err)
	}
}

func TestTerminalMisses(t *testing.T) {
	outside(t)
	dir := t.TempDir()
	_, err := askTerminal(t, editor.TerminalConfig{}, mention.Terminal{}, 0)
	missed(t, err, ampersat.Missing, "tmux", "--terminal FILE")
	_, err = askTerminal(t, editor.TerminalConfig{File: filepath.Join(dir, "none")}, mention.Terminal{}, 0)
	missed(t, err, ampersat.Failed, "none: no such file")
	_, err = askTerminal(t, editor.TerminalConfig{File: dir}, mention.Terminal{}, 0)
	missed(t, err, ampersat.Failed, "it is a folder")
	_, err = askTerminal(t, editor.TerminalConfig{}, mention.File{Path: "x"}, 0)
	missed(t, err, ampersat.Failed, "a file is not a terminal")
	t.Setenv("TMUX", filepath.Join(dir, "gone")+",1,0")
	t.Setenv("TMUX_PANE", "%0")
	_, err = askTerminal(t, editor.TerminalConfig{}, mention.Terminal{}, 0)
	missed(t, err, ampersat.Failed, "tmux")
	t.Setenv("TMUX_PANE", "-t")
	_, err = askTerminal(t, editor.TerminalConfig{}, mention.Terminal{}, 0)
	missed(t, err, ampersat.Missing, "--terminal FILE")
	_, err = editor.NewTerminal(editor.TerminalConfig{}).Resolve(t.Context(), ampersat.Query{Mention: mention.Terminal{}, Asker: access.Asker{Origin: access.FromFile}})
	if denied, ok := access.IsDenied(err); !ok || denied.Reason != access.ReasonKind {
		t.Errorf("a file mentions the terminal: %v", err)
	}
}

func TestTerminalOfCommandsRunHere(t *testing.T) {
	outside(t)
	asked := -1
	c, err := askTerminal(t, editor.TerminalConfig{Output: func(lines int) (string, bool) { asked = lines; return numbered(10), true }}, mention.Terminal{Lines: 2}, 0)
	must(t, err)
	if c.Text != "line 9\nline 10\n" || asked < 100 {
		// Lines above tell whether these two are of a key.
		t.Errorf("asked for %d: %q", asked, c.Text)
	}
	c, err = askTerminal(t, editor.TerminalConfig{Output: func(int) (string, bool) { return "\x1b[2J\n\n", true }}, mention.Terminal{}, 0)
	must(t, err)
	if c.Text != "[the terminal shows nothing]\n" {
		t.Errorf("%q", c.Text)
	}
	c, err = askTerminal(t, editor.TerminalConfig{Output: func(int) (string, bool) { return strings.Repeat("old\n", 3<<20) + "new\n", true }}, mention.Terminal{}, 100)
	must(t, err)
	if !strings.HasSuffix(c.Text, "old\nnew\n") || len(c.Text) > 100 || !strings.HasPrefix(c.Shown, "the last 25 of more than ") {
		t.Errorf("shown %q: %q", c.Shown, c.Text)
	}
	_, err = askTerminal(t, editor.TerminalConfig{Output: func(int) (string, bool) { return "", false }}, mention.Terminal{}, 0)
	missed(t, err, ampersat.Missing, "--terminal FILE")
}

// The last lines of an output may begin inside a secret, however they came to be
// the last. Only a secret that they are part of counts.
func TestTerminalBeginsInsideASecret(t *testing.T) {
	outside(t)
	random := rand.New(rand.NewPCG(1, 2))
	letters := func(n int) string {
		const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
		text := make([]byte, n)
		for i := range text {
			text[i] = all[random.IntN(len(all))]
		}
		return string(text)
	}
	var key strings.Builder
	key.WriteString("$ cat key.pem\n-----BEGIN PRIVATE KEY-----\n")
	for range 50 {
		key.WriteString(letters(64) + "\n")
	}
	pem := key.String() + "-----END PRIVATE KEY-----\n$ ls\na.go\n"
	const token = "token: ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5\n"
	for _, c := range []struct {
		name         string
		output       string
		asked        string
		usual, limit int
		want         ampersat.Outcome
	}{
		{"all of it", pem, "@terminal", 0, 0, ampersat.Blocked},
		{"lines that were asked for", pem, "@terminal:20", 0, 0, ampersat.Blocked},
		{"its last line", pem, "@terminal:3", 0, 0, ampersat.Blocked},
		{"lines that are usual", pem, "@terminal", 20, 0, ampersat.Blocked},
		{"lines there is room for", pem, "@terminal", 0, 500, ampersat.Blocked},
		{"the end of a line there is room for", token, "@terminal", 0, 30, ampersat.Blocked},
		{"behind much else", numbered(20_000) + pem, "@terminal:20", 0, 0, ampersat.Blocked},
		{"after the secret", pem, "@terminal:2", 0, 0, ampersat.Loaded},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := write(t, filepath.Join(t.TempDir(), "log"), c.output)
			fromCommands := func(lines int) (string, bool) {
				all := strings.SplitAfter(c.output, "\n")
				if lines > 0 {
					all = all[max(0, len(all)-1-lines):]
				}
				return strings.Join(all, ""), true
			}
			for from, config := range map[string]editor.TerminalConfig{"file": {File: file}, "commands": {Output: fromCommands}} {
				config.Lines = c.usual
				p := &ampersat.Pipeline{Resolver: limited{editor.NewTerminal(config), c.limit}}
				stack, err := p.Prepare(t.Context(), ampersat.Ask(c.asked))
				must(t, err)
				if report := stack.Reports[0]; report.Outcome != c.want {
					t.Errorf("from a %s: %s, want %s: %s", from, report.Outcome, c.want, report.Reason)
				}
			}
		})
	}
}

// limited asks a resolver for so many bytes.
type limited struct {
	ampersat.Resolver
	limit int
}

func (l limited) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	q.Limit = l.limit
	return l.Resolver.Resolve(ctx, q)
}

// What an editor sends along is all meant, and is cleaned like the rest.
func TestTerminalCaptured(t *testing.T) {
	var r ampersat.Capturer = editor.NewTerminal(editor.TerminalConfig{})
	c, err := r.Captured(t.Context(), ampersat.Query{Mention: mention.Terminal{Lines: 1}, Asker: access.Asker{Origin: access.FromEditor}}, []byte("\x1b[1mone\r\ntwo\r\n"))
	must(t, err)
	if c.Text != "one\ntwo\n" || c.Shown != "" || c.Name != "terminal" {
		t.Errorf("have %+v", c)
	}
}
