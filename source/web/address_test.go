package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
)

// TestAddressesThatAreNotPublic are refused when the connection is made: none
// of them reaches the server, though it listens on all of them.
func TestAddressesThatAreNotPublic(t *testing.T) {
	s := answering(t, "text/plain", "secret plans")
	port := s.URL[strings.LastIndexByte(s.URL, ':'):]
	config := direct(t)
	for _, host := range []string{
		"127.0.0.1", "127.1.2.3", "localhost", "LOCALHOST", "[::1]", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]",
		"10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "[64:ff9b::7f00:1]",
		"224.0.0.1", "255.255.255.255", "192.0.2.1",
	} {
		shown := strings.ToLower(host)
		grant := "--allow http://" + shown + port + "/x"
		if strings.Contains(host, "[") {
			grant = "--allow 'http://" + shown + port + "/x'"
		}
		wantDenied(t, config, "http://"+host+port+"/x", "not public", grant)
	}
	if asked := s.asked(); len(asked) > 0 {
		t.Errorf("%d requests arrived", len(asked))
	}
	// What is allowed is that address, as it is written, and no other.
	allowed := direct(t, s.URL+"/docs")
	load(t, allowed, s.URL+"/docs/a?q=1#b")
	wantDenied(t, allowed, s.URL+"/docsx", "not public", "--allow "+s.URL+"/docsx")
	wantDenied(t, allowed, "http://localhost"+port+"/docs", "not public", "--allow http://localhost"+port+"/docs")
	config.Consent = nil
	wantDenied(t, config, s.URL, "not public", "--allow "+s.URL)
}

// TestAddressesThatAreNone are never asked for.
func TestAddressesThatAreNone(t *testing.T) {
	config := direct(t)
	wantDenied(t, config, "file:///etc/hosts", "only http and https", "")
	wantDenied(t, config, "ftp://example.org/x", "only http and https", "")
	wantMiss(t, config, "http:///x", ampersat.Failed, "no host")
	wantMiss(t, config, "http://[::1", ampersat.Failed, "not written as an address")
	wantMiss(t, config, "http://no-such-host.invalid/", ampersat.Missing, "there is no host called no-such-host.invalid")
	_, err := resolve(config, "http://name:swordfish@127.0.0.1/x")
	if denied, ok := access.IsDenied(err); !ok || !strings.Contains(denied.Detail, "login") || strings.Contains(err.Error(), "swordfish") {
		t.Error(err)
	}
}

func TestAskers(t *testing.T) {
	s := answering(t, "text/plain", "x")
	config := direct(t, s.URL)
	query := ampersat.Query{Mention: mention.URL{URL: s.URL}, Asker: access.Asker{Origin: access.FromFile, Tree: "/x"}}
	_, err := newResolver(config).Resolve(t.Context(), query)
	if denied, ok := access.IsDenied(err); !ok || denied.Reason != access.ReasonKind || len(s.asked()) > 0 {
		t.Errorf("a file may mention an address: %v", err)
	}
	_, err = newResolver(config).Resolve(t.Context(), ampersat.Query{Mention: mention.File{Path: "x"}, Asker: person})
	if err == nil || !strings.Contains(err.Error(), "a file is not an address") {
		t.Error(err)
	}
}

func TestRedirects(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/hop/")); err == nil && n > 0 {
			http.Redirect(w, r, fmt.Sprintf("../hop/%d", n-1), []int{301, 302, 303, 307, 308}[n%5])
			return
		}
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
			return
		}
		fmt.Fprint(w, "<h1>End</h1><h2 id=a>A</h2><p>In a.</p><h2 id=b>B</h2><p>In b.</p>")
	})
	config := direct(t, s.URL)
	c := load(t, config, s.URL+"/hop/5")
	if c.ID != s.URL+"/hop/0" || c.Name != c.ID || !strings.Contains(c.Note, "redirected from "+s.URL+"/hop/5") {
		t.Errorf("%+v", c)
	}
	wantMiss(t, config, s.URL+"/hop/6", ampersat.Failed, "more than 5 times")
	wantMiss(t, config, s.URL+"/loop?to=/loop%3Fto=/hop/9", ampersat.Failed, "more than 5 times")

	// A fragment is that of the first address unless the next has its own.
	for address, want := range map[string]string{"/?to=/hop/0#a": "## A\n\nIn a.\n", "/?to=/hop/0%23b#a": "## B\n\nIn b.\n"} {
		if c := load(t, config, s.URL+address); c.Text != want {
			t.Errorf("%s: %q", address, c.Text)
		}
	}

	// Each address is asked about anew.
	narrow := direct(t, s.URL+"/docs")
	to := func(next string) string { return s.URL + "/docs?to=" + url.QueryEscape(next) }
	before := len(s.asked())
	wantDenied(t, narrow, to(s.URL+"/private"), "it leads to "+s.URL+"/private; the address 127.0.0.1 is private", "--allow "+s.URL+"/private")
	wantDenied(t, narrow, to("http://169.254.169.254/latest/meta-data"), "it leads to http://169.254.169.254/latest/meta-data", "--allow http://169.254.169.254/latest/meta-data")
	wantDenied(t, narrow, to("file:///etc/passwd"), "only http and https", "")
	wantDenied(t, narrow, to("http://a:b@"+strings.TrimPrefix(s.URL, "http://")+"/docs"), "login", "")
	wantMiss(t, narrow, to("http://[bad"), ampersat.Failed, "leads to something that is not an address")
	wantMiss(t, narrow, to("http://no-such-host.invalid/"), ampersat.Missing, "it leads to http://no-such-host.invalid/")
	if n := len(s.asked()) - before; n != 6 {
		t.Errorf("%d requests arrived, want one for each", n)
	}
}

// TestProxy holds that a proxy of the environment is no way around the check,
// and that it is used when the address was allowed.
func TestProxy(t *testing.T) {
	proxied := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "by proxy: ", r.URL) })
	at, err := url.Parse(proxied.URL)
	must(t, err)
	config := direct(t)
	config.Proxy = http.ProxyURL(at)
	wantDenied(t, config, "http://intranet.invalid/x", "the proxy at "+at.Host+" would connect to it", "--allow http://intranet.invalid/x")
	wantDenied(t, config, "https://intranet.invalid/x", "the proxy at", "--allow https://intranet.invalid/x")
	wantDenied(t, config, "http://127.0.0.1:1/x", "the proxy at", "--allow http://127.0.0.1:1/x")
	if len(proxied.asked()) > 0 {
		t.Error("the proxy was asked")
	}
	config = direct(t, "http://intranet.invalid")
	config.Proxy = http.ProxyURL(at)
	if c := load(t, config, "http://intranet.invalid/x"); c.Text != "by proxy: http://intranet.invalid/x" {
		t.Errorf("%q", c.Text)
	}
	config.Proxy = func(*http.Request) (*url.URL, error) { return nil, fmt.Errorf("no port") }
	wantMiss(t, config, "http://other.invalid", ampersat.Failed, "the proxy of the environment cannot be used: no port")
}

// TestHTTPS fetches over TLS, with HTTP/2 where the server speaks it, and not
// from a server that is not who it says.
func TestHTTPS(t *testing.T) {
	if runtime.GOOS == "darwin" || runtime.GOOS == "windows" {
		t.Skip("this system does not say whom it trusts in a file")
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			http.Redirect(w, r, "/", http.StatusFound)
			return
		}
		fmt.Fprint(w, r.Proto)
	}))
	s.Config.ErrorLog = quiet()
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	if c := load(t, direct(t, s.URL), s.URL+"/moved"); c.Text != "HTTP/2.0" || c.ID != s.URL+"/" {
		t.Errorf("%+v", c)
	}
	wantDenied(t, direct(t), s.URL, "not public", "--allow "+s.URL)
	other := strings.Replace(s.URL, "127.0.0.1", "localhost", 1)
	wantMiss(t, direct(t, other), other, ampersat.Failed, "the server cannot be trusted to be localhost")
	plain := strings.Replace(s.URL, "https:", "http:", 1)
	wantMiss(t, direct(t, plain), plain, ampersat.Failed, "400 Bad Request")
}
