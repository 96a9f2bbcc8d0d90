package fs_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	person = access.Asker{Origin: access.FromPerson}
	inFile = func(tree string) access.Asker { return access.Asker{Origin: access.FromFile, Tree: tree} }
)

// write makes files below a folder. A name that ends in a slash is a folder.
func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// place is a project, a home with the user's folder in it, and the roots that
// a program would give.
type place struct {
	dir, home, user string
	config          fs.Config
}

func newPlace(t testing.TB, files map[string]string) place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	p := place{dir: filepath.Join(base, "project"), home: filepath.Join(base, "home"), user: filepath.Join(base, "home/.ampersat")}
	write(t, base, map[string]string{"project/": "", "home/.ampersat/": ""})
	write(t, p.dir, files)
	roots, err := access.NewRoots(access.Root{Path: p.dir, Place: access.Project}, access.Root{Path: p.user, Place: access.User})
	must(t, err)
	p.config = fs.Config{Dir: p.dir, Home: p.home, UserDir: p.user, Roots: roots}
	return p
}

// ask resolves what a person mentions.
func (p place) ask(t testing.TB, m mention.Mention) (ampersat.Content, error) {
	t.Helper()
	return fs.New(p.config).Resolve(t.Context(), ampersat.Query{Mention: m, Asker: person})
}

// load is ask for what must be there.
func (p place) load(t testing.TB, m mention.Mention) ampersat.Content {
	t.Helper()
	c, err := p.ask(t, m)
	if err != nil {
		t.Fatalf("%v: %v", m, err)
	}
	return c
}

// missing returns the miss of a mention that must be one.
func missing(t testing.TB, c ampersat.Content, err error, outcome ampersat.Outcome) *ampersat.Miss {
	t.Helper()
	var miss *ampersat.Miss
	if !errors.As(err, &miss) || miss.Outcome != outcome {
		t.Fatalf("have %+v, %v; want a miss that is %s", c, err, outcome)
	}
	if c.Text != "" {
		t.Fatalf("a miss came with %q", c.Text)
	}
	return miss
}

// denied returns the refusal of a mention that must be refused.
func denied(t testing.TB, c ampersat.Content, err error, reason access.Reason) *access.Denied {
	t.Helper()
	refusal, ok := access.IsDenied(err)
	if !ok || refusal.Reason != reason {
		t.Fatalf("have %+v, %v; want it denied by %s", c, err, reason)
	}
	if c.Text != "" || len(c.Parts) > 0 {
		t.Fatalf("a refusal came with %q", c.Text)
	}
	return refusal
}

func sha(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func file(path string) mention.Mention { return mention.File{Path: path} }

func folder(path string) mention.Mention { return mention.Directory{Path: path} }

func lines(path string, first, last int) mention.Mention {
	return mention.Selection{Path: path, First: first, Last: last}
}
