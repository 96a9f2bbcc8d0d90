package gemini

import (
	"cmp"
	"context"
	"errors"
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
const Name = "gemini"

const (
	defaultURL     = "https://generativelanguage.googleapis.com"
	defaultVersion = "/v1beta"
)

// Config says how to reach the API. Only the key is needed. A base URL may end with
// a version of the API, such as /v1; without one it is /v1beta.
type Config struct {
	agent.Endpoint
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
		return nil, transport.Misconfigured(name, "there is no API key: set GEMINI_API_KEY")
	}
	return &Provider{
		name: name,
		client: transport.Client{
			Provider: name, Transport: plain{config.Transport}, Silence: config.Silence, Secret: string(config.Key),
			Retry: transport.Retry{Attempts: config.Attempts, Notify: config.Notify},
		},
		models: config.Cards(),
		url:    endpoint(address),
		header: http.Header{"X-Goog-Api-Key": {string(config.Key)}},
	}, nil
}

// endpoint accepts a base URL with and without the version, as both are in use.
func endpoint(base *url.URL) string {
	address := strings.TrimSuffix(base.String(), "/")
	for _, version := range []string{"/v1", "/v1beta", "/v1alpha"} {
		if strings.HasSuffix(address, version) {
			return address
		}
	}
	return address + defaultVersion
}

// method is the address that streams answers of the model. The name may tell the
// collection that the model is in.
func (p *Provider) method(name string) string {
	collection, bare := "models", name
	for _, known := range []string{"models", "tunedModels"} {
		if rest, is := strings.CutPrefix(name, known+"/"); is {
			collection, bare = known, rest
		}
	}
	return p.url + "/" + collection + "/" + url.PathEscape(bare) + ":streamGenerateContent?alt=sse"
}

// Name implements [agent.Provider].
func (p *Provider) Name() string { return p.name }

// Model implements [agent.Provider].
func (p *Provider) Model(name string) model.Card {
	card := p.models.Find(Name, bareName(name))
	card.Provider = p.name
	return card
}

// Encode returns the body that would be sent, and what in it differs from what was
// asked.
func (p *Provider) Encode(request message.Request) (jsontext.Value, []message.Degradation, error) {
	return Encode(request, p.Model(request.Model))
}

// Stream implements [agent.Provider].
func (p *Provider) Stream(ctx context.Context, request message.Request) agent.Stream {
	if request.Model == "" {
		return transport.Refuse(p.name, "", errors.New("encode request: no model is named"))
	}
	card := p.Model(request.Model)
	body, degradations, err := p.Encode(request)
	if err != nil {
		return transport.Refuse(p.name, request.Model, err)
	}
	call := transport.Call{URL: p.method(request.Model), Header: p.header, Body: body, Model: request.Model, Timeout: request.Timeout}
	return p.client.Stream(ctx, call, card, degradations, func() transport.Decoder {
		return &decoder{by: origin{Model: bareName(request.Model), Provider: p.name}, names: names.Real(request.Tools)}
	})
}
