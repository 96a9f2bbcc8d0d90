package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
)

// wire is a server that speaks streamable HTTP: each message is a request of its
// own, and the answer to a call is in the answer to its request.
type wire struct {
	config Server
	url    *url.URL
	client *http.Client
	heard  func(envelope)

	// life ends with the connection, and so do all its requests.
	life context.Context
	end  context.CancelFunc

	hungUp  sync.Once
	lost    atomic.Bool // the server does not know the session any more
	version atomic.Value
	session atomic.Value
}

const (
	// maxRedirects is how often a server may send us elsewhere on its own host.
	maxRedirects  = 5
	sessionHeader = "Mcp-Session-Id"
	versionHeader = "Mcp-Protocol-Version"
)

// errForgotten is the error for a request that was refused because the server does
// not know us: nothing was done, and who begins anew can ask again.
var errForgotten = errors.New("it does not know the session any more")

// trouble is an error that says all there is to say about a server.
type trouble struct {
	what string
	err  error
}

// Error implements error.
func (t *trouble) Error() string { return t.what }
func (t *trouble) Unwrap() error { return t.err }

// status is the error for a request that was refused without further words.
type status int

// Error implements error.
func (s status) Error() string { return fmt.Sprintf("%d %s", int(s), http.StatusText(int(s))) }

// reach prepares to speak to a server. Nothing is sent.
func reach(c Server) (*wire, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of a server; it begins with http:// or https://", c.URL)
	}
	w := &wire{config: c, url: u}
	w.client = &http.Client{Transport: c.Transport, CheckRedirect: w.redirect}
	w.life, w.end = context.WithCancel(context.Background())
	return w, nil
}

// redirect keeps the headers that were configured for this server from being sent
// to another.
func (w *wire) redirect(request *http.Request, via []*http.Request) error {
	switch {
	case request.URL.Scheme != w.url.Scheme || request.URL.Host != w.url.Host:
		return &trouble{what: fmt.Sprintf("it sends us to %s://%s; configure that address if it is right", request.URL.Scheme, request.URL.Host)}
	case len(via) > maxRedirects:
		return &trouble{what: fmt.Sprintf("it sends us elsewhere more than %d times", maxRedirects)}
	}
	return nil
}

// begin implements [carrier].
func (w *wire) begin(heard func(envelope)) { w.heard = heard }

// agreed implements [carrier].
func (w *wire) agreed(version string) { w.version.Store(version) }

// during returns a context that ends with another one and with the connection.
func (w *wire) during(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(w.life, cancel)
	return ctx, func() { stop(); cancel() }
}

// tell implements [carrier].
func (w *wire) tell(ctx context.Context, e envelope) error {
	ctx, done := w.during(ctx)
	defer done()
	response, err := w.post(ctx, e)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

// ask implements [carrier].
func (w *wire) ask(ctx context.Context, call envelope) (envelope, error) {
	ctx, done := w.during(ctx)
	defer done()
	response, err := w.post(ctx, call)
	if err != nil {
		return envelope{}, err
	}
	kind := kindOf(response)
	if kind == eventStream {
		return w.follow(ctx, response, call)
	}
	defer response.Body.Close()
	if kind != "application/json" {
		return envelope{}, fmt.Errorf("it is of the type %q", kind)
	}
	answer, err := w.read(response)
	switch {
	case err != nil:
		return envelope{}, w.cause(ctx, err)
	case !answer.isAnswerTo(call) && (answer.ID != nil || answer.Error == nil):
		return envelope{}, errors.New("it is the answer to something else")
	}
	return answer, nil
}

const eventStream = "text/event-stream"

func kindOf(response *http.Response) string {
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	return kind
}

var errTooLong = &trouble{what: "its answer is too long"}

// read reads the one message that an answer is.
func (w *wire) read(response *http.Response) (envelope, error) {
	data, err := io.ReadAll(io.LimitReader(response.Body, int64(w.config.Limit)+1))
	switch {
	case err != nil:
		return envelope{}, err
	case len(data) > w.config.Limit:
		return envelope{}, errTooLong
	}
	return open(data)
}

// post sends a message. The answer is one that the server gave willingly.
func (w *wire) post(ctx context.Context, e envelope) (*http.Response, error) {
	body, err := e.seal()
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.config.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, "+eventStream)
	for name, value := range e.header {
		request.Header.Set(name, value)
	}
	return w.send(request)
}

// send sends a request, with the headers that all have.
func (w *wire) send(request *http.Request) (*http.Response, error) {
	version, _ := w.version.Load().(string)
	session, _ := w.session.Load().(string)
	for name, value := range map[string]string{versionHeader: version, sessionHeader: session} {
		if value != "" {
			request.Header.Set(name, value)
		}
	}
	for name, value := range w.config.Headers {
		request.Header.Set(name, value)
	}
	response, err := w.client.Do(request)
	if err != nil {
		return nil, w.unsent(request.Context(), err)
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		if given := response.Header.Get(sessionHeader); given != "" {
			w.session.CompareAndSwap(nil, given)
		}
		return response, nil
	}
	defer response.Body.Close()
	return nil, w.refused(response, session != "" && request.Method == http.MethodPost)
}

// unsent is the error for a request that did not get through. The library wraps
// it in the whole address, in which there may be a key.
func (w *wire) unsent(ctx context.Context, err error) error {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	if known := (*trouble)(nil); !errors.As(err, &known) {
		err = &trouble{what: "it cannot be reached: " + err.Error(), err: err}
	}
	return w.cause(ctx, err)
}

// cause is why something failed: not because of the server if we ended it.
func (w *wire) cause(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case w.life.Err() != nil:
		return &broken{errors.New("the connection was ended")}
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}

// refused is the error for a request that the server did not take. Inside says
// that the request was a message of a session: what else is asked for, not every
// server has.
func (w *wire) refused(response *http.Response, inside bool) error {
	err := error(status(response.StatusCode))
	if answer, bad := w.read(response); bad == nil && answer.Error != nil {
		err = refused(answer.Error)
	}
	switch response.StatusCode {
	case http.StatusBadRequest, http.StatusNotFound:
		// The second is what it should say of a session that is gone, the
		// first is what many say.
		if inside {
			w.lost.Store(true)
			return fmt.Errorf("%w: %w", errForgotten, err)
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		// Keys are read anew when it is reached anew.
		return fmt.Errorf("%w: %w", errForgotten, err)
	}
	return err
}

// over implements [carrier].
func (w *wire) over() <-chan struct{} { return w.life.Done() }

// abort ends all requests.
func (w *wire) abort() { w.end() }

// hangUp tells the server that the session is over, if there is one.
func (w *wire) hangUp() {
	w.hungUp.Do(func() {
		defer w.end()
		if w.session.Load() == nil || w.lost.Load() {
			return
		}
		ctx, cancel := context.WithTimeout(w.life, moment)
		defer cancel()
		request, err := http.NewRequestWithContext(ctx, http.MethodDelete, w.config.URL, nil)
		if err != nil {
			return
		}
		if response, err := w.send(request); err == nil { // it may be gone, which is as well
			response.Body.Close()
		}
	})
}

// complaint implements [carrier]. What there is to say is in the errors.
func (w *wire) complaint() (said, end string) { return "", "" }
