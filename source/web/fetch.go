package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
)

const maxRedirects = 5

// answer is what a server said in the end.
type answer struct {
	// at is where it was, without the fragment, and from where it was first
	// asked for, if that is elsewhere.
	at   *url.URL
	from string
	// fragment is the part of it that is meant.
	fragment string
	// kind is the type that the server says it is.
	kind string
	data []byte
	// cut says that there was more.
	cut bool
	// note is for people.
	note string
}

// get asks for an address and follows where it leads.
func (r *Resolver) get(ctx context.Context, target *url.URL) (answer, error) {
	way := r.newWay()
	defer way.close()
	at, fragment := target, target.Fragment
	for hop := 0; ; hop++ {
		bare := *at
		bare.Fragment, bare.RawFragment = "", ""
		a, next, err := r.ask(ctx, way, &bare)
		if err != nil {
			return answer{}, r.explain(&bare, hop > 0, err)
		}
		if next == nil {
			a.fragment = fragment
			if hop > 0 {
				a.from = target.Redacted()
			}
			return a, nil
		}
		if hop == maxRedirects {
			return answer{}, failed("it leads from address to address, more than %d times", maxRedirects)
		}
		if next.Fragment != "" {
			fragment = next.Fragment
		}
		at = next
	}
}

// ask asks one server. It returns the answer, or where the server says to ask.
func (r *Resolver) ask(ctx context.Context, way *way, at *url.URL) (answer, *url.URL, error) {
	request, transport, err := r.request(ctx, way, at)
	if err != nil {
		return answer{}, nil, err
	}
	kept, isKept := r.cache.get(at.String())
	if isKept {
		kept.conditions(request.Header)
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return answer{}, nil, err
	}
	defer response.Body.Close()
	switch status := response.StatusCode; {
	case status == http.StatusOK:
		a := answer{at: at, kind: response.Header.Get("Content-Type")}
		if a.data, a.cut, err = readBody(response, r.limits.Body); err != nil {
			return answer{}, nil, err
		}
		a.note = r.keep(at.String(), response.Header, a)
		return a, nil, nil
	case status == http.StatusNotModified && isKept:
		return answer{at: at, kind: kept.Type, data: kept.body, note: r.cache.used(at.String())}, nil, nil
	case status == http.StatusNoContent:
		return answer{at: at}, nil, nil
	case isRedirect(status) && response.Header.Get("Location") != "":
		next, err := at.Parse(response.Header.Get("Location"))
		if err != nil {
			return answer{}, nil, failed("it leads to something that is not an address")
		}
		return answer{}, next, nil
	case status == http.StatusNotFound || status == http.StatusGone:
		return answer{}, nil, &ampersat.Miss{Outcome: ampersat.Missing, Reason: "the server says " + statusText(status)}
	default:
		reason := "the server says " + statusText(status)
		if wait := response.Header.Get("Retry-After"); wait != "" && len(wait) < 64 {
			reason += ", and to try again after " + wait
		}
		return answer{}, nil, failed("%s", reason)
	}
}

// keep remembers an answer, or forgets the one before it. It returns a note if
// that cannot be done.
func (r *Resolver) keep(address string, header http.Header, a answer) string {
	e, ok := entryFor(address, header, a)
	if !ok {
		return r.cache.forget(address)
	}
	return r.cache.put(e)
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d %s", status, text)
	}
	return fmt.Sprintf("%d, which is no status that is known", status)
}

// request checks an address and returns the request for it, and what it may
// travel by.
func (r *Resolver) request(ctx context.Context, way *way, at *url.URL) (*http.Request, http.RoundTripper, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, nil, failed("it is not written as an address is")
	}
	request.Header.Set("User-Agent", r.userAgent())
	request.Header.Set("Accept", "text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.8")
	request.Header.Set("Accept-Encoding", "gzip, br")
	by, err := r.allow(way, request)
	return request, by, err
}

// allow checks the address of a request, and returns what it may travel by.
func (r *Resolver) allow(way *way, request *http.Request) (http.RoundTripper, error) {
	at := request.URL
	switch {
	case at.Scheme != "http" && at.Scheme != "https":
		return nil, &access.Denied{What: at.Redacted(), Reason: access.ReasonAddress, Detail: "only http and https are fetched"}
	case at.Hostname() == "":
		return nil, failed("there is no host in the address")
	case at.User != nil:
		return nil, &access.Denied{What: at.Redacted(), Reason: access.ReasonAddress,
			Detail: "there is a login in the address, which would be told to others; leave it out"}
	}
	if r.config.Consent != nil && r.config.Consent.URL(at) {
		return way.free, nil
	}
	proxy, err := r.config.Proxy(request)
	if err != nil {
		return nil, failed("the proxy of the environment cannot be used: %v", err)
	}
	if proxy != nil {
		return nil, access.RefuseURL(at, fmt.Sprintf("the proxy at %s would connect to it, and where to cannot be checked here", proxy.Host))
	}
	return way.checked, nil
}

// userAgent is what servers are told of who asks.
func (r *Resolver) userAgent() string {
	if r.config.UserAgent != "" {
		return r.config.UserAgent
	}
	version := r.config.Version
	if version != "" {
		version = "/" + version
	}
	return "ampersat" + version + " (+https://github.com/ampersat/ampersat)"
}

// way is the connections of one mention. Those that are checked and those that
// are not never mix, so that what was allowed for one address is not used by
// the next.
type way struct{ checked, free *http.Transport }

func (r *Resolver) newWay() *way {
	guardian := ssrf.New(ssrf.WithAnyPort())
	checked := newTransport(func(network, address string, raw syscall.RawConn) error {
		if err := guardian.Safe(network, address, raw); err != nil {
			return &notPublic{address}
		}
		return nil
	})
	free := newTransport(nil)
	free.Proxy = r.config.Proxy
	return &way{checked, free}
}

func newTransport(control func(network, address string, raw syscall.RawConn) error) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, Control: control}
	return &http.Transport{
		DialContext:            dialer.DialContext,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // it is unpacked here, within bounds
		TLSHandshakeTimeout:    10 * time.Second,
		ResponseHeaderTimeout:  20 * time.Second,
		MaxResponseHeaderBytes: 256 << 10,
	}
}

func (w *way) close() {
	w.checked.CloseIdleConnections()
	w.free.CloseIdleConnections()
}
