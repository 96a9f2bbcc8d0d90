package mcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ampersat/ampersat/access"
)

// wire is a server that speaks streamable HTTP. It is the transport of its
// client, and sees all that is sent.
type wire struct {
	config Server
	url    *url.URL
	base   http.RoundTripper

	// life ends with the connection, and so do all its requests.
	life context.Context
	end  context.CancelFunc

	lost  atomic.Bool
	mu    sync.Mutex
	fault error // why the last request did not get through
}

// maxRedirects is how often a server may send us elsewhere on its own host.
const maxRedirects = 5

// reach prepares to speak to a server. Nothing is sent.
func reach(c Server) (*wire, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of a server; it begins with http:// or https://", c.URL)
	}
	w := &wire{config: c, url: u, base: c.Transport}
	if w.base == nil {
		w.base = http.DefaultTransport
	}
	w.life, w.end = context.WithCancel(context.Background())
	return w, nil
}

func (w *wire) transport() sdk.Transport {
	return &sdk.StreamableClientTransport{
		Endpoint: w.config.URL, MaxRetries: 2, MaxEventSize: w.config.Limit,
		HTTPClient: &http.Client{Transport: w, CheckRedirect: w.redirect},
	}
}

// redirect keeps the headers that were configured for this server from being sent
// to another.
func (w *wire) redirect(request *http.Request, via []*http.Request) error {
	switch {
	case request.URL.Scheme != w.url.Scheme || request.URL.Host != w.url.Host:
		return w.failed(fmt.Errorf("it sends us to %s://%s; configure that address if it is right", request.URL.Scheme, request.URL.Host))
	case len(via) > maxRedirects:
		return w.failed(fmt.Errorf("it sends us elsewhere more than %d times", maxRedirects))
	}
	return nil
}

// failed remembers why a request did not get through. The library wraps it in
// the whole address, in which there may be a key.
func (w *wire) failed(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fault = err
	return err
}

// RoundTrip implements [http.RoundTripper].
func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(request.Context())
	stop := context.AfterFunc(w.life, cancel)
	done := func() { stop(); cancel() }
	request = request.Clone(ctx)
	for name, value := range w.config.Headers {
		request.Header.Set(name, value)
	}
	// A GET asks for a stream of what the server has to say unasked. Some
	// servers never answer it, and who connects would wait for ever.
	stream := request.Method == http.MethodGet
	var impatient *time.Timer
	if stream {
		impatient = time.AfterFunc(2*moment, cancel)
	}
	response, err := w.base.RoundTrip(request)
	if stream && (!impatient.Stop() || err != nil) {
		if err == nil {
			response.Body.Close()
		}
		done()
		if err := w.life.Err(); err != nil {
			return nil, err
		}
		return &http.Response{
			Status: "405 Method Not Allowed", StatusCode: http.StatusMethodNotAllowed, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: http.NoBody, Request: request,
		}, nil
	}
	if err != nil {
		if ctx.Err() == nil {
			err = w.failed(fmt.Errorf("it cannot be reached: %w", err))
		}
		done()
		return nil, err
	}
	_ = w.failed(nil)
	if known := request.Header.Get("Mcp-Session-Id") != ""; known && (response.StatusCode == http.StatusBadRequest || response.StatusCode == http.StatusNotFound) {
		w.lost.Store(true)
	}
	left := int64(w.config.Limit)
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); strings.EqualFold(kind, "text/event-stream") {
		left = -1 // it has no end, and each event has its own limit
	}
	response.Body = &body{ReadCloser: response.Body, left: left, done: done}
	return response, nil
}

// abort ends all requests.
func (w *wire) abort() { w.end() }

// hangUp tells the server that the session is over, if it listens.
func (w *wire) hangUp(session *sdk.ClientSession) {
	stop := time.AfterFunc(moment, w.end)
	defer stop.Stop()
	_ = session.Close() // the server may be gone, which is as well
	w.end()
}

func (w *wire) complaint() (said, end string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fault != nil {
		end = w.fault.Error()
	}
	return "", end
}

func (w *wire) forgotten() bool { return w.lost.Load() }

func (w *wire) denied() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if denied, ok := access.IsDenied(w.fault); ok {
		return denied
	}
	return nil
}

// body is an answer of which so much is read and no more.
type body struct {
	io.ReadCloser
	left int64 // negative for any
	done func()
}

var errTooLong = errors.New("its answer is too long")

// Read implements [io.Reader].
func (b *body) Read(buffer []byte) (int, error) {
	if b.left < 0 {
		return b.ReadCloser.Read(buffer)
	}
	n, err := b.ReadCloser.Read(buffer[:min(int64(len(buffer)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		b.left = 0
		return 0, errTooLong
	}
	return n, err
}

// Close implements [io.Closer].
func (b *body) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}
