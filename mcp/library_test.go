package mcp_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mcp"
)

// librarian is a server on the official library. Its tool "add" adds a resource.
func librarian(versions ...string) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "library", Version: "1"}, &sdk.ServerOptions{
		PageSize: 2, SupportedProtocolVersions: versions,
		CompletionHandler: func(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{r.Params.Argument.Value + "1", r.Params.Argument.Value + "2"}}}, nil
		},
	})
	read := func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, Text: "the book " + r.Params.URI}}}, nil
	}
	for i := range 5 {
		s.AddResource(&sdk.Resource{URI: fmt.Sprintf("book://%d", i), Name: fmt.Sprintf("book %d", i)}, read)
	}
	s.AddResourceTemplate(&sdk.ResourceTemplate{URITemplate: "shelf://{shelf}/{book}", Name: "shelf"}, read)
	schema := jsontext.Value(`{"type":"object","properties":{"title":{"type":"string","x-mcp-header":"Title"},"where":{"type":"object","properties":{"shelf":{"type":"integer","x-mcp-header":"Shelf"}}}}}`)
	s.AddTool(&sdk.Tool{Name: "add", InputSchema: schema}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if token := r.Params.GetProgressToken(); token != nil {
			if err := r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Message: "writing the label"}); err != nil {
				return nil, err
			}
		}
		var asked struct {
			Title string `json:"title"`
		}
		if err := json.Unmarshal(r.Params.Arguments, &asked); err != nil {
			return nil, err
		}
		s.AddResource(&sdk.Resource{URI: "book://new", Name: asked.Title}, read)
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "added " + asked.Title}}}, nil
	})
	return s
}

// newest is a server that refuses to begin in the old way.
type newest struct {
	http.Handler

	mu     sync.Mutex
	called []http.Header // with which tools were called
}

// ServeHTTP implements [http.Handler].
func (n *newest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var asked request
	_ = json.Unmarshal(body, &asked)
	switch asked.Method {
	case "initialize":
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32022,"message":"unsupported protocol version"}}`, asked.ID)
		return
	case "tools/call":
		n.mu.Lock()
		n.called = append(n.called, r.Header.Clone())
		n.mu.Unlock()
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	n.Handler.ServeHTTP(w, r)
}

// hosted is a server at an address, until the test ends.
func hosted(t testing.TB, handler http.Handler) mcp.Server {
	t.Helper()
	web := httptest.NewServer(handler)
	transport := new(http.Transport)
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		web.CloseClientConnections()
		web.Close()
	})
	return mcp.Server{Name: "library", URL: web.URL, Transport: transport, Timeout: 20 * time.Second}
}

// The makers of the protocol read it as we do, whichever way it is spoken.
func TestAServerOnTheOfficialLibrary(t *testing.T) {
	over := func(o sdk.StreamableHTTPOptions, versions ...string) http.Handler {
		s := librarian(versions...)
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &o)
	}
	modern := &newest{Handler: over(sdk.StreamableHTTPOptions{Stateless: true})}
	for _, c := range []struct {
		name   string
		server func() mcp.Server
		// quiet says that the server tells only what it is asked.
		quiet bool
	}{
		{"stdio", func() mcp.Server { return faulty(t, "nothing, by a library") }, false},
		{"streams", func() mcp.Server { return hosted(t, over(sdk.StreamableHTTPOptions{})) }, false},
		{"streams that are kept", func() mcp.Server {
			return hosted(t, over(sdk.StreamableHTTPOptions{EventStore: sdk.NewMemoryEventStore(nil)}))
		}, false},
		{"JSON", func() mcp.Server { return hosted(t, over(sdk.StreamableHTTPOptions{JSONResponse: true})) }, true},
		{"without sessions", func() mcp.Server { return hosted(t, over(sdk.StreamableHTTPOptions{Stateless: true})) }, true},
		{"the newest version", func() mcp.Server { return hosted(t, modern) }, false},
		// It agrees to an older one, and then refuses it in words of its own.
		{"only the newest version", func() mcp.Server {
			return hosted(t, over(sdk.StreamableHTTPOptions{Stateless: true}, "2026-07-28"))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := c.server()
			testLibrary(t, client(t, server), server.Name, c.quiet)
		})
	}
	modern.mu.Lock()
	defer modern.mu.Unlock()
	if len(modern.called) != 1 {
		t.Fatalf("%d calls by the newest version", len(modern.called))
	}
	for name, want := range map[string]string{
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "add",
		"Mcp-Param-Title": "=?base64?w5Zs?=", "Mcp-Param-Shelf": "7", "Mcp-Session-Id": "",
	} {
		if have := modern.called[0].Get(name); have != want {
			t.Errorf("%s: have %q, want %q", name, have, want)
		}
	}
}

func testLibrary(t *testing.T, c *mcp.Client, name string, quiet bool) {
	if content := load(t, c, name, "book 4"); content.Text != "the book book://4" {
		t.Errorf("by its name: %q", content.Text)
	}
	missed(t, c, name, "book://9", ampersat.Missing, "not found")
	found, err := c.Complete(t.Context(), name, "shelf://3/b")
	must(t, err)
	var uris []string
	for _, one := range found {
		uris = append(uris, one.URI)
	}
	if !slices.Equal(uris, []string{"shelf://3/b1", "shelf://3/b2"}) {
		t.Errorf("completed: %q", uris)
	}
	missed(t, c, name, "Öl", ampersat.Missing, "no resource called")

	var shown strings.Builder
	result, err := tools(t, c)[name+"__add"].Run(t.Context(), agent.Call{
		ID: "call_1", Input: jsontext.Value(`{"title": "Öl", "where": {"shelf": 7.0}}`), Output: func(text string) { shown.WriteString(text) },
	})
	must(t, err)
	if text := said(result); text != "added Öl" || !quiet && shown.String() != "writing the label\n" {
		t.Errorf("it says %q, and %q before", text, shown.String())
	}
	for begin := time.Now(); !quiet; time.Sleep(5 * time.Millisecond) {
		if _, err := ask(t, c, name, "Öl"); err == nil {
			break
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatal("it is not known that the list has changed")
		}
	}
}
