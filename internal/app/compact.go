package app

import (
	"cmp"
	"context"
	"fmt"

	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/provider/echo"
	"github.com/ampersat/ampersat/session"
)

// policy is what the model sees of a long session. Its error is of type
// [profile.Problems].
func (a *App) policy(m profile.Merged, window int) (session.Policy, error) {
	c := a.Config.Context
	p := session.NewPolicy(window)
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
	if m.Context.CompactTarget == nil {
		p.Target = config.TargetBelow(p.Threshold, p.Target)
	} else if p.Target >= p.Threshold {
		return p, profile.Problems{{At: m.SettingAt("context.compact_target"), What: fmt.Sprintf(
			"compact_target is %v; it must be less than compact_threshold, which is %v where the profile does not say", p.Target, p.Threshold)}}
	}
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
	return p, nil
}

// Compact lets the model see less of a session. No model is asked for that, so
// that it needs no key; warn is told what people should know.
func (a *App) Compact(ctx context.Context, id session.ID, warn func(string)) (entry session.Compacted, done bool, err error) {
	store, err := a.Store(ctx)
	if err != nil {
		return session.Compacted{}, false, err
	}
	err = a.hold(ctx, store, id, func(ctx context.Context, token session.Token) error {
		entry, done, err = a.compact(ctx, store, id, token, warn)
		return err
	})
	return entry, done, err
}

func (a *App) compact(ctx context.Context, store session.Store, id session.ID, token session.Token, warn func(string)) (entry session.Compacted, done bool, err error) {
	before, err := readPast(ctx, store, id)
	if err != nil {
		return session.Compacted{}, false, err
	}
	_, merged, err := a.profileOf(before, Talk{Alert: warn}.alert)
	if err != nil {
		return session.Compacted{}, false, err
	}
	window, err := a.window(merged, before)
	if err != nil {
		return session.Compacted{}, false, err
	}
	policy, err := a.policy(merged, window)
	if err != nil {
		return session.Compacted{}, false, err
	}
	view, err := session.Open(ctx, store, id, policy)
	if err != nil {
		return session.Compacted{}, false, err
	}
	entry, done, err = view.Compact(ctx, "asked for", true)
	if err != nil || !done {
		return entry, false, err
	}
	_, err = view.Append(ctx, token, entry)
	return entry, err == nil, err
}

// window is how many tokens the model takes that is to answer next. If who answered
// last is not configured any more, it is who would be asked in a new session.
func (a *App) window(m profile.Merged, before past) (int, error) {
	c, name, model, err := a.pick(m, before.choice)
	if err != nil {
		c, name, model, err = a.pick(m, "")
	}
	if err != nil {
		return 0, err
	}
	if name == "" || c.APIOf(name) == echo.Name {
		return echo.Provider{}.Model(echo.Name).Window, nil
	}
	card, err := c.Card(name, model)
	return card.Window, err
}
