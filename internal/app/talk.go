package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/source/editor"
	"github.com/ampersat/ampersat/tool"
)

// DefaultProfile is the profile of a conversation if nobody names one, and
// NoProfile the name that stands for none.
const (
	DefaultProfile = "foundation:general"
	NoProfile      = "none"
)

// profileName is the profile to begin with, empty for none.
func (a *App) profileName() string {
	switch name := a.Config.Profile; name {
	case "":
		return DefaultProfile
	case NoProfile:
		return ""
	default:
		return name
	}
}

// Talk is what a front end wants of a conversation.
type Talk struct {
	// Session names one to go on with, see [App.FindSession]. Empty means a new
	// one.
	Session string
	// Title is that of a new session.
	Title string
	// NoTools gives the model no tools.
	NoTools bool
	// Ask asks a person whether a tool may do something; nil means that there is
	// nobody to ask.
	Ask func(context.Context, agent.Action) (agent.Decision, error)
	// Admit sees each message before it is said; see [agent.Config].
	Admit func(ampersat.Stack) error
	// Warn is told what people should know and what stops nothing.
	Warn func(string)
	// Notify is told of requests that are sent again.
	Notify func(*message.Error, time.Duration)
}

// Dialogue is a conversation, and what it was opened with.
type Dialogue struct {
	*agent.Conversation
	Chosen
	// Place and Budget are for its turns.
	Place  ampersat.Placement
	Budget ampersat.Budget
	// Blobs is where contents are kept that come with a message.
	Blobs blob.Store
	// AtOnce says that an answer is to be shown when it is whole, and not word by
	// word.
	AtOnce bool
}

// Talk opens a conversation: the store, the provider, the tools and the profile
// that the configuration names.
func (a *App) Talk(ctx context.Context, talk Talk) (*Dialogue, error) {
	// Opening takes a while, and what the person mentions can be read meanwhile.
	store := a.openLater(ctx)
	var merged profile.Merged
	name := a.profileName()
	if name != "" {
		var err error
		if merged, err = a.Library.Profile(name); err != nil {
			return nil, fmt.Errorf("load profile %s: %w", name, err)
		}
	}
	chosen, err := a.choose(merged, talk.Notify)
	if err != nil {
		return nil, err
	}
	permissions, err := a.permissions(talk)
	if err != nil {
		return nil, err
	}
	pipeline := *a.Pipeline
	if pipeline.OnPrepared, err = a.hooks(merged, talk.Warn); err != nil {
		return nil, fmt.Errorf("load profile %s: %w", name, err)
	}
	if name != "" {
		pipeline.Agents = func(agent string) bool { return merged.Agents.Has(agent) && a.Pipeline.Agents(agent) }
	}
	late := &blob.Late{Under: store.Blobs()}
	pipeline.Blobs = late
	conf := agent.Config{
		Store: store, Provider: chosen.Provider, Model: chosen.Model, Pipeline: &pipeline, Late: late, Permissions: permissions,
		Policy: a.policy(merged, chosen), Admit: talk.Admit, Holder: holder(), Gone: isGone,
	}
	if name != "" {
		conf.System = a.begin(name, talk.Warn)
	}
	if !talk.NoTools && chosen.Provider.Model(chosen.Model).Tools {
		tools := tool.New(tool.Config{
			Pipeline: &pipeline, Roots: a.roots, Consent: a.Consent, Dir: a.Dir, Home: a.home,
		})
		conf.Tools = chosenTools(merged, append(tools, a.serverTools(ctx, merged, talk.Warn)...))
	}
	d := &Dialogue{Chosen: chosen, Blobs: late, Place: a.place(merged), Budget: a.budget(merged), AtOnce: merged.Session.Orchestrator == "basic"}
	if talk.Session == "" {
		d.Conversation, err = agent.Start(conf, session.Meta{Title: titleOf(talk.Title), Dir: a.Root})
		return d, err
	}
	meta, err := a.FindSession(ctx, talk.Session)
	if err != nil {
		return nil, err
	}
	if meta.Dir != a.Root && talk.Warn != nil {
		talk.Warn(fmt.Sprintf("this session is about %s, and goes on in %s", cmp.Or(meta.Dir, "no project"), a.Root))
	}
	d.Conversation, err = agent.Resume(ctx, conf, meta.ID)
	return d, err
}

// begin returns what a session begins with, and tells what is to be known of it.
func (a *App) begin(name string, warn func(string)) func(context.Context) (ampersat.Stack, error) {
	return func(ctx context.Context) (ampersat.Stack, error) {
		stack, _, err := a.System(ctx, name)
		if err == nil && warn != nil {
			for _, note := range stack.Notes {
				warn(note)
			}
			for _, r := range stack.Bad() {
				warn(fmt.Sprintf("profile %s: %s is %s: %s", name, r.Written, r.Outcome, r.Reason))
			}
		}
		return stack, err
	}
}

// pipeName is what the content of a pipe is called.
const pipeName = "stdin"

// IsPiped reports whether a report is about what came from a pipe.
func IsPiped(r ampersat.Report) bool { return r.Mention == mention.Custom{Scheme: pipeName} }

// Piped keeps what came from a pipe and returns its mention, to be added to a
// message. What is in it is not searched for mentions: nobody wrote them for
// us. The pipeline must read from the same blobs.
func (a *App) Piped(ctx context.Context, blobs blob.Store, text string) (message.Ref, error) {
	digest, err := blobs.Put(ctx, []byte(editor.Plain(text)))
	if err != nil {
		return message.Ref{}, fmt.Errorf("keep what came from the pipe: %w", err)
	}
	return message.Ref{Mention: mention.Custom{Scheme: pipeName}, Captured: digest}, nil
}

// titleOf makes a title of what a person wrote.
func titleOf(text string) string {
	const longest = 72
	line := strings.Join(strings.Fields(text), " ")
	if runes := []rune(line); len(runes) > longest {
		line = string(runes[:longest-1]) + "…"
	}
	return line
}

// given reports whether the value of a key was given for this run, by a flag or
// in the environment, and so counts more than what a profile says.
func (a *App) given(key string) bool { return a.Config.Origin(key).Layer >= config.Environment }

// place is where contents go.
func (a *App) place(m profile.Merged) ampersat.Placement {
	if m.Context.Placement != "" && !a.given("place") {
		return m.Context.Placement
	}
	return ampersat.Placement(a.Config.Place)
}

// budget is what contents may cost.
func (a *App) budget(m profile.Merged) ampersat.Budget {
	b := ampersat.Budget{Turn: a.Config.Budget.Turn, Item: a.Config.Budget.Item}
	if m.Context.Budget != nil && !a.given("budget.turn") {
		b.Turn = *m.Context.Budget
	}
	if m.Context.ItemBudget != nil && !a.given("budget.item") {
		b.Item = *m.Context.ItemBudget
	}
	return b
}

// policy is what the model sees of a long session.
func (a *App) policy(m profile.Merged, chosen Chosen) session.Policy {
	c := a.Config.Context
	p := session.NewPolicy(chosen.Provider.Model(chosen.Model).Window)
	p.Strategy = session.Strategy(cmp.Or(string(m.Session.Context), c.Strategy))
	p.Threshold, p.Target = c.CompactThreshold, c.CompactTarget
	p.Recent, p.ToolResults = c.Retention.Recent, c.Retention.ToolResults
	set := func(to *float64, from *float64) {
		if from != nil {
			*to = *from
		}
	}
	set(&p.Threshold, m.Context.CompactThreshold)
	set(&p.Target, m.Context.CompactTarget)
	set(&p.Recent, m.Context.Retention.Recent)
	if n := m.Context.Retention.ToolResults; n != nil {
		p.ToolResults = *n
	}
	if n := m.Context.Retention.Turns; n != nil {
		p.Turns = *n
	}
	for _, pattern := range m.Context.Retention.Pinned {
		p.Rules = append(p.Rules, session.Rule{Path: pattern, Keep: true, Weight: 1})
	}
	return p
}

// chosenTools are the tools that a profile leaves to the model.
func chosenTools(m profile.Merged, tools []agent.Tool) []agent.Tool {
	return slices.DeleteFunc(tools, func(t agent.Tool) bool { return !m.HasTool(t.Spec().Name) })
}

// permissions are what tools may do.
func (a *App) permissions(talk Talk) (*agent.Permissions, error) {
	mode, err := agent.ParseMode(a.Config.Permissions.Mode)
	if err != nil {
		return nil, err
	}
	p := &agent.Permissions{Mode: mode, Project: a.Root, Ask: talk.Ask, Known: a.isOpen, Remember: func(rule agent.Rule) {
		if err := a.Consent.RememberPermission(rule.Text()); err != nil && talk.Warn != nil {
			talk.Warn(fmt.Sprintf("it is not remembered for the project: %v", err))
		}
	}}
	p.Grant = func(action agent.Action) { a.open(action, mode) }
	remembered, err := a.Consent.Permissions()
	if err != nil {
		return nil, err
	}
	for _, text := range slices.Concat(remembered, a.Config.Permissions.Allow) {
		tool, rule, err := agent.ParseAllowed(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("read permission: %w", err)
		case tool != "":
			p.Tools = append(p.Tools, tool)
		default:
			p.Allowed = append(p.Allowed, rule)
		}
	}
	return p, nil
}

// isOpen reports whether the person has opened a path or an address already.
func (a *App) isOpen(action agent.Action) bool {
	switch action.Effect {
	case agent.Reads:
		return slices.ContainsFunc(a.Consent.Paths(), func(path string) bool { return access.Inside(path, action.Subject) })
	case agent.Fetches:
		address, err := url.Parse(action.Detail)
		return err == nil && a.Consent.URL(address)
	}
	return false
}

// open opens what a tool is allowed to read, so that one yes is enough. That
// nothing is asked is no yes to addresses which are not public.
func (a *App) open(action agent.Action, mode agent.Mode) {
	switch action.Effect {
	case agent.Reads:
		if path := filepath.Clean(action.Subject); !access.Inside(a.Root, path) {
			// A clean absolute path is always well formed.
			_ = a.Consent.Allow(access.Path{Path: path})
		}
	case agent.Fetches:
		address, err := url.Parse(action.Detail)
		if err != nil || mode == agent.ModeAll {
			return
		}
		grant, err := access.ParseGrant(address.Scheme+"://"+address.Host, a.Dir, a.home)
		if err == nil {
			_ = a.Consent.Allow(grant)
		}
	}
}

// Compact lets the model see less of a session.
func (a *App) Compact(ctx context.Context, id session.ID) (entry session.Compacted, done bool, err error) {
	chosen, err := a.choose(profile.Merged{}, nil)
	if err != nil {
		return session.Compacted{}, false, err
	}
	store, err := a.Store(ctx)
	if err != nil {
		return session.Compacted{}, false, err
	}
	view, err := session.Open(ctx, store, id, a.policy(profile.Merged{}, chosen))
	if err != nil {
		return session.Compacted{}, false, err
	}
	lease, err := store.Lease(ctx, id, "ampersat session compact", time.Minute)
	if err != nil {
		return session.Compacted{}, false, err
	}
	defer func() { err = errors.Join(err, store.Release(context.WithoutCancel(ctx), lease)) }()
	entry, done, err = view.Compact(ctx, "asked for", true)
	if err != nil || !done {
		return entry, false, err
	}
	_, err = view.Append(ctx, lease.Token, entry)
	return entry, err == nil, err
}
