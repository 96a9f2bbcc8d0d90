package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/source/web"
)

// Others travel by the same rules.
func TestTransport(t *testing.T) {
	agent := ""
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { agent = r.UserAgent() }))
	defer server.Close()
	grant, err := access.ParseGrant(server.URL+"/open", "/", "/")
	if err != nil {
		t.Fatal(err)
	}
	consent := new(access.Memory)
	if err := consent.Allow(grant); err != nil {
		t.Fatal(err)
	}
	by := web.New(web.Config{Consent: consent, Version: "1.2"}).Transport()
	defer by.(interface{ CloseIdleConnections() }).CloseIdleConnections()
	client := http.Client{Transport: by}

	response, err := client.Post(server.URL+"/open/door", "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if !strings.HasPrefix(agent, "ampersat/1.2") {
		t.Errorf("the server is told that %q asks", agent)
	}
	for _, address := range []string{server.URL + "/closed", "ftp://example.org/x", "http://ada:pw@example.org/"} {
		response, err := client.Get(address)
		if err == nil {
			response.Body.Close()
		}
		if denied, ok := access.IsDenied(err); !ok || denied.Reason != access.ReasonAddress {
			t.Errorf("%s: error %v", address, err)
		}
	}
}
