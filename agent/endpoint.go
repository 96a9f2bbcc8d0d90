package agent

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/model"
)

// Endpoint says where a provider is and how to speak to it. Every provider that
// uses the network is configured by one; all but the key can be left out.
type Endpoint struct {
	// Name is what the provider is called, in errors and in what is kept. Empty
	// means the name of its API. Models are looked up by the API all the same,
	// except for those of a server of Chat Completions.
	Name string
	// Key is what the provider knows its customer by.
	Key Secret
	// BaseURL replaces the provider's own address: scheme, host and the path
	// before the API's own.
	BaseURL string
	// Transport makes the connections; nil means the usual way.
	Transport http.RoundTripper
	// Models replaces [model.Default].
	Models *model.Table
	// Attempts is how often a request is sent at most when it fails in a way that
	// may pass. Zero means five times.
	Attempts int
	// Silence is how long nothing at all may come from the provider before it is
	// given up. Zero means five minutes.
	Silence time.Duration
	// Notify, if set, is told of each failure that will be tried again, and of the
	// pause before that. It must not block.
	Notify func(failure *message.Error, pause time.Duration)
}

// Cards returns the table to look models up in.
func (e Endpoint) Cards() model.Table {
	if e.Models != nil {
		return *e.Models
	}
	return model.Default()
}

// Secret is text that is not to be seen. It prints, logs and marshals as a
// placeholder; convert it to a string to use it.
type Secret string

const hidden = "(secret)"

// String implements [fmt.Stringer].
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString implements [fmt.GoStringer].
func (s Secret) GoString() string { return `agent.Secret("` + s.String() + `")` }

// LogValue implements [slog.LogValuer].
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText implements [encoding.TextMarshaler].
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
