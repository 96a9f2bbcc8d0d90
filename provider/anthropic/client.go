package anthropic

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/transport"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json/jsontext"
)

// Name is the provider's name.
const Name = "anthropic"

const (
	defaultURL = "https://api.anthropic.com"
	apiVersion = "2023-06-01"
)

// Config says how to reach the API. Only the key is needed.
type Config struct {
	agent.Endpoint
	// Beta lists features that must be asked for by name.
	Beta []string
}

// Provider implements [agent.Provider]. It is safe for concurrent use; one serves
// any number of conversations.
type Provider struct {
	name   string
	client transport.Client
	models model.Table
	url    string
	header http.Header
}

var _ agent.Provider = (*Provider)(nil)

// New returns a provider. It connects to nothing yet. The error is a
// [*message.Error] of the kind [message.ErrConfiguration].
func New(config Config) (*Provider, error) {
	name := cmp.Or(config.Name, Name)
	address, err := transport.Address(config.BaseURL, defaultURL)
	if err != nil {
		return nil, transport.Misconfigured(name, err.Error())
	}
	if config.Key == "" {
		return nil, transport.Misconfigured(name, "there is no API key: set ANTHROPIC_API_KEY")
	}
	header := http.Header{"X-Api-Key": {string(config.Key)}, "Anthropic-Version": {apiVersion}}
	if len(config.Beta) > 0 {
		header.Set("Anthropic-Beta", strings.Join(config.Beta, ","))
	}
	return &Provider{
		name: name,
		client: transport.Client{
			Provider: name, Transport: config.Transport, Silence: config.Silence, Secret: string(config.Key),
			Retry: transport.Retry{Attempts: config.Attempts, Notify: config.Notify},
		},
		models: config.Cards(),
		url:    endpoint(address),
		header: header,
	}, nil
}

// endpoint accepts a base URL with and without the version, as both are in use.
func endpoint(base *url.URL) string {
	return strings.TrimSuffix(strings.TrimSuffix(base.String(), "/"), "/v1") + "/v1/messages"
}

// Name implements [agent.Provider].
func (p *Provider) Name() string { return p.name }

// Model implements [agent.Provider].
func (p *Provider) Model(name string) model.Card {
	card := p.models.Find(Name, name)
	card.Provider = p.name
	card.DefaultOutput = defaultOutput(card)
	return card
}

// Encode returns the body that would be sent, and what in it differs from what was
// asked.
func (p *Provider) Encode(request message.Request) (jsontext.Value, []message.Degradation, error) {
	return Encode(request, p.Model(request.Model))
}

// Stream implements [agent.Provider].
func (p *Provider) Stream(ctx context.Context, request message.Request) agent.Stream {
	card := p.Model(request.Model)
	body, degradations, err := p.Encode(request)
	if err != nil {
		return transport.Refuse(p.name, request.Model, err)
	}
	call := transport.Call{URL: p.url, Header: p.header, Body: body, Model: request.Model, Timeout: request.Timeout}
	return p.client.Stream(ctx, call, card, degradations, func() transport.Decoder {
		return &decoder{by: stamp{request.Model, p.name}, names: names.Real(request.Tools)}
	})
}
