package app

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/internal/profile"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/provider/anthropic"
	"github.com/ampersat/ampersat/provider/echo"
	"github.com/ampersat/ampersat/provider/gemini"
	"github.com/ampersat/ampersat/provider/openai"
)

// Chosen is the provider and the model that answer.
type Chosen struct {
	Provider agent.Provider
	Model    string
	// Choice is the two as the person calls them, provider/model, for the session
	// to go on with. It is empty for what stands in where there is no key: that
	// is nobody's choice.
	Choice string
	// Note says what people should know about the choice, empty if it is what
	// was asked for.
	Note string
}

// choose opens the provider that the configuration or the profile names. If
// nobody named one, it is the first that there is a key for, in the order of the
// profile if it has one; without any key it is echo, which answers with an
// account of what it was sent.
//
// Before is who answered in the session so far, as provider/model, empty if
// nobody did. That counts unless the command line names somebody else.
//
// Notify, if set, is told of failures that are tried again.
func (a *App) choose(m profile.Merged, before string, notify func(*message.Error, time.Duration)) (Chosen, error) {
	c, name, modelName, err := a.pick(m, before)
	if err != nil {
		return Chosen{}, err
	}
	if name == "" {
		return Chosen{Provider: echo.Provider{}, Model: echo.Name,
			Note: "no key is set, so nothing is sent anywhere: echo answers with an account of what a model would get; set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or use --provider ollama"}, nil
	}
	opened, err := openProvider(c, name, notify)
	if err != nil {
		if before == name+"/"+modelName {
			err = fmt.Errorf("%w; the session is with %s, and --model names another", err, before)
		}
		return Chosen{}, err
	}
	return Chosen{Provider: opened, Model: modelName, Choice: name + "/" + modelName}, nil
}

// pick says who is to answer, and by which configuration; see [App.choose].
// Nothing is opened, and no key is read. The name is empty if nobody can.
func (a *App) pick(m profile.Merged, before string) (c *config.Loaded, name, modelName string, err error) {
	c, err = withProviders(a.Config, m.Providers)
	if err != nil {
		return nil, "", "", err
	}
	name, modelName = c.Selected()
	chosen := isChosen(c)
	former, formerModel, resumed := strings.Cut(before, "/")
	switch {
	case resumed && !a.flagged("model") && !a.flagged("provider"):
		name, modelName, chosen = former, formerModel, true
	case m.Model != "" && !a.given("model") && !a.given("provider"):
		name, modelName, _ = strings.Cut(m.Model, "/")
		chosen = true
	}
	if !chosen && (len(m.Providers) > 0 || !hasKey(c, name)) {
		others := []string{"anthropic", "openai", "gemini", "azure"}
		usable := func(other string) bool { return hasKey(c, other) }
		if len(m.Providers) > 0 {
			others = nil
			for _, p := range m.Providers {
				others = append(others, p.ID)
			}
			// Who names a server of their own need not have a key for it.
			usable = func(other string) bool {
				return hasKey(c, other) || c.APIOf(other) == "chat" || c.APIOf(other) == echo.Name
			}
		}
		i := slices.IndexFunc(others, usable)
		if i < 0 {
			return c, "", "", nil
		}
		name, modelName = others[i], ""
	}
	if !isProvider(c, name) {
		err := noProvider(name)
		if resumed && name == former {
			err = fmt.Errorf("the session is with %s: %w; --model names another", before, err)
		}
		return nil, "", "", err
	}
	if i := slices.IndexFunc(m.Providers, func(p profile.Module) bool { return p.ID == name }); i >= 0 {
		if found := wrongProvider(c, m.Providers[i]); len(found) > 0 {
			return nil, "", "", found
		}
	}
	modelName = cmp.Or(modelName, c.Providers[name].Model, UsualModel(c.APIOf(name)))
	if modelName == "" {
		return nil, "", "", fmt.Errorf("ask %s: no model is named; use --model %s/NAME", name, name)
	}
	return c, name, modelName, nil
}

// Answers says who would answer if something were asked now, as provider/model,
// and why it is not what is configured, empty if it is. Nothing is opened, and no
// key is read.
func (a *App) Answers() (who, why string, err error) {
	profile, m, err := a.wantedProfile()
	if err != nil {
		return "", "", err
	}
	c, name, modelName, err := a.pick(m, "")
	if err != nil {
		return "", "", err
	}
	if name == "" {
		return echo.Name + "/" + echo.Name, "no key is set", nil
	}
	who = name + "/" + modelName
	selected, its := c.Selected()
	its = cmp.Or(its, c.Providers[selected].Model, UsualModel(c.APIOf(selected)))
	switch who {
	case selected + "/" + its:
	case m.Model:
		why = "the profile " + profile + " says so"
	default:
		why = "nobody chose a provider, and it is the first that can be used"
	}
	return who, why, nil
}

// withProviders returns the configuration with what a profile says of providers:
// module is the API, config has base_url and model. What the configuration says
// itself counts more. The error is of type [profile.Problems].
func withProviders(c *config.Loaded, modules []profile.Module) (*config.Loaded, error) {
	if len(modules) == 0 {
		return c, nil
	}
	all := *c
	all.Providers = maps.Clone(c.Providers)
	if all.Providers == nil {
		all.Providers = map[string]config.Provider{}
	}
	for _, module := range modules {
		p := all.Providers[module.ID]
		if module.Module != module.ID {
			p.API = cmp.Or(p.API, module.Module)
		}
		for key, value := range module.Config {
			text, ok := value.(string)
			switch {
			case key == "base_url" && ok:
				p.BaseURL = cmp.Or(p.BaseURL, text)
			case key == "model" && ok:
				p.Model = cmp.Or(p.Model, text)
			default:
				return nil, profile.Problems{{At: module.At, What: fmt.Sprintf("provider %s: config has base_url and model, both text, and not %q", module.ID, key)}}
			}
		}
		all.Providers[module.ID] = p
	}
	return &all, nil
}

// wrongProvider returns what is wrong with a provider of a profile, where all that
// is configured is known. What waits for trust may be what is missing.
func wrongProvider(c *config.Loaded, module profile.Module) (found profile.Problems) {
	if _, waits := c.Withheld.Providers[module.ID]; waits {
		return nil
	}
	for _, what := range c.CheckProvider(module.ID) {
		found = append(found, &profile.Problem{At: module.At, What: what})
	}
	return found
}

// isProvider reports whether there is a provider of that name.
func isProvider(c *config.Loaded, name string) bool {
	_, configured := c.Providers[name]
	return configured || slices.Contains(config.BuiltInProviders, name)
}

func noProvider(name string) error {
	return fmt.Errorf("there is no provider %q; there are %s, and those that are configured", name, strings.Join(config.BuiltInProviders, ", "))
}

// isChosen reports whether somebody chose the provider or the model.
func isChosen(c *config.Loaded) bool {
	return c.Origin("provider").Layer != config.BuiltIn || c.Origin("model").Layer != config.BuiltIn
}

// hasKey reports whether a key is configured. It does not look whether it is
// any good, nor into files.
func hasKey(c *config.Loaded, provider string) bool { return !c.Providers[provider].Key.IsZero() }

// needsKey reports whether nothing at that address answers without a key.
func needsKey(api, address string) bool {
	at, err := url.Parse(address)
	return api != openai.ChatName && api != echo.Name || err == nil && at.Hostname() == "api.openai.com"
}

// openProvider opens a provider with its key. It connects to nothing yet.
func openProvider(c *config.Loaded, name string, notify func(*message.Error, time.Duration)) (agent.Provider, error) {
	p, api := c.Providers[name], c.APIOf(name)
	endpoint := agent.Endpoint{Notify: notify}
	if !p.Key.IsZero() && api != echo.Name {
		key, err := p.Key.Read(c.Lookup)
		if err != nil {
			return nil, fmt.Errorf("ask %s: %w", name, err)
		}
		endpoint.Key = key
	} else if needsKey(api, p.BaseURL) {
		return nil, &message.Error{Kind: message.ErrConfiguration, Provider: name, Message: "there is no API key: " + setKey(name)}
	}
	return connect(c, name, endpoint)
}

// connect opens a provider as it is configured, with what the endpoint says
// already.
func connect(c *config.Loaded, name string, endpoint agent.Endpoint) (agent.Provider, error) {
	p := c.Providers[name]
	endpoint.Name, endpoint.BaseURL = name, cmp.Or(p.BaseURL, endpoint.BaseURL)
	endpoint.Attempts, endpoint.Silence = p.Attempts, time.Duration(p.Timeout)
	if len(p.Models) > 0 {
		models, err := c.ModelTable(name)
		if err != nil {
			return nil, err
		}
		endpoint.Models = &models
	}
	switch c.APIOf(name) {
	case echo.Name:
		return echo.Provider{As: name}, nil
	case anthropic.Name:
		return anthropic.New(anthropic.Config{Endpoint: endpoint, Beta: p.Beta})
	case openai.Name:
		return openai.New(openai.Config{Endpoint: endpoint, Organization: p.Organization, Project: p.Project, Summary: p.Summary})
	case openai.AzureName:
		return openai.NewAzure(openai.AzureConfig{
			Endpoint: endpoint, Resource: p.Resource, Deployment: p.Deployment, APIVersion: p.APIVersion, Summary: p.Summary,
		})
	case gemini.Name:
		return gemini.New(gemini.Config{Endpoint: endpoint})
	}
	return openai.NewChat(openai.ChatConfig{Endpoint: endpoint})
}
