package mcp_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/access"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mcp"
)

// webServer is a server of the protocol at an address, as small as one can be.
type webServer struct {
	fault string

	mu       sync.Mutex
	session  int
	requests []string // method, what is asked, session
	headers  []http.Header
	release  chan struct{} // closed when what hangs may end
}

// ServeHTTP implements [http.Handler].
func (s *webServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var asked request
	_ = json.Unmarshal(body, &asked)
	s.mu.Lock()
	s.requests = append(s.requests, strings.TrimSpace(r.Method+" "+asked.Method))
	s.headers = append(s.headers, r.Header.Clone())
	session := fmt.Sprint(s.session)
	s.mu.Unlock()
	if r.Method == http.MethodGet {
		if s.fault == "never opens the stream" {
			<-s.release
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if r.Method == http.MethodDelete {
		return
	}
	switch s.fault {
	case "hangs":
		select {
		case <-s.release:
		case <-r.Context().Done():
		}
		return
	case "wants a key":
		w.WriteHeader(http.StatusUnauthorized)
		return
	case "is a web page":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<h1>Welcome</h1>")
		return
	case "sends us away":
		http.Redirect(w, r, "http://elsewhere.example/mcp", http.StatusTemporaryRedirect)
		return
	}
	if known := r.Header.Get("Mcp-Session-Id"); known != "" && known != session {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"No valid session ID provided"}}`)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	answer := func(result string) {
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, result)
	}
	switch asked.Method {
	case "initialize":
		w.Header().Set("Mcp-Session-Id", session)
		answer(`{"protocolVersion":"2025-11-25","capabilities":{"resources":{},"tools":{}},"serverInfo":{"name":"web","version":"1"}}`)
	case "resources/read":
		switch s.fault {
		case "answers nonsense":
			fmt.Fprint(w, `{"jsonrpc":`)
		case "answers too much":
			answer(`{"contents":[` + text("a:b", strings.Repeat("y", 2<<20)) + `]}`)
		default:
			answer(`{"contents":[` + text("a:b", "in session "+session) + `]}`)
		}
	case "tools/list":
		answer(`{"tools":[{"name":"work","inputSchema":{"type":"object"}}]}`)
	case "tools/call":
		answer(`{"content":[{"type":"text","text":"worked in session ` + session + `"}]}`)
	default:
		w.WriteHeader(http.StatusAccepted)
	}
}

// over starts such a server.
func over(t testing.TB, fault string) (*webServer, mcp.Server) {
	t.Helper()
	s := &webServer{fault: fault, release: make(chan struct{})}
	web := httptest.NewServer(s)
	transport := &http.Transport{}
	t.Cleanup(func() {
		close(s.release)
		transport.CloseIdleConnections()
		web.Close()
	})
	return s, mcp.Server{
		Name: "web", URL: web.URL + "/mcp", Transport: transport, Timeout: 20 * time.Second,
		Secrets: func() (env, headers map[string]string, err error) {
			return nil, map[string]string{"Authorization": "Bearer sesame-sesame"}, nil
		},
	}
}

func TestHeadersAreSentAndTheSessionIsClosed(t *testing.T) {
	t.Parallel()
	s, server := over(t, "")
	c := mcp.New(mcp.Config{Servers: []mcp.Server{server}, Version: "test"})
	if len(s.requests) != 0 {
		t.Errorf("asked before it was needed: %q", s.requests)
	}
	if content := load(t, c, "web", "a:b"); content.Text != "in session 0" {
		t.Errorf("it says %q", content.Text)
	}
	must(t, c.Close())
	s.mu.Lock()
	defer s.mu.Unlock()
	if have := strings.Join(s.requests, ", "); have != "POST initialize, POST notifications/initialized, POST resources/read, DELETE" {
		t.Errorf("asked: %s", have)
	}
	for i, header := range s.headers {
		if header.Get("Authorization") != "Bearer sesame-sesame" {
			t.Errorf("%s: headers %v", s.requests[i], header)
		}
	}
}

func TestAddressesThatMisbehave(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault   string
		timeout time.Duration
		limit   int
		reasons []string
	}{
		{fault: "hangs", timeout: 300 * time.Millisecond, reasons: []string{"the MCP server web: it did not start within 300ms"}},
		{fault: "wants a key", reasons: []string{"Unauthorized"}},
		{fault: "is a web page", reasons: []string{"not understood", "text/html"}},
		{fault: "sends us away", reasons: []string{"it sends us to http://elsewhere.example; configure that address"}},
		{fault: "answers nonsense", reasons: []string{"not understood"}},
		{fault: "answers too much", limit: 1 << 20, reasons: []string{"its answer is too long"}},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			_, server := over(t, c.fault)
			server.Limit = c.limit
			if c.timeout != 0 {
				server.Timeout = c.timeout
			}
			missed(t, client(t, server), "web", "a:b", ampersat.Failed, c.reasons...)
		})
	}
	t.Run("is not there", func(t *testing.T) {
		t.Parallel()
		missed(t, client(t, mcp.Server{Name: "web", URL: "http://127.0.0.1:1/mcp?key=sesame"}), "web", "a:b", ampersat.Failed, "it cannot be reached: ", "connection refused")
	})
}

// The stream is for what a server says unasked; there is no need for one.
func TestAStreamThatNeverOpens(t *testing.T) {
	t.Parallel()
	_, server := over(t, "never opens the stream")
	if content := load(t, client(t, server), "web", "a:b"); content.Text != "in session 0" {
		t.Errorf("it says %q", content.Text)
	}
}

// A server that was started anew does not know the session any more. Nothing was
// done, so that even a tool is called again.
func TestASessionThatIsForgotten(t *testing.T) {
	t.Parallel()
	s, server := over(t, "")
	c := client(t, server)
	tool := tools(t, c)["web__work"]
	for session := range 3 {
		s.mu.Lock()
		s.session = 2 * session
		s.mu.Unlock()
		if content := load(t, c, "web", "a:b"); content.Text != fmt.Sprintf("in session %d", 2*session) {
			t.Errorf("it says %q", content.Text)
		}
		s.mu.Lock()
		s.session++
		s.mu.Unlock()
		result, err := tool.Run(t.Context(), agent.Call{})
		must(t, err)
		if text := said(result); text != fmt.Sprintf("worked in session %d", 2*session+1) {
			t.Errorf("it says %q", text)
		}
	}
}

// refusal is a transport that lets nothing pass.
type refusal struct{}

// RoundTrip implements [http.RoundTripper].
func (refusal) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, &access.Denied{What: r.URL.String(), Reason: access.ReasonAddress, Detail: "it is a local address", Grant: "--allow " + r.URL.String()}
}

func TestAnAddressThatIsNotAllowedIsBlocked(t *testing.T) {
	t.Parallel()
	c := client(t, mcp.Server{Name: "web", URL: "http://localhost:1/mcp", Transport: refusal{}})
	_, err := ask(t, c, "web", "a:b")
	if denied, ok := access.IsDenied(err); !ok || denied.Reason != access.ReasonAddress {
		t.Errorf("error %v", err)
	}
}
