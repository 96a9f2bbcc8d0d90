package access

import (
	"net/url"
	"strings"
	"testing"
)

// TestRefuseURL holds that what a refusal offers is what allows the address,
// and no more of the host than its path.
func TestRefuseURL(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:8080/a/b?q=1#f":   "--allow http://127.0.0.1:8080/a/b",
		"http://LOCALHOST":                  "--allow http://localhost",
		"https://localhost:443/":            "--allow https://localhost",
		"http://[::1]/x":                    "--allow 'http://[::1]/x'",
		"http://10.0.0.1/a%20b":             "--allow 'http://10.0.0.1/a b'",
		"http://10.0.0.1/100%25":            "--allow http://10.0.0.1",
		"http://10.0.0.1/a%0Ab":             "--allow http://10.0.0.1",
		"http://10.0.0.1/a%3Fb":             "--allow http://10.0.0.1",
		"http://10.0.0.1/it's":              `--allow 'http://10.0.0.1/it'\''s'`,
		"http://name:secret@10.0.0.1/x":     "--allow http://10.0.0.1/x",
		"ftp://10.0.0.1/x":                  "",
		"http://169.254.169.254/latest/../": "--allow http://169.254.169.254",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		denied := RefuseURL(u, "it is not public")
		if denied.Grant != want || denied.Reason != ReasonAddress || strings.Contains(denied.Error(), "secret") {
			t.Errorf("%s: %v, want %s", address, denied, want)
		}
		if want == "" {
			continue
		}
		word := strings.ReplaceAll(strings.Trim(strings.TrimPrefix(denied.Grant, "--allow "), "'"), `'\''`, "'")
		grant, err := ParseGrant(word, "/", "/")
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		var memory Memory
		if err := memory.Allow(grant); err != nil || !memory.URL(u) {
			t.Errorf("%s: %s does not allow it: %v", address, denied.Grant, err)
		}
	}
}
