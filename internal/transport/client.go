package transport

import (
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/ampersat/ampersat/message"
)

// The limits of a [Client] that sets none.
const (
	// DefaultSilence is long because a local server may load a model first.
	DefaultSilence = 5 * time.Minute
	// DefaultMaxEvent is far above what any provider sends: a picture in an
	// answer is a few megabytes.
	DefaultMaxEvent = 32 << 20
	// maxErrorBody is how much of an answer is read that is no stream.
	maxErrorBody = 64 << 10
)

// Client sends requests to one provider. It is safe for concurrent use.
type Client struct {
	// Provider is the name that errors carry.
	Provider string
	// Transport makes the connections. Nil means one that all clients share,
	// which honours the proxy settings of the environment.
	Transport http.RoundTripper
	// Retry says when to try again.
	Retry Retry
	// Silence is how long nothing at all may come, before the answer begins and
	// within it.
	Silence time.Duration
	// MaxEvent is how many bytes one event may have.
	MaxEvent int
	// Secret must not appear in any error: the key.
	Secret string
}

// Call is one request.
type Call struct {
	URL string
	// Header is sent beside the content type and what is accepted; the key is in
	// it, never in the URL.
	Header http.Header
	Body   []byte
	// Model is the name that errors carry.
	Model string
	// Timeout is for the whole answer, zero for none.
	Timeout time.Duration
}

// common is the transport of all clients that have none of their own, so that
// they share connections.
var common = sync.OnceValue(func() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          16,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
})

// http returns a client that follows no redirect: a key that is sent in a header
// of its own would be handed to whoever the redirect names.
func (c *Client) http() *http.Client {
	transport := c.Transport
	if transport == nil {
		transport = common()
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (c *Client) silence() time.Duration {
	if c.Silence > 0 {
		return c.Silence
	}
	return DefaultSilence
}

func (c *Client) maxEvent() int {
	if c.MaxEvent > 0 {
		return c.MaxEvent
	}
	return DefaultMaxEvent
}

// Address returns the base URL that was configured, or the usual one.
func Address(configured, usual string) (*url.URL, error) {
	if configured == "" {
		configured = usual
	}
	address, err := url.Parse(strings.TrimSpace(configured))
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address: it must begin with https:// or http:// and name a host", configured)
	}
	return address, nil
}

// Misconfigured returns the error for a provider that cannot be used as it is
// configured.
func Misconfigured(provider, problem string) *message.Error {
	return &message.Error{Kind: message.ErrConfiguration, Provider: provider, Message: problem}
}

// Refuse returns the stream of a request that cannot be sent.
func Refuse(provider, model string, err error) iter.Seq2[message.Event, error] {
	return func(yield func(message.Event, error) bool) {
		yield(nil, &message.Error{Kind: message.ErrInvalidRequest, Provider: provider, Model: model, Err: err})
	}
}
