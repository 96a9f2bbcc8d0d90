package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// Scheme is a kind of mention of the user's own: by a command or by a URL.
type Scheme struct {
	// Name is the word before the colon.
	Name string

	// Command is a program and its arguments, with {} in one of them where what
	// was mentioned goes. Without it that is added as the last one.
	Command []string
	// Env is added to the part of the environment that programs get.
	Env map[string]string
	// Dir is where it runs.
	Dir string

	// URL is an address with {} in its path or query.
	URL string
	// Transport makes the request, and knows which addresses are allowed. Nil
	// means [http.DefaultTransport], which allows all.
	Transport http.RoundTripper

	// MIME is the type of what comes; empty means that it is looked at.
	MIME string
	// Timeout is how long it may take. Zero means [DefaultTimeout].
	Timeout time.Duration
	// Limit is the most bytes that are read. Zero means [DefaultLimit].
	Limit int

	// Trust, if set, returns why the scheme may not be used. It is asked each
	// time before anything is started or sent.
	Trust func() error
}

const (
	// DefaultTimeout is for programs that ask somebody else.
	DefaultTimeout = 30 * time.Second
	// DefaultLimit is more than most models read.
	DefaultLimit = 4 << 20
	// maxArgument is longer than the name of anything.
	maxArgument = 4 << 10
)

// Resolver is an [ampersat.Resolver] for custom mentions. It is safe for concurrent
// use.
type Resolver struct {
	schemes []Scheme
}

// New returns a resolver. Nothing is started before it is asked.
func New(schemes ...Scheme) *Resolver {
	r := &Resolver{schemes: slices.Clone(schemes)}
	for i := range r.schemes {
		s := &r.schemes[i]
		s.Timeout, s.Limit = cmp.Or(s.Timeout, DefaultTimeout), cmp.Or(s.Limit, DefaultLimit)
	}
	return r
}

// Namespaces are the names of the schemes, for [ampersat.Mux.Name]: with them,
// @jira:ABC-1 is a custom mention and no file.
func (r *Resolver) Namespaces() []ampersat.Namespace {
	var all []ampersat.Namespace
	for _, s := range r.schemes {
		all = append(all, ampersat.Namespace{
			Name: s.Name, What: "a custom scheme",
			Mention: func(rest string) mention.Mention { return mention.Custom{Scheme: s.Name, Arg: rest} },
		})
	}
	return all
}

// Resolve implements [ampersat.Resolver].
func (r *Resolver) Resolve(ctx context.Context, q ampersat.Query) (ampersat.Content, error) {
	if err := ctx.Err(); err != nil {
		return ampersat.Content{}, err
	}
	if err := q.Asker.Allow(q.Mention); err != nil {
		return ampersat.Content{}, err
	}
	m, ok := q.Mention.(mention.Custom)
	if !ok {
		return ampersat.Content{}, q.Unfit("is no custom mention")
	}
	miss := func(outcome ampersat.Outcome, err error) error {
		return &ampersat.Miss{Mention: m, Outcome: outcome, Reason: err.Error(), Err: err}
	}
	i := slices.IndexFunc(r.schemes, func(s Scheme) bool { return s.Name == m.Scheme })
	if i < 0 {
		return ampersat.Content{}, miss(ampersat.Missing, r.noSuch(m.Scheme))
	}
	s := r.schemes[i]
	if s.Trust != nil {
		if err := s.Trust(); err != nil {
			return ampersat.Content{}, err
		}
	}
	limited, cancel := context.WithTimeoutCause(ctx, s.Timeout, errTime)
	defer cancel()
	out, err := s.ask(limited, m.Arg)
	if err == nil {
		return s.content(m, out), nil
	}
	if denied, ok := access.IsDenied(err); ok {
		return ampersat.Content{}, denied
	}
	switch cause := context.Cause(limited); {
	case ctx.Err() != nil:
		return ampersat.Content{}, ctx.Err()
	case errors.Is(cause, errTime):
		err = fmt.Errorf("%s did not end within %v%s", s.Name, s.Timeout, complaint(out.said))
	case errors.Is(err, errNothing):
		return ampersat.Content{}, miss(ampersat.Missing, err)
	}
	return ampersat.Content{}, miss(ampersat.Failed, err)
}

var (
	errTime    = errors.New("out of time")
	errNothing = errors.New("there is no such thing")
)

func (r *Resolver) noSuch(name string) error {
	if len(r.schemes) == 0 {
		return fmt.Errorf("there is no custom scheme called %q; none is configured", name)
	}
	var names []string
	for _, s := range r.schemes {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return fmt.Errorf("there is no custom scheme called %q; configured: %s", name, strings.Join(names, ", "))
}

// output is what came.
type output struct {
	data []byte
	cut  bool // there was more
	// mime is what the sender says it is.
	mime string
	// said is the last line that a program complained.
	said string
}

// ask has a command or an address tell about an argument.
func (s Scheme) ask(ctx context.Context, arg string) (output, error) {
	switch {
	case arg == "":
		return output{}, errors.New("it names nothing after the colon")
	case len(arg) > maxArgument:
		return output{}, fmt.Errorf("it is longer than %d bytes", maxArgument)
	case strings.ContainsFunc(arg, unicode.IsControl):
		return output{}, errors.New("it has control characters in it")
	case len(s.Command) > 0 && s.URL != "":
		return output{}, fmt.Errorf("%s has a command and a URL; it can have one of them", s.Name)
	case len(s.Command) > 0:
		return s.run(ctx, arg)
	case s.URL != "":
		return s.fetch(ctx, arg)
	}
	return output{}, fmt.Errorf("%s has neither a command nor a URL", s.Name)
}

// complaint adds what was said to a reason.
func complaint(said string) string {
	if said == "" {
		return ""
	}
	return "; it said: " + said
}
