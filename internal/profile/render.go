package profile

import (
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"
)

// YAML returns the merged front matter in the form in which it is written, with
// a comment behind each value that says where it came from.
func (m Merged) YAML() (string, error) {
	w := writing{m.origin}
	top := mapping()
	about := mapping()
	w.scalar(about, "name", m.Name, "profile.name")
	w.scalar(about, "version", m.Version, "profile.version")
	w.scalar(about, "description", m.Description, "profile.description")
	w.scalar(about, "model", m.Model, "profile.model")
	add(top, "profile", about)
	session := mapping()
	w.scalar(session, "orchestrator", m.Session.Orchestrator, "session.orchestrator")
	w.scalar(session, "context", m.Session.Context, "session.context")
	if len(session.Content) > 0 {
		add(top, "session", session)
	}
	if config := w.context(m.Context); len(config.Content) > 0 {
		context := mapping()
		add(context, "config", config)
		add(top, "context", context)
	}
	for _, list := range []struct {
		key     string
		modules []Module
	}{{"providers", m.Providers}, {"tools", m.Tools}, {"hooks", m.Hooks}} {
		if len(list.modules) > 0 || list.modules != nil && list.key == "tools" {
			add(top, list.key, modules(list.modules))
		}
	}
	out := mapping()
	if m.Tools == nil && len(m.ExceptTools) > 0 {
		add(out, "tools", words(m.ExceptTools))
	}
	if len(m.Agents.Except) > 0 {
		add(out, "agents", words(m.Agents.Except))
	} else {
		add(top, "agents", w.choice(m.Agents))
	}
	if len(out.Content) > 0 {
		add(top, "exclude", out)
	}
	if m.ProjectFiles != nil {
		add(top, "project_files", w.from(words(m.ProjectFiles), "project_files"))
	}
	text, err := yaml.Dump(top, yaml.WithLineWidth(-1))
	return string(text), err
}

type writing struct{ origin map[string]Position }

func (w writing) context(c Context) *yaml.Node {
	config := mapping()
	w.number(config, "compact_threshold", float(c.CompactThreshold), "context.compact_threshold")
	w.number(config, "compact_target", float(c.CompactTarget), "context.compact_target")
	w.number(config, "budget", whole(c.Budget), "context.budget")
	w.number(config, "item_budget", whole(c.ItemBudget), "context.item_budget")
	w.scalar(config, "placement", string(c.Placement), "context.placement")
	retention := mapping()
	w.number(retention, "recent", float(c.Retention.Recent), "context.retention.recent")
	w.number(retention, "turns", whole(c.Retention.Turns), "context.retention.turns")
	w.number(retention, "tool_results", whole(c.Retention.ToolResults), "context.retention.tool_results")
	if c.Retention.Pinned != nil {
		add(retention, "pinned", w.from(words(c.Retention.Pinned), "context.retention.pinned"))
	}
	if len(retention.Content) > 0 {
		add(config, "retention", retention)
	}
	return config
}

// from says behind a node where it came from.
func (w writing) from(n *yaml.Node, key string) *yaml.Node {
	if at, ok := w.origin[key]; ok {
		n.LineComment = "# " + at.String()
	}
	return n
}

// scalar adds a value that somebody gave.
func (w writing) scalar(to *yaml.Node, key, value, origin string) {
	if value != "" {
		add(to, key, w.from(plain(value), origin))
	}
}

// number adds a number that somebody gave.
func (w writing) number(to *yaml.Node, key, value, origin string) {
	if value != "" {
		add(to, key, w.from(&yaml.Node{Kind: yaml.ScalarNode, Value: value}, origin))
	}
}

func (w writing) choice(c Choice) *yaml.Node {
	switch {
	case c.All:
		return w.from(plain("all"), "agents")
	case len(c.Names) == 0:
		return w.from(plain("none"), "agents")
	}
	return w.from(words(c.Names), "agents")
}

func modules(list []Module) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode}
	for _, m := range list {
		item := plain(m.ID)
		if m.Module != m.ID || len(m.Config) > 0 {
			item = mapping()
			add(item, "id", plain(m.ID))
			if m.Module != m.ID {
				add(item, "module", plain(m.Module))
			}
			if len(m.Config) > 0 {
				add(item, "config", anything(m.Config))
			}
			item.Content[1].LineComment = "# " + m.At.String()
		} else {
			item.LineComment = "# " + m.At.String()
		}
		n.Content = append(n.Content, item)
	}
	return n
}

// anything is the configuration of a module, its keys sorted.
func anything(value any) *yaml.Node {
	switch value := value.(type) {
	case map[string]any:
		n := mapping()
		for _, key := range slices.Sorted(maps.Keys(value)) {
			add(n, key, anything(value[key]))
		}
		return n
	case []any:
		n := &yaml.Node{Kind: yaml.SequenceNode}
		for _, item := range value {
			n.Content = append(n.Content, anything(item))
		}
		return n
	case string:
		return plain(value)
	}
	n := new(yaml.Node)
	if err := n.Encode(value); err != nil {
		return plain("?") // numbers and booleans always encode
	}
	return n
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

// plain is a text; where it would be read as something else it is quoted.
func plain(text string) *yaml.Node {
	n := new(yaml.Node)
	n.SetString(text)
	return n
}

func words(list []string) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: yaml.FlowStyle}
	for _, word := range list {
		n.Content = append(n.Content, plain(word))
	}
	return n
}

func add(to *yaml.Node, key string, value *yaml.Node) {
	to.Content = append(to.Content, plain(key), value)
}

func float(value *float64) string {
	if value == nil {
		return ""
	}
	return strconv.FormatFloat(*value, 'g', -1, 64)
}

func whole(value *int) string {
	if value == nil {
		return ""
	}
	return strconv.Itoa(*value)
}
