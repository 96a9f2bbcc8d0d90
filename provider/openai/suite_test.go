package openai

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/agent/providertest"
	"github.com/ampersat/ampersat/model"
)

// table has, for each provider, one model that can do everything.
const table = `{
	"openai": {"*": {"images": true, "documents": true, "tools": true, "schema": true, "sampling": true, "forced": true},
		"able": {"thinking": "effort", "thinking_off": "none", "price": {"input": "2", "output": "8", "cache_read": "0.5"}}},
	"azure":  {"*": {"images": true, "documents": true, "tools": true, "schema": true, "sampling": true, "forced": true},
		"able": {"thinking": "effort", "thinking_off": "none"}},
	"chat":   {"*": {"images": true, "tools": true, "schema": true, "sampling": true, "forced": true},
		"able": {"thinking": "effort", "thinking_off": "none"}}
}`

func models() *model.Table {
	read, err := model.Read([]byte(table))
	if err != nil {
		panic(err)
	}
	return &read
}

func endpoint(baseURL string, transport http.RoundTripper) agent.Endpoint {
	return agent.Endpoint{Key: providertest.Key, BaseURL: baseURL, Transport: transport, Models: models()}
}

func must(p *Provider, err error) *Provider {
	if err != nil {
		panic(err)
	}
	return p
}

const anywhere = "https://provider.example"

func responsesSubject() providertest.Subject {
	open := func(baseURL string, transport http.RoundTripper) agent.Provider {
		return must(New(Config{Endpoint: endpoint(baseURL, transport)}))
	}
	return providertest.Subject{
		Model: "able", Golden: "testdata/golden/responses", Segments: []string{"tools", "instructions", "input"},
		Encode: open(anywhere, nil).(*Provider).Encode, Check: checkResponses, Open: open,
		KeyHeader: "Authorization", KeyValue: "Bearer " + providertest.Key,
		Wire: wireResponses, WireError: wireResponsesError, ErrorBody: errorBody,
		// A model that does not think: to one that does the server tells its
		// thoughts first, and an answer that it cuts has no text yet.
		MockModel: "plain",
	}
}

func azureSubject() providertest.Subject {
	open := func(baseURL string, transport http.RoundTripper) agent.Provider {
		return must(NewAzure(AzureConfig{Endpoint: endpoint(baseURL, transport), Deployment: "my-deployment"}))
	}
	s := responsesSubject()
	s.Golden, s.Open, s.Encode = "testdata/golden/azure", open, open(anywhere, nil).(*Provider).Encode
	s.KeyHeader, s.KeyValue = "api-key", providertest.Key
	return s
}

func chatSubject() providertest.Subject {
	open := func(baseURL string, transport http.RoundTripper) agent.Provider {
		return must(NewChat(ChatConfig{Endpoint: endpoint(baseURL, transport), Dialect: Dialect{PDFText: firstLine}}))
	}
	return providertest.Subject{
		Model: "able", Golden: "testdata/golden/chat", Segments: []string{"tools", "messages"},
		Encode: open(anywhere, nil).(*Provider).Encode, Check: checkChat, Open: open,
		KeyHeader: "Authorization", KeyValue: "Bearer " + providertest.Key,
		Wire: wireChat, WireError: wireChatError, ErrorBody: errorBody,
		MockModel: "able",
	}
}

// firstLine stands for a reader of PDFs.
func firstLine(pdf []byte) (string, error) {
	line, _, found := strings.Cut(string(pdf), "\n")
	if !found {
		return "", errors.New("not a PDF")
	}
	return "the text of " + line, nil
}

func TestResponses(t *testing.T) { providertest.Run(t, responsesSubject()) }
func TestAzure(t *testing.T)     { providertest.Run(t, azureSubject()) }
func TestChat(t *testing.T)      { providertest.Run(t, chatSubject()) }

// The client against a server that others wrote.
func TestResponsesMock(t *testing.T) { providertest.RunMock(t, responsesSubject()) }
func TestAzureMock(t *testing.T)     { providertest.RunMock(t, azureSubject()) }
func TestChatMock(t *testing.T)      { providertest.RunMock(t, chatSubject()) }

func BenchmarkResponsesEncode(b *testing.B) { providertest.BenchmarkEncode(b, responsesSubject()) }
func BenchmarkResponsesStream(b *testing.B) { providertest.BenchmarkStream(b, responsesSubject()) }
func BenchmarkChatEncode(b *testing.B)      { providertest.BenchmarkEncode(b, chatSubject()) }
func BenchmarkChatStream(b *testing.B)      { providertest.BenchmarkStream(b, chatSubject()) }
