package command_test

import (
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/source/command"
)

// serve starts a server that tells what it was asked, except where it misbehaves.
func serve(t testing.TB) (string, http.RoundTripper) {
	t.Helper()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/nothing":
			http.NotFound(w, r)
		case "/secret":
			w.WriteHeader(http.StatusForbidden)
		case "/circle":
			http.Redirect(w, r, "/circle", http.StatusFound)
		case "/packed":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 1000 {
				fmt.Fprint(z, strings.Repeat(" ", 1<<14))
			}
			z.Close()
		case "/hangs":
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/json":
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			fmt.Fprint(w, `{"accept": "`+r.Header.Get("Accept")+`"}`)
		default:
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			fmt.Fprint(w, r.Method+" "+r.RequestURI)
		}
	}))
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		web.Close()
	})
	return web.URL, transport
}

func TestTheArgumentIsEscapedInAnAddress(t *testing.T) {
	base, transport := serve(t)
	for _, c := range []struct{ url, arg, want string }{
		{"/issue/{}", "ABC-1", "GET /issue/ABC-1"},
		{"/issue/{}.txt", "a/../b?c#d e%20", "GET /issue/a%2F..%2Fb%3Fc%23d%20e%2520.txt"},
		{"/search?q={}&all=1", "a&b=c d/+#", "GET /search?q=a%26b%3Dc+d%2F%2B%23&all=1"},
		{"/{}?q={}", "ä ö", "GET /%C3%A4%20%C3%B6?q=%C3%A4+%C3%B6"},
		{"/issue/{}#top", "-1", "GET /issue/-1"},
	} {
		content := load(t, command.Scheme{URL: base + c.url, Transport: transport}, c.arg)
		if content.Text != c.want || content.MIME != "" || content.Name != "jira:"+c.arg {
			t.Errorf("%s with %q: name %q, type %q, text %q; want %q", c.url, c.arg, content.Name, content.MIME, content.Text, c.want)
		}
	}
	typed := load(t, command.Scheme{URL: base + "/{}", Transport: transport}, "json")
	if typed.MIME != "application/json" || typed.Text != `{"accept": ""}` {
		t.Errorf("type %q, text %q", typed.MIME, typed.Text)
	}
	asked := load(t, command.Scheme{URL: base + "/{}", Transport: transport, MIME: "text/markdown"}, "json")
	if asked.MIME != "text/markdown" || asked.Text != `{"accept": "text/markdown"}` {
		t.Errorf("type %q, text %q", asked.MIME, asked.Text)
	}
}

func TestAddressesThatAreNone(t *testing.T) {
	base, transport := serve(t)
	for url, reason := range map[string]string{
		base + "/fixed":            "has no {} where the argument goes",
		"https://{}.example.org/x": "cannot choose the host",
		"https://{}/x":             "cannot choose the host",
		"https://{}@example.org/x": "cannot choose the host",
		"{}://example.org/x":       "is no address",
		"file:///{}":               "is no address",
		"://{}":                    "is no address",
	} {
		missed(t, command.Scheme{URL: url, Transport: transport}, "x", ampersat.Failed, reason)
	}
	for arg, path := range map[string]string{".": "/a/{}", "..": "/a/{}/b"} {
		missed(t, command.Scheme{URL: base + path, Transport: transport}, arg, ampersat.Failed, "way up")
	}
	missed(t, command.Scheme{URL: base + "/a/.{}", Transport: transport}, ".", ampersat.Failed, "way up")
}

func TestAddressesThatFail(t *testing.T) {
	base, transport := serve(t)
	s := command.Scheme{URL: base + "/{}?key=sesame", Transport: transport, Timeout: 20 * time.Second}
	missed(t, s, "nothing", ampersat.Missing, "there is no such thing (404 Not Found)")
	missed(t, s, "secret", ampersat.Failed, "jira answers 403 Forbidden")
	missed(t, s, "circle", ampersat.Failed, "leads elsewhere more than 5 times")
	content := load(t, command.Scheme{URL: base + "/{}", Transport: transport, Limit: 5000}, "packed")
	if len(content.Text) != 5000 || content.Shown != "the first 5000 bytes of more" {
		t.Errorf("%d bytes, shown %q", len(content.Text), content.Shown)
	}
	s.Timeout = 300 * time.Millisecond
	missed(t, s, "hangs", ampersat.Failed, "jira did not end within 300ms")
	_, err := ask(t, command.Scheme{URL: "http://127.0.0.1:1/{}?key=sesame"}, "x")
	if err == nil || strings.Contains(err.Error(), "sesame") || !strings.Contains(err.Error(), "jira cannot be reached: ") {
		t.Errorf("error %v", err)
	}
}

// refusal is a transport that lets nothing pass.
type refusal struct{}

// RoundTrip implements [http.RoundTripper].
func (refusal) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, &access.Denied{What: r.URL.String(), Reason: access.ReasonAddress, Detail: "it is a local address"}
}

func TestAnAddressThatIsNotAllowedIsBlocked(t *testing.T) {
	_, err := ask(t, command.Scheme{URL: "http://localhost/{}", Transport: refusal{}}, "x")
	if denied, ok := access.IsDenied(err); !ok || denied.Reason != access.ReasonAddress {
		t.Errorf("error %v", err)
	}
}
