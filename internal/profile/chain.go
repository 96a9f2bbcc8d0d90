package profile

import (
	"fmt"
	"slices"
	"strings"
)

// Profile returns a profile by its name, merged with all that it extends. The
// error is [Problems].
func (l *Library) Profile(name string) (Merged, error) {
	r := l.reading(profiles)
	chain, err := r.chain(name)
	if err != nil {
		return Merged{}, err
	}
	return merge(chain)
}

// chain finds a profile, its parent, and so on. All files of it are read before
// anything wrong with them is told, so that it is told together.
func (r *reading) chain(name string) ([]*file, error) {
	first, err := r.find(name, nil, Position{}, nil)
	if err != nil {
		return nil, err
	}
	return r.chainOf(first)
}

// chainOf is the chain that begins with a file.
func (r *reading) chainOf(next *file) ([]*file, error) {
	var chain []*file
	var problems Problems
	for {
		chain = append(chain, next)
		names := chainNames(chain)
		for _, p := range next.problems {
			problems = append(problems, &Problem{At: p.At, What: p.What, Chain: names})
		}
		if next.layer == nil || next.layer.extends == "" {
			break
		}
		extends, at := next.layer.extends, next.layer.origin["profile.extends"]
		parent, err := r.find(extends, next, at, append(names, extends))
		if err != nil {
			return nil, append(problems, err.(Problems)...)
		}
		if slices.Contains(chain, parent) {
			problems = append(problems, &Problem{At: at, Chain: append(names, parent.Qualified()),
				What: fmt.Sprintf("it extends %s, which extends it in turn", parent.Qualified())})
			return nil, problems
		}
		next = parent
	}
	return chain, problems.orNil()
}

// Agent returns an agent by its name. The error is [Problems].
func (l *Library) Agent(name string) (Agent, error) {
	r := l.reading(agents)
	f, err := r.find(name, nil, Position{}, nil)
	if err != nil {
		return Agent{}, err
	}
	if len(f.problems) > 0 {
		return Agent{}, f.problems
	}
	a := f.agent
	a.Source = f.Source
	return a, nil
}

// Profiles lists all profiles, in the order in which they are taken, and what is
// wrong with the folders that they are in.
func (l *Library) Profiles() ([]Entry, Problems) {
	r := l.reading(profiles)
	return r.entries(), r.problems
}

// Agents lists all agents in the same way.
func (l *Library) Agents() ([]Entry, Problems) {
	r := l.reading(agents)
	return r.entries(), r.problems
}

func (r *reading) entries() []Entry {
	var entries []Entry
	for _, f := range r.all() {
		e := Entry{Source: f.Source, Call: f.Qualified(), Description: f.agent.Description, Problems: f.problems}
		if f.layer != nil {
			e.Description, e.Extends = f.layer.description, f.layer.extends
		}
		if len(e.Problems) == 0 && f.layer != nil {
			e.Problems = r.unusable(f)
		}
		e.Description = strings.Join(strings.Fields(e.Description), " ")
		if found := r.candidates(reference{collection: f.Collection, name: f.Name}, nil); len(found) > 0 && found[0] != f && len(f.problems) == 0 {
			e.ShadowedBy = found[0].File
		}
		if meant, err := r.find(f.Name, nil, Position{}, nil); err == nil && meant == f {
			e.Call = f.Name
		}
		entries = append(entries, e)
	}
	return entries
}

// unusable is what is wrong with a profile together with what it extends.
func (r *reading) unusable(f *file) Problems {
	chain, err := r.chainOf(f)
	if err == nil {
		_, err = merge(chain)
	}
	problems, _ := err.(Problems)
	return problems
}

// Names returns the names by which people reach what is listed: each by its
// own, and what is in a collection also with that before it.
func Names(entries []Entry) []string {
	var names []string
	for _, e := range entries {
		for _, name := range []string{e.Name, e.Qualified()} {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
