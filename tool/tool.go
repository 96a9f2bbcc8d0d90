package tool

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// UsualBudget is how many tokens one call may bring if nobody says so.
const UsualBudget = 32_000

// Config says what the tools work on.
//
// read_file, list_files and fetch read through the pipeline, wherever its resolver
// looks. search, edit_file, write_file and shell work on the disk, on Roots and
// Dir: with a resolver over an [io/fs.FS] they do not see what the others read, and
// where there are no Roots they find and write nothing. A program over such a file
// system offers a model only those of [New] that fit, or some of its own.
type Config struct {
	// Pipeline reads what the model asks for. Without it nothing is read.
	Pipeline *ampersat.Pipeline
	// Roots are the trees that may be read. Those that are an [access.Project]
	// may be written.
	Roots access.Roots
	// Consent is what the person has allowed besides. Nil means that of the
	// pipeline.
	Consent access.Consent
	// Dir is the working directory on the disk, absolute. Relative paths are seen
	// from here, and commands run here.
	Dir string
	// Elsewhere says that the relative names that the model has seen are those of
	// another project: files here are called by their absolute paths.
	Elsewhere bool
	// Home is what ~ stands for. Empty means that it stands for nothing.
	Home string
	// Budget is how many tokens one call may bring. Zero means [UsualBudget] for
	// its Turn.
	Budget ampersat.Budget
	// LookPath finds programs. Nil means [exec.LookPath].
	LookPath func(name string) (string, error)
	// Environ is what commands get to see, but for secrets. Nil means
	// [os.Environ].
	Environ func() []string
}

// New returns all tools, in the order in which a model is told of them. Nothing
// is opened or looked for before one is run. They are safe for concurrent use, and
// are the tools of one conversation: what one of them has written, the model of
// that conversation knows.
func New(c Config) []agent.Tool {
	k := newKit(c)
	return []agent.Tool{
		&readFile{k},
		&listFiles{k},
		&search{k},
		&editFile{k},
		&writeFile{k},
		&shell{k},
		&fetch{k},
	}
}

// kit is what the tools share.
type kit struct {
	Config
	own ledger
	// writing is held while a file is compared with what it was and replaced.
	writing sync.Mutex
	// passed is the contents with secrets that were let pass, by path and digest:
	// what is planned and then run is one use of a grant for one time.
	passed sync.Map
}

func newKit(c Config) *kit {
	// What a call brings is not what is sent: nobody but the tool sees it.
	var quiet ampersat.Pipeline
	if c.Pipeline != nil {
		quiet = *c.Pipeline
	}
	quiet.OnPrepared = nil
	c.Pipeline = &quiet
	if c.Consent == nil {
		c.Consent = quiet.Consent
	}
	if c.Consent == nil {
		c.Consent = new(access.Memory)
	}
	if c.Budget == (ampersat.Budget{}) {
		c.Budget.Turn = UsualBudget
	}
	if c.LookPath == nil {
		c.LookPath = exec.LookPath
	}
	if c.Environ == nil {
		c.Environ = os.Environ
	}
	return &kit{Config: c}
}

// arguments reads what a model gave a tool. What the tool does not know is an
// error: a model that is told so calls again, one that is not gets something
// else than it asked for.
func arguments[A any](tool string, input jsontext.Value) (A, error) {
	var a A
	err := json.Unmarshal(input, &a, json.RejectUnknownMembers(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return a, fmt.Errorf("%s: the arguments do not fit its schema: %w", tool, err)
	}
	return a, nil
}

// path returns what a model calls a file as an absolute path.
func (k *kit) path(name string) (string, error) {
	name = filepath.FromSlash(name)
	switch {
	case name == "":
		return "", fmt.Errorf("there is no path")
	case strings.ContainsRune(name, 0):
		return "", fmt.Errorf("no path holds a zero byte")
	case name == "~" || strings.HasPrefix(name, "~"+string(filepath.Separator)):
		if k.Home == "" {
			return "", fmt.Errorf("there is no home folder here; give the whole path")
		}
		return filepath.Join(k.Home, name[1:]), nil
	case filepath.IsAbs(name):
		return filepath.Clean(name), nil
	}
	return filepath.Join(k.Dir, name), nil
}

// name is what a model calls a file: a path from the working directory for what
// is in the project, as in the blocks of mentions, else an absolute one.
func (k *kit) name(path string) string {
	root, ok := k.Roots.Find(path)
	if !k.Elsewhere && (ok && root.Place == access.Project || access.Inside(k.Dir, path)) {
		if rel, err := filepath.Rel(k.Dir, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(path)
}

// subject is what reading a path comes to: where its links lead, as the trees
// are spelled that may be read. So a link in the project to somewhere else is
// asked about as what is there.
func (k *kit) subject(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || real == path {
		return path // if there is nothing, nothing is read
	}
	subject, inner := real, ""
	for _, root := range k.Roots.List() {
		tree, err := filepath.EvalSymlinks(root.Path)
		if err != nil || !access.Inside(tree, real) || len(tree) < len(inner) {
			continue
		}
		if rel, err := filepath.Rel(tree, real); err == nil {
			subject, inner = filepath.Join(root.Path, rel), tree
		}
	}
	return subject
}

// secrets refuses a file with secrets in it that nobody allowed.
func (k *kit) secrets(path, text string) error {
	found := access.ScanString(path, text)
	if len(found) == 0 {
		return nil
	}
	key := [2]string{path, string(blob.Of([]byte(text)))}
	if _, passed := k.passed.Load(key); passed {
		return nil
	}
	err := access.CheckSecrets(k.Consent, path, found)
	if err == nil {
		k.passed.Store(key, true)
	}
	return err
}

// folder marks the subject of an action as a folder, see [agent.RuleFor].
func folder(path string) string {
	return strings.TrimSuffix(path, string(filepath.Separator)) + string(filepath.Separator)
}

// prepare asks a pipeline for a mention that a model makes.
func (k *kit) prepare(ctx context.Context, p *ampersat.Pipeline, view ampersat.View, m mention.Mention) (ampersat.Stack, error) {
	ref := message.Ref{Mention: m, Written: cmp.Or(m.String(), "@")}
	return p.Prepare(ctx, ampersat.Turn{
		Message: message.Message{Role: message.User, Content: message.Of(ref)},
		Budget:  k.Budget,
		View:    view,
		Flat:    true,
	})
}

// read returns the first of some readings that exists, for the model.
func (k *kit) read(ctx context.Context, p *ampersat.Pipeline, view ampersat.View, readings ...mention.Mention) (agent.Result, ampersat.Report, error) {
	var first ampersat.Report
	for i, m := range readings {
		stack, err := k.prepare(ctx, p, view, m)
		if err != nil {
			return agent.Result{}, ampersat.Report{}, err
		}
		if len(stack.Reports) == 0 {
			continue
		}
		report := stack.Reports[0]
		if i == 0 {
			first = report
		}
		if report.Outcome == ampersat.Missing {
			continue
		}
		if report.Outcome.Bad() {
			return agent.Result{}, report, fmt.Errorf("%s", report.Reason)
		}
		result := agent.Result{Blobs: stack.Blobs}
		for _, m := range stack.Messages[:len(stack.Messages)-1] {
			result.Parts = append(result.Parts, m.Content.Parts...)
		}
		return result, report, nil
	}
	return agent.Result{}, first, fmt.Errorf("%s", cmp.Or(first.Reason, "nothing there"))
}
