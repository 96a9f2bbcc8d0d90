package app

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/internal/profile"
)

// configure puts together a program with a configuration of the user's.
func configure(t *testing.T, text string) *App {
	t.Helper()
	home, project := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	own := filepath.Join(home, "own")
	t.Setenv("AMPERSAT_HOME", own)
	if err := os.Mkdir(own, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(own, "config.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := New(Options{Dir: project})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func TestToolsOfServers(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing: the MCP server cannot run")
	}
	script, err := filepath.Abs("../../.cache/npm/mcp-servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the MCP servers are missing: scripts/need installs them")
	}
	a := configure(t, fmt.Sprintf(`
mcp:
  every: {command: %q, args: [%q, stdio]}
  none: {command: ampersat-no-such-program}
`, node, script))
	var warnings []string
	warn := func(text string) { warnings = append(warnings, text) }

	// A profile that names our own tools only has no use for servers.
	ours := profile.Merged{}
	ours.Tools = []profile.Module{{ID: "read_file"}}
	if tools := a.serverTools(t.Context(), ours, warn); len(tools) != 0 || len(warnings) != 0 {
		t.Errorf("%d tools, warned %q", len(tools), warnings)
	}
	theirs := profile.Merged{}
	theirs.Tools = []profile.Module{{ID: "every__get-*"}}
	tools := chosenTools(theirs, a.serverTools(t.Context(), theirs, warn))
	var names []string
	for _, tool := range tools {
		names = append(names, tool.Spec().Name)
	}
	if !slices.Contains(names, "every__get-sum") || slices.Contains(names, "every__echo") {
		t.Errorf("tools %q", names)
	}
	if len(warnings) != 1 || !strings.Contains(warnings[0], "the MCP server none: its command ampersat-no-such-program is not installed") {
		t.Errorf("warned %q", warnings)
	}
}

// An address that was configured is allowed though it is local; where it leads is
// not.
func TestConfiguredAddresses(t *testing.T) {
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/away") {
			http.Redirect(w, r, elsewhere.URL, http.StatusFound)
			return
		}
		fmt.Fprint(w, "seen "+r.URL.Path)
	}))
	defer here.Close()
	a := configure(t, fmt.Sprintf("custom: {wiki: {url: '%s/page/{}'}}\n", here.URL))
	stack, err := a.Pipeline.Prepare(t.Context(), ampersat.Ask("@wiki:home and @wiki:away"))
	if err != nil {
		t.Fatal(err)
	}
	if r := stack.Reports[0]; r.Outcome != ampersat.Loaded || r.Bytes != len("seen /page/home") {
		t.Errorf("%+v", r)
	}
	if r := stack.Reports[1]; r.Outcome != ampersat.Blocked || !strings.Contains(r.Reason, "not public") {
		t.Errorf("%+v", r)
	}
}
