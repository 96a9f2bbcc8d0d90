package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mention"
)

// check collects what is wrong with values that each have the right type.
type check struct {
	*Loaded
	problems Problems
	// known is how many of the problems were found while reading.
	known int
}

// validate returns what is wrong, with what is known to be.
func (l *Loaded) validate(known Problems) Problems {
	c := check{Loaded: l, problems: known, known: len(known)}
	c.choices()
	c.numbers()
	c.selection()
	for _, name := range slices.Sorted(maps.Keys(l.Providers)) {
		c.oneProvider(name, l.Providers[name])
	}
	for _, name := range slices.Sorted(maps.Keys(l.MCP)) {
		c.mcpServer(name, l.MCP[name])
	}
	for _, name := range slices.Sorted(maps.Keys(l.Custom)) {
		c.custom(name, l.Custom[name])
	}
	for _, name := range slices.Sorted(maps.Keys(l.LanguageServers)) {
		c.words("language_servers", name, "command")(l.LanguageServers[name].Command, true)
	}
	for _, address := range l.Allow.URLs {
		if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
			c.fault(fmt.Sprintf("%q is not an address; write it with http:// or https://", address), "allow", "urls")
		} else if _, err := access.ParseGrant(address, "/", ""); err != nil {
			c.fault(err.Error(), "allow", "urls")
		}
	}
	slices.SortStableFunc(c.problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Origin.Layer, b.Origin.Layer), cmp.Compare(a.Origin.Line, b.Origin.Line), cmp.Compare(a.Origin.Column, b.Origin.Column))
	})
	return c.problems
}

// fault notes a problem, at the place of the path or of the first thing in it.
// What was not understood there may be why it looks wrong, and was told already.
func (c *check) fault(text string, path ...string) {
	if len(c.problems) >= maxMistakes || c.unread(path...) {
		return
	}
	key := dotted(path)
	s, ok := c.settings[key]
	for _, inner := range c.settings {
		if !ok && hasPrefix(inner.path, path) && (s.Key == "" || inner.before(s)) {
			s = inner
		}
	}
	c.problems = append(c.problems, Problem{s.From, key + ": " + text, path})
}

// unread reports whether something at the path was not understood.
func (c *check) unread(path ...string) bool {
	return slices.ContainsFunc(c.problems[:c.known], func(p Problem) bool {
		return p.path != nil && (hasPrefix(p.path, path) || hasPrefix(path, p.path))
	})
}

// before orders settings by where they are written.
func (s Setting) before(other Setting) bool {
	return cmp.Or(cmp.Compare(s.From.Line, other.From.Line), cmp.Compare(s.From.Column, other.From.Column), cmp.Compare(s.Key, other.Key)) < 0
}

// choice checks a word that must be one of some; empty is none.
func (c *check) choice(word string, among []string, path ...string) {
	if word != "" && !slices.Contains(among, word) {
		c.fault(fmt.Sprintf("%q is none of %s%s", word, strings.Join(among, ", "), near(word, among)), path...)
	}
}

func near(word string, among []string) string {
	if meant := suggest(word, among); meant != "" {
		return "; did you mean " + meant + "?"
	}
	return ""
}

func (c *check) choices() {
	var places []string
	for _, p := range ampersat.Placements {
		places = append(places, string(p))
	}
	c.choice(c.Place, places, "place")
	c.choice(c.Context.Strategy, []string{"simple", "smart"}, "context", "strategy")
	c.choice(c.Permissions.Mode, []string{"ask", "auto-read", "all"}, "permissions", "mode")
	for _, text := range c.Permissions.Allow {
		if _, _, err := agent.ParseAllowed(text); err != nil {
			c.fault(err.Error(), "permissions", "allow")
		}
	}
	if strings.ContainsFunc(c.Web.UserAgent, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		c.fault("it has control characters", "web", "user_agent")
	}
	for _, tool := range c.Permissions.Allow {
		if strings.TrimSpace(tool) == "" {
			c.fault("an empty name allows nothing", "permissions", "allow")
		}
	}
}

func (c *check) numbers() {
	c.compaction()
	if c.Terminal.Lines == 0 {
		c.fault("no lines at all; use a positive number", "terminal", "lines")
	}
}

// compaction checks that it gains something. What is told is what was written, and
// of two places the later one.
func (c *check) compaction() {
	target, threshold := c.Context.CompactTarget, c.Context.CompactThreshold
	if target < threshold || c.unread("context", "compact_threshold") {
		return
	}
	above, below := c.settings["context.compact_threshold"].From, c.settings["context.compact_target"].From
	switch {
	case threshold == 0:
		c.fault("nothing is below the threshold 0; write a part that may be full, such as 0.92", "context", "compact_threshold")
	case above.Layer > below.Layer:
		c.fault(fmt.Sprintf("the threshold %v is not above the target %v (%s), so compaction would gain nothing", threshold, target, below), "context", "compact_threshold")
	default:
		c.fault(fmt.Sprintf("the target %v is not below the threshold %v, so compaction would gain nothing", target, threshold), "context", "compact_target")
	}
}

// TargetBelow returns what compaction is to bring a conversation to that begins at
// a threshold: the target, if nobody wrote it for this threshold and it is not
// below, half the threshold.
func TargetBelow(threshold, target float64) float64 {
	if target < threshold {
		return target
	}
	return threshold / 2
}

// selection checks that the provider is there, that the model has one, and that
// it is the same.
func (c *check) selection() {
	if c.unread("providers") || slices.ContainsFunc(c.problems[:c.known], func(p Problem) bool { return p.path == nil }) {
		return // the provider may be in what was not understood
	}
	if c.Provider != "" && !c.isProvider(c.Provider) {
		c.fault(fmt.Sprintf("there is no provider %q%s", c.Provider, near(c.Provider, c.providerNames())), "provider")
		return
	}
	if owner, _ := c.splitModel(c.Model); owner != "" && c.Provider != "" && owner != c.Provider {
		provider, model := c.settings["provider"].From, c.settings["model"].From
		if provider.Layer == model.Layer {
			c.fault(fmt.Sprintf("%q is a model of %s, and %s says the provider is %s; leave one of them out, or write %s/%s if it is called that there",
				c.Model, owner, provider, c.Provider, c.Provider, c.Model), "model")
		}
	}
	owner, _, ok := strings.Cut(c.Model, "/")
	switch {
	case c.provider != "" && (!ok || c.model != c.Model):
	case c.provider != "":
		// It may be called so at the chosen provider, or be meant for another.
		if meant := slipOf(owner, c.providerNames()); meant != "" {
			c.fault(fmt.Sprintf("there is no provider %q; did you mean %s? If %s has a model that is called that, write %s/%s",
				owner, meant, c.provider, c.provider, c.Model), "model")
		}
	case !ok && c.unread("provider"):
	case !ok:
		c.fault(fmt.Sprintf("%q does not say whose model it is; write it provider/model, or set provider", c.Model), "model")
	default:
		c.fault(fmt.Sprintf("there is no provider %q%s", owner, near(owner, c.providerNames())), "model")
	}
}

// apis are the ways to speak to a provider.
var apis = []string{"anthropic", "openai", "azure", "gemini", "chat", "echo"}

// APIOf returns how a provider is spoken to.
func (c Config) APIOf(provider string) string {
	if api := c.Providers[provider].API; api != "" {
		return api
	}
	if slices.Contains(apis, provider) {
		return provider
	}
	return "chat"
}

// CheckProvider returns what is wrong with a provider, whoever says what it is.
func (l *Loaded) CheckProvider(name string) (found []string) {
	c := check{Loaded: l}
	c.oneProvider(name, l.Providers[name])
	for _, p := range c.problems {
		found = append(found, p.Text)
	}
	return found
}

func (c *check) oneProvider(name string, p Provider) {
	at := func(key ...string) []string { return append([]string{"providers", name}, key...) }
	if !isName(name) {
		c.fault("a provider's name has letters, digits, dashes and underscores", at()...)
	}
	c.choice(p.API, apis, at("api")...)
	if p.BaseURL != "" {
		if err := checkURL(p.BaseURL); err != nil {
			c.fault(err.Error(), at("base_url")...)
		}
	}
	api := c.APIOf(name)
	if p.BaseURL == "" && api == "chat" && !slices.Contains(BuiltInProviders, name) {
		c.fault("nothing says where it is: set base_url, or its API if it is not an OpenAI-compatible server", at()...)
	}
	c.choice(p.Summary, []string{"auto", "concise", "detailed"}, at("summary")...)
	for _, only := range []struct {
		set  bool
		key  string
		apis []string
	}{
		{p.Organization != "", "organization", []string{"openai"}},
		{p.Project != "", "project", []string{"openai"}},
		{p.Summary != "", "summary", []string{"openai", "azure"}},
		{len(p.Beta) > 0, "beta", []string{"anthropic"}},
		{p.Resource != "", "resource", []string{"azure"}},
		{p.Deployment != "", "deployment", []string{"azure"}},
		{p.APIVersion != "", "api_version", []string{"azure"}},
	} {
		if only.set && !slices.Contains(only.apis, api) {
			c.fault(fmt.Sprintf("it is for the API %s, and this is %s", strings.Join(only.apis, " or "), api), at(only.key)...)
		}
	}
	for model, card := range p.Models {
		c.choice(card.Thinking, []string{"budget", "effort", "adaptive"}, at("models", model, "thinking")...)
		if (card.Price.Input == "") != (card.Price.Output == "") || card.Price.Input == "" && card.Price != (Price{}) {
			c.fault("a price needs both input and output", at("models", model, "price")...)
		}
	}
}

// isName reports whether a word can name a provider on the command line.
func isName(name string) bool {
	return name != "" && len(name) <= 64 &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == ""
}

// mentionable checks that a name can stand before the colon of a mention.
func (c *check) mentionable(group, name string) {
	refs := mention.Find("@" + name + ":x")
	if len(refs) == 1 {
		if word, _, ok := refs[0].Namespaced(); ok && word == name {
			return
		}
	}
	c.fault(fmt.Sprintf("@%s: would not name it; use another word, of letters, digits and dashes", name), group, name)
}

func (c *check) mcpServer(name string, s MCPServer) {
	c.mentionable("mcp", name)
	switch {
	case (s.Command == "") == (s.URL == ""):
		c.fault("it needs either command, a program to start, or url", "mcp", name)
	case s.Command != "" && len(s.Headers) > 0:
		c.fault("headers are for a server with a url", "mcp", name, "headers")
	case s.URL != "" && (len(s.Args) > 0 || len(s.Env) > 0):
		c.fault("args and env are for a server with a command", "mcp", name)
	}
	if s.URL != "" {
		if err := checkURL(s.URL); err != nil {
			c.fault(err.Error(), "mcp", name, "url")
		}
	}
	for _, group := range []struct {
		key    string
		values map[string]Text
	}{{"env", s.Env}, {"headers", s.Headers}} {
		for key, text := range group.values {
			if group.key == "env" && !isVariable(key) {
				c.fault("that is not the name of a variable", "mcp", name, group.key, key)
			}
			if group.key == "headers" && !isHeader(key) {
				c.fault("that is not the name of a header", "mcp", name, group.key, key)
			}
			if looksSecret(key, text.Value) {
				c.fault(errLiteral.Error(), "mcp", name, group.key, key)
			}
		}
	}
}

func isHeader(name string) bool { return isName(name) }

func (c *check) custom(name string, k Custom) {
	c.mentionable("custom", name)
	if (len(k.Command) == 0) == (k.URL == "") {
		c.fault("it needs either command, a list of words, or url", "custom", name)
		return
	}
	c.words("custom", name, "command")(k.Command, false)
	if k.URL != "" {
		if err := checkURL(k.URL); err != nil {
			c.fault(err.Error(), "custom", name, "url")
		} else if !strings.Contains(k.URL, "{}") {
			c.fault("nothing says where the rest of the mention goes; write {} in its place", "custom", name, "url")
		}
	}
}

// words checks a command.
func (c *check) words(path ...string) func(command []string, needed bool) {
	return func(command []string, needed bool) {
		switch {
		case len(command) == 0 && needed:
			c.fault("there is no command; write it as a list of words", path[:2]...)
		case len(command) > 0 && strings.TrimSpace(command[0]) == "":
			c.fault("the first word, which is the program, is empty", path...)
		}
	}
}
