package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/mention"
)

// streamer is a server that answers in streams, as a test wants it to.
type streamer struct {
	// read answers a call that reads a resource, get the request for a stream.
	read func(out stream, asked request)
	get  func(out stream, last string)

	mu    sync.Mutex
	lists int
	heard []string // what it was told and not asked
}

// stream is an answer as it is written.
type stream struct {
	http.ResponseWriter
	gone <-chan struct{} // closed when nobody reads any more
}

func (s stream) say(text string) {
	fmt.Fprint(s.ResponseWriter, text)
	s.ResponseWriter.(http.Flusher).Flush()
}

// contents is an event with the answer to a call.
func contents(asked request, what string) string {
	return fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"id\":%s,\ndata: \"result\":{\"contents\":[%s]}}\n\n", asked.ID, text("a:b", what))
}

// ServeHTTP implements [http.Handler].
func (s *streamer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	out := stream{ResponseWriter: w, gone: r.Context().Done()}
	body, _ := io.ReadAll(r.Body)
	var asked request
	_ = json.Unmarshal(body, &asked)
	answer := func(result string) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, result)
	}
	events := func() { w.Header().Set("Content-Type", "text/event-stream") }
	switch {
	case r.Method == http.MethodGet && s.get == nil:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodGet:
		events()
		s.get(out, r.Header.Get("Last-Event-ID"))
	case r.Method == http.MethodDelete:
	case asked.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", "one")
		answer(`{"protocolVersion":"2025-06-18","capabilities":{"resources":{"listChanged":true},"tools":{}},"serverInfo":{"name":"web","version":"1"}}`)
	case asked.Method == "resources/list":
		s.mu.Lock()
		s.lists++
		name := fmt.Sprintf("list %d", s.lists)
		s.mu.Unlock()
		answer(`{"resources":[{"uri":"a:b","name":"` + name + `"}]}`)
	case asked.Method == "ping":
		answer(`{}`)
	case asked.Method == "tools/list":
		answer(`{"tools":[{"name":"work","inputSchema":{"type":"object"}}]}`)
	case asked.Method == "tools/call", asked.Method == "resources/read":
		events()
		s.read(out, asked)
	default:
		s.mu.Lock()
		s.heard = append(s.heard, r.Header.Get("Mcp-Protocol-Version")+" "+string(body))
		s.mu.Unlock()
		w.WriteHeader(http.StatusAccepted)
	}
}

// told waits until the server was told something with a text in it.
func (s *streamer) told(t testing.TB, text string) {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		s.mu.Lock()
		heard := slices.Clone(s.heard)
		s.mu.Unlock()
		if slices.ContainsFunc(heard, func(one string) bool { return strings.Contains(one, text) }) {
			return
		}
		if time.Since(begin) > 20*time.Second {
			t.Fatalf("no %s among %q", text, heard)
		}
	}
}

func TestAnAnswerInAStream(t *testing.T) {
	t.Parallel()
	s := &streamer{read: func(out stream, asked request) {
		out.say(": hello\n\nevent: other\ndata: no message\n\nid: 1\ndata:\n\ndata: {\"a\":1}\n\n")
		out.say("data: " + `{"jsonrpc":"2.0","id":"p","method":"ping"}` + "\n\n")
		out.say("event: message\ndata: " + `{"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{}}` + "\n\n")
		out.say("data: " + `{"jsonrpc":"2.0","id":99,"result":{"contents":[]}}` + "\n\n")
		out.say(contents(asked, "found") + contents(asked, "found again"))
		<-out.gone // it does not end the stream
	}}
	c := client(t, hosted(t, s))
	for range 2 {
		if content := load(t, c, "library", "a:b"); content.Text != "found" {
			t.Errorf("it says %q", content.Text)
		}
	}
	s.told(t, `2025-06-18 {"jsonrpc":"2.0","id":"p","result":{}}`)
	s.told(t, `2025-06-18 {"jsonrpc":"2.0","id":8,"error":{"code":-32601,`)
}

// A stream that ended with the answer leaves a connection that can be used again.
func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	s := &streamer{read: func(out stream, asked request) {
		out.say(contents(asked, "found"))
		time.Sleep(time.Millisecond) // the end comes in a packet of its own
	}}
	server := hosted(t, s)
	var dialled atomic.Int32
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled.Add(1)
		return new(net.Dialer).DialContext(ctx, network, address)
	}}
	t.Cleanup(transport.CloseIdleConnections)
	server.Transport = transport
	c := client(t, server)
	for range 60 {
		load(t, c, "library", "a:b")
	}
	if n := dialled.Load(); n > 50 { // one is enough, unless the machine is busy
		t.Errorf("%d connections for 60 calls", n)
	}
}

func TestAStreamThatBreaksOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		streams []string // what is in the first and in those that follow; # is the answer
		want    string
		asked   string // from where on
		reason  string
	}{
		{name: "and goes on", streams: []string{"id: 1\nretry: 1\ndata:\n\n", "id: 2\ndata: {\"method\":\"x\"}\n\n", "#"}, want: "found", asked: "1 2"},
		{name: "and the server stutters", streams: []string{"id: 1\nretry: 1\ndata:\n\n", "", "", "#"}, asked: "1 1", reason: "it breaks off"},
		{name: "within an event", streams: []string{"id: 1\nretry: 1\n\nid: 2\ndata: {", "#"}, want: "found", asked: "1"},
		{name: "and nobody knows where", streams: []string{"data: {\"method\":\"x\"}\n\n", "#"}, reason: "it breaks off"},
		{name: "in nonsense", streams: []string{"id: 1\ndata: {nonsense}\n\n", "#"}, reason: "not understood"},
		{name: "too late", streams: []string{"id: 1\ndata: " + strings.Repeat("x", 2<<20) + "\n\n", "#"}, reason: "its answer is too long"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var from []string
			var call request
			next := func(out stream) {
				mu.Lock()
				one := c.streams[0]
				c.streams = c.streams[1:]
				asked := call
				mu.Unlock()
				out.say(strings.ReplaceAll(one, "#", contents(asked, "found")))
			}
			s := &streamer{
				read: func(out stream, asked request) {
					mu.Lock()
					call = asked
					mu.Unlock()
					next(out)
				},
				get: func(out stream, last string) {
					if last == "" {
						out.say(": nothing to say\n\n")
						<-out.gone
						return
					}
					mu.Lock()
					from = append(from, last)
					mu.Unlock()
					next(out)
				},
			}
			server := hosted(t, s)
			server.Limit = 1 << 20
			connected := client(t, server)
			if c.want == "" {
				missed(t, connected, "library", "a:b", ampersat.Failed, c.reason)
			} else if content := load(t, connected, "library", "a:b"); content.Text != c.want {
				t.Errorf("it says %q", content.Text)
			}
			mu.Lock()
			defer mu.Unlock()
			if have := strings.Join(from, " "); have != c.asked {
				t.Errorf("asked for the rest from %q, want %q", have, c.asked)
			}
		})
	}
}

// A list is asked for again when the server says so, and when it may have said so
// while nobody heard it.
func TestAListThatChangesWhileNobodyAsks(t *testing.T) {
	t.Parallel()
	streams := make(chan stream)
	s := &streamer{get: func(out stream, _ string) {
		out.say(": here\n\n")
		select {
		case streams <- out:
			<-streams // it may end
		case <-out.gone:
		}
	}, read: func(out stream, asked request) { out.say(contents(asked, "found")) }}
	c := client(t, hosted(t, s))
	until := func(name string) {
		t.Helper()
		for begin := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			if _, err := ask(t, c, "library", name); err == nil {
				return
			}
			if time.Since(begin) > 20*time.Second {
				t.Fatalf("there is no %s", name)
			}
		}
	}
	until("list 1")
	out := <-streams
	missed(t, c, "library", "list 2", ampersat.Missing, "it has list 1")
	out.say("data: " + `{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}` + "\n\n")
	until("list 2")
	missed(t, c, "library", "list 3", ampersat.Missing, "it has list 2")
	streams <- stream{}
	out = <-streams
	until("list 3")
	streams <- stream{}
	_ = out
}

// A server that says everything but the answer is left when its time is over.
func TestAStreamWithoutEnd(t *testing.T) {
	t.Parallel()
	s := &streamer{read: func(out stream, _ request) {
		for {
			select {
			case <-out.gone:
				return
			default:
				out.say(strings.Repeat("data: "+`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`+"\n\n", 100))
			}
		}
	}}
	server := hosted(t, s)
	server.Timeout = 5 * time.Second
	missed(t, client(t, server), "library", "a:b", ampersat.Failed, "did not answer within 5s")
	s.told(t, "notifications/cancelled")
}

func TestACallThatIsCancelledIsToldTheAddress(t *testing.T) {
	t.Parallel()
	called := make(chan struct{})
	s := &streamer{read: func(out stream, asked request) {
		out.say(": working\n\n")
		called <- struct{}{}
		<-out.gone
	}}
	tool := tools(t, client(t, hosted(t, s)))["library__work"]
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := tool.Run(ctx, agent.Call{})
		done <- err
	}()
	<-called
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	s.told(t, `"method":"notifications/cancelled","params":{"requestId":3,`)
}

// Keys are read anew when a server does not take the old ones any more.
func TestAKeyThatExpired(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	key, s := 1, &streamer{read: func(out stream, asked request) { out.say(contents(asked, "found")) }}
	server := hosted(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		right := r.Header.Get("Key") == fmt.Sprint(key)
		mu.Unlock()
		if !right {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.ServeHTTP(w, r)
	}))
	server.Secrets = func() (env, headers map[string]string, err error) {
		mu.Lock()
		defer mu.Unlock()
		return nil, map[string]string{"Key": fmt.Sprint(key)}, nil
	}
	c := client(t, server)
	tool := tools(t, c)["library__work"]
	for range 3 {
		load(t, c, "library", "a:b")
		mu.Lock()
		key++
		mu.Unlock()
		if _, err := tool.Run(t.Context(), agent.Call{}); err != nil {
			t.Error(err)
		}
	}
}

// What is no answer is an error, whatever it is.
func TestAnswersThatAreNone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code       int
		kind, body string
		reason     string
		outcome    ampersat.Outcome
	}{
		"to something else":  {200, "application/json", `{"jsonrpc":"2.0","id":99,"result":{}}`, "the answer to something else", ampersat.Failed},
		"a call":             {200, "application/json", `{"jsonrpc":"2.0","method":"ping"}`, "the answer to something else", ampersat.Failed},
		"a list of them":     {200, "application/json", `[{"jsonrpc":"2.0","id":2,"result":{}}]`, "not understood", ampersat.Failed},
		"nothing":            {202, "", "", `it is of the type ""`, ampersat.Failed},
		"an error in JSON":   {200, "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-1,"message":"no disk"}}`, "it answers: no disk", ampersat.Failed},
		"an error in a code": {503, "text/plain", "come back later", "it answers: 503 Service Unavailable", ampersat.Failed},
		"an error in both":   {500, "application/json", `{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"gone"}}`, "it answers: gone", ampersat.Missing},
		"an odd error":       {200, "application/json", `{"jsonrpc":"2.0","id":null,"error":"no disk"}`, `it answers: error "no disk"`, ampersat.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &streamer{read: func(out stream, _ request) {
				out.Header().Set("Content-Type", c.kind)
				out.WriteHeader(c.code)
				out.say(c.body)
			}}
			connected := client(t, hosted(t, s))
			for range 2 {
				missed(t, connected, "library", "a:b", c.outcome, c.reason)
			}
			content, err := connected.Resolve(t.Context(), ampersat.Query{Mention: mention.Resource{Server: "library", URI: "list 1"}, Asker: person})
			if err == nil {
				t.Errorf("content %+v", content)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if len(s.heard) != 1 { // that we are ready
				t.Errorf("it was reached anew: %q", s.heard)
			}
		})
	}
}
