package tool_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/tool"
	"github.com/aymanbagabas/go-udiff"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// args are the arguments of a call.
type args map[string]any

// place is a project and a home, and a model in it that remembers what it was
// told.
type place struct {
	dir, home string
	config    tool.Config
	consent   *access.Memory
	tools     []agent.Tool
	view      ampersat.View
	blobs     blob.Memory
}

// failer is what tests and properties have in common.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

func must(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// newPlace makes a project of some files. A name that ends in a slash is a
// folder.
func newPlace(t testing.TB, files map[string]string) *place {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return placeIn(t, base, files)
}

func placeIn(t failer, base string, files map[string]string) *place {
	t.Helper()
	p := &place{dir: filepath.Join(base, "project"), home: filepath.Join(base, "home"), consent: new(access.Memory)}
	user := filepath.Join(p.home, ".ampersat")
	must(t, os.MkdirAll(p.dir, 0o755))
	must(t, os.MkdirAll(user, 0o755))
	p.write(t, files)
	roots, err := access.NewRoots(access.Root{Path: p.dir, Place: access.Project}, access.Root{Path: user, Place: access.User})
	must(t, err)
	mux := new(ampersat.Mux)
	mux.Handle(fs.New(fs.Config{Dir: p.dir, Home: p.home, UserDir: user, Roots: roots, Consent: p.consent}), fs.Kinds()...)
	p.config = tool.Config{
		Pipeline: &ampersat.Pipeline{
			Resolver: mux, Consent: p.consent, Blobs: &p.blobs,
			Diff: func(name, before, after string) string { return udiff.Unified("a/"+name, "b/"+name, before, after) },
		},
		Roots: roots, Dir: p.dir, Home: p.home,
		Environ: func() []string { return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.home} },
	}
	p.tools = tool.New(p.config)
	return p
}

func (p *place) write(t failer, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(p.dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			must(t, os.MkdirAll(path, 0o755))
			continue
		}
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

func (p *place) content(t failer, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(p.dir, name))
	must(t, err)
	return string(data)
}

func (p *place) tool(name string) agent.Tool {
	for _, tool := range p.tools {
		if tool.Spec().Name == name {
			return tool
		}
	}
	panic("there is no tool " + name)
}

func encode(t failer, a args) jsontext.Value {
	t.Helper()
	input, err := json.Marshal(a, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	must(t, err)
	return input
}

// call does what an agent does with a call: plan it, run it, and add it to what
// the model has seen.
func (p *place) call(t failer, name string, a args) (agent.Result, error) {
	t.Helper()
	return p.callWith(context.Background(), t, name, a)
}

func (p *place) callWith(ctx context.Context, t failer, name string, a args) (agent.Result, error) {
	t.Helper()
	input := encode(t, a)
	if _, err := p.tool(name).Plan(input); err != nil {
		return agent.Result{}, err
	}
	result, err := p.tool(name).Run(ctx, agent.Call{ID: "call", Input: input, View: p.view})
	parts := result.Parts
	if err != nil {
		parts = append(parts, message.Text{Text: err.Error()})
	}
	answer, encodeErr := message.PartResult("call", parts...)
	must(t, encodeErr)
	p.view.Messages = append(p.view.Messages,
		message.Message{Role: message.Assistant, Content: message.Of(message.ToolCall{ID: "call", Name: name, Input: input})},
		message.Message{Role: message.Tool, Content: message.Of(answer)})
	for _, data := range result.Blobs {
		_, err := p.blobs.Put(context.Background(), data)
		must(t, err)
	}
	return result, err
}

// ok is call for what must succeed; it returns what the model reads.
func (p *place) ok(t failer, name string, a args) string {
	t.Helper()
	result, err := p.call(t, name, a)
	if err != nil {
		t.Fatalf("%s %v: %v", name, a, err)
	}
	return rendered(result)
}

// refused is call for what must fail, for a reason.
func (p *place) refused(t failer, name string, a args, reason string) {
	t.Helper()
	result, err := p.call(t, name, a)
	if err == nil || !strings.Contains(err.Error(), reason) {
		t.Fatalf("%s %v: have %v and\n%s\nwant an error with %q", name, a, err, rendered(result), reason)
	}
	if len(result.Changes) > 0 {
		t.Fatalf("%s %v failed and changed %v", name, a, result.Changes)
	}
}

// rendered is a result as the model reads it.
func rendered(r agent.Result) string {
	return message.Flatten(message.Of(r.Parts...).Rendered())
}

func (p *place) link(t testing.TB, target, name string) {
	t.Helper()
	if err := os.Symlink(target, filepath.Join(p.dir, name)); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
}

// withoutPrograms finds no program at all.
func withoutPrograms(string) (string, error) { return "", exec.ErrNotFound }
