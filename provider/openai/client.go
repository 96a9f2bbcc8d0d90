package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/transport"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json/jsontext"
)

// Name is the name of OpenAI itself.
const Name = "openai"

const defaultURL = "https://api.openai.com"

// Config says how to reach OpenAI. Only the key is needed.
type Config struct {
	agent.Endpoint
	// Organization and Project say who pays, if the key does not.
	Organization, Project string
	// Summary asks models that think for a summary of it, to be shown: "auto",
	// "concise" or "detailed". Empty asks for none; OpenAI gives one only to
	// organizations that it has verified, and refuses the others.
	Summary string
}

// Provider implements [agent.Provider] for both wires. It is safe for concurrent
// use; one serves any number of conversations.
type Provider struct {
	name string
	// owner is under whose name its models are in the table.
	owner  string
	client transport.Client
	models model.Table
	url    string
	header http.Header
	wire   wire
	// assumed is what models can do of which the table knows nothing.
	assumed func(card model.Card) model.Card
	// token, if set, is asked for the key of each request.
	token func(context.Context) (agent.Secret, error)
	// advise, if set, says what to do about an error, and whether trying again is
	// in vain.
	advise func(*message.Error) (inVain bool)
}

// wire is one of the two ways to ask and to answer.
type wire interface {
	encode(message.Request, model.Card) (jsontext.Value, []message.Degradation, error)
	decoder(message.Request, model.Card) transport.Decoder
}

var _ agent.Provider = (*Provider)(nil)

// New returns OpenAI. It connects to nothing yet. The error is a [*message.Error]
// of the kind [message.ErrConfiguration].
func New(config Config) (*Provider, error) {
	name := cmp.Or(config.Name, Name)
	address, err := transport.Address(config.BaseURL, defaultURL)
	if err != nil {
		return nil, transport.Misconfigured(name, err.Error())
	}
	if config.Key == "" {
		return nil, transport.Misconfigured(name, "there is no API key: set OPENAI_API_KEY")
	}
	header := http.Header{"Authorization": {"Bearer " + string(config.Key)}}
	if config.Organization != "" {
		header.Set("OpenAI-Organization", config.Organization)
	}
	if config.Project != "" {
		header.Set("OpenAI-Project", config.Project)
	}
	p := open(name, Name, config.Endpoint)
	p.url, p.header = versioned(address, "responses"), header
	p.wire, p.assumed = responsesWire{summary: config.Summary}, assumedResponses
	return p, nil
}

func open(name, owner string, endpoint agent.Endpoint) *Provider {
	return &Provider{
		name: name, owner: owner,
		client: transport.Client{
			Provider: name, Transport: endpoint.Transport, Silence: endpoint.Silence, Secret: string(endpoint.Key),
			Retry: transport.Retry{Attempts: endpoint.Attempts, Notify: endpoint.Notify},
		},
		models: endpoint.Cards(),
	}
}

// versioned returns the address of an API below a base URL, which may have the
// version, or a path of its own: both are in use. A query stays.
func versioned(base *url.URL, api string) string {
	address := *base
	address.Path = strings.TrimSuffix(address.Path, "/")
	if address.Path == "" {
		address.Path = "/v1"
	}
	return address.JoinPath(api).String()
}

// Name implements [agent.Provider].
func (p *Provider) Name() string { return p.name }

// Model implements [agent.Provider].
func (p *Provider) Model(name string) model.Card {
	card := p.models.Find(p.owner, name)
	nothing := card == model.Card{Provider: p.owner, Name: name}
	card.Provider = p.name
	if nothing && p.assumed != nil {
		return p.assumed(card)
	}
	return card
}

// Encode returns the body that would be sent, and what in it differs from what was
// asked.
func (p *Provider) Encode(request message.Request) (jsontext.Value, []message.Degradation, error) {
	return p.encode(request, p.Model(request.Model))
}

func (p *Provider) encode(request message.Request, card model.Card) (jsontext.Value, []message.Degradation, error) {
	if p.wire == nil {
		return nil, nil, &message.Error{Kind: message.ErrConfiguration, Provider: Name, Message: "it was not made by New, NewAzure or NewChat"}
	}
	return p.wire.encode(request, card)
}

// Stream implements [agent.Provider].
func (p *Provider) Stream(ctx context.Context, request message.Request) agent.Stream {
	card := p.Model(request.Model)
	body, degradations, err := p.encode(request, card)
	if err != nil {
		return transport.Refuse(p.name, request.Model, err)
	}
	call := transport.Call{URL: p.url, Header: p.header, Body: body, Model: request.Model, Timeout: request.Timeout}
	return func(yield func(message.Event, error) bool) {
		client := p.client
		if p.token != nil {
			token, err := p.token(ctx)
			if err != nil {
				yield(nil, &message.Error{Kind: message.ErrAuthentication, Provider: p.name, Model: request.Model,
					Message: "there is no token", Err: err})
				return
			}
			call.Header = p.header.Clone()
			call.Header.Set("Authorization", "Bearer "+string(token))
			client.Secret = string(token)
		}
		decoder := func() transport.Decoder { return p.wire.decoder(request, card) }
		if p.advise == nil {
			client.Stream(ctx, call, card, degradations, decoder)(yield)
			return
		}
		p.advised(ctx, client, yield, func(ctx context.Context, client transport.Client) agent.Stream {
			return client.Stream(ctx, call, card, degradations, decoder)
		})
	}
}

// advised streams with advice on errors. It does not let the person wait for
// attempts that are in vain.
func (p *Provider) advised(ctx context.Context, client transport.Client, yield func(message.Event, error) bool,
	stream func(context.Context, transport.Client) agent.Stream) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var final *message.Error
	notify := client.Retry.Notify
	client.Retry.Notify = func(failure *message.Error, pause time.Duration) {
		switch {
		case p.advise(failure):
			final = failure
			cancel()
		case notify != nil:
			notify(failure, pause)
		}
	}
	for event, err := range stream(ctx, client) {
		var failure *message.Error
		switch {
		case err != nil && final != nil:
			err = final
		case errors.As(err, &failure):
			p.advise(failure)
		}
		if !yield(event, err) {
			return
		}
	}
}

type responsesWire struct{ summary string }

func (w responsesWire) encode(request message.Request, card model.Card) (jsontext.Value, []message.Degradation, error) {
	return encode(request, card, "", w.summary)
}

func (w responsesWire) decoder(request message.Request, card model.Card) transport.Decoder {
	return &responsesDecoder{by: stamp{card.Provider, request.Model}, names: names.Real(request.Tools)}
}

// assumedResponses is for models that the table does not know. Their names tell
// the generations apart: up to the fourth, models did not think, and the -chat
// editions of later ones do not.
func assumedResponses(card model.Card) model.Card {
	card.Images, card.Documents, card.Tools, card.Schema, card.Forced = true, true, true, true, true
	for _, old := range []string{"gpt-3", "gpt-4", "chatgpt-"} {
		if strings.HasPrefix(card.Name, old) {
			card.Sampling = true
			return card
		}
	}
	if strings.Contains(card.Name, "-chat") {
		card.Sampling = true
		return card
	}
	card.Thinking = model.ThinkingEffort
	return card
}
