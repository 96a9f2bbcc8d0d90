package profile

import (
	"path"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"go.yaml.in/yaml/v4"
)

// Module is something that a profile switches on: a provider, a tool, a hook.
type Module struct {
	// ID is what it is called, and what settings of several profiles are merged
	// by. Module is what it is an instance of; the two are usually the same.
	ID     string         `json:"id"`
	Module string         `json:"module"`
	Config map[string]any `json:"config,omitzero"`
	// At is where it was last written.
	At Position `json:"-"`
}

// Session says how a session is run. What is empty nobody said.
type Session struct {
	// Orchestrator is "streaming", where who listens is told each word as it
	// comes, or "basic", where the answer comes at once.
	Orchestrator string `json:"orchestrator,omitzero"`
	// Context is how a conversation that grows too long is made shorter:
	// "simple", by age, or "smart", by importance.
	Context string `json:"context,omitzero"`
}

// Context is what a conversation may cost. Nil means that nobody said.
type Context struct {
	// CompactThreshold is the share of the window at which the conversation is
	// made shorter, CompactTarget the share that it is then brought to.
	CompactThreshold *float64 `json:"compact_threshold,omitzero"`
	CompactTarget    *float64 `json:"compact_target,omitzero"`
	// Budget is how many tokens the contents of one turn may cost, and ItemBudget
	// a single one of them.
	Budget     *int `json:"budget,omitzero"`
	ItemBudget *int `json:"item_budget,omitzero"`
	// Placement is where the contents of a turn go.
	Placement ampersat.Placement `json:"placement,omitzero"`
	Retention Retention          `json:"retention,omitzero"`
}

// Retention is what stays when a conversation is made shorter.
type Retention struct {
	// Recent is the share of the target that belongs to the newest messages.
	Recent *float64 `json:"recent,omitzero"`
	// Turns is how many of the last turns stay whole, ToolResults how many of the
	// last results of tools.
	Turns       *int `json:"turns,omitzero"`
	ToolResults *int `json:"tool_results,omitzero"`
	// Pinned are the files whose contents stay, as names or patterns.
	Pinned []string `json:"pinned,omitzero"`
}

// exclusion is what a profile takes out of its parents.
type exclusion struct {
	providers, tools, hooks, agents choosing
}

// choosing is a choice as it is written.
type choosing struct {
	Choice
	at Position
	// given says that it is written at all.
	given bool
}

// layer is one profile as it is written, before it is merged.
type layer struct {
	name, version, description, model, extends string

	session                 Session
	context                 Context
	providers, tools, hooks []Module
	agents                  choosing
	exclude                 exclusion
	projectFiles            []string // nil if not written

	// origin is where each key is written that is a single value.
	origin map[string]Position
}

var (
	orchestrators = []string{"basic", "streaming"}
	strategies    = []string{"simple", "smart"}
)

// readLayer reads the front matter of a profile.
func readLayer(file string, doc document) (*layer, Problems) {
	l := &layer{origin: map[string]Position{}}
	if doc.front == nil {
		return l, nil
	}
	f := newFields(file, doc)
	f.mapping(doc.front, "a profile",
		field{"profile", func(n *yaml.Node) { l.readProfile(f, n) }},
		field{"session", func(n *yaml.Node) {
			f.mapping(n, "session",
				field{"orchestrator", func(n *yaml.Node) {
					l.noted(f, n, "session.orchestrator", f.oneOf(n, "orchestrator", &l.session.Orchestrator, orchestrators...))
				}},
				field{"context", func(n *yaml.Node) {
					l.noted(f, n, "session.context", f.oneOf(n, "context", &l.session.Context, strategies...))
				}})
		}},
		field{"context", func(n *yaml.Node) {
			f.mapping(n, "context", field{"config", func(n *yaml.Node) { l.readContext(f, n) }})
		}},
		field{"providers", func(n *yaml.Node) { l.providers = f.modules(n, "providers") }},
		field{"tools", func(n *yaml.Node) { l.tools = f.modules(n, "tools") }},
		field{"hooks", func(n *yaml.Node) { l.hooks = f.modules(n, "hooks") }},
		field{"agents", func(n *yaml.Node) { l.agents = f.choice(n, "agents") }},
		field{"exclude", func(n *yaml.Node) {
			f.mapping(n, "exclude",
				field{"providers", func(n *yaml.Node) { l.exclude.providers = f.choice(n, "providers") }},
				field{"tools", func(n *yaml.Node) { l.exclude.tools = f.choice(n, "tools") }},
				field{"hooks", func(n *yaml.Node) { l.exclude.hooks = f.choice(n, "hooks") }},
				field{"agents", func(n *yaml.Node) { l.exclude.agents = f.choice(n, "agents") }})
		}},
		field{"project_files", func(n *yaml.Node) { l.readProjectFiles(f, n) }},
	)
	return l, f.problems
}

// noted remembers where a key was written that could be read.
func (l *layer) noted(f *fields, n *yaml.Node, key string, ok bool) {
	if ok {
		l.origin[key] = f.at(n)
	}
}

func (l *layer) readProfile(f *fields, n *yaml.Node) {
	single := func(key string, into *string) field {
		return field{key, func(n *yaml.Node) { l.noted(f, n, "profile."+key, f.text(n, key, into)) }}
	}
	f.mapping(n, "profile",
		field{"name", func(n *yaml.Node) { l.noted(f, n, "profile.name", f.name(n, &l.name)) }},
		single("version", &l.version),
		single("description", &l.description),
		field{"model", func(n *yaml.Node) { l.noted(f, n, "profile.model", f.model(n, &l.model)) }},
		field{"extends", func(n *yaml.Node) {
			if follow(n).Kind == yaml.SequenceNode {
				f.wrong(n, "extends is a list; a profile has one parent")
				return
			}
			l.noted(f, n, "profile.extends", f.text(n, "extends", &l.extends))
		}},
	)
}

func (l *layer) readContext(f *fields, n *yaml.Node) {
	c := &l.context
	at := func(n *yaml.Node, key string) { l.noted(f, n, "context."+key, true) }
	f.mapping(n, "context.config",
		field{"compact_threshold", func(n *yaml.Node) { f.share(n, "compact_threshold", &c.CompactThreshold); at(n, "compact_threshold") }},
		field{"compact_target", func(n *yaml.Node) { f.share(n, "compact_target", &c.CompactTarget); at(n, "compact_target") }},
		field{"budget", func(n *yaml.Node) { f.tokens(n, "budget", &c.Budget); at(n, "budget") }},
		field{"item_budget", func(n *yaml.Node) { f.tokens(n, "item_budget", &c.ItemBudget); at(n, "item_budget") }},
		field{"placement", func(n *yaml.Node) {
			var names []string
			for _, p := range ampersat.Placements {
				names = append(names, string(p))
			}
			if f.oneOf(n, "placement", (*string)(&c.Placement), names...) {
				at(n, "placement")
			}
		}},
		field{"retention", func(n *yaml.Node) {
			r := &c.Retention
			f.mapping(n, "retention",
				field{"recent", func(n *yaml.Node) { f.share(n, "recent", &r.Recent); at(n, "retention.recent") }},
				field{"turns", func(n *yaml.Node) { f.count(n, "turns", 0, &r.Turns); at(n, "retention.turns") }},
				field{"tool_results", func(n *yaml.Node) { f.count(n, "tool_results", 0, &r.ToolResults); at(n, "retention.tool_results") }},
				field{"pinned", func(n *yaml.Node) { r.Pinned = f.patterns(n, "pinned"); at(n, "retention.pinned") }})
		}},
	)
}

// patterns reads a list of names and patterns, as path.Match reads them.
func (f *fields) patterns(n *yaml.Node, what string) []string {
	words := f.words(n, what)
	f.list(n, func(item *yaml.Node) {
		if item = follow(item); item.Kind != yaml.ScalarNode {
			return // told already
		}
		if _, err := path.Match(item.Value, ""); err != nil {
			f.wrong(item, "%s has %q, which is no pattern: %v; put a backslash before a character that stands for itself", what, item.Value, err)
		}
	})
	return words
}

func (l *layer) readProjectFiles(f *fields, n *yaml.Node) {
	l.projectFiles = f.words(n, "project_files")
	l.noted(f, n, "project_files", true)
	for _, name := range l.projectFiles {
		if name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
			f.wrong(n, "project_files has %q; it must be the name of a file, without a folder", name)
		}
	}
}

// name reads the name of a profile or an agent. It stands in mentions and after
// a colon, so that it is a single word.
func (f *fields) name(n *yaml.Node, into *string) bool {
	if !f.text(n, "name", into) {
		return false
	}
	if !isName(*into) {
		f.wrong(n, "name is %q; use letters, digits, dots, dashes and underscores", *into)
		return false
	}
	return true
}

func isName(name string) bool {
	for i, r := range name {
		plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r > 0x7f
		if !plain && (i == 0 || r != '-' && r != '.') {
			return false
		}
	}
	return name != ""
}

// model reads the name of a model.
func (f *fields) model(n *yaml.Node, into *string) bool {
	if !f.text(n, "model", into) {
		return false
	}
	if provider, name, ok := strings.Cut(*into, "/"); !ok || provider == "" || name == "" || strings.ContainsAny(*into, " \t") {
		f.wrong(n, "model is %q; it is written provider/model", *into)
		return false
	}
	return true
}

// modules reads a list of names, or of id, module and config.
func (f *fields) modules(n *yaml.Node, what string) []Module {
	list := []Module{}
	f.list(n, func(item *yaml.Node) {
		m := Module{At: f.at(item)}
		if item = follow(item); item.Kind == yaml.MappingNode {
			f.mapping(item, "an item of "+what,
				field{"id", func(n *yaml.Node) { f.text(n, "id", &m.ID) }},
				field{"module", func(n *yaml.Node) { f.text(n, "module", &m.Module) }},
				field{"config", func(n *yaml.Node) {
					if n = follow(n); n.Kind != yaml.MappingNode && !isNull(n) {
						f.wrong(n, "config is %s; it must be keys and values", describe(n))
						return
					}
					m.Config, _ = f.value(n, 0).(map[string]any)
				}})
		} else if !f.text(item, "an item of "+what, &m.ID) || !f.isWord(item, what) {
			return
		}
		if m.ID == "" {
			m.ID = m.Module
		}
		switch {
		case m.ID == "":
			f.wrong(item, "an item of %s has neither an id nor a module", what)
		case slices.ContainsFunc(list, func(other Module) bool { return other.ID == m.ID }):
			f.wrong(item, "%s has %q twice", what, m.ID)
		default:
			list = append(list, m)
		}
	})
	return list
}
