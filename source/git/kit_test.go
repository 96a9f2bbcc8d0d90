package git_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/git"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var person = access.Asker{Origin: access.FromPerson}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// isolate keeps the configuration of whoever runs the tests out of them, and
// checks that no temporary file stays.
func isolate(t testing.TB) {
	t.Helper()
	home, temp := t.TempDir(), t.TempDir()
	for _, setting := range os.Environ() {
		if name, _, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "")
			must(t, os.Unsetenv(name))
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("TMPDIR", temp)
	t.Cleanup(func() {
		left, err := os.ReadDir(temp)
		if err != nil || len(left) > 0 {
			t.Errorf("temporary files stay: %v, error %v", left, err)
		}
	})
}

// repository is one for a test, made by the real git.
type repository struct {
	t   testing.TB
	dir string
}

func newRepository(t testing.TB, options ...string) repository {
	t.Helper()
	isolate(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	r := repository{t, dir}
	r.git(append([]string{"init", "-q", "-b", "main"}, options...)...)
	r.git("config", "user.name", "Ada")
	r.git("config", "user.email", "ada@example.com")
	return r
}

// git runs git without any precaution.
func (r repository) git(args ...string) string {
	r.t.Helper()
	out, err := r.try(args...)
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

func (r repository) try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.WaitDelay = r.dir, time.Second
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2024-05-06T07:08:09Z", "GIT_COMMITTER_DATE=2024-05-06T07:08:09Z")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r repository) write(files map[string]string) {
	r.t.Helper()
	for name, text := range files {
		path := filepath.Join(r.dir, filepath.FromSlash(name))
		must(r.t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(r.t, os.WriteFile(path, []byte(text), 0o644))
	}
}

// commit writes files and commits all there is.
func (r repository) commit(message string, files map[string]string) {
	r.t.Helper()
	r.write(files)
	r.git("add", "-A")
	r.git("commit", "-q", "--allow-empty", "-m", message)
}

func (r repository) ask(m mention.Mention, limit int) (ampersat.Content, error) {
	return git.New(git.Config{Dir: r.dir, Timeout: 5 * time.Minute}).Resolve(r.t.Context(), ampersat.Query{Mention: m, Asker: person, Limit: limit})
}

// load asks for what must be there.
func (r repository) load(m mention.GitDiff) ampersat.Content {
	r.t.Helper()
	c, err := r.ask(m, 0)
	if err != nil {
		r.t.Fatal(err)
	}
	if c.Tree != "" || c.Folder != "" {
		r.t.Errorf("the text would be searched for mentions: tree %q, folder %q", c.Tree, c.Folder)
	}
	if c.Shown == "" && (c.Source != blob.Of([]byte(c.Text)) || c.Size != int64(len(c.Text))) {
		r.t.Errorf("digest %s, size %d for a text of %d bytes", c.Source, c.Size, len(c.Text))
	}
	return c
}

// missed asks for what cannot be had.
func (r repository) missed(m mention.GitDiff, outcome ampersat.Outcome, reason string) {
	r.t.Helper()
	c, err := r.ask(m, 0)
	miss := (*ampersat.Miss)(nil)
	if !errors.As(err, &miss) {
		r.t.Fatalf("content %+v, error %v", c, err)
	}
	if miss.Outcome != outcome || !strings.Contains(miss.Detail(), reason) || miss.Mention != mention.Mention(m) {
		r.t.Errorf("%s: %s; want %s: %s", miss.Outcome, miss.Detail(), outcome, reason)
	}
}

// wantText checks a whole text, less the lines with hashes in them.
func wantText(t testing.TB, c ampersat.Content, want string) {
	t.Helper()
	var have strings.Builder
	for line := range strings.Lines(c.Text) {
		if !strings.HasPrefix(line, "index ") {
			have.WriteString(line)
		}
	}
	if have.String() != want {
		t.Errorf("have:\n%s\nwant:\n%s", have.String(), want)
	}
}

func wantParts(t testing.TB, c ampersat.Content, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(c.Text, part) {
			t.Errorf("no %q in:\n%s", part, c.Text)
		}
	}
}
