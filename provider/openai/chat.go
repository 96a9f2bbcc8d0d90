package openai

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/internal/transport"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/go-json-experiment/json/jsontext"
)

// ChatName is the name of a server of Chat Completions that has no other.
const ChatName = "chat"

// OllamaURL is where Ollama listens when nobody tells it otherwise.
const OllamaURL = "http://localhost:11434/v1"

// ChatConfig says how to reach a server of Chat Completions. All can be left out:
// it is Ollama on this machine then.
type ChatConfig struct {
	// Endpoint's key is sent if there is one; a server of one's own needs none.
	// Its name is [ChatName] if it is empty: "ollama". The models are looked up
	// by it.
	agent.Endpoint
	// Dialect is how the server's API differs. The name of the limit of output is
	// chosen by the address.
	Dialect Dialect
}

// NewChat returns a server of Chat Completions. It connects to nothing yet. The
// error is a [*message.Error] of the kind [message.ErrConfiguration].
func NewChat(config ChatConfig) (*Provider, error) {
	name := cmp.Or(config.Name, ChatName)
	address, err := transport.Address(config.BaseURL, OllamaURL)
	if err != nil {
		return nil, transport.Misconfigured(name, err.Error())
	}
	header := http.Header{}
	switch {
	case config.Key != "":
		header.Set("Authorization", "Bearer "+string(config.Key))
	case address.Hostname() == "api.openai.com":
		return nil, transport.Misconfigured(name, "there is no API key: set OPENAI_API_KEY")
	}
	if address.Hostname() == "api.openai.com" {
		config.Dialect.CompletionTokens = true
	}
	p := open(name, name, config.Endpoint)
	p.url, p.header = versioned(address, "chat/completions"), header
	p.wire, p.assumed = chatWire{config.Dialect}, assumedChat
	p.advise = func(failure *message.Error) bool { return advise(failure, address) }
	return p, nil
}

type chatWire struct{ dialect Dialect }

func (w chatWire) encode(request message.Request, card model.Card) (jsontext.Value, []message.Degradation, error) {
	return EncodeChat(request, card, w.dialect)
}

func (w chatWire) decoder(request message.Request, card model.Card) transport.Decoder {
	return &chatDecoder{by: stamp{card.Provider, request.Model}, names: names.Real(request.Tools)}
}

// assumedChat is for models that the table does not know: a server says what its
// model cannot do, and passes over what it does not know.
func assumedChat(card model.Card) model.Card {
	card.Images, card.Tools, card.Schema, card.Sampling, card.Forced = true, true, true, true, true
	card.Thinking, card.ThinkingOff = model.ThinkingEffort, "none"
	return card
}

// advise adds what to do when a server on this machine is not there, or does not
// have the model. It reports whether trying again is in vain: what does not listen
// here does not begin to by itself.
func advise(failure *message.Error, address *url.URL) (inVain bool) {
	ollama := address.Port() == "11434"
	var dial *net.OpError
	switch {
	case failure.Kind == message.ErrNetwork && local(address.Hostname()) && errors.As(failure.Err, &dial) && dial.Op == "dial":
		start := "start the server"
		switch {
		case ollama:
			start = "start it with ollama serve"
		case address.Port() == "1234":
			start = "start it with lms server start"
		}
		failure.Message, failure.Err = fmt.Sprintf("nothing listens at %s: %s", address.Host, start), nil
		return true
	case failure.Kind == message.ErrNotFound && ollama && failure.Model != "":
		failure.Message += ": get the model with ollama pull " + failure.Model
	}
	return false
}

func local(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
