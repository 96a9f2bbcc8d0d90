package collection

import (
	"encoding/pem"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOverHTTPS installs from a real git server, whose certificate the person
// has told git to trust.
func TestOverHTTPS(t *testing.T) {
	w := newWorld(t)
	w.repository("served/repo", plain)
	backend := &cgi.Handler{
		Path: filepath.Join(w.git(w.base, "--exec-path"), "git-http-backend"),
		Env:  []string{"GIT_PROJECT_ROOT=" + filepath.Join(w.base, "served"), "GIT_HTTP_EXPORT_ALL=1"},
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/private"):
			rw.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			rw.WriteHeader(http.StatusUnauthorized)
		case strings.HasPrefix(r.URL.Path, "/elsewhere"):
			http.Redirect(rw, r, "http://"+r.Host+"/repo/.git/info/refs?service=git-upload-pack", http.StatusFound)
		default:
			backend.ServeHTTP(rw, r)
		}
	}))
	t.Cleanup(server.Close)
	w.refused(Request{Source: server.URL + "/repo/.git"}, "certificate")
	trusted := filepath.Join(w.base, "trusted.pem")
	must(t, os.WriteFile(trusted, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o644))
	t.Setenv("GIT_SSL_CAINFO", trusted)
	result := w.install(Request{Source: server.URL + "/repo/.git", Ref: "main"})
	if result.Name != "standards" || len(result.Commit) != 40 || w.read(result, "context/coding.md") != "tabs" {
		t.Errorf("%+v", result)
	}
	// Nobody is asked for a password, and no other protocol is spoken.
	w.refused(Request{Source: server.URL + "/private/repo.git"}, "terminal prompts disabled")
	w.refused(Request{Source: server.URL + "/elsewhere/repo.git"}, "git fetch: ")
	w.refused(Request{Source: server.URL + "/nothing.git"}, "not found")
}

// TestOverSSH installs through the command that the person has set up for ssh,
// which here runs git's half of the other side on this one.
func TestOverSSH(t *testing.T) {
	w := newWorld(t)
	w.repository("repo", plain)
	script := filepath.Join(w.write("bin", map[string]string{"ssh": "#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n"}), "ssh")
	t.Setenv("GIT_SSH_COMMAND", script)
	path := filepath.ToSlash(filepath.Join(w.base, "repo"))
	for _, address := range []string{"ssh://git@example.invalid" + path, "git@example.invalid:" + path, "example.invalid:" + path} {
		result := w.install(Request{Source: address})
		if result.Name != "standards" || result.Source != address {
			t.Errorf("%+v", result)
		}
		_, err := w.Remove(t.Context(), "standards", "", false)
		must(t, err)
	}
	// What the person has set in their configuration counts as well.
	t.Setenv("GIT_SSH_COMMAND", "")
	must(t, os.Unsetenv("GIT_SSH_COMMAND"))
	w.git(w.base, "config", "--global", "core.sshCommand", script)
	if result := w.install(Request{Source: "example.invalid:" + path}); result.Name != "standards" {
		t.Errorf("%+v", result)
	}
	w.git(w.base, "config", "--global", "--unset", "core.sshCommand")
	w.refused(Request{Source: "example.invalid:" + path + "x"}, "git fetch: ")
}
