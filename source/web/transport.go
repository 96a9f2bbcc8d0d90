package web

import (
	"errors"
	"net/http"
	"sync"
)

// Transport returns what others make requests by, under the same rules: where a
// name leads is checked when the connection is made, and what is refused is a
// [*access.Denied]. Unlike a mention, a request may take as long as its context
// allows.
func (r *Resolver) Transport() http.RoundTripper {
	return &transport{r: r, way: sync.OnceValue(func() *way {
		way := r.newWay()
		way.checked.ResponseHeaderTimeout, way.free.ResponseHeaderTimeout = 0, 0
		return way
	})}
}

type transport struct {
	r   *Resolver
	way func() *way
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if request == nil || request.URL == nil || t.r.config.Proxy == nil {
		return nil, errors.New("make a request: there is no address, or no resolver that web.New has made")
	}
	by, err := t.r.allow(t.way(), request)
	if err != nil {
		return nil, err
	}
	if request.Header.Get("User-Agent") == "" {
		request = request.Clone(request.Context())
		request.Header.Set("User-Agent", t.r.userAgent())
	}
	response, err := by.RoundTrip(request)
	var refused *notPublic
	if errors.As(err, &refused) {
		err = t.r.explain(request.URL, false, err)
	}
	return response, err
}

// CloseIdleConnections closes the connections that nobody uses.
func (t *transport) CloseIdleConnections() { t.way().close() }
