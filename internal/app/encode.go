package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
	"github.com/ampersat/ampersat/provider/anthropic"
	"github.com/ampersat/ampersat/provider/gemini"
	"github.com/ampersat/ampersat/provider/openai"
	"github.com/go-json-experiment/json/jsontext"
)

// wire is an API that a request can be encoded for.
type wire struct {
	name string
	// provider is whose models it serves, and model the one that is assumed.
	provider, model string
	encode          func(message.Request, model.Card) (jsontext.Value, []message.Degradation, error)
}

var wires = []wire{
	{"anthropic", "anthropic", "claude-sonnet-5-5", anthropic.Encode},
	{"openai", "openai", "gpt-5.6-terra", openai.Encode},
	{"azure", "openai", "gpt-5.6-terra", openai.Encode},
	{"chat", "chat", "llama3.3", func(r message.Request, c model.Card) (jsontext.Value, []message.Degradation, error) {
		return openai.EncodeChat(r, c, openai.Dialect{})
	}},
	{"gemini", "gemini", "gemini-3.8-flash", gemini.Encode},
}

// DefaultModel is the model whose window and prices count if none is named.
const DefaultModel = "anthropic/claude-sonnet-5-5"

// Wires are the names of the APIs that [Encode] knows.
func Wires() []string {
	var names []string
	for _, w := range wires {
		names = append(names, w.name)
	}
	return names
}

// WireProvider is whose models an API serves, as they are named in the table of
// models. It is empty for an API that is not known.
func WireProvider(api string) string {
	for _, w := range wires {
		if w.name == api {
			return w.provider
		}
	}
	return ""
}

// Encode returns the exact body that would be sent, and what in it differs from
// what was asked. An empty model means one that the API is known for.
func Encode(api string, request message.Request) (jsontext.Value, []message.Degradation, error) {
	i := slices.IndexFunc(wires, func(w wire) bool { return w.name == api })
	if i < 0 {
		return nil, nil, fmt.Errorf("encode: there is no API called %q; use one of %s", api, strings.Join(Wires(), ", "))
	}
	w := wires[i]
	if request.Model == "" {
		request.Model = w.model
	}
	return w.encode(request, model.Default().Find(w.provider, request.Model))
}
