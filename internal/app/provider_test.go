package app

import (
	"strings"
	"testing"

	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
)

func TestWhichModelAnswers(t *testing.T) {
	local := profile.Module{ID: "local", Module: "chat", Config: map[string]any{"base_url": "http://localhost:1/v1", "model": "small"}}
	for _, c := range []struct {
		name   string
		keys   map[string]string
		flags  []config.Flag
		merged profile.Merged
		want   string // provider/model, or a piece of the error
	}{
		{"nothing is configured", nil, nil, profile.Merged{}, "echo/echo"},
		{"the first that there is a key for", map[string]string{"OPENAI_API_KEY": "k"}, nil, profile.Merged{}, "openai/gpt-5.6-terra"},
		{"the usual one", map[string]string{"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, nil, profile.Merged{}, "anthropic/claude-sonnet-5-5"},
		{"a flag", map[string]string{"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, []config.Flag{{Name: "--model", Key: "model", Value: "openai/x"}}, profile.Merged{Model: "anthropic/y"}, "openai/x"},
		{"a profile", map[string]string{"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, nil, profile.Merged{Model: "anthropic/y"}, "anthropic/y"},
		{"a profile whose provider has no key", nil, nil, profile.Merged{Model: "anthropic/y"}, "set ANTHROPIC_API_KEY"},
		{"a profile's list", map[string]string{"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k"}, nil,
			profile.Merged{Providers: []profile.Module{{ID: "gemini", Module: "gemini"}, {ID: "openai", Module: "openai"}}}, "openai/gpt-5.6-terra"},
		{"a profile's own server", map[string]string{"ANTHROPIC_API_KEY": "k"}, nil, profile.Merged{Providers: []profile.Module{local}}, "local/small"},
		{"a profile that says too much", nil, nil, profile.Merged{Providers: []profile.Module{{ID: "local", Module: "chat", Config: map[string]any{"key": "k"}}}}, `not "key"`},
		{"a profile whose provider is nobody", nil, nil, profile.Merged{Model: "nobody/x"}, "there is no provider"},
		{"a server without a model", nil, []config.Flag{{Name: "--provider", Key: "provider", Value: "echo"}}, profile.Merged{}, "echo/echo"},
	} {
		w := newWorld(t, nil)
		for _, key := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "AZURE_OPENAI_API_KEY"} {
			t.Setenv(key, c.keys[key])
		}
		a, err := New(Options{Dir: w.project, Flags: c.flags})
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := a.choose(c.merged, "", nil)
		have := ""
		if err != nil {
			have = err.Error()
		} else {
			have = chosen.Provider.Name() + "/" + chosen.Model
		}
		if have != c.want && (err == nil || !strings.Contains(have, c.want)) {
			t.Errorf("%s: %s, want %s", c.name, have, c.want)
		}
	}
}

// Who answered in a session so far answers again, unless the command line names
// somebody else.
func TestASessionGoesOnWithWhoAnswered(t *testing.T) {
	flag := func(key, value string) config.Flag { return config.Flag{Name: "--" + key, Key: key, Value: value} }
	for _, c := range []struct {
		name   string
		before string
		flags  []config.Flag
		want   string
	}{
		{"nothing else is said", "openai/gpt-4.1", nil, "openai/gpt-4.1"},
		{"a model with its provider", "openai/gpt-4.1", []config.Flag{flag("model", "anthropic/claude-sonnet-5")}, "anthropic/claude-sonnet-5"},
		{"a provider", "openai/gpt-4.1", []config.Flag{flag("provider", "echo")}, "echo/echo"},
		{"a provider of one's own", "work/x/y", nil, "work/x/y"},
		{"one whose key is gone", "gemini/gemini-2.5-pro", nil, "the session is with gemini/gemini-2.5-pro, and --model names another"},
		{"one that is gone", "gone/x", nil, "the session is with gone/x: there is no provider \"gone\""},
		{"nobody so far", "", nil, "anthropic/configured"},
	} {
		w := newWorld(t, map[string]string{"~/.ampersat/config.yaml": "model: anthropic/configured\nproviders: {work: {api: echo}}\n"})
		for _, key := range []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"} {
			t.Setenv(key, "")
		}
		for _, key := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY"} {
			t.Setenv(key, "sk-test-0123456789")
		}
		t.Setenv("AMPERSAT_MODEL", "anthropic/configured") // is for new sessions
		a, err := New(Options{Dir: w.project, Flags: c.flags})
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := a.choose(profile.Merged{Model: "openai/of-the-profile"}, c.before, nil)
		have := chosen.Choice
		if err != nil {
			have = err.Error()
		}
		if have != c.want && (err == nil || !strings.Contains(have, c.want)) {
			t.Errorf("%s: %s, want %s", c.name, have, c.want)
		}
	}
}

// TestAProviderOfOnesOwn has the name that it was given, whatever it speaks: to
// people, in the log, and in what to do where there is no key.
func TestAProviderOfOnesOwn(t *testing.T) {
	for api, known := range map[string]string{
		"anthropic": "claude-sonnet-5-5", "openai": "gpt-5.6-terra", "azure": "gpt-5.6-terra", "gemini": "gemini-3.5-flash", "chat": "", "echo": "",
	} {
		w := newWorld(t, map[string]string{"~/.ampersat/config.yaml": "providers:\n" +
			"  lab: {api: " + api + ", base_url: 'http://lab.example', model: tiny, key: {env: LAB_KEY}}\n" +
			"  bare: {api: " + api + ", base_url: 'http://lab.example', model: tiny}\n"})
		t.Setenv("LAB_KEY", "k")
		choose := func(provider string) (Chosen, error) {
			a, err := New(Options{Dir: w.project, Flags: []config.Flag{{Name: "--provider", Key: "provider", Value: provider}}})
			if err != nil {
				t.Fatal(err)
			}
			return a.choose(profile.Merged{}, "", nil)
		}
		chosen, err := choose("lab")
		if err != nil {
			t.Errorf("%s: %v", api, err)
			continue
		}
		if name, card := chosen.Provider.Name(), chosen.Provider.Model(chosen.Model); name != "lab" || card.Provider != "lab" || chosen.Model != "tiny" {
			t.Errorf("%s: %s, %+v, %s", api, name, card, chosen.Model)
		}
		if card := chosen.Provider.Model(known); known != "" && (card.Window == 0 || card.Provider != "lab") {
			t.Errorf("%s: nothing is known about %s: %+v", api, known, card)
		}
		_, err = choose("bare")
		switch needs := api != "chat" && api != "echo"; {
		case !needs && err != nil:
			t.Errorf("%s: %v", api, err)
		case needs && (err == nil || !strings.HasPrefix(err.Error(), "bare: ") || !strings.Contains(err.Error(), "providers.bare.key: {env: NAME}")):
			t.Errorf("%s: %v", api, err)
		}
	}
}
