package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/blob"
	"github.com/ampersat/ampersat/internal/bundled"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// library finds profiles and agents, where trusted says what of the project counts.
// Nothing is read yet.
func (a *App) library(trusted func(path string, content blob.Digest) bool) *profile.Library {
	return profile.New(profile.Config{
		Project: a.Root, User: a.UserDir, Roots: a.roots, Bundled: bundled.Files(), Trusted: trusted,
		Shown: func(path string) string { return shownPath(path, a.Dir, a.Root, a.home) },
	})
}

// shownPath is a path as people read it: from where they work, if it is in their
// project, or from their home.
func shownPath(path, dir, root, home string) string {
	if access.Inside(root, path) {
		if rel, err := filepath.Rel(dir, path); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	if filepath.IsAbs(home) && access.Inside(home, path) {
		if rel, err := filepath.Rel(home, path); err == nil {
			return "~/" + filepath.ToSlash(rel)
		}
	}
	return path
}

// agentNames reports whether there is an agent of a name. The folders are looked
// at when the first text has a word that could be one, and once.
func agentNames(library *profile.Library) func(name string) bool {
	names := sync.OnceValue(func() []string {
		entries, _ := library.Agents() // what is wrong with them is told by "profile check"
		return profile.Names(entries)
	})
	return func(name string) bool { return slices.Contains(names(), name) }
}

// System returns what a conversation with a profile begins with: the one system
// message, and after it what may not stand in there. Its error is that of a
// profile that cannot be used; a mention that does not resolve is a report.
func (a *App) System(ctx context.Context, name string) (ampersat.Stack, profile.Merged, error) {
	m, err := a.Library.Profile(name)
	if err != nil {
		return ampersat.Stack{}, m, fmt.Errorf("load profile %s: %w", name, err)
	}
	var budget ampersat.Budget
	if m.Context.Budget != nil {
		budget.Turn = *m.Context.Budget
	}
	if m.Context.ItemBudget != nil {
		budget.Item = *m.Context.ItemBudget
	}
	stack, err := a.instruction(ctx, m.Source, m.Body, budget)
	if err != nil {
		return ampersat.Stack{}, m, fmt.Errorf("load profile %s: %w", name, err)
	}
	own, err := a.projectInstructions(ctx, m, stack, budget)
	if err != nil {
		return ampersat.Stack{}, m, fmt.Errorf("load profile %s: %w", name, err)
	}
	stack = oneSystem(stack, own)
	for _, w := range m.Withheld {
		stack.Notes = append(stack.Notes, w.String())
	}
	return stack, m, nil
}

// Agent returns what a conversation of an agent begins with.
func (a *App) Agent(ctx context.Context, name string) (ampersat.Stack, profile.Agent, error) {
	agent, err := a.Library.Agent(name)
	if err != nil {
		return ampersat.Stack{}, agent, fmt.Errorf("load agent %s: %w", name, err)
	}
	stack, err := a.instruction(ctx, agent.Source, agent.Body, ampersat.Budget{})
	if err != nil {
		return ampersat.Stack{}, agent, fmt.Errorf("load agent %s: %w", name, err)
	}
	for _, w := range agent.Withheld {
		stack.Notes = append(stack.Notes, w.String())
	}
	return stack, agent, nil
}

// Delegate returns what an agent reads that a person hands work to: its
// instruction, and the prompt with what it mentions.
func (a *App) Delegate(ctx context.Context, agent, prompt string) (ampersat.Stack, error) {
	system, chosen, err := a.Agent(ctx, agent)
	if err != nil {
		return ampersat.Stack{}, err
	}
	if !chosen.Callers.Has(profile.CallerPerson) {
		return ampersat.Stack{}, fmt.Errorf("hand work to %s: its callers do not include a person; see: ampersat agent show %s", agent, agent)
	}
	turn := ampersat.Ask(prompt)
	turn.View.Messages = system.All()
	stack, err := a.Pipeline.Prepare(ctx, turn)
	if err != nil {
		return ampersat.Stack{}, err
	}
	return Join(system, stack), nil
}

// instruction prepares the body of a profile or an agent. Where it may not be
// believed it stands before the conversation, with the weight of a user.
func (a *App) instruction(ctx context.Context, source profile.Source, body string, budget ampersat.Budget) (ampersat.Stack, error) {
	if body == "" {
		return ampersat.Stack{}, nil
	}
	if err := access.CheckSecrets(a.Pipeline.Consent, source.Address, access.ScanString(source.Address, body)); err != nil {
		return ampersat.Stack{}, err
	}
	turn := ampersat.Turn{
		Message: message.Message{Role: message.System, Content: message.Say(body)},
		Asker:   access.Asker{Origin: access.FromProfile, Trusted: source.Trusted, Tree: source.Tree},
		Base:    source.Folder, Place: ampersat.InSystem, Budget: budget,
	}
	if !source.Trusted {
		turn.Message.Role, turn.Place = message.Developer, ampersat.Before
	}
	stack, err := a.Pipeline.Prepare(ctx, turn)
	if err != nil {
		return ampersat.Stack{}, err
	}
	withoutItself(&stack, source.Address)
	if !source.Trusted {
		stack.Notes = append(stack.Notes, fmt.Sprintf("%s stands before the conversation and not in the system message: %s", source.File, untrusted))
	}
	return a.believed(stack), nil
}

// projectInstructions loads what the project itself says to assistants: in each
// folder from its root to where the person works, the first of the profile's
// project_files that is there.
func (a *App) projectInstructions(ctx context.Context, m profile.Merged, body ampersat.Stack, budget ampersat.Budget) (ampersat.Stack, error) {
	parts := []message.Part{}
	for _, path := range a.projectFiles(m.ProjectFiles) {
		if slices.ContainsFunc(body.Reports, func(r ampersat.Report) bool { return r.ID == path && !r.Outcome.Bad() }) {
			continue // the profile mentions it
		}
		rel, err := filepath.Rel(a.Root, path)
		if err != nil {
			return ampersat.Stack{}, err
		}
		written := mention.File{Path: shownPath(path, a.Dir, a.Root, "")}.String()
		parts = append(parts, message.Text{Text: " "}, message.Ref{Mention: mention.File{Path: "./" + filepath.ToSlash(rel)}, Written: written})
	}
	if len(parts) == 0 {
		return ampersat.Stack{}, nil
	}
	parts = append([]message.Part{message.Text{Text: "The project's own instructions:"}}, parts...)
	turn := ampersat.Turn{
		Message: message.Message{Role: message.System, Content: message.Of(parts...)},
		// With the rights of a file of the project, since that is whose text it is.
		Asker: access.Asker{Origin: access.FromFile, Tree: a.Root},
		Base:  a.Root, Place: ampersat.InSystem, Budget: budget,
		View: ampersat.View{Messages: body.All()},
	}
	if !m.Trusted {
		turn.Message.Role, turn.Place = message.Developer, ampersat.Before
	}
	stack, err := a.Pipeline.Prepare(ctx, turn)
	if err != nil {
		return ampersat.Stack{}, err
	}
	return a.believed(stack), nil
}

// projectFiles finds the files of the project that are loaded with a profile.
func (a *App) projectFiles(names []string) []string {
	var folders []string
	for folder := a.Dir; access.Inside(a.Root, folder); folder = filepath.Dir(folder) {
		folders = append(folders, folder)
		if folder == filepath.Dir(folder) {
			break
		}
	}
	slices.Reverse(folders)
	var found []string
	for _, folder := range folders {
		for _, name := range names {
			path := filepath.Join(folder, name)
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				found = append(found, path)
				break
			}
		}
	}
	return found
}
