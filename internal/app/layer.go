package app

import (
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
)

// ProfileSetting is a value that a profile gives to a key of the configuration.
type ProfileSetting struct {
	Key   string
	Value any
	From  profile.Position
}

// ProfileLayer returns the profile that a conversation would begin with, and what
// it says in place of the configuration. What was given for this run counts more
// and is not in it.
func (a *App) ProfileLayer() (name string, settings []ProfileSetting, err error) {
	name, m, err := a.wantedProfile()
	if err != nil || name == "" {
		return name, nil, err
	}
	add := func(key, at string, value any) {
		if !a.given(key) {
			settings = append(settings, ProfileSetting{key, value, m.SettingAt(at)})
		}
	}
	if m.Model != "" && !a.given("provider") {
		add("model", "profile.model", m.Model)
	}
	if m.Context.Placement != "" {
		add("place", "context.placement", string(m.Context.Placement))
	}
	if n := m.Context.Budget; n != nil {
		add("budget.turn", "context.budget", *n)
	}
	if n := m.Context.ItemBudget; n != nil {
		add("budget.item", "context.item_budget", *n)
	}
	if m.Session.Context != "" {
		add("context.strategy", "session.context", string(m.Session.Context))
	}
	if n := m.Context.CompactThreshold; n != nil {
		add("context.compact_threshold", "context.compact_threshold", *n)
	}
	if n := m.Context.CompactTarget; n != nil {
		add("context.compact_target", "context.compact_target", *n)
	} else if n := m.Context.CompactThreshold; n != nil && *n <= a.Config.Context.CompactTarget {
		add("context.compact_target", "context.compact_threshold", config.TargetBelow(*n, a.Config.Context.CompactTarget))
	}
	if n := m.Context.Retention.Recent; n != nil {
		add("context.retention.recent", "context.retention.recent", *n)
	}
	if n := m.Context.Retention.ToolResults; n != nil {
		add("context.retention.tool_results", "context.retention.tool_results", *n)
	}
	return m.Qualified(), settings, nil
}
