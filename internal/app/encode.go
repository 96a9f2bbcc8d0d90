package app

// wire is an API that a request can be encoded for.
type wire struct {
	name string
	// provider is whose models it serves, and model the one that is assumed.
	provider, model string
}

var wires = []wire{
	{"anthropic", "anthropic", "claude-sonnet-5-5"},
	{"openai", "openai", "gpt-5.6-terra"},
	{"azure", "openai", "gpt-5.6-terra"},
	{"chat", "chat", "llama3.3"},
	{"gemini", "gemini", "gemini-3.8-flash"},
}

// DefaultModel is the model whose window and prices count if none is named.
const DefaultModel = "anthropic/claude-sonnet-5-5"

// Wires are the names of the APIs that [App.Encode] knows.
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
