package collection

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a project, a user, and what comes with the program.
type world struct {
	*Library
	t                   testing.TB
	base, project, user string
}

func newWorld(t testing.TB) *world {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	w := &world{t: t, base: base, project: filepath.Join(base, "project"), user: filepath.Join(base, "home", ".ampersat")}
	must(t, os.MkdirAll(w.project, 0o755))
	if tb, ok := t.(*testing.T); ok {
		tb.Setenv("HOME", filepath.Join(base, "home"))
		tb.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(base, "gitconfig"))
		tb.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	}
	w.reset(Limits{})
	return w
}

func (w *world) reset(limits Limits) {
	w.Library = New(Config{
		Dir: w.base, Project: w.project, UserDir: w.user, Limits: limits,
		Bundled: fstest.MapFS{"collections/foundation/context/AGENTS.md": {Data: []byte("bundled")}, "collections/foundation/collection.yaml": {Data: []byte("description: comes along")}},
		Index:   fstest.MapFS{"expertise/collection.yaml": {Data: []byte("name: expertise\nversion: 2.0\n")}, "expertise/go.md": {Data: []byte("# Go")}},
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write makes files below a folder of the world and returns it.
func (w *world) write(dir string, files map[string]string) string {
	w.t.Helper()
	dir = filepath.Join(w.base, dir)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(w.t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(w.t, os.WriteFile(path, []byte(text), 0o755))
	}
	return dir
}

// repository makes one with a commit, and returns its address.
func (w *world) repository(dir string, files map[string]string) string {
	w.t.Helper()
	dir = w.write(dir, files)
	w.git(dir, "init", "--quiet", "--initial-branch=main")
	w.commit(dir, "first")
	return "file://" + filepath.ToSlash(dir)
}

func (w *world) commit(dir, message string) string {
	w.t.Helper()
	w.git(dir, "add", "--all")
	w.git(dir, "commit", "--quiet", "--allow-empty", "--message", message)
	return w.git(dir, "rev-parse", "HEAD")
}

func (w *world) git(dir string, args ...string) string {
	w.t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (w *world) install(r Request) Result {
	w.t.Helper()
	if r.Scope == "" {
		r.Scope = User
	}
	result, err := w.Install(w.t.Context(), r)
	must(w.t, err)
	return result
}

// refused checks that an installation fails, why, and that nothing is there
// that was not there before.
func (w *world) refused(r Request, why string) {
	w.t.Helper()
	if r.Scope == "" {
		r.Scope = User
	}
	before := w.tree()
	result, err := w.Install(w.t.Context(), r)
	if err == nil || !strings.Contains(err.Error(), why) || !strings.HasPrefix(err.Error(), "install ") {
		w.t.Fatalf("%+v: %+v, %v; want %s", r, result, err, why)
	}
	if after := w.tree(); after != before {
		w.t.Errorf("%+v: it was refused, and left\n%s\nin place of\n%s", r, after, before)
	}
}

// tree is all files of both scopes with their contents.
func (w *world) tree() string {
	w.t.Helper()
	var b strings.Builder
	for _, dir := range []string{filepath.Join(w.user, "collections"), filepath.Join(w.project, ".ampersat", "collections")} {
		must(w.t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if os.IsNotExist(err) {
				return nil
			}
			if err != nil || d.IsDir() && path == dir || d.Name() == busyName {
				return err
			}
			name, err := filepath.Rel(w.base, path)
			if err != nil {
				return err
			}
			if d.IsDir() {
				b.WriteString(name + "/\n")
				return nil
			}
			text, err := os.ReadFile(path)
			b.WriteString(name + ": " + string(text) + "\n")
			return err
		}))
	}
	return b.String()
}

// read reads a file of an installed collection.
func (w *world) read(result Result, name string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(result.Path, filepath.FromSlash(name)))
	must(w.t, err)
	return string(text)
}
