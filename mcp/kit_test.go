package mcp_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/mcp"
	"github.com/ampersat/ampersat/mention"
	sourcefs "github.com/ampersat/ampersat/source/fs"
)

// The test binary is also the servers that misbehave: it is started again, with
// the name of the fault in its environment.
const faultVariable = "AMPERSAT_MCP_TEST_FAULT"

func TestMain(m *testing.M) {
	if fault := os.Getenv(faultVariable); fault != "" {
		serveFault(fault)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

var person = access.Asker{Origin: access.FromPerson}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// program returns the script of a server that others wrote, and node to run it.
func program(t testing.TB, name string) (node, script string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing: the MCP servers cannot run")
	}
	script, err = filepath.Abs(filepath.Join("..", ".cache/npm/mcp-servers/node_modules/@modelcontextprotocol", name, "dist/index.js"))
	must(t, err)
	if _, err := os.Stat(script); errors.Is(err, fs.ErrNotExist) {
		t.Skip("the MCP servers are missing: scripts/need installs them")
	}
	return node, script
}

// everything is a server that has one of each.
func everything(t testing.TB) mcp.Server {
	t.Helper()
	node, script := program(t, "server-everything")
	return mcp.Server{Name: "everything", Command: node, Args: []string{script, "stdio"}, Dir: t.TempDir(), Vouched: true}
}

// faulty is one of the servers in fault_test.go.
func faulty(t testing.TB, fault string) mcp.Server {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	return mcp.Server{Name: "faulty", Command: self, Dir: t.TempDir(), Timeout: 20 * time.Second, Env: map[string]string{faultVariable: fault}}
}

// client is closed with the test.
func client(t testing.TB, servers ...mcp.Server) *mcp.Client {
	t.Helper()
	c := mcp.New(mcp.Config{Servers: servers, Version: "test", Decode: decode})
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

// decode reads bytes as a file would be.
func decode(ctx context.Context, name string, data []byte, limit int) (ampersat.Content, error) {
	return sourcefs.Over(fstest.MapFS{"sent": {Data: data}}).Resolve(ctx, ampersat.Query{Mention: mention.File{Path: "sent"}, Asker: person, Limit: limit})
}

func ask(t testing.TB, c *mcp.Client, server, uri string) (ampersat.Content, error) {
	t.Helper()
	return c.Resolve(t.Context(), ampersat.Query{Mention: mention.Resource{Server: server, URI: uri}, Asker: person})
}

func load(t testing.TB, c *mcp.Client, server, uri string) ampersat.Content {
	t.Helper()
	content, err := ask(t, c, server, uri)
	if err != nil {
		t.Fatal(err)
	}
	if content.Tree != "" || content.Folder != "" {
		t.Errorf("the text would be searched for mentions: tree %q, folder %q", content.Tree, content.Folder)
	}
	return content
}

// missed asks for what cannot be had, which is to be known before the server's
// time is long over.
func missed(t testing.TB, c *mcp.Client, server, uri string, outcome ampersat.Outcome, reasons ...string) {
	t.Helper()
	content, err := ask(t, c, server, uri)
	miss := (*ampersat.Miss)(nil)
	if !errors.As(err, &miss) {
		t.Fatalf("content %+v, error %v", content, err)
	}
	if miss.Outcome != outcome {
		t.Errorf("it is %s (%s), want %s", miss.Outcome, miss.Detail(), outcome)
	}
	for _, secret := range []string{"sesame", "hunter2"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("a secret is in: %v", err)
		}
	}
	for _, reason := range reasons {
		if !strings.Contains(miss.Detail(), reason) {
			t.Errorf("no %q in: %s", reason, miss.Detail())
		}
	}
}
