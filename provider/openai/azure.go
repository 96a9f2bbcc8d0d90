package openai

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

// AzureName is the name of Azure OpenAI.
const AzureName = "azure"

// AzureConfig says how to reach a resource of Azure OpenAI. It needs a resource, or
// a base URL, and a key, or a token.
type AzureConfig struct {
	// Endpoint's base URL, if it is set, comes in place of Resource. It may name
	// the host alone, or go on to /openai/v1 or /openai/deployments/NAME.
	agent.Endpoint
	// Resource is the name before .openai.azure.com.
	Resource string
	// Deployment is what the model is called there, empty if it has the model's
	// own name.
	Deployment string
	// APIVersion is the date of the API to use: "2025-04-01-preview". Empty means
	// the one that has no date, /openai/v1; "preview" and "latest" are of it too.
	APIVersion string
	// Token, if set, returns a token of Entra ID for each request. It is used in
	// place of the key.
	Token func(context.Context) (agent.Secret, error)
	// Summary is as in [Config].
	Summary string
}

// NewAzure returns a resource of Azure OpenAI. It connects to nothing yet. The
// error is a [*message.Error] of the kind [message.ErrConfiguration].
func NewAzure(config AzureConfig) (*Provider, error) {
	name, usual := cmp.Or(config.Name, AzureName), ""
	if config.Resource != "" {
		usual = "https://" + config.Resource + ".openai.azure.com"
	}
	if config.BaseURL == "" && usual == "" {
		return nil, transport.Misconfigured(name, "there is no resource: set AZURE_OPENAI_ENDPOINT to its address")
	}
	address, err := transport.Address(config.BaseURL, usual)
	if err != nil {
		return nil, transport.Misconfigured(name, err.Error())
	}
	header := http.Header{}
	switch {
	case config.Token != nil:
		config.Key = ""
	case config.Key != "":
		header.Set("Api-Key", string(config.Key))
	default:
		return nil, transport.Misconfigured(name, "there is no API key and no token: set AZURE_OPENAI_API_KEY")
	}
	p := open(name, AzureName, config.Endpoint)
	p.url, p.header, p.token = azureURL(address, config.APIVersion), header, config.Token
	p.wire, p.assumed = azureWire{config.Deployment, config.Summary}, p.assumedAzure
	return p, nil
}

// azureURL returns the address of the API. The dated versions are below /openai,
// the others below /openai/v1.
func azureURL(base *url.URL, version string) string {
	address := *base
	address.Path = strings.TrimSuffix(address.Path, "/")
	undated := version == "" || version == "v1" || version == "preview" || version == "latest"
	switch {
	case address.Path != "" && address.Path != "/openai": // as it was configured
	case undated:
		address.Path = "/openai/v1"
	default:
		address.Path = "/openai"
	}
	if version != "" && version != "v1" {
		query := address.Query()
		query.Set("api-version", version)
		address.RawQuery = query.Encode()
	}
	return address.JoinPath("responses").String()
}

// azureWire is the Responses API, where a model goes by the name of its deployment.
type azureWire struct{ deployment, summary string }

func (w azureWire) encode(request message.Request, card model.Card) (jsontext.Value, []message.Degradation, error) {
	return encode(request, card, w.deployment, w.summary)
}

func (w azureWire) decoder(request message.Request, card model.Card) transport.Decoder {
	return responsesWire{}.decoder(request, card)
}

// assumedAzure is for models of which the table has nothing about Azure: they are
// those of OpenAI, at a price that is not.
func (p *Provider) assumedAzure(card model.Card) model.Card {
	if same := p.models.Find(Name, card.Name); same.Known {
		same.Provider, same.Price = card.Provider, nil
		return same
	}
	return assumedResponses(card)
}
