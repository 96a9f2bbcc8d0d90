package providertest

import (
	"cmp"
	"net/http"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// Key is the key that subjects are opened with. It must never be seen anywhere
// but in the request.
const Key = "sk-test-0123456789abcdef-SECRET"

// Subject is a provider under test.
type Subject struct {
	// Model is the name of a model that can do everything the provider can. The
	// scenarios ask for it.
	Model string

	// Encode is the provider's encoder.
	Encode func(message.Request) (jsontext.Value, []message.Degradation, error)

	// Check returns why the API would refuse a body. It is to be written from the
	// API's rules, and not from the encoder.
	Check func(body jsontext.Value) error

	// Golden is the folder of the golden bodies: "testdata/golden".
	Golden string

	// Segments are the members of the body whose contents must stay in place as
	// a session grows, those that come first for a cache first. A list counts
	// as its elements: {"tools", "system", "messages"}.
	Segments []string
	// Markers are members, at any depth, that are not part of a segment's
	// content: "cache_control".
	Markers []string

	// Open returns a client of the provider, with [Key], that speaks to the base
	// URL by way of the transport. Nil for a provider that uses no network.
	Open func(baseURL string, transport http.RoundTripper) agent.Provider
	// KeyHeader is the header that must carry the key, and KeyValue its value:
	// "Authorization", "Bearer " + Key.
	KeyHeader, KeyValue string

	// Wire writes an answer as the provider would stream it: each string is one
	// complete server-sent event with its blank line.
	Wire func(Reply) []string
	// WireError writes an error as the provider would stream it within an
	// answer: one event. Empty if it has no such thing.
	WireError func(kind message.ErrorKind, words string) string
	// ErrorBody is the body of a refusal.
	ErrorBody func(status int, words string) string

	// MockPath is what follows the address of the independent server: "/v1". With
	// MockModel it is the model to ask for there.
	MockPath, MockModel string

	// hurry is how long is waited for a provider that is known to do something
	// wrong, where others are given [patience].
	hurry time.Duration
}

// patience is how long a busy machine is given to show what the provider can do.
const patience = time.Minute

func (s Subject) patience() time.Duration { return cmp.Or(s.hurry, patience) }

// Reply is an answer that a server gives.
type Reply struct {
	// Thinking comes first, signed with Signature if the provider signs.
	Thinking, Signature string
	// Text is streamed in these pieces.
	Text []string
	// Calls come last.
	Calls []Call
	// Finish is one of the reasons of package agent.
	Finish string
	// Input counts fresh tokens, Cached those read from a cache.
	Input, Cached, Output int
}

// Call is a tool call of a [Reply]; its arguments are streamed in pieces.
type Call struct {
	ID, Name  string
	Arguments []string
}
