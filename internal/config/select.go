package config

import (
	"maps"
	"slices"
	"strings"
)

// BuiltInProviders are the names that need no entry in the configuration.
var BuiltInProviders = []string{"anthropic", "openai", "azure", "gemini", "chat", "ollama", "echo"}

// Selected returns the provider and its model. The model is empty if only the
// provider was chosen: then it is the one that the provider is known for.
//
// What was said last counts: a provider that is named after a model, in a later
// layer, takes the place of that model's provider, and the model goes with it.
// Two that contradict each other in one layer are a mistake.
func (l *Loaded) Selected() (provider, model string) { return l.provider, l.model }

func (l *Loaded) selected() (provider, model string) {
	owner, name := l.splitModel(l.Model)
	chosen, named := l.settings["provider"], l.settings["model"].From.Layer
	switch {
	case l.Provider == "" || l.Provider == owner:
		return owner, name
	case owner != "" && named >= chosen.From.Layer:
		return owner, name
	case owner != "":
		return l.Provider, l.Providers[l.Provider].Model
	}
	// A model without its provider belongs to the one that was the provider when
	// it was said.
	for _, s := range chosen.flat() {
		if s.From.Layer > named {
			continue
		}
		if s.value != l.Provider {
			return l.Provider, l.Providers[l.Provider].Model
		}
		break
	}
	return l.Provider, name
}

// splitModel divides PROVIDER/NAME. Names may have slashes in them too, so what
// stands before the first is a provider only if there is such a one.
func (l *Loaded) splitModel(text string) (provider, model string) {
	provider, model, ok := strings.Cut(text, "/")
	if !ok || !l.isProvider(provider) {
		return "", text
	}
	return provider, model
}

func (l *Loaded) isProvider(name string) bool {
	_, configured := l.Providers[name]
	return configured || slices.Contains(BuiltInProviders, name)
}

func (l *Loaded) providerNames() []string {
	names := slices.Concat(BuiltInProviders, slices.Collect(maps.Keys(l.Providers)))
	slices.Sort(names)
	return slices.Compact(names)
}

// blockOrphans blocks the project's choice of a provider that it defines itself
// and that is blocked. It reports whether there was such a choice: without the
// provider it would be a mistake, and it is none.
func (l *Loaded) blockOrphans() bool {
	orphan := false
	for _, key := range []string{"provider", "model"} {
		s, ok := l.settings[key]
		if !ok || s.From.Layer != ProjectFile {
			continue
		}
		name, _, _ := strings.Cut(s.Value, "/")
		if !l.isProvider(name) && l.Denied("providers", name) != nil {
			orphan = true
		}
	}
	if !orphan {
		return false
	}
	for _, key := range []string{"provider", "model"} {
		if s, ok := l.settings[key]; ok && s.From.Layer == ProjectFile {
			s.Overridden = nil
			l.Blocked = append(l.Blocked, s)
		}
	}
	return true
}
