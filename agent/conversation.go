package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
	"github.com/ampersat/ampersat/token"
)

// Config is what takes part in a [Conversation]. Provider and Model are needed;
// the rest can be left out.
//
// Conversations that run at the same time may share what is safe for concurrent
// use: stores, providers and pipelines are. Tools of package tool are made for
// each, and so are Permissions, unless what was allowed in one is to be allowed in
// all. The functions in it are called by one turn at a time.
type Config struct {
	// Store keeps the log. Nil means one that lives as long as the conversation,
	// so that there is nothing to [Resume] in it.
	Store session.Store
	// Provider and Model answer.
	Provider Provider
	Model    string
	// Choice is the two as the person calls them, for [session.Prepared]: a
	// provider of their own may have another name than its adapter.
	Choice string
	// Profile says who the assistant is. It is kept with the first turn, for
	// whoever goes on with the session; see [Begun].
	Profile Profile
	// Dir is the folder that the session begins in, as a front end that goes on with
	// it will understand: the files that the model is shown have names from there.
	// It is kept with the first turn, too.
	Dir string
	// Pipeline resolves what messages mention. Nil means one without a resolver:
	// what is mentioned cannot be read, and the [Resolved] event says so.
	Pipeline *ampersat.Pipeline
	// Late, if set, is where the pipeline keeps contents. It is flushed at the end
	// of each turn, so that no request waits for it; [Answer.Unflushed] says if
	// that failed. Conversations may share one, and then wait for each other's
	// contents.
	Late *blob.Late
	// System, if set, returns the messages that a session begins with: the one
	// system message, and what is mentioned in it. [ampersat.Pipeline.Prepare]
	// makes such messages of a text. It is called when a turn begins in a session
	// of which the model sees nothing yet, whatever a front end has noted in it.
	System func(context.Context) (ampersat.Stack, error)
	// Tools are what the model can call, each under a name of its own. They are
	// the same for the whole conversation, since a list that changes spoils the provider's cache.
	Tools []Tool
	// Permissions say what of it may be done. Nil means [ModeAutoRead] without a
	// project and without a person: a tool that [Reads] something which has no
	// subject is run, and everything else is refused.
	Permissions *Permissions
	// Policy says what the model sees of a long session; the zero value means the
	// usual one. To change something of that, begin with [session.NewPolicy]. Its
	// Window, if zero, is that of the model, and its Provider and Model are those
	// above.
	Policy session.Policy
	// Settings are the parameters of every request: limits, effort, time. Its
	// messages, tools, model and blobs are the conversation's own, and it asks for
	// less output where the window has less left.
	Settings message.Request
	// Admit, if set, sees each message when it is prepared, and changes nothing
	// by changing the stack. If it returns an error the turn ends with it, and
	// nothing was said.
	Admit func(ampersat.Stack) error
	// MaxSteps is how many requests one turn may take. Zero means fifty.
	MaxSteps int
	// Holder says who is at work, for others who want the session. Empty means
	// this process: "process 4711".
	Holder string
	// Gone, if set, reports whether somebody who holds a session, by what they
	// gave as Holder, is known to be gone: a process that was killed. Its lease,
	// which nobody renews, is then waited for.
	Gone func(holder string) bool
}

// Conversation is a session that goes on. [Start] and [Resume] make one. It is
// safe for concurrent use, and runs one turn at a time: a second one is an
// [ErrBusy] and not queued. ID and View can be called at any time.
type Conversation struct {
	config Config
	id     session.ID
	specs  []message.ToolSpec

	mu   sync.Mutex // held during a turn
	view *session.View
	// shown is what the view showed last of the log, for those who look while a
	// turn is at work on the view.
	shown atomic.Pointer[ampersat.View]
	// new is the session as it is to be created, nil once it is there.
	new *session.Meta
	// blobs are the bytes that the view needs, read once.
	blobs map[blob.Digest][]byte
	// gone are those of them that were not there when they were read last.
	gone map[blob.Digest]bool
}

// ErrBusy means that the conversation has a turn already.
var ErrBusy = errors.New("a turn is running")

var errNotBegun = errors.New("the conversation has no session: make it with agent.Start or agent.Resume")

// Start begins a session. It is created in the store with the first turn:
// nothing is kept of a session in which nothing was said. The error says what
// the config lacks or what is wrong with its policy.
func Start(config Config, meta session.Meta) (*Conversation, error) {
	if meta.ID == "" {
		meta.ID = session.NewID(time.Now())
	}
	if _, err := session.ParseID(string(meta.ID)); err != nil {
		return nil, fmt.Errorf("start a session: %w", err)
	}
	if config.Store == nil {
		config.Store = new(session.Memory)
	}
	c, err := newConversation(config, meta.ID)
	if err == nil {
		c.new = &meta
		c.view, err = session.Begin(config.Store, meta.ID, c.config.Policy)
	}
	if err != nil {
		return nil, fmt.Errorf("start a session: %w", err)
	}
	c.show()
	return c, nil
}

// Resume goes on with a session of the config's store. The error is a
// [session.ErrNotFound] if there is none of that id, or as for [Start].
func Resume(ctx context.Context, config Config, id session.ID) (*Conversation, error) {
	c, err := newConversation(config, id)
	if err == nil {
		c.view, err = session.Open(ctx, config.Store, id, c.config.Policy)
	}
	if err != nil {
		return nil, fmt.Errorf("resume session %s: %w", id, err)
	}
	c.show()
	return c, nil
}

// validate says what the config lacks, all of it at once.
func (config Config) validate() error {
	var lacks []string
	if config.Store == nil {
		lacks = append(lacks, "Store")
	}
	if config.Provider == nil {
		lacks = append(lacks, "Provider")
	}
	if config.Model == "" {
		lacks = append(lacks, "Model")
	}
	if len(lacks) > 0 {
		return fmt.Errorf("the config has no %s", strings.Join(lacks, ", no "))
	}
	if i := slices.IndexFunc(config.Tools, func(t Tool) bool { return t == nil }); i >= 0 {
		return fmt.Errorf("the config has a tool that is nil, at %d", i)
	}
	return nil
}

// distinct says which tools the model could not tell apart.
func distinct(specs []message.ToolSpec) error {
	at := make(map[string]int, len(specs))
	for i, spec := range specs {
		if spec.Name == "" {
			return fmt.Errorf("the config has a tool without a name, at %d", i)
		}
		if before, twice := at[spec.Name]; twice {
			return fmt.Errorf("the config has two tools called %q, at %d and %d", spec.Name, before, i)
		}
		at[spec.Name] = i
	}
	return nil
}

func newConversation(config Config, id session.ID) (*Conversation, error) {
	if err := config.validate(); err != nil {
		return nil, err
	}
	c := &Conversation{config: config, id: id, blobs: map[blob.Digest][]byte{}}
	if config.Pipeline == nil {
		c.config.Pipeline = new(ampersat.Pipeline)
	}
	window := config.Provider.Model(config.Model).Window
	if reflect.ValueOf(config.Policy).IsZero() {
		c.config.Policy = session.NewPolicy(window)
	}
	c.config.Policy.Window = cmp.Or(c.config.Policy.Window, window)
	c.config.Policy.Provider, c.config.Policy.Model = config.Provider.Name(), config.Model
	if c.config.Permissions == nil {
		c.config.Permissions = &Permissions{Mode: ModeAutoRead}
	}
	c.config.MaxSteps = cmp.Or(config.MaxSteps, 50)
	c.config.Holder = cmp.Or(config.Holder, fmt.Sprintf("process %d", os.Getpid()))
	for _, tool := range config.Tools {
		c.specs = append(c.specs, tool.Spec())
	}
	if err := distinct(c.specs); err != nil {
		return nil, err
	}
	if c.config.Policy.Overhead == 0 {
		c.config.Policy.Overhead = c.overhead()
	}
	return c, nil
}

// overhead estimates what the descriptions of the tools cost in every request.
func (c *Conversation) overhead() (tokens int) {
	counter := c.config.Policy.Counter
	if counter == nil {
		counter = token.Estimator{}
	}
	for _, spec := range c.specs {
		tokens += counter.Count(spec.Name) + counter.Count(spec.Description) + counter.Count(string(spec.Parameters))
	}
	return tokens
}

// ID is that of the session.
func (c *Conversation) ID() session.ID { return c.id }

// View is what the model can see, as far as it is in the log. While a turn runs
// it grows with each request and each answer. The messages are the
// conversation's own: do not change what is in them.
func (c *Conversation) View() ampersat.View {
	if shown := c.shown.Load(); shown != nil {
		return *shown
	}
	return ampersat.View{}
}

// show lets others see what is in the log by now.
func (c *Conversation) show() {
	c.shown.Store(&ampersat.View{Messages: c.view.Messages(), FirstTurn: c.view.FirstTurn()})
}

// Compact lets the model see less of the session, by the policy of the
// conversation and whether there is room or not, as a person may ask for. Smaller
// says that there was something to let go of; the entry is then in the log. Like
// a turn it takes the session, and fails for the same reasons.
func (c *Conversation) Compact(ctx context.Context) (entry session.Compacted, smaller bool, err error) {
	if !c.mu.TryLock() {
		return entry, false, ErrBusy
	}
	defer c.mu.Unlock()
	switch {
	case c.view == nil:
		return entry, false, errNotBegun
	case c.new != nil:
		return entry, false, nil // nothing was said yet
	}
	taken := c.take(ctx)
	if taken.err != nil {
		return entry, false, taken.err
	}
	// A lease that cannot be released runs out by itself.
	defer func() { _ = taken.Release() }()
	ctx = taken.Context()
	if err = c.view.Unstage(ctx); err == nil { // what a turn could not write was not said
		err = c.view.Refresh(ctx)
	}
	if err != nil {
		return entry, false, explain(ctx, err)
	}
	if entry, smaller, err = c.view.Compact(ctx, "asked for", true); smaller && err == nil {
		_, err = c.view.Append(ctx, taken.Lease.Token, entry)
	}
	c.show()
	return entry, smaller && err == nil, explain(ctx, err)
}

// closing is how long it may take to write down the end of a turn that was
// cancelled.
const closing = 10 * time.Second

// taking is a session that was taken for the time of a turn, or why it was not.
type taking struct {
	*session.Holding
	err error
}

func (c *Conversation) take(ctx context.Context) taking {
	held, err := session.Hold(ctx, c.config.Store, c.id, c.config.Holder, c.config.Gone)
	return taking{held, err}
}
