package agent

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/session"
)

// Mode says what tools may do without a person being asked.
type Mode string

const (
	// ModeAsk asks about everything that was not allowed before. The zero Mode,
	// and any that is not known, is this one.
	ModeAsk Mode = "ask"
	// ModeAutoRead lists and reads without asking: files of the project, and
	// whatever a tool reads that is nobody's to allow, because its [Action] has no
	// subject.
	ModeAutoRead Mode = "auto-read"
	// ModeAll does not ask.
	ModeAll Mode = "all"
)

// ParseMode reads the name of a [Mode], as it stands in a flag or a setting.
func ParseMode(name string) (Mode, error) {
	switch mode := Mode(name); mode {
	case ModeAsk, ModeAutoRead, ModeAll:
		return mode, nil
	}
	return "", fmt.Errorf("permission mode %q: there are %s, %s and %s", name, ModeAsk, ModeAutoRead, ModeAll)
}

// Decision is what a person says to an [Action].
type Decision string

const (
	// Refuse, like any decision that is not known, is a no.
	Refuse Decision = "refuse"
	// AllowOnce is a yes to this action and no other.
	AllowOnce Decision = "once"
	// AllowForSession is a yes to all that [RuleFor] the action covers, for as
	// long as the [Permissions] live. Where the action has no subject, it is a yes
	// to what the tool does with the same effect and without a subject.
	AllowForSession Decision = "session"
	// AllowForProject is the same for good: the rule is handed to
	// [Permissions.Remember], unless it has no subject.
	AllowForProject Decision = "project"
)

// Rule is something that was allowed for longer than once: an effect on a
// subject. It is comparable, and as JSON what is kept of it.
type Rule struct {
	Effect Effect `json:"effect"`
	// Subject is a folder, absolute, for what lists, reads and writes; a host for what
	// fetches; the command line, exactly, for what runs.
	Subject string `json:"subject"`
}

// RuleFor returns the rule that a yes to an action for longer than once makes.
// For a file it is about all files of the folder that it is in, and in the
// folders below; for a folder, whose path ends in a slash, about those in it.
func RuleFor(a Action) Rule {
	rule := Rule{a.Effect, a.Subject}
	if a.onFile() && filepath.IsAbs(a.Subject) {
		rule.Subject = filepath.Dir(a.Subject) // that of a/ is a
	}
	return rule
}

// String says to a person what the rule allows.
func (r Rule) String() string {
	switch r.Effect {
	case Lists, Reads, Writes:
		if !filepath.IsAbs(r.Subject) { // somebody else's tool, which names no file
			break
		}
		return fmt.Sprintf("%s files in %s", r.Effect, r.Subject)
	case Fetches:
		return "fetch from " + r.Subject
	}
	return fmt.Sprintf("%s %s", r.Effect, r.Subject)
}

// Covers reports whether an action is one that the rule allows. What writes a
// file may read it too, and what reads the files of a folder may list it.
func (r Rule) Covers(a Action) bool {
	switch {
	case r.Subject == "":
		return false
	case a.onFile() && filepath.IsAbs(a.Subject):
		return slices.Contains(includes(r.Effect), a.Effect) && access.Inside(r.Subject, a.Subject)
	}
	return r.Subject == a.Subject && (r.Effect == a.Effect || r.Effect == Reads && a.Effect == Lists)
}

// includes are the effects on a file that a yes to one of them is a yes to.
func includes(effect Effect) []Effect {
	onFiles := []Effect{Lists, Reads, Writes}
	return onFiles[:slices.Index(onFiles, effect)+1]
}

func (a Action) onFile() bool { return len(includes(a.Effect)) > 0 }

// Permissions decides what tools may do. The zero value allows nothing, since
// there is nobody to ask. A tool of one's own that is always to be run is named
// in Tools, or says that it [Reads] something without a subject and is run in
// [ModeAutoRead]. Its fields are set before it is used and not changed
// after; it is safe for concurrent use, and asks one question at a time.
type Permissions struct {
	Mode Mode
	// Project is the folder whose files [ModeAutoRead] reads without asking,
	// absolute.
	Project string
	// Allowed is what was allowed for good before. Whoever sets it has made sure
	// that the project is trusted.
	Allowed []Rule
	// Tools are tools that need not ask, by name or by a pattern of [path.Match].
	Tools []string
	// Known, if set, reports whether something was allowed in another way: a path
	// or an address that the person has opened already.
	Known func(Action) bool
	// Grant, if set, is told of each action that was allowed, before it is done,
	// so that what would be closed otherwise can be opened for it.
	Grant func(Action)
	// Ask asks a person. It returns soon after its context is cancelled, with an
	// error. Nil means that there is nobody, and [ErrNobody] that there is nobody
	// now.
	Ask func(ctx context.Context, question Question) (Decision, error)
	// Hint, if set, says how an action could be allowed that was refused because
	// there is nobody to ask: a flag or a setting of the program. It becomes part
	// of the [Refused].
	Hint func(tool string, action Action) string
	// Remember, if set, keeps a rule for the project, and says itself if it
	// cannot. Until the end of the session the rule holds in any case.
	Remember func(Rule)

	mu      sync.Mutex
	session []Rule
	// nameless are tools that may go on with what has no subject.
	nameless []nameless
	asking   chan struct{}
}

type nameless struct {
	tool   string
	effect Effect
}

// Question is a call that a person is asked about. It comes after the call was
// streamed ([message.ToolCallEnd]) and before its [ToolStarted]; all three name
// the call.
type Question struct {
	// Action is what the call would do.
	Action
	// Tool is the name of the tool that would do it.
	Tool string
	// Call is the ID of the call, and Session and Turn where it was made, as in
	// the events of the turn. They are for who asks, and decide nothing.
	Call          string
	Session, Turn session.ID
}

// ErrNobody is what [Permissions.Ask] returns where nobody can be asked.
var ErrNobody = errors.New("there is nobody to ask")

// Refused is the error for an action that was not allowed. It is told to the
// model as the result of its call.
type Refused struct {
	Tool   string
	Action Action
	// Nobody says that there was no person to ask, and Hint is then what could be
	// done about it, if [Permissions.Hint] knows.
	Nobody bool
	Hint   string
}

// Error implements error.
func (r *Refused) Error() string {
	what := fmt.Sprintf("%s: not allowed: %s", r.Tool, r.Action.Summary)
	switch {
	case r.Nobody && r.Hint != "":
		return what + ": there is nobody to ask here (" + r.Hint + ")"
	case r.Nobody:
		return what + ": there is nobody to ask here"
	}
	return what + ": the person said no; do not try to get there another way, ask what to do instead"
}

// Check returns nil if a tool may do something, after asking a person if need
// be. Otherwise the error is a [*Refused], that of a cancelled context, or why
// nobody could be asked.
func (p *Permissions) Check(ctx context.Context, question Question) error {
	if err := p.check(ctx, question); err != nil {
		return err
	}
	if p.Grant != nil {
		p.Grant(question.Action)
	}
	return nil
}

func (p *Permissions) check(ctx context.Context, question Question) error {
	tool, action := question.Tool, question.Action
	if err := ctx.Err(); err != nil {
		return err
	}
	named := func(pattern string) bool {
		matches, err := path.Match(pattern, tool)
		return err == nil && matches
	}
	if p.allows(tool, action) || slices.ContainsFunc(p.Tools, named) {
		return nil
	}
	if p.Ask == nil {
		return p.nobody(tool, action)
	}
	turn := p.turn()
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	// What was answered meanwhile may cover this too.
	if p.allows(tool, action) {
		return nil
	}
	decision, err := p.Ask(ctx, question)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrNobody):
		return p.nobody(tool, action)
	case err != nil:
		return fmt.Errorf("%s: ask about %s: %w", tool, action.Summary, err)
	}
	switch decision {
	case AllowOnce:
		return nil
	case AllowForSession, AllowForProject:
		rule := RuleFor(action)
		p.mu.Lock()
		if rule.Subject == "" {
			p.nameless = append(p.nameless, nameless{tool, action.Effect})
		} else {
			p.session = append(p.session, rule)
		}
		p.mu.Unlock()
		if decision == AllowForProject && p.Remember != nil && rule.Subject != "" {
			p.Remember(rule)
		}
		return nil
	}
	return &Refused{Tool: tool, Action: action}
}

// nobody is the error for an action that somebody would have to be asked about.
func (p *Permissions) nobody(tool string, action Action) error {
	refused := &Refused{Tool: tool, Action: action, Nobody: true}
	if p.Hint != nil {
		refused.Hint = p.Hint(tool, action)
	}
	return refused
}

// turn is what the one who asks holds.
func (p *Permissions) turn() chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asking == nil {
		p.asking = make(chan struct{}, 1)
	}
	return p.asking
}

// allows reports whether an action needs no question.
func (p *Permissions) allows(tool string, action Action) bool {
	if p.Mode == ModeAll || p.Mode == ModeAutoRead && p.isRead(action) {
		return true
	}
	if p.Known != nil && p.Known(action) {
		return true
	}
	covers := func(r Rule) bool { return r.Covers(action) }
	p.mu.Lock()
	defer p.mu.Unlock()
	if action.Subject == "" && slices.Contains(p.nameless, nameless{tool, action.Effect}) {
		return true
	}
	return slices.ContainsFunc(p.Allowed, covers) || slices.ContainsFunc(p.session, covers)
}

// isRead reports whether an action does no more than read: the project, or what
// has no name that somebody could allow.
func (p *Permissions) isRead(action Action) bool {
	isHere := action.Subject == "" || p.Project != "" && access.Inside(p.Project, action.Subject)
	return (action.Effect == Lists || action.Effect == Reads) && isHere
}

// Text is the rule as [ParseAllowed] reads it: "run go test ./...".
func (r Rule) Text() string { return string(r.Effect) + " " + r.Subject }

// ParseAllowed reads what is allowed for good: the name of a tool, or a pattern
// for names, or a [Rule] as [Rule.Text] writes it. One of the two results is
// set.
func ParseAllowed(text string) (tool string, rule Rule, err error) {
	effect, subject, ok := strings.Cut(strings.TrimSpace(text), " ")
	if !ok {
		if _, err := path.Match(effect, ""); err == nil && effect != "" {
			return effect, Rule{}, nil
		}
	}
	rule = Rule{Effect(effect), strings.TrimSpace(subject)}
	if !ok || !slices.Contains([]Effect{Lists, Reads, Writes, Fetches, Runs}, rule.Effect) {
		return "", Rule{}, fmt.Errorf("%q is neither the name of a tool nor something that is done to something: "+
			`"list /folder", "read /folder", "write /folder", "fetch host", "run command"`, text)
	}
	return "", rule, nil
}
