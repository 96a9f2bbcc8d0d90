package profile

import (
	"slices"

	"go.yaml.in/yaml/v4"
)

// Choice is all, none, or some of what there is. The zero value is none.
type Choice struct {
	// All means everything but Except; else it is Names.
	All    bool     `json:"all,omitzero"`
	Names  []string `json:"names,omitzero"`
	Except []string `json:"except,omitzero"`
}

// Has reports whether a name was chosen.
func (c Choice) Has(name string) bool {
	if c.All {
		return !slices.Contains(c.Except, name)
	}
	return slices.Contains(c.Names, name)
}

// choice reads "all", "none" or a list.
func (f *fields) choice(n *yaml.Node, what string) choosing {
	c := choosing{at: f.at(n), given: true}
	if word := follow(n); word.Kind == yaml.ScalarNode {
		switch word.Value {
		case "all":
			c.All = true
			return c
		case "none", "":
			return c
		}
	}
	c.Names = f.words(n, what)
	return c
}

// without returns a choice from which others are taken out, and those of them
// that were not in it.
func (c Choice) without(others Choice) (rest Choice, strangers []string) {
	if others.All {
		return Choice{}, nil
	}
	for _, name := range others.Names {
		if !c.Has(name) {
			strangers = append(strangers, name)
		}
	}
	if c.All {
		c.Except = append(slices.Clone(c.Except), others.Names...)
		return c, nil
	}
	c.Names = slices.DeleteFunc(slices.Clone(c.Names), others.Has)
	return c, strangers
}

// and returns a choice with that of a child on top: a list adds to a list, and
// anything else takes its place.
func (c Choice) and(child Choice) Choice {
	if child.All || len(child.Names) == 0 || c.All {
		return child
	}
	names := slices.Clone(c.Names)
	for _, name := range child.Names {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return Choice{Names: names}
}
