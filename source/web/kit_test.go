package web_test

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/source/fs"
	"github.com/ampersat/ampersat/source/web"
)

// TestMain trusts the certificate of the servers that the tests start, which is
// one for 127.0.0.1.
func TestMain(m *testing.M) {
	server := httptest.NewTLSServer(http.NotFoundHandler())
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	server.Close()
	dir, err := os.MkdirTemp("", "web-test-")
	if err == nil {
		file := filepath.Join(dir, "trusted.pem")
		err = errors.Join(os.WriteFile(file, certificate, 0o600), os.Setenv("SSL_CERT_FILE", file))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(dir)
		os.Exit(code)
	}))
}

var person = access.Asker{Origin: access.FromPerson}

// site is a real server on loopback, and what was asked of it.
type site struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
}

// serve starts a server. It ends with the test.
func serve(t testing.TB, handler http.HandlerFunc) *site {
	t.Helper()
	s := new(site)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		s.mu.Unlock()
		handler(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *site) asked() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*http.Request(nil), s.requests...)
}

// answering serves one answer.
func answering(t testing.TB, kind, body string) *site {
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{kind}
		if kind == "" {
			w.Header()["Content-Type"] = nil
		}
		fmt.Fprint(w, body)
	})
}

// direct is the configuration of a test: no proxy, and all of these addresses
// are allowed.
func direct(t testing.TB, allowed ...string) web.Config {
	t.Helper()
	consent := new(access.Memory)
	for _, address := range allowed {
		grant, err := access.ParseGrant(address, "/", "/")
		must(t, err)
		must(t, consent.Allow(grant))
	}
	files := fs.New(fs.Config{Dir: "/"})
	return web.Config{
		Consent: consent, Decode: files.Decode, Version: "1.2.3",
		Proxy: func(*http.Request) (*url.URL, error) { return nil, nil },
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func resolve(c web.Config, address string) (ampersat.Content, error) {
	return web.New(c).Resolve(context.Background(), ampersat.Query{Mention: mention.URL{URL: address}, Asker: person})
}

func load(t testing.TB, c web.Config, address string) ampersat.Content {
	t.Helper()
	content, err := resolve(c, address)
	must(t, err)
	return content
}

// wantMiss checks that an address does not resolve, how, and that the reason
// says so.
func wantMiss(t testing.TB, c web.Config, address string, outcome ampersat.Outcome, reason string) *ampersat.Miss {
	t.Helper()
	content, err := resolve(c, address)
	var miss *ampersat.Miss
	if !errors.As(err, &miss) || miss.Outcome != outcome || !strings.Contains(miss.Reason, reason) || miss.Mention == nil {
		t.Fatalf("%s: %q, %v; want %s: %s", address, content.Text, err, outcome, reason)
	}
	return miss
}

// wantDenied checks that an address is refused, and what grants it.
func wantDenied(t testing.TB, c web.Config, address, detail, grant string) {
	t.Helper()
	content, err := resolve(c, address)
	denied, ok := access.IsDenied(err)
	if !ok || denied.Reason != access.ReasonAddress || !strings.Contains(denied.Detail, detail) || denied.Grant != grant {
		t.Fatalf("%s: %q, %v; want it denied: %s, to allow it: %s", address, content.Text, err, detail, grant)
	}
}

// soon is a time that a test may take at most before it is stuck.
const soon = time.Minute
