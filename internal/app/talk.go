package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
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
	Ask func(context.Context, agent.Question) (agent.Decision, error)
	// Admit sees each message before it is said; see [agent.Config].
	Admit func(ampersat.Stack) error
	// Warn is told what people should know and what stops nothing.
	Warn func(string)
	// Alert is told that a session that goes on is not what it was: its profile is
	// another, or the folder. The answer cannot be understood without.
	Alert func(string)
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
	var meta session.Meta
	var before past
	name, merged, err := "", profile.Merged{}, error(nil)
	if talk.Session == "" {
		name, merged, err = a.wantedProfile()
	} else if meta, before, err = a.findPast(ctx, store, talk.Session, talk.alert); err == nil {
		name, merged, err = a.profileOf(before, talk.alert)
	}
	if err != nil {
		return nil, err
	}
	chosen, err := a.choose(merged, before.choice, talk.Notify)
	if err != nil {
		return nil, err
	}
	conf, err := a.conversation(talk, name, merged, chosen, store)
	if err != nil {
		return nil, err
	}
	if conf.Pipeline.OnPrepared, err = a.hooks(merged, talk.Warn); err != nil {
		return nil, fmt.Errorf("load profile %s: %w", name, err)
	}
	if hasTools(talk, chosen) {
		conf.Tools = append(conf.Tools, chosenTools(merged, a.serverTools(ctx, merged, talk.Warn))...)
	}
	d := a.dialogue(merged, conf)
	d.Chosen = chosen
	if talk.Session == "" {
		d.Conversation, err = agent.Start(conf, session.Meta{Title: titleOf(talk.Title), Dir: a.sessionDir()})
		return d, err
	}
	d.Conversation, err = agent.Resume(ctx, conf, meta.ID)
	return d, err
}

// conversation says who and what takes part in a conversation, but for hooks and
// for the tools of servers, which have to be started.
func (a *App) conversation(talk Talk, name string, merged profile.Merged, chosen Chosen, store session.Store) (agent.Config, error) {
	permissions, err := a.permissions(talk)
	if err != nil {
		return agent.Config{}, err
	}
	pipeline := *a.Pipeline
	if name != "" {
		pipeline.Agents = func(agent string) bool { return merged.Agents.Has(agent) && a.Pipeline.Agents(agent) }
	}
	policy, err := a.policy(merged, chosen.Provider.Model(chosen.Model).Window)
	if err != nil {
		return agent.Config{}, fmt.Errorf("load profile %s: %w", name, err)
	}
	late := &blob.Late{Under: store.Blobs()}
	pipeline.Blobs = late
	conf := agent.Config{
		Store: store, Provider: chosen.Provider, Model: chosen.Model, Choice: chosen.Choice, Profile: profileNote(merged), Dir: a.beganIn(),
		Pipeline: &pipeline, Late: late, Permissions: permissions,
		Policy: policy, Admit: talk.Admit, Holder: holder(), Gone: a.isGone,
	}
	if name != "" {
		conf.System = a.begin(name, talk.Warn)
	}
	if hasTools(talk, chosen) {
		dir, reading := a.workplace(), &pipeline
		if dir != a.Dir {
			reading = seenFrom(dir, pipeline)
		}
		conf.Tools = chosenTools(merged, tool.New(tool.Config{
			Pipeline: reading, Roots: a.roots, Consent: a.Consent, Dir: dir, Elsewhere: a.isElsewhere(), Home: a.home, Budget: callBudget(conf.Policy.Window),
		}))
	}
	return conf, nil
}

// callBudget is what one call of a tool may bring: a quarter of the window, and
// the usual where that is large or nobody knows it.
func callBudget(window int) ampersat.Budget {
	if tokens := window / 4; tokens > 0 && tokens < tool.UsualBudget {
		return ampersat.Budget{Turn: tokens}
	}
	return ampersat.Budget{}
}

// hasTools reports whether the model can call tools, and is to.
func hasTools(talk Talk, chosen Chosen) bool {
	return !talk.NoTools && chosen.Provider.Model(chosen.Model).Tools
}

// dialogue is a conversation that is not open yet.
func (a *App) dialogue(merged profile.Merged, conf agent.Config) *Dialogue {
	return &Dialogue{Blobs: conf.Late, Place: a.place(merged), Budget: a.budget(merged), AtOnce: merged.Session.Orchestrator == "basic"}
}

// warn is Warn, if there is one.
func (t Talk) warn(text string) {
	if t.Warn != nil {
		t.Warn(text)
	}
}

// alert is Alert, if there is one.
func (t Talk) alert(text string) {
	if t.Alert != nil {
		t.Alert(text)
	}
}

// findPast finds the session that is to go on, and whom it is with.
func (a *App) findPast(ctx context.Context, store session.Store, name string, warn func(string)) (session.Meta, past, error) {
	meta, err := a.FindSession(ctx, name)
	if err != nil {
		return session.Meta{}, past{}, err
	}
	if own := a.OwnSessions(); !own.Matches(meta) {
		warn(fmt.Sprintf("this session is about %s, and goes on in %s", cmp.Or(meta.Dir, "no project"), a.Root))
	}
	before, err := readPast(ctx, store, meta.ID)
	a.settleIn(meta, before.dir, warn)
	return meta, before, err
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
	b := ampersat.Budget{Turn: int(a.Config.Budget.Turn), Item: int(a.Config.Budget.Item)}
	if m.Context.Budget != nil && !a.given("budget.turn") {
		b.Turn = *m.Context.Budget
	}
	if m.Context.ItemBudget != nil && !a.given("budget.item") {
		b.Item = *m.Context.ItemBudget
	}
	return b
}

// chosenTools are the tools that a profile leaves to the model.
func chosenTools(m profile.Merged, tools []agent.Tool) []agent.Tool {
	return slices.DeleteFunc(tools, func(t agent.Tool) bool { return !m.HasTool(t.Spec().Name) })
}
