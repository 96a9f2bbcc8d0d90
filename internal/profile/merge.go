package profile

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// Merged is a profile together with all that it extends.
type Merged struct {
	// Source is where the profile itself is written.
	Source
	Version     string
	Description string
	// Model is written provider/model; empty means that nobody said.
	Model            string
	Session          Session
	Context          Context
	Providers, Hooks []Module
	// Tools are those that the model is offered. Nil means all there are but
	// those that ExceptTools names; see [Merged.HasTool].
	Tools       []Module
	ExceptTools []string
	Agents      Choice
	// ProjectFiles are the names of which the first that exists in a folder of
	// the project is loaded with the profile.
	ProjectFiles []string

	// Body is the text of the profile itself, and BodyLine the line of its file
	// that it begins in.
	Body     string
	BodyLine int

	// Chain is the profile, its parent, and so on.
	Chain []Source
	// Withheld is what an untrusted project wanted and does not get.
	Withheld []Withheld
	// Warnings are what a person should look at, though the profile can be used.
	Warnings Problems

	origin map[string]Position
}

// Withheld is a setting that does not count because the project that it came
// with is not trusted.
type Withheld struct {
	At  Position
	Key string
}

// String says it to a person.
func (w Withheld) String() string {
	return fmt.Sprintf("%s: %s does not count until the project is trusted; to trust it: ampersat trust", w.At, w.Key)
}

// ModelAt is where the model is written.
func (m Merged) ModelAt() Position { return m.SettingAt("profile.model") }

// SettingAt is where a setting is written: "profile.model", "session.context",
// "context.retention.recent", or one of a list of agents: "agents.explorer".
func (m Merged) SettingAt(key string) Position { return m.origin[key] }

// Lines returns the position of a byte of the body in its file.
func (m Merged) Lines(at int) Position { return bodyPosition(m.File, m.Body, m.BodyLine, at) }

func bodyPosition(file, body string, first, at int) Position {
	line, column := lineColumn(body, min(max(at, 0), len(body)))
	return Position{file, first + line - 1, column}
}

// merge puts a chain together, from its last, which extends nothing, to its
// first.
func merge(chain []*file) (Merged, error) {
	first := chain[0]
	m := Merged{
		Source: first.Source, Body: first.body, BodyLine: first.bodyLine,
		Agents: Choice{All: true}, origin: map[string]Position{},
	}
	var agents choosing
	for i := len(chain) - 1; i >= 0; i-- {
		l, names := chain[i].layer, chainNames(chain[:i+1])
		if !chain[i].Trusted {
			l = m.withhold(l)
		}
		m.warn(names, "providers", l.exclude.providers, exclude(&m.Providers, l.exclude.providers.Choice))
		m.excludeTools(names, l.exclude.tools)
		m.warn(names, "hooks", l.exclude.hooks, exclude(&m.Hooks, l.exclude.hooks.Choice))
		if l.exclude.agents.given {
			var strangers []string
			m.Agents, strangers = m.Agents.without(l.exclude.agents.Choice)
			m.warn(names, "agents", l.exclude.agents, strangers)
		}
		m.Providers = mergeModules(m.Providers, l.providers)
		m.Tools = mergeModules(m.Tools, l.tools)
		m.Hooks = mergeModules(m.Hooks, l.hooks)
		if l.agents.given {
			// The choice that stands where nobody has chosen is not one to add to.
			if agents.given {
				m.Agents = m.Agents.and(l.agents.Choice)
			} else {
				m.Agents = l.agents.Choice
			}
			agents, m.origin["agents"] = l.agents, l.agents.at
			for _, name := range l.agents.Names {
				m.origin["agents."+name] = l.agents.at
			}
		}
		m.replace(l)
	}
	for _, f := range chain {
		m.Chain = append(m.Chain, f.Source)
	}
	if m.Body == "" {
		m.Warnings = append(m.Warnings, &Problem{At: Position{File: m.File},
			What: "it has no body, so that there is no instruction for the model; the text of a parent is not inherited, but can be mentioned"})
	}
	m.checkProvider(chainNames(chain))
	return m, m.validate(chainNames(chain))
}

// checkProvider warns of a model whose provider is not switched on.
func (m *Merged) checkProvider(chain []string) {
	if m.Model == "" || len(m.Providers) == 0 {
		return
	}
	provider, _, _ := strings.Cut(m.Model, "/")
	var ids []string
	for _, p := range m.Providers {
		ids = append(ids, p.ID)
	}
	if !slices.Contains(ids, provider) {
		m.Warnings = append(m.Warnings, &Problem{At: m.origin["profile.model"], Chain: chain,
			What: fmt.Sprintf("model is %q, and %q is not among the providers, which are %s", m.Model, provider, strings.Join(ids, ", "))})
	}
}

// replace takes over the single values of a layer.
func (m *Merged) replace(l *layer) {
	over(&m.Version, l.version)
	over(&m.Description, l.description)
	over(&m.Model, l.model)
	over(&m.Session.Orchestrator, l.session.Orchestrator)
	over(&m.Session.Context, l.session.Context)
	c, own := &m.Context, l.context
	over(&c.CompactThreshold, own.CompactThreshold)
	over(&c.CompactTarget, own.CompactTarget)
	over(&c.Budget, own.Budget)
	over(&c.ItemBudget, own.ItemBudget)
	over(&c.Placement, own.Placement)
	over(&c.Retention.Recent, own.Retention.Recent)
	over(&c.Retention.Turns, own.Retention.Turns)
	over(&c.Retention.ToolResults, own.Retention.ToolResults)
	if own.Retention.Pinned != nil {
		c.Retention.Pinned = own.Retention.Pinned
	}
	if l.projectFiles != nil {
		m.ProjectFiles = l.projectFiles
	}
	maps.Copy(m.origin, l.origin)
}

func over[T comparable](into *T, value T) {
	var none T
	if value != none {
		*into = value
	}
}

// HasTool reports whether the model is offered a tool. The tools of a profile may
// be named by patterns, as path.Match reads them: those of a server are many.
func (m Merged) HasTool(name string) bool {
	named := func(pattern string) bool {
		matches, err := path.Match(pattern, name)
		return pattern == name || err == nil && matches
	}
	if m.Tools == nil {
		return !slices.ContainsFunc(m.ExceptTools, named)
	}
	return slices.ContainsFunc(m.Tools, func(tool Module) bool { return named(tool.ID) })
}

// excludeTools takes out tools: of the parents' list, or of all there are where
// they have none.
func (m *Merged) excludeTools(chain []string, out choosing) {
	switch {
	case !out.given:
	case out.All:
		m.Tools = []Module{}
	case m.Tools == nil:
		m.ExceptTools = append(slices.Clone(m.ExceptTools), out.Names...)
	default:
		m.warn(chain, "tools", out, exclude(&m.Tools, out.Choice))
	}
}

// exclude takes modules out and returns the names that were not among them.
func exclude(modules *[]Module, out Choice) (strangers []string) {
	for _, name := range out.Names {
		if !slices.ContainsFunc(*modules, func(m Module) bool { return m.ID == name }) {
			strangers = append(strangers, name)
		}
	}
	*modules = slices.DeleteFunc(*modules, func(m Module) bool { return out.Has(m.ID) })
	return strangers
}

// warn says that a profile takes out what its parents do not have.
func (m *Merged) warn(chain []string, what string, c choosing, strangers []string) {
	for _, name := range strangers {
		m.Warnings = append(m.Warnings, &Problem{At: c.at, Chain: chain,
			What: fmt.Sprintf("exclude names %q, and the parents have no %s of that name", name, what)})
	}
}

// mergeModules puts a child's modules on top of its parents', by their ids.
func mergeModules(parents, child []Module) []Module {
	merged := slices.Clone(parents)
	if merged == nil && child != nil {
		merged = []Module{} // an empty list is one
	}
	for _, own := range child {
		i := slices.IndexFunc(merged, func(m Module) bool { return m.ID == own.ID })
		if i < 0 {
			if own.Module == "" {
				own.Module = own.ID
			}
			own.Config = mergeConfig(nil, own.Config)
			merged = append(merged, own)
			continue
		}
		m := merged[i]
		over(&m.Module, own.Module)
		m.Config, m.At = mergeConfig(m.Config, own.Config), own.At
		merged[i] = m
	}
	return merged
}

// mergeConfig puts a child's configuration on top of its parents': mappings
// key by key, all else as a whole. A null takes a key out.
func mergeConfig(parents, child map[string]any) map[string]any {
	if parents == nil && child == nil {
		return nil
	}
	merged := maps.Clone(parents)
	if merged == nil {
		merged = map[string]any{}
	}
	for key, value := range child {
		mapping, isMapping := value.(map[string]any)
		switch below, _ := merged[key].(map[string]any); {
		case value == nil:
			delete(merged, key)
		case isMapping:
			merged[key] = mergeConfig(below, mapping)
		default:
			merged[key] = value
		}
	}
	return merged
}

// withhold returns a layer without what could do harm: what runs, what sends
// things elsewhere, what gives text more weight, what takes safeguards out.
func (m *Merged) withhold(l *layer) *layer {
	kept := *l
	kept.origin = maps.Clone(l.origin)
	refuse := func(key string, at Position) {
		m.Withheld = append(m.Withheld, Withheld{at, key})
		delete(kept.origin, key)
	}
	if l.model != "" {
		kept.model = ""
		refuse("profile.model", l.origin["profile.model"])
	}
	if l.context.Placement != "" {
		kept.context.Placement = ""
		refuse("context.placement", l.origin["context.placement"])
	}
	for _, list := range []struct {
		key string
		own *[]Module
	}{{"providers", &kept.providers}, {"tools", &kept.tools}, {"hooks", &kept.hooks}} {
		if len(*list.own) > 0 {
			refuse(list.key, (*list.own)[0].At)
			*list.own = nil
		}
	}
	if l.agents.given {
		kept.agents = choosing{}
		refuse("agents", l.agents.at)
	}
	for _, c := range []choosing{l.exclude.providers, l.exclude.tools, l.exclude.hooks, l.exclude.agents} {
		if c.given {
			refuse("exclude", c.at)
		}
	}
	kept.exclude = exclusion{}
	return &kept
}

// validate checks what only the whole can be wrong about.
func (m *Merged) validate(chain []string) error {
	var problems Problems
	wrong := func(key, format string, args ...any) {
		problems = append(problems, &Problem{At: m.origin[key], What: fmt.Sprintf(format, args...), Chain: chain})
	}
	c := m.Context
	if c.CompactTarget != nil && c.CompactThreshold != nil && *c.CompactTarget >= *c.CompactThreshold {
		wrong("context.compact_target", "compact_target is %v; it must be less than compact_threshold, which is %v (%s)",
			*c.CompactTarget, *c.CompactThreshold, m.origin["context.compact_threshold"])
	}
	if c.ItemBudget != nil && c.Budget != nil && *c.ItemBudget > *c.Budget {
		wrong("context.item_budget", "item_budget is %d; it must not be more than budget, which is %d (%s)",
			*c.ItemBudget, *c.Budget, m.origin["context.budget"])
	}
	return problems.orNil()
}

func chainNames(chain []*file) []string {
	names := make([]string, len(chain))
	for i, f := range chain {
		names[i] = f.Qualified()
	}
	return names
}
