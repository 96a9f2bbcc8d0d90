package openai

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/agent/providertest"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/google/go-cmp/cmp"
)

// trip is a transport in the shape of a function.
type trip func(*http.Request) (*http.Response, error)

func (f trip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

var errStop = errors.New("as far as it goes")

// sent returns the first request that a provider sends.
func sent(t *testing.T, open func(http.RoundTripper) (*Provider, error)) *http.Request {
	t.Helper()
	var first *http.Request
	provider, err := open(trip(func(r *http.Request) (*http.Response, error) {
		if first == nil {
			first = r
		}
		return nil, errStop
	}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := agent.Collect(provider.Stream(t.Context(), hello("m"))); err == nil {
		t.Fatal("an answer from nowhere")
	}
	return first
}

func hello(model string) message.Request {
	return message.Request{Model: model, Messages: []message.Message{{Role: message.User, Content: message.Say("Hello")}}}
}

func TestAddresses(t *testing.T) {
	one := func(at string, transport http.RoundTripper) agent.Endpoint {
		return agent.Endpoint{Key: "k", BaseURL: at, Transport: transport, Attempts: 1}
	}
	responses := func(at string) func(http.RoundTripper) (*Provider, error) {
		return func(tr http.RoundTripper) (*Provider, error) { return New(Config{Endpoint: one(at, tr)}) }
	}
	chat := func(at string) func(http.RoundTripper) (*Provider, error) {
		return func(tr http.RoundTripper) (*Provider, error) { return NewChat(ChatConfig{Endpoint: one(at, tr)}) }
	}
	azure := func(at, resource, version string) func(http.RoundTripper) (*Provider, error) {
		return func(tr http.RoundTripper) (*Provider, error) {
			return NewAzure(AzureConfig{Endpoint: one(at, tr), Resource: resource, APIVersion: version})
		}
	}
	for want, open := range map[string]func(http.RoundTripper) (*Provider, error){
		"https://api.openai.com/v1/responses":                responses(""),
		"https://gateway.example/v1/responses":               responses("https://gateway.example/"),
		"https://gateway.example/openai/v1/responses":        responses("https://gateway.example/openai/v1/"),
		"http://localhost:11434/v1/chat/completions":         chat(""),
		"http://localhost:1234/v1/chat/completions":          chat("http://localhost:1234"),
		"https://openrouter.ai/api/v1/chat/completions":      chat("https://openrouter.ai/api/v1"),
		"https://a.example/x/chat/completions?api-version=1": chat("https://a.example/x?api-version=1"),

		"https://mine.openai.azure.com/openai/v1/responses":                                   azure("", "mine", ""),
		"https://mine.openai.azure.com/openai/v1/responses?api-version=preview":               azure("", "mine", "preview"),
		"https://mine.openai.azure.com/openai/responses?api-version=2025-04-01-preview":       azure("https://mine.openai.azure.com/", "", "2025-04-01-preview"),
		"https://mine.cognitiveservices.azure.com/openai/responses?api-version=2025-04-01":    azure("https://mine.cognitiveservices.azure.com/openai", "", "2025-04-01"),
		"https://mine.openai.azure.com/openai/deployments/d/responses?api-version=2025-04-01": azure("https://mine.openai.azure.com/openai/deployments/d", "other", "2025-04-01"),
		"https://mine.services.ai.azure.com/openai/v1/responses":                              azure("https://mine.services.ai.azure.com/openai/v1", "", "v1"),
	} {
		if have := sent(t, open).URL.String(); have != want {
			t.Errorf("have %s\nwant %s", have, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	token := func(context.Context) (agent.Secret, error) { return "entra", nil }
	for _, c := range []struct {
		name string
		open func(http.RoundTripper) (*Provider, error)
		want map[string]string
	}{
		{"OpenAI", func(tr http.RoundTripper) (*Provider, error) {
			return New(Config{Endpoint: agent.Endpoint{Key: "k", Transport: tr, Attempts: 1}, Organization: "org", Project: "proj"})
		}, map[string]string{"Authorization": "Bearer k", "Openai-Organization": "org", "Openai-Project": "proj", "Api-Key": ""}},
		{"Azure with a key", func(tr http.RoundTripper) (*Provider, error) {
			return NewAzure(AzureConfig{Endpoint: agent.Endpoint{Key: "k", Transport: tr, Attempts: 1}, Resource: "mine"})
		}, map[string]string{"Authorization": "", "Api-Key": "k"}},
		{"Azure with a token, which comes before a key", func(tr http.RoundTripper) (*Provider, error) {
			return NewAzure(AzureConfig{Endpoint: agent.Endpoint{Key: "k", Transport: tr, Attempts: 1}, Resource: "mine", Token: token})
		}, map[string]string{"Authorization": "Bearer entra", "Api-Key": ""}},
		{"a server of one's own", func(tr http.RoundTripper) (*Provider, error) {
			return NewChat(ChatConfig{Endpoint: agent.Endpoint{Transport: tr, Attempts: 1}})
		}, map[string]string{"Authorization": ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := sent(t, c.open).Header
			for name, want := range c.want {
				if have := header.Get(name); have != want {
					t.Errorf("%s: have %q, want %q", name, have, want)
				}
			}
		})
	}
}

// A token is asked for with each request, and is as secret as a key.
func TestTokens(t *testing.T) {
	asked := 0
	provider := must(NewAzure(AzureConfig{
		Endpoint: agent.Endpoint{Attempts: 1, Transport: trip(func(r *http.Request) (*http.Response, error) {
			return nil, errors.New("refused " + r.Header.Get("Authorization"))
		})},
		Resource: "mine",
		Token: func(context.Context) (agent.Secret, error) {
			if asked++; asked > 2 {
				return "", errors.New("run az login")
			}
			return providertest.Key, nil
		},
	}))
	for range 2 {
		_, err := agent.Collect(provider.Stream(t.Context(), hello("m")))
		if !errors.Is(err, message.ErrNetwork) || strings.Contains(err.Error(), providertest.Key) {
			t.Error(err)
		}
	}
	_, err := agent.Collect(provider.Stream(t.Context(), hello("m")))
	if !errors.Is(err, message.ErrAuthentication) || !strings.Contains(err.Error(), "run az login") || asked != 3 {
		t.Errorf("%v, asked %d times", err, asked)
	}
}

func TestConfigurations(t *testing.T) {
	for name, c := range map[string]struct {
		open func() (*Provider, error)
		says string
	}{
		"OpenAI without a key": {func() (*Provider, error) { return New(Config{}) }, "set OPENAI_API_KEY"},
		"OpenAI by chat without a key": {func() (*Provider, error) {
			return NewChat(ChatConfig{Endpoint: agent.Endpoint{BaseURL: "https://api.openai.com/v1"}})
		}, "set OPENAI_API_KEY"},
		"Azure without a resource":      {func() (*Provider, error) { return NewAzure(AzureConfig{Endpoint: agent.Endpoint{Key: "k"}}) }, "set AZURE_OPENAI_ENDPOINT"},
		"Azure without a key and token": {func() (*Provider, error) { return NewAzure(AzureConfig{Resource: "mine"}) }, "set AZURE_OPENAI_API_KEY"},
		"an address that is none": {func() (*Provider, error) {
			return NewChat(ChatConfig{Endpoint: agent.Endpoint{BaseURL: "localhost:11434"}})
		}, "must begin with"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.open()
			if !errors.Is(err, message.ErrConfiguration) || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("have %v, want %q in it", err, c.says)
			}
		})
	}
}

// A server on this machine that does not run is told at once, with what starts it;
// one elsewhere may be on its way.
func TestNobodyListens(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for at, want := range map[string]struct {
		says  string
		asked int
	}{
		"":                            {"start it with ollama serve", 1},
		"http://127.0.0.1:11434/v1":   {"start it with ollama serve", 1},
		"http://localhost:1234/v1":    {"start it with lms server start", 1},
		"http://[::1]:8000/v1":        {"nothing listens at [::1]:8000: start the server", 1},
		"https://ollama.example/v1":   {"check the network", 5},
		"http://ollama.example:11434": {"check the network", 5},
	} {
		t.Run(at, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked, notified := 0, 0
				provider := must(NewChat(ChatConfig{Endpoint: agent.Endpoint{Name: "ollama", BaseURL: at,
					Notify: func(*message.Error, time.Duration) { notified++ },
					Transport: trip(func(*http.Request) (*http.Response, error) {
						asked++
						return nil, refused
					})}}))
				_, err := agent.Collect(provider.Stream(t.Context(), hello("llama3.1")))
				if !errors.Is(err, message.ErrNetwork) || !strings.Contains(err.Error(), want.says) || strings.Contains(err.Error(), "\n") {
					t.Errorf("have %v, want %q in it", err, want.says)
				}
				if !strings.HasPrefix(err.Error(), "ollama llama3.1: ") {
					t.Errorf("the error does not say whose it is: %v", err)
				}
				if asked != want.asked || notified != want.asked-1 {
					t.Errorf("asked %d times, notified %d times, want %d", asked, notified, want.asked)
				}
			})
		})
	}
}

// Nothing listens at a port that was just given back.
func TestNobodyListensForReal(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := "http://" + listener.Addr().String()
	listener.Close()
	began := time.Now()
	_, err = agent.Collect(must(NewChat(ChatConfig{Endpoint: agent.Endpoint{BaseURL: at}})).Stream(t.Context(), hello("m")))
	if !errors.Is(err, message.ErrNetwork) || !strings.Contains(err.Error(), "start the server") || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestModelThatOllamaDoesNotHave(t *testing.T) {
	failure := &message.Error{Kind: message.ErrNotFound, Model: "qwen3", Message: `model "qwen3" not found`}
	if advise(failure, &url.URL{Host: "localhost:11434"}) || !strings.Contains(failure.Error(), "ollama pull qwen3") {
		t.Error(failure)
	}
	elsewhere := &message.Error{Kind: message.ErrNotFound, Model: "qwen3", Message: "no such model"}
	if advise(elsewhere, &url.URL{Host: "vllm.example"}) || elsewhere.Message != "no such model" {
		t.Error(elsewhere)
	}
}

// What is assumed of models that no table knows.
func TestAssumedModels(t *testing.T) {
	none := model.Table{}
	able := model.Card{Images: true, Documents: true, Tools: true, Schema: true, Forced: true}
	thinks, samples := able, able
	thinks.Thinking, samples.Sampling = model.ThinkingEffort, true
	ours := must(New(Config{Endpoint: agent.Endpoint{Key: "k", Models: &none}}))
	for name, want := range map[string]model.Card{
		"gpt-6-sol": thinks, "o3-mini": thinks, "gpt-5.1-codex": thinks, "codex-mini-latest": thinks,
		"gpt-4o": samples, "gpt-4.1-mini": samples, "gpt-3.5-turbo": samples, "chatgpt-4o-latest": samples, "gpt-5-chat-latest": samples,
	} {
		want.Provider, want.Name = Name, name
		if diff := cmp.Diff(want, ours.Model(name)); diff != "" {
			t.Errorf("%s (-want +have):\n%s", name, diff)
		}
	}
	// What a table says counts.
	read, err := model.Read([]byte(`{"openai": {"gpt-6-sol": {"window": 7, "tools": true, "price": {"input": "1", "output": "2"}}}, "chat": {"*": {"window": 9}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if card := must(New(Config{Endpoint: agent.Endpoint{Key: "k", Models: &read}})).Model("gpt-6-sol"); card.Window != 7 || card.Images {
		t.Errorf("OpenAI: %+v", card)
	}
	if card := must(NewChat(ChatConfig{Endpoint: agent.Endpoint{Models: &read}})).Model("llama"); card.Window != 9 || card.Tools {
		t.Errorf("chat: %+v", card)
	}
	// Azure's models are OpenAI's, at other prices.
	azure := must(NewAzure(AzureConfig{Endpoint: agent.Endpoint{Key: "k", Models: &read}, Resource: "mine"}))
	if card := azure.Model("gpt-6-sol"); card.Window != 7 || card.Provider != AzureName || card.Price != nil {
		t.Errorf("Azure: %+v", card)
	}
	if card := azure.Model("gpt-4o"); !card.Sampling || !card.Tools {
		t.Errorf("Azure: %+v", card)
	}
}
