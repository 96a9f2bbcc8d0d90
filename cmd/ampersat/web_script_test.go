package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestWebScripts runs the program against a real server, whose address is in
// SITE. It also answers as a proxy does.
func TestWebScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/web",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			server := httptest.NewServer(http.HandlerFunc(serveSite))
			env.Defer(server.Close)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv(atOnce, atOnceValue)
			env.Setenv("SITE", server.URL)
			return nil
		},
	})
}

// serveSite is a small site: a page that is kept, one that was moved, and some
// that are not there.
func serveSite(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/page":
		w.Header().Set("ETag", `"first"`)
		w.Header().Set("Content-Type", "text/html")
		if r.Header.Get("If-None-Match") == `"first"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, `<title>Manual</title><nav><a href="/">Home</a></nav><h1>Gadgets</h1><p>See @/etc/hosts and <a href="/parts">parts</a>.</p>
			<table><tr><th>Part</th><th>Price</th></tr><tr><td>Cog</td><td>2</td></tr></table>
			<h2 id="care">Care</h2><p>Keep dry.</p>`)
	case "/moved":
		http.Redirect(w, r, "/page", http.StatusMovedPermanently)
	case "/data.json":
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"cogs": 2}`)
	case "/proxied":
		fmt.Fprintf(w, "through the proxy to %s", r.URL.Host)
	case "/broken":
		w.WriteHeader(http.StatusInternalServerError)
	default:
		http.NotFound(w, r)
	}
}
