package ignore

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository is a fresh git work tree, out of reach of the configuration of
// whoever runs the tests.
type repository struct {
	t   testing.TB
	dir string
}

// isolate points git, ours and the judge's, at an empty home.
func isolate(t testing.TB) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com",
		"GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.com",
	} {
		t.Setenv(name, value)
	}
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"} {
		t.Setenv(name, "") // so that it is restored
		os.Unsetenv(name)
	}
}

func newRepository(t testing.TB) *repository {
	t.Helper()
	isolate(t)
	r := &repository{t: t, dir: folder(t)}
	r.git("init", "-q")
	return r
}

// folder is a temporary folder by its real name.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (r *repository) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return string(out)
}

// listed is what git itself lists, sorted.
func (r *repository) listed() []string {
	r.t.Helper()
	files := strings.FieldsFunc(r.git("ls-files", "-co", "--exclude-standard", "-z"), func(c rune) bool { return c == 0 })
	slices.Sort(files)
	return slices.Compact(files)
}

// fill writes files; a name that ends in a slash is a folder.
func fill(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		above := filepath.Dir(file)
		if strings.HasSuffix(name, "/") {
			above = file
		}
		if err := os.MkdirAll(above, 0o755); err != nil {
			t.Fatal(err)
		}
		if above == file {
			continue
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// oracle is one git check-ignore that answers for many paths.
type oracle struct {
	input io.WriteCloser
	out   *bufio.Reader
}

func (r *repository) oracle() *oracle {
	r.t.Helper()
	cmd := exec.Command("git", "check-ignore", "--no-index", "-v", "-n", "-z", "--stdin")
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_FLUSH=1")
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		r.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() {
		input.Close()
		cmd.Wait()
	})
	return &oracle{input: input, out: bufio.NewReader(out)}
}

// ask returns git's rule about a path, the zero one if none matches. A rule
// that begins with an exclamation mark shows the path.
func (o *oracle) ask(file string) (Rule, error) {
	if _, err := io.WriteString(o.input, "./"+file+"\x00"); err != nil {
		return Rule{}, fmt.Errorf("ask git about %q: %w", file, err)
	}
	var fields [4]string
	for i := range fields {
		field, err := o.out.ReadString(0)
		if err != nil {
			return Rule{}, fmt.Errorf("ask git about %q: %w", file, err)
		}
		fields[i] = field[:len(field)-1]
	}
	if fields[3] != "./"+file {
		return Rule{}, fmt.Errorf("asked git about %q, it answered about %q", file, fields[3])
	}
	r := Rule{File: fields[0], Pattern: fields[2]}
	fmt.Sscan(fields[1], &r.Line)
	return r, nil
}

func paths(files []File) []string {
	var all []string
	for _, f := range files {
		all = append(all, f.Path)
	}
	return all
}

func mustList(t testing.TB, root, dir string, o Options) Listing {
	t.Helper()
	listing, err := List(t.Context(), root, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return listing
}

func wantPaths(t testing.TB, have []File, want ...string) {
	t.Helper()
	if !slices.Equal(paths(have), want) {
		t.Errorf("have %q\nwant %q", paths(have), want)
	}
}

func isFolder(file string) bool {
	info, err := os.Lstat(file)
	return err == nil && info.IsDir()
}
