package mcp_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mcp"
	"github.com/ampersat/ampersat/mention"
	"github.com/ampersat/ampersat/message"
)

// TestEverything holds the client against the server that the makers of the
// protocol test clients with, over both transports.
func TestEverything(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "a key that is nobody's business")
	for _, over := range []struct {
		name   string
		server func(testing.TB) mcp.Server
	}{{"stdio", everything}, {"streamable HTTP", everythingOverHTTP}} {
		t.Run(over.name, func(t *testing.T) {
			c := client(t, over.server(t))
			t.Run("resources", func(t *testing.T) { testResources(t, c) })
			t.Run("completion", func(t *testing.T) { testCompletion(t, c) })
			t.Run("tools", func(t *testing.T) { testTools(t, c, over.name == "stdio") })
		})
	}
}

// everythingOverHTTP is the same server at an address.
func everythingOverHTTP(t testing.TB) mcp.Server {
	t.Helper()
	node, script := program(t, "server-everything")
	// It does not say which port it was given, so that it must be told one.
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := listener.Addr().(*net.TCPAddr)
	must(t, listener.Close())
	cmd := exec.CommandContext(context.Background(), node, script, "streamableHttp")
	cmd.Env = append(cmd.Environ(), fmt.Sprintf("PORT=%d", address.Port))
	must(t, cmd.Start())
	transport := &http.Transport{}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		transport.CloseIdleConnections()
	})
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		conn, err := net.Dial("tcp", address.String())
		if err == nil {
			conn.Close()
			break
		}
		if time.Since(begin) > 30*time.Second {
			t.Fatalf("the server does not listen: %v", err)
		}
	}
	return mcp.Server{Name: "everything", URL: fmt.Sprintf("http://%s/mcp", address), Transport: transport, Vouched: true}
}

func testResources(t *testing.T, c *mcp.Client) {
	page := load(t, c, "everything", "demo://resource/static/document/architecture.md")
	if page.Name != "everything:demo://resource/static/document/architecture.md" || page.MIME != "text/markdown" || !strings.Contains(page.Text, "# Everything Server") {
		t.Errorf("name %q, type %q, text %.80q", page.Name, page.MIME, page.Text)
	}
	if page.Size != int64(len(page.Text)) || page.Source == "" {
		t.Errorf("size %d, source %q", page.Size, page.Source)
	}

	named := load(t, c, "everything", "architecture.md")
	if named.Source != page.Source || named.Mention != mention.Mention(mention.Resource{Server: "everything", URI: "demo://resource/static/document/architecture.md"}) {
		t.Errorf("by its name it is %+v", named.Mention)
	}

	text := load(t, c, "everything", "demo://resource/dynamic/text/7")
	if !strings.HasPrefix(text.Text, "Resource 7: This is a plaintext resource") || text.MIME != "" {
		t.Errorf("of a template: type %q, text %q", text.MIME, text.Text)
	}
	blob := load(t, c, "everything", "demo://resource/dynamic/blob/7")
	if !strings.HasPrefix(blob.Text, "Resource 7: This is a base64 blob") {
		t.Errorf("of a blob: %q", blob.Text)
	}

	missed(t, c, "everything", "demo://resource/static/document/nothing.md", ampersat.Missing, "not found")
	missed(t, c, "everything", "demo://resource/dynamic/text/x", ampersat.Missing, "Unknown resource")
	missed(t, c, "everything", "nothing.md", ampersat.Missing, `no resource called "nothing.md"`, "architecture.md", "and 2 more")
	missed(t, c, "other", "demo://x", ampersat.Missing, `no MCP server called "other"`, "configured: everything")
}

func testCompletion(t *testing.T, c *mcp.Client) {
	for prefix, want := range map[string][]string{
		"arch":                                    {"demo://resource/static/document/architecture.md"},
		"demo://resource/static/document/s":       {"demo://resource/static/document/startup.md", "demo://resource/static/document/structure.md"},
		"work":                                    {"demo://resource/static/document/how-it-works.md"},
		"demo://resource/dyn":                     {"demo://resource/dynamic/text/…", "demo://resource/dynamic/blob/…"},
		"demo://resource/dynamic/text/4":          {"demo://resource/dynamic/text/4"},
		"demo://resource/dynamic/text/x":          nil,
		"demo://resource/dynamic/text/4/and/more": nil,
		"nothing like it":                         nil,
	} {
		all, err := c.Complete(t.Context(), "everything", prefix)
		if err != nil {
			t.Errorf("%s: %v", prefix, err)
			continue
		}
		var have []string
		for _, found := range all {
			uri := found.URI
			if found.Partial {
				uri += "…"
			}
			have = append(have, uri)
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: have %q, want %q", prefix, have, want)
		}
	}
	if _, err := c.Complete(t.Context(), "other", ""); err == nil || !strings.Contains(err.Error(), "configured: everything") {
		t.Errorf("of a server that is not there: %v", err)
	}
}

// tools by the name that a model calls them.
func tools(t testing.TB, c *mcp.Client) map[string]agent.Tool {
	t.Helper()
	all, err := c.Tools(t.Context())
	must(t, err)
	byName := map[string]agent.Tool{}
	for _, tool := range all {
		byName[tool.Spec().Name] = tool
	}
	if len(byName) != len(all) {
		t.Errorf("%d tools have %d names", len(all), len(byName))
	}
	return byName
}

func call(t testing.TB, tool agent.Tool, input string) agent.Result {
	t.Helper()
	if tool == nil {
		t.Fatal("there is no such tool")
	}
	if _, err := tool.Plan(jsontext.Value(input)); err != nil {
		t.Fatal(err)
	}
	result, err := tool.Run(t.Context(), agent.Call{ID: "call_1", Input: jsontext.Value(input)})
	must(t, err)
	return result
}

func said(result agent.Result) string {
	return message.Flatten(message.Of(result.Parts...).Rendered())
}

func testTools(t *testing.T, c *mcp.Client, ours bool) {
	all := tools(t, c)

	sum := all["everything__get-sum"]
	spec := sum.Spec()
	if want := `"required":["a","b"]`; !strings.Contains(string(spec.Parameters), want) || spec.Description == "" {
		t.Errorf("described as %q with %s", spec.Description, spec.Parameters)
	}
	if text := said(call(t, sum, `{"a": 19, "b": 23}`)); text != "The sum of 19 and 23 is 42." {
		t.Errorf("it says %q", text)
	}
	if result := call(t, sum, `{"a": "many"}`); !result.Failed || !strings.Contains(said(result), "Invalid arguments") {
		t.Errorf("called wrongly: failed is %t, %q", result.Failed, said(result))
	}
	if _, err := sum.Plan(jsontext.Value(`[1]`)); err == nil || !strings.Contains(err.Error(), "must be a JSON object") {
		t.Errorf("called with a list: %v", err)
	}

	// The server's picture has a wrong checksum.
	picture := said(call(t, all["everything__get-tiny-image"], `{}`))
	if !strings.Contains(picture, "PNG image (image/png), 4,033 bytes") || !strings.Contains(picture, "checksum") {
		t.Errorf("a picture: %s", picture)
	}

	reference := call(t, all["everything__get-resource-reference"], `{"resourceType": "Text", "resourceId": 3}`)
	if text := said(reference); !strings.Contains(text, `<context_file paths="everything:demo://resource/dynamic/text/3" kind="resource">`) || !strings.Contains(text, "Resource 3: This is a plaintext") {
		t.Errorf("an embedded resource: %s", text)
	}
	if text := said(call(t, all["everything__get-resource-links"], `{"count": 2}`)); !strings.Contains(text, "[resource everything:demo://resource/dynamic/") {
		t.Errorf("links: %s", text)
	}
	if text := said(call(t, all["everything__get-structured-content"], `{"location": "Chicago"}`)); !strings.Contains(text, "temperature") {
		t.Errorf("structured: %s", text)
	}
	if text := said(call(t, all["everything__get-env"], `{}`)); ours && (strings.Contains(text, "nobody's business") || !strings.Contains(text, "PATH")) {
		t.Errorf("its environment: %s", text)
	}

	for name, want := range map[string]agent.Effect{
		"everything__get-sum":                  agent.Reads,
		"everything__toggle-simulated-logging": agent.Runs,
	} {
		action, err := all[name].Plan(jsontext.Value(`{}`))
		if err != nil || action.Effect != want || action.Subject != name {
			t.Errorf("%s: %+v, error %v; want %s", name, action, err, want)
		}
	}
}

// TestMemory uses a server that has tools which change something, and a resource
// that changes with them.
func TestMemory(t *testing.T) {
	node, script := program(t, "server-memory")
	dir := t.TempDir()
	c := client(t, mcp.Server{
		Name: "memory", Command: node, Args: []string{script}, Dir: dir,
		Env: map[string]string{"MEMORY_FILE_PATH": dir + "/memory.jsonl"},
	})
	all := tools(t, c)
	call(t, all["memory__create_entities"], `{"entities": [{"name": "Ada", "entityType": "person", "observations": ["likes numbers"]}]}`)
	if text := said(call(t, all["memory__read_graph"], `{}`)); !strings.Contains(text, "likes numbers") {
		t.Errorf("what it was told: %s", text)
	}
	graph := load(t, c, "memory", "knowledge-graph")
	if !strings.Contains(graph.Text, "likes numbers") || graph.MIME != "application/json" {
		t.Errorf("type %q, text %s", graph.MIME, graph.Text)
	}
	call(t, all["memory__add_observations"], `{"observations": [{"entityName": "Ada", "contents": ["and engines"]}]}`)
	if again := load(t, c, "memory", "knowledge-graph"); !strings.Contains(again.Text, "and engines") || again.Source == graph.Source {
		t.Errorf("afterwards: %s", again.Text)
	}
	// What a server that nobody vouches for says about its tools does not count.
	action, err := all["memory__read_graph"].Plan(nil)
	if err != nil || action.Effect != agent.Runs {
		t.Errorf("reading is %+v, error %v", action, err)
	}
}
