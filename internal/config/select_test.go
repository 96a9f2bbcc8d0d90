package config

import (
	"slices"
	"strings"
	"testing"
)

// TestSelected goes through who says which provider and which model, in which
// layer. What was said last counts.
func TestSelected(t *testing.T) {
	for _, test := range []struct{ name, user, project, provider, model, want string }{
		{name: "nobody", want: DefaultModel},
		{name: "a model with its provider", user: "model: openai/a", want: "openai/a"},
		{name: "a provider alone", user: "provider: openai", want: "openai/"},
		{name: "a provider with its usual model", user: "provider: lab\nproviders: {lab: {base_url: 'http://lab', model: m}}", want: "lab/m"},
		{name: "both", user: "provider: ollama\nmodel: llama3.3", want: "ollama/llama3.3"},
		{name: "both, the provider twice", user: "provider: ollama\nmodel: ollama/llama3.3", want: "ollama/llama3.3"},
		{name: "a slash in a model", user: "provider: chat\nmodel: meta/llama", want: "chat/meta/llama"},
		{name: "a slash after the provider", user: "model: chat/meta/llama", want: "chat/meta/llama"},
		{name: "a later model", user: "provider: ollama\nmodel: llama3.3", model: "openai/a", want: "openai/a"},
		{name: "a later bare model", user: "provider: ollama\nmodel: llama3.3", model: "qwen3", want: "ollama/qwen3"},
		{name: "a later provider", user: "model: openai/a", provider: "ollama", want: "ollama/"},
		{name: "a later provider, its model goes", user: "provider: ollama\nmodel: llama3.3", provider: "openai", want: "openai/"},
		{name: "a later provider, the same", user: "provider: ollama\nmodel: llama3.3", provider: "ollama", want: "ollama/llama3.3"},
		{name: "a model between providers", user: "provider: ollama\nmodel: llama3.3", project: "model: qwen3", provider: "openai", want: "openai/"},
		{name: "all later", user: "provider: ollama\nmodel: llama3.3", provider: "openai", model: "a", want: "openai/a"},
		{name: "a project's model", user: "model: openai/a", project: "model: gemini/b", want: "gemini/b"},
		{name: "a slip that is no more used", user: "provider: ollama\nmodel: anthropc/a", provider: "openai", want: "openai/"},
		{name: "what could be a slip, with its provider", user: "model: ollama/anthropc/a", want: "ollama/anthropc/a"},
		{name: "a slash that could be a provider", user: "provider: ollama\nmodel: ollama/openai/a", want: "ollama/openai/a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, map[string]string{userConfig: test.user, projectConfig: test.project})
			w.env["AMPERSAT_PROVIDER"] = test.provider
			if test.model != "" {
				w.flags = []Flag{{"--model", "model", test.model}}
			}
			if provider, model := w.load().Selected(); provider+"/"+model != test.want {
				t.Errorf("have %s/%s, want %s", provider, model, test.want)
			}
		})
	}
}

func TestAPIOf(t *testing.T) {
	c := Config{Providers: map[string]Provider{"lab": {BaseURL: "http://lab"}, "work": {API: "anthropic"}, "openai": {API: "chat"}}}
	for provider, want := range map[string]string{
		"lab": "chat", "work": "anthropic", "openai": "chat", "azure": "azure", "ollama": "chat", "echo": "echo",
	} {
		if have := c.APIOf(provider); have != want {
			t.Errorf("%s: have %s, want %s", provider, have, want)
		}
	}
}

// TestSlipOf: who sells models is no slip of who serves them.
func TestSlipOf(t *testing.T) {
	for word, want := range map[string]string{
		"anthropc": "anthropic", "antropc": "anthropic", "Anthropic": "anthropic", "opnai": "openai", "OpenAI": "openai", "open-ai": "openai", "opeani": "openai",
		"gemni": "gemini", "olama": "ollama", "azur": "azure", "Lab": "lab",
		"openai": "", "lag": "", "la": "", "": "",
		"meta-llama": "", "mistralai": "", "google": "", "qwen": "", "Qwen": "", "deepseek-ai": "", "microsoft": "", "nvidia": "", "x-ai": "", "z-ai": "", "cohere": "",
		"openrouter": "", "openchat": "", "moonshotai": "", "minimax": "", "perplexity": "", "amazon": "", "ai21": "", "gemma": "", "claude": "", "gpt": "",
		strings.Repeat("openai", 1000): "",
	} {
		if have := slipOf(word, append(slices.Clone(BuiltInProviders), "lab")); have != want {
			t.Errorf("%.20s: %q, want %q", word, have, want)
		}
	}
}
