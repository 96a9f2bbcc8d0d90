package editor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/internal/ignore"
	"github.com/ampersat/ampersat/mention"
)

// Config says what a [Diagnostics] looks at and how.
type Config struct {
	// Dir is the working directory, absolute: paths are seen from here.
	Dir string
	// Root is the project that holds Dir. Empty means Dir.
	Root string
	// Trust is asked before a server is started: it runs what the project says.
	// Its error is that of the mention. Nil means that nothing is trusted.
	Trust func() error
	// Servers are added to those of [Servers], or take their place.
	Servers []Server
	// Timeout is how long one mention may take. Zero means one minute.
	Timeout time.Duration
	// Quiet is how long a server must have said nothing to be done. Zero means
	// 1.5 seconds.
	Quiet time.Duration
	// Silent is how long a server is waited for that says nothing at all. Zero
	// means 15 seconds.
	Silent time.Duration
	// Files is how many files of a language are opened at most, the newest. Zero
	// means 100.
	Files int
	// Grace is how long a server may take to end when it is asked to. Zero means
	// two seconds.
	Grace time.Duration
}

// mostListed is how many files of a project are considered.
const mostListed = 20_000

// Diagnostics is an [ampersat.Resolver] for what language servers report. It is
// safe for concurrent use. Close ends the servers.
type Diagnostics struct {
	config Config
	// dir and root are without links, as servers name them.
	real func() (dir, root string, err error)

	// life ends when it is closed, and with it whatever is under way.
	life context.Context
	end  context.CancelCauseFunc

	mu      sync.Mutex
	running map[serverKey]*slot
}

type serverKey struct{ language, root string }

// slot is the place of a server, which is started once.
type slot struct {
	starting chan struct{} // has one element while it is free
	process  *client
}

// New returns a resolver. Nothing is read and nothing is started before it is
// asked.
func New(c Config) *Diagnostics {
	c.Root = cmp.Or(c.Root, c.Dir)
	c.Timeout = cmp.Or(c.Timeout, time.Minute)
	c.Quiet = cmp.Or(c.Quiet, 1500*time.Millisecond)
	c.Silent = cmp.Or(c.Silent, 15*time.Second)
	c.Files = cmp.Or(c.Files, 100)
	c.Grace = cmp.Or(c.Grace, 2*time.Second)
	d := &Diagnostics{config: c, running: map[serverKey]*slot{}}
	d.life, d.end = context.WithCancelCause(context.Background())
	var once sync.Once
	var dir, root string
	var err error
	d.real = func() (string, string, error) {
		once.Do(func() {
			if dir, err = filepath.EvalSymlinks(c.Dir); err == nil {
				root, err = filepath.EvalSymlinks(c.Root)
			}
		})
		return dir, root, err
	}
	return d
}

var (
	errTime   = errors.New("out of time")
	errClosed = errors.New("the language servers have been ended")
)

// Resolve implements [ampersat.Resolver].
func (d *Diagnostics) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	if err := ctx.Err(); err != nil {
		return ampersat.Content{}, err
	}
	if err := q.Asker.Allow(q.Mention); err != nil {
		return ampersat.Content{}, err
	}
	m, ok := q.Mention.(mention.Diagnostics)
	if !ok {
		return ampersat.Content{}, q.Unfit("has no diagnostics")
	}
	if d.life == nil {
		return ampersat.Content{}, q.Unfit("needs a resolver that editor.New has made")
	}
	limited, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	defer context.AfterFunc(d.life, func() { abort(errClosed) })()
	c, err := d.answer(limited, m, q.Limit)
	if ctx.Err() != nil {
		return ampersat.Content{}, ctx.Err()
	}
	if err == nil {
		return c, nil
	}
	var miss *ampersat.Miss
	if denied, ok := access.IsDenied(err); ok {
		return ampersat.Content{}, denied
	}
	if errors.As(err, &miss) {
		miss.Mention = m
		return ampersat.Content{}, miss
	}
	reason := err.Error()
	return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: ampersat.Failed, Reason: reason, Err: err}
}

func (d *Diagnostics) answer(ctx context.Context, m mention.Diagnostics, limit int) (ampersat.Content, error) {
	dir, root, err := d.real()
	if err != nil {
		return ampersat.Content{}, fmt.Errorf("the project cannot be read: %w", cause(err))
	}
	scope, err := scopeOf(dir, root, m.Path)
	if err != nil {
		return ampersat.Content{}, err
	}
	listing, cancel := context.WithTimeout(ctx, d.config.Timeout)
	jobs, err := d.jobs(listing, root, scope)
	cancel()
	if err != nil {
		return ampersat.Content{}, fmt.Errorf("the project cannot be listed: %w", cause(err))
	}
	if len(jobs) == 0 {
		var names []string
		for _, s := range servers(d.config.Servers) {
			names = append(names, s.Language)
		}
		return ampersat.Content{}, &ampersat.Miss{Outcome: ampersat.Missing,
			Reason: "there is nothing here in a language that a server is known for: " + strings.Join(names, ", ")}
	}
	if d.config.Trust == nil {
		return ampersat.Content{}, errors.New("no language server may be started here")
	}
	if err := d.config.Trust(); err != nil {
		return ampersat.Content{}, err
	}
	answers := make([]verdict, len(jobs))
	var wait sync.WaitGroup
	for i, j := range jobs {
		wait.Go(func() { answers[i] = d.consult(ctx, root, j) })
	}
	wait.Wait()
	return report{mention: m, dir: dir, scope: filepath.Join(root, filepath.FromSlash(scope)), answers: answers}.content(limit)
}

// scopeOf returns what a path names, as a slash path from the root.
func scopeOf(dir, root, name string) (string, error) {
	full := dir
	if name != "" {
		full = filepath.FromSlash(name)
		if !filepath.IsAbs(full) {
			full = filepath.Join(dir, full)
		}
		real, err := filepath.EvalSymlinks(full)
		if err != nil {
			return "", &ampersat.Miss{Outcome: ampersat.Missing, Reason: "there is no file or folder of that name", Looked: []string{dir}, Err: err}
		}
		full = real
	}
	scope, err := filepath.Rel(root, full)
	if err != nil || scope == ".." || strings.HasPrefix(scope, ".."+string(filepath.Separator)) {
		return "", &ampersat.Miss{Outcome: ampersat.Failed, Reason: "it is outside the project, which is " + root}
	}
	return filepath.ToSlash(scope), nil
}

// jobs finds out which servers are needed for what is in the scope.
func (d *Diagnostics) jobs(ctx context.Context, root, scope string) ([]job, error) {
	full := filepath.Join(root, filepath.FromSlash(scope))
	info, err := os.Stat(full)
	if err != nil {
		return nil, err
	}
	listing := []string{scope}
	top := path.Dir(scope)
	if info.IsDir() {
		top = scope
		listed, err := ignore.List(ctx, root, scope, ignore.Options{Max: mostListed})
		if err != nil {
			if cause := context.Cause(ctx); cause != nil {
				return nil, cause
			}
			return nil, err
		}
		listing = listing[:0]
		for _, file := range listed.Files {
			if file.Type.IsRegular() {
				listing = append(listing, path.Join(scope, file.Path))
			}
		}
	}
	var above []folder
	for at := top; ; at = path.Dir(at) {
		above = append(above, folder{at, names(filepath.Join(root, filepath.FromSlash(at)))})
		if at == "." {
			break
		}
	}
	return plan(servers(d.config.Servers), listing, above), nil
}

// names are those of the files in a folder, none if it cannot be read.
func names(dir string) []string {
	file, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer file.Close()
	found, _ := file.Readdirnames(mostListed) // what could be read will do
	return found
}

// verdict is what one server said, or why it did not.
type verdict struct {
	job    job
	found  []finding
	over   int
	opened int // files
	// unfinished is why it had not said everything yet, nil if it had.
	unfinished error
	err        error
}

// consult has one server look at its files.
func (d *Diagnostics) consult(ctx context.Context, root string, j job) verdict {
	v := verdict{job: j}
	limit := cmp.Or(j.server.Timeout, d.config.Timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTime)
	defer cancel()
	q := question{top: root, open: newest(root, j.files, d.config.Files), all: j.files}
	v.opened = len(q.open)
	p, err := d.start(ctx, j.server, filepath.Join(root, filepath.FromSlash(j.root)))
	if errors.Is(err, errTime) {
		err = &failure{what: fmt.Sprintf("%s did not answer within %v", j.server.program(), limit), err: err}
	}
	if err != nil {
		v.err = err
		return v
	}
	err = p.consult(ctx, q, patience{d.config.Quiet, d.config.Silent})
	v.found, v.over = p.board.findings()
	switch {
	case errors.Is(err, errTime):
		v.unfinished = &failure{what: fmt.Sprintf("%s did not finish within %v", j.server.program(), limit), said: p.words(), err: err}
		if len(v.found) == 0 {
			p.stop(0) // it hangs; the next mention starts another
		}
	case err != nil:
		v.err = p.explain(ctx, err)
	}
	return v
}

// newest returns the files that changed last, at most that many, in order.
func newest(root string, files []string, most int) []string {
	if len(files) <= most {
		return files
	}
	type dated struct {
		name    string
		changed time.Time
	}
	all := make([]dated, 0, len(files))
	for _, name := range files {
		if info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); err == nil {
			all = append(all, dated{name, info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b dated) int { return cmp.Or(b.changed.Compare(a.changed), strings.Compare(a.name, b.name)) })
	var names []string
	for _, d := range all[:min(most, len(all))] {
		names = append(names, d.name)
	}
	slices.Sort(names)
	return names
}

// start returns the server for a project, which runs already or is started.
func (d *Diagnostics) start(ctx context.Context, spec Server, root string) (*client, error) {
	key := serverKey{spec.Language, root}
	d.mu.Lock()
	s := d.running[key]
	if s == nil {
		s = &slot{starting: make(chan struct{}, 1)}
		d.running[key] = s
	}
	d.mu.Unlock()
	select {
	case s.starting <- struct{}{}:
		defer func() { <-s.starting }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if s.process != nil && !s.process.ended() {
		return s.process, nil
	}
	if s.process != nil {
		s.process.stop(0)
		s.process = nil
	}
	if d.life.Err() != nil {
		return nil, errClosed
	}
	p, err := launch(ctx, spec, root)
	if err != nil {
		return nil, err
	}
	s.process = p
	return p, nil
}

// Close ends all servers. Nothing of them is left when it returns.
func (d *Diagnostics) Close() error {
	if d.end == nil { // New has not made it, and nothing was started
		return nil
	}
	d.end(errClosed)
	d.mu.Lock()
	var slots []*slot
	for _, s := range d.running {
		slots = append(slots, s)
	}
	d.mu.Unlock()
	var wait sync.WaitGroup
	for _, s := range slots {
		wait.Go(func() {
			s.starting <- struct{}{} // whoever starts it gives up
			if s.process != nil {
				s.process.stop(d.config.Grace)
			}
			<-s.starting
		})
	}
	wait.Wait()
	return nil
}
