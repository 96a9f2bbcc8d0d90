package config

import (
	"fmt"
	"reflect"
	"strings"
)

// variable is one of the environment that sets a key. Those that hold a key of
// a provider set where the key is found, and are not read.
type variable struct {
	name, key string
}

// variables are all there are. Where two set the same key, the later wins.
var variables = []variable{
	{"AMPERSAT_PROVIDER", "provider"},
	{"AMPERSAT_MODEL", "model"},
	{"AMPERSAT_PROFILE", "profile"},
	{"AMPERSAT_PLACE", "place"},
	{"AMPERSAT_BUDGET", "budget.turn"},
	{"AMPERSAT_BUDGET_ITEM", "budget.item"},
	{"AMPERSAT_PERMISSIONS", "permissions.mode"},
	{"ANTHROPIC_API_KEY", "providers.anthropic.key"},
	{"ANTHROPIC_BASE_URL", "providers.anthropic.base_url"},
	{"OPENAI_API_KEY", "providers.openai.key"},
	{"OPENAI_BASE_URL", "providers.openai.base_url"},
	{"OPENAI_ORG_ID", "providers.openai.organization"},
	{"OPENAI_PROJECT_ID", "providers.openai.project"},
	{"GOOGLE_API_KEY", "providers.gemini.key"},
	{"GEMINI_API_KEY", "providers.gemini.key"},
	{"GOOGLE_GEMINI_BASE_URL", "providers.gemini.base_url"},
	{"AZURE_OPENAI_API_KEY", "providers.azure.key"},
	{"AZURE_OPENAI_ENDPOINT", "providers.azure.base_url"},
	{"AZURE_OPENAI_DEPLOYMENT", "providers.azure.deployment"},
	{"AZURE_OPENAI_API_VERSION", "providers.azure.api_version"},
}

// Flag is a flag that the person gave: Name as it is typed, the Key that it
// sets, and its value.
type Flag struct {
	Name, Key, Value string
}

// environment returns what the variables set. One that is empty is not set.
func environment(lookup func(string) (string, bool), home string) (settings []Setting, problems Problems) {
	for _, v := range variables {
		value, _ := lookup(v.name)
		if strings.TrimSpace(value) == "" {
			continue
		}
		s, err := assigned(v.key, value, Origin{Layer: Environment, Name: v.name}, home)
		if err != nil {
			problems = append(problems, *err)
			continue
		}
		settings = append(settings, s)
	}
	return settings, problems
}

// commandLine returns what the flags set.
func commandLine(flags []Flag, home string) (settings []Setting, problems Problems) {
	for _, f := range flags {
		s, err := assigned(f.Key, f.Value, Origin{Layer: CommandLine, Name: f.Name}, home)
		if err != nil {
			problems = append(problems, *err)
			continue
		}
		settings = append(settings, s)
	}
	return settings, problems
}

// assigned is the setting of a single value outside of a file.
func assigned(key, text string, from Origin, home string) (Setting, *Problem) {
	path := strings.Split(key, ".")
	s, ok := shapeAt(path)
	if !ok || !s.isLeaf() {
		return Setting{}, &Problem{from, fmt.Sprintf("there is no value %s to set", key), path}
	}
	var value any
	var err error
	if s.typ == reflect.TypeFor[Secret]() {
		value = Secret{Env: from.Name}
	} else if value, err = parse(strings.TrimSpace(text), s.typ, place{home: home}); err != nil {
		return Setting{}, &Problem{from, fmt.Sprintf("%s: %s", key, err), path}
	}
	return Setting{Key: key, Value: format(reflect.ValueOf(value)), From: from, path: path, value: value}, nil
}
