package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/mention"
)

// Config says where a [Resolver] looks and how much it does.
type Config struct {
	// Dir is a folder of the work tree, absolute.
	Dir string
	// Consent is what the person has allowed; nil means nothing. A file that
	// holds secrets by its name, or in the lines that are shown, is left out of a
	// diff, like one that is mentioned.
	Consent access.Consent
	// Timeout is how long one mention may take. Zero means [DefaultTimeout].
	Timeout time.Duration
	// Limit is the most bytes of a diff that are held, whatever the query
	// allows. Zero means [DefaultLimit].
	Limit int
}

const (
	// DefaultTimeout is time for a diff of many thousand files.
	DefaultTimeout = 30 * time.Second
	// DefaultLimit is far more than any model reads.
	DefaultLimit = 64 << 20
)

// Resolver is an [ampersat.Resolver] for differences. It is safe for concurrent
// use.
type Resolver struct {
	config Config
}

// New returns a resolver. Nothing is read and nothing is started before it is
// asked.
func New(c Config) *Resolver {
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.Limit = cmp.Or(c.Limit, DefaultLimit)
	return &Resolver{config: c}
}

// Resolve implements [ampersat.Resolver].
func (r *Resolver) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	if err := ctx.Err(); err != nil {
		return ampersat.Content{}, err
	}
	if err := q.Asker.Allow(q.Mention); err != nil {
		return ampersat.Content{}, err
	}
	m, ok := q.Mention.(mention.GitDiff)
	if !ok {
		return ampersat.Content{}, q.Unfit("is not a difference")
	}
	program, err := exec.LookPath("git") // one found only in the current folder is an error
	if err != nil {
		return ampersat.Content{}, &ampersat.Miss{Mention: m, Outcome: ampersat.Failed, Reason: "git is not installed", Err: err}
	}
	limited, cancel := context.WithTimeoutCause(ctx, r.config.Timeout, errTime)
	defer cancel()
	a := &asking{mention: m, dir: r.config.Dir, git: command{program: program, dir: r.config.Dir}, room: r.config.Limit, consent: r.config.Consent}
	if a.consent == nil {
		a.consent = new(access.Memory)
	}
	if q.Limit > 0 {
		a.room = min(a.room, q.Limit)
	}
	c, err := a.answer(limited)
	switch {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return ampersat.Content{}, ctx.Err()
	case errors.Is(err, errTime):
		return ampersat.Content{}, a.miss(ampersat.Failed, err, "git did not end within %v", r.config.Timeout)
	}
	return ampersat.Content{}, a.explain(err)
}

var errTime = errors.New("out of time")

// asking is the work for one mention.
type asking struct {
	mention mention.GitDiff
	dir     string
	git     command
	room    int // in bytes
	repository

	notes   []string
	consent access.Consent
}

// difference is what git is asked to compare.
type difference struct {
	name   string
	header string   // what stands before the diff
	args   []string // of git diff
	// work tells whether the work tree is one side of it, index whether the
	// index has a part in it.
	work, index bool
	// none is said if there is no difference.
	none string
}

func (a *asking) answer(ctx context.Context) (ampersat.Content, error) {
	if err := a.open(ctx); err != nil {
		return ampersat.Content{}, err
	}
	d, err := a.difference(ctx)
	if err != nil {
		return ampersat.Content{}, err
	}
	var unmerged, submodules []string
	if d.index {
		what := "--unmerged"
		if d.work {
			what = "--stage"
		}
		a.progress()
		if unmerged, submodules, err = a.indexed(ctx, what); err != nil {
			return ampersat.Content{}, err
		}
	}
	if d.work {
		left := maxSubmodules
		if submodules, err = a.changedSubmodules(ctx, submodules, &left); err != nil {
			return ampersat.Content{}, err
		}
		done, err := a.enterUntracked(ctx)
		defer done()
		if err != nil {
			return ampersat.Content{}, err
		}
	}
	s := &sections{room: max(a.room-len(d.header), 0), withhold: a.withhold}
	if err := a.git.run(ctx, "", s.read, append(diffCommand[:len(diffCommand):len(diffCommand)], d.args...)...); err != nil {
		return ampersat.Content{}, err
	}
	if err := a.leaveOut(ctx, d, s); err != nil {
		return ampersat.Content{}, err
	}
	return a.content(d, s, unmerged, submodules), nil
}

// diffCommand is said in full: each of these can also be configured.
var diffCommand = []string{
	"diff", "--patch", "--no-ext-diff", "--no-textconv", "--no-color", "--color-moved=no", "--ws-error-highlight=none",
	"--src-prefix=a/", "--dst-prefix=b/", "--no-relative", "-U3", "--inter-hunk-context=0", "--diff-algorithm=default",
	"-M", "-l1000", "-O/dev/null",
	// To look into a submodule git would start another git there, for which
	// the submodule's configuration counts; see changedSubmodules.
	"--submodule=short", "--ignore-submodules=dirty",
}

// difference finds out what a mention compares. Its refs become hashes.
func (a *asking) difference(ctx context.Context) (difference, error) {
	switch m := a.mention; {
	case m.Staged:
		base, err := a.headOrNothing(ctx)
		return difference{name: "diff:staged", index: true, args: []string{"--cached", base, "--"}, none: "nothing is staged"}, err
	case m.Commit != "":
		return a.commit(ctx)
	case m.Base == "" && m.Head == "" && !m.MergeBase:
		base, err := a.headOrNothing(ctx)
		return difference{name: "diff", work: true, index: true, args: []string{base, "--"}, none: "the work tree is as HEAD is"}, err
	case m.Head == "" && !m.MergeBase:
		base, err := a.resolve(ctx, m.Base)
		return difference{name: "diff:" + m.Base, work: true, index: true, args: []string{base, "--"}, none: "the work tree is as " + m.Base + " is"}, err
	}
	return a.between(ctx)
}

// between compares two commits, either of which may be left out for HEAD.
func (a *asking) between(ctx context.Context) (d difference, err error) {
	m, dots := a.mention, ".."
	from, to := cmp.Or(m.Base, "HEAD"), cmp.Or(m.Head, "HEAD")
	base, err := a.resolve(ctx, from)
	if err != nil {
		return d, err
	}
	head, err := a.resolve(ctx, to)
	if err != nil {
		return d, err
	}
	if m.MergeBase {
		dots = "..."
		base, err = a.git.line(ctx, "merge-base", base, head)
		if f := (*failure)(nil); errors.As(err, &f) && f.code == 1 {
			if a.shallow {
				return d, a.miss(ampersat.Failed, err, "where %s and %s parted is not in this shallow clone; git fetch --unshallow gets the rest", from, to)
			}
			return d, a.miss(ampersat.Missing, err, "%s and %s have no commit in common", from, to)
		}
	}
	return difference{
		name: "diff:" + m.Base + dots + m.Head, args: []string{base, head, "--"},
		none: fmt.Sprintf("%s and %s have the same files", from, to),
	}, err
}

// content puts together what is sent.
func (a *asking) content(d difference, s *sections, unmerged, submodules []string) ampersat.Content {
	names, diff, shown := s.render()
	preamble := d.header + a.conflicts(unmerged) + a.ownChanges(submodules)
	switch {
	case len(s.all) > 0 || len(unmerged) > 0:
	case len(submodules) > 0:
		diff = "[no other changes]\n"
	default:
		diff = "[no changes: " + d.none + "]\n"
	}
	text := preamble + names + diff
	judged := s.isAllowed(text, len(preamble)+len(names))
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
		a.note("what is not UTF-8 is replaced by \uFFFD")
	}
	c := ampersat.Content{Name: d.name, Text: text, Size: int64(len(preamble)) + s.size(), Shown: shown, Note: strings.Join(a.notes, "; "), Judged: judged}
	if shown == "" {
		c.Size, c.Source = int64(len(text)), blob.Of([]byte(text))
	}
	return c
}

// withhold says why the diff of a file may not be shown, by its name, and notes
// it.
func (a *asking) withhold(path string) string {
	return a.refuse(path, access.CheckSecrets(a.consent, a.full(path), access.ScanString(a.full(path), "")))
}

// note adds to what is told of the diff. Names of files and branches are in it, and
// somebody may have called one by a secret.
func (a *asking) note(format string, args ...any) {
	a.notes = append(a.notes, access.Redact(fmt.Sprintf(format, args...)))
}

// miss is the error for a mention that did not resolve. Names are in it as well.
func (a *asking) miss(outcome ampersat.Outcome, err error, format string, args ...any) error {
	return &ampersat.Miss{Mention: a.mention, Outcome: outcome, Reason: access.Redact(fmt.Sprintf(format, args...)), Err: err}
}
