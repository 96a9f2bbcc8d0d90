package app

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/tool"
)

// CheckProfiles returns all that is wrong with the profiles of these names, or
// with all profiles and agents if there are none, and how many it looked at. The
// error is that of a cancelled context.
func (a *App) CheckProfiles(ctx context.Context, names []string) (int, profile.Problems, error) {
	var found profile.Problems
	var agents []string
	if len(names) == 0 {
		var folders profile.Problems
		names, folders = reachable(a.Library.Profiles())
		found = append(found, folders...)
		agents, folders = reachable(a.Library.Agents())
		for _, p := range folders {
			if !slices.ContainsFunc(found, func(other *profile.Problem) bool { return other.Error() == p.Error() }) {
				found = append(found, p)
			}
		}
	}
	for _, name := range names {
		problems, err := a.checkProfile(ctx, name)
		if err != nil {
			return 0, nil, err
		}
		found = append(found, problems...)
	}
	for _, name := range agents {
		problems, err := a.checkAgent(ctx, name)
		if err != nil {
			return 0, nil, err
		}
		found = append(found, problems...)
	}
	return len(names) + len(agents), unique(found), nil
}

// reachable returns the names by which files are found, one for each.
func reachable(entries []profile.Entry, folders profile.Problems) ([]string, profile.Problems) {
	var names []string
	for _, e := range entries {
		if name := e.Qualified(); e.ShadowedBy == "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names, folders
}

// unique leaves out what was told before: a parent has the same problem under
// each of its children, with another chain.
func unique(problems profile.Problems) profile.Problems {
	type told struct {
		at   profile.Position
		what string
	}
	seen := map[told]bool{}
	return slices.DeleteFunc(problems, func(p *profile.Problem) bool {
		key := told{p.At, p.What}
		before := seen[key]
		seen[key] = true
		return before
	})
}

func (a *App) checkProfile(ctx context.Context, name string) (profile.Problems, error) {
	stack, m, err := a.System(ctx, name)
	if err != nil {
		return problemsIn(ctx, err)
	}
	found := slices.Clone(m.Warnings)
	settings, err := problemsIn(ctx, a.checkSettings(name))
	if err != nil {
		return nil, err
	}
	found = append(found, settings...)
	return append(found, badMentions(stack, m.Source, len(m.Body), m.Lines)...), nil
}

// checkSettings returns what is wrong with what a profile chooses, as if the
// project were trusted: what counts only then is not to be wrong only then.
func (a *App) checkSettings(name string) error {
	m, err := a.library(func(string, blob.Digest) bool { return true }).Profile(name)
	if err != nil {
		return err
	}
	found := slices.Concat(a.unknownTools(m.Tools), a.unknownProvider(m), a.unknownAgents(m))
	if _, err := a.policy(m, 0); err != nil {
		found = append(found, asProblems(err)...)
	}
	if _, err := a.hooks(m, nil); err != nil {
		found = append(found, asProblems(err)...)
	}
	if len(found) == 0 {
		return nil
	}
	return found
}

// unknownTools returns those of some tools that there are not: a slip of the
// pen takes a tool away without a word. Those of servers, which have two
// underscores in their names, and patterns are not known before they are used.
func (a *App) unknownTools(chosen []profile.Module) profile.Problems {
	var names []string
	for _, t := range tool.New(tool.Config{Pipeline: a.Pipeline, Dir: a.Dir}) {
		names = append(names, t.Spec().Name)
	}
	var found profile.Problems
	for _, t := range chosen {
		if _, err := path.Match(t.ID, ""); err != nil {
			found = append(found, &profile.Problem{At: t.At, What: fmt.Sprintf("%q is no pattern that matches anything: %v", t.ID, err)})
			continue
		}
		if !slices.Contains(names, t.ID) && !strings.Contains(t.ID, "__") && !strings.ContainsAny(t.ID, "*?[") {
			found = append(found, &profile.Problem{At: t.At, What: fmt.Sprintf("there is no tool %q; there are %s", t.ID, strings.Join(names, ", "))})
		}
	}
	return found
}

// unknownAgents returns those of the agents that a profile chooses that there are
// not. What it leaves out need not be there: a collection may not be installed.
func (a *App) unknownAgents(m profile.Merged) profile.Problems {
	if len(m.Agents.Names) == 0 {
		return nil
	}
	entries, _ := a.Library.Agents() // what is wrong with them is told with them
	names := profile.Names(entries)
	var calls []string
	for _, e := range entries {
		if e.ShadowedBy == "" && len(e.Problems) == 0 {
			calls = append(calls, e.Call)
		}
	}
	var found profile.Problems
	for _, name := range m.Agents.Names {
		if !slices.Contains(names, name) {
			found = append(found, &profile.Problem{At: m.SettingAt("agents." + name), What: fmt.Sprintf("there is no agent %q; there are %s", name, strings.Join(calls, ", "))})
		}
	}
	return found
}

// unknownProvider returns what is wrong with the providers of a profile, and with
// that of its model.
func (a *App) unknownProvider(m profile.Merged) profile.Problems {
	c, err := withProviders(a.Config, m.Providers)
	if err != nil {
		return asProblems(err)
	}
	var found profile.Problems
	for _, module := range m.Providers {
		found = append(found, wrongProvider(c, module)...)
	}
	name, _, _ := strings.Cut(m.Model, "/")
	if m.Model != "" && !isProvider(c, name) {
		found = append(found, &profile.Problem{At: m.ModelAt(), What: noProvider(name).Error()})
	}
	return found
}

func (a *App) checkAgent(ctx context.Context, name string) (profile.Problems, error) {
	stack, agent, err := a.Agent(ctx, name)
	if err != nil {
		return problemsIn(ctx, err)
	}
	var chosen []profile.Module
	for _, name := range agent.Tools.Names {
		chosen = append(chosen, profile.Module{ID: name, At: agent.ToolsAt})
	}
	return append(a.unknownTools(chosen), badMentions(stack, agent.Source, len(agent.Body), agent.Lines)...), nil
}

// problemsIn returns an error as problems, unless it is that of the context.
func problemsIn(ctx context.Context, err error) (profile.Problems, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return asProblems(err), nil
}

func asProblems(err error) profile.Problems {
	var problems profile.Problems
	switch {
	case err == nil:
		return nil
	case errors.As(err, &problems):
		return problems
	}
	return profile.Problems{{What: err.Error()}}
}

// badMentions returns what is wrong with the mentions of a text, at the place in
// it that led there.
func badMentions(stack ampersat.Stack, source profile.Source, length int, lines func(at int) profile.Position) profile.Problems {
	var found profile.Problems
	for _, r := range stack.Reports {
		outer := r
		for outer.Parent >= 0 {
			outer = stack.Reports[outer.Parent]
		}
		at := profile.Position{File: source.File}
		if outer.Start < length {
			at = lines(outer.Start)
		}
		switch {
		case r.Parent < 0 && r.ID != "" && r.ID == source.Address:
			found = append(found, &profile.Problem{At: at, What: fmt.Sprintf("%s is the file itself", r.Written)})
		case r.Outcome.Bad() && r.Parent < 0:
			found = append(found, &profile.Problem{At: at, What: fmt.Sprintf("%s is %s: %s", r.Written, r.Outcome, r.Reason)})
		case r.Outcome.Bad():
			found = append(found, &profile.Problem{At: at, What: fmt.Sprintf("%s mentions %s, which is %s: %s",
				stack.Reports[r.Parent].Name, r.Written, r.Outcome, r.Reason)})
		}
	}
	return found
}
