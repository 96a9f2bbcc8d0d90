package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/agent/providertest"
	"github.com/ampersat/ampersat/internal/config"
	"github.com/ampersat/ampersat/message"
	"github.com/ampersat/ampersat/session"
)

// wiretap is a server in front of another that keeps what is sent.
type wiretap struct {
	*httptest.Server
	// addressed, if set, looks at each request before it goes on.
	addressed func(*http.Request)
	mu        sync.Mutex
	bodies    []string
}

func tap(t *testing.T, target string) *wiretap {
	address, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	w := new(wiretap)
	proxy := httputil.NewSingleHostReverseProxy(address)
	proxy.FlushInterval = -1
	w.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		if w.addressed != nil {
			w.addressed(request)
		}
		w.mu.Lock()
		w.bodies = append(w.bodies, string(body))
		w.mu.Unlock()
		request.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(out, request)
	}))
	t.Cleanup(w.Close)
	return w
}

func (w *wiretap) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	bodies := w.bodies
	w.bodies = nil
	return bodies
}

// theKey is the key for every API.
const theKey = "sk-test-0123456789"

// spoken are the APIs, with how a session is brought to speak them, and how a
// request is addressed then, which aimock takes lightly.
var spoken = []struct {
	name, provider, model, base, path string
	// settings are variables of the environment.
	settings map[string]string
	// address and header are where a request goes and what has the key.
	address, header, value string
}{
	{"anthropic", "anthropic", "claude-sonnet-4-5", "ANTHROPIC_BASE_URL", "", nil, "/v1/messages", "X-Api-Key", theKey},
	{"openai", "openai", "gpt-4.1", "OPENAI_BASE_URL", "/v1", nil, "/v1/responses", "Authorization", "Bearer " + theKey},
	{"gemini", "gemini", "gemini-2.5-flash", "GOOGLE_GEMINI_BASE_URL", "", nil, "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse", "X-Goog-Api-Key", theKey},
	{"ollama", "ollama", "llama3.3", "", "/v1", nil, "/v1/chat/completions", "", ""},
	{"azure", "azure", "gpt-4.1", "AZURE_OPENAI_ENDPOINT", "", nil, "/openai/v1/responses", "Api-Key", theKey},
	{
		"azure with a deployment", "azure", "gpt-4.1", "AZURE_OPENAI_ENDPOINT", "/",
		map[string]string{"AZURE_OPENAI_DEPLOYMENT": "ours", "AZURE_OPENAI_API_VERSION": "2025-04-01-preview"},
		"/openai/responses?api-version=2025-04-01-preview", "Api-Key", theKey,
	},
}

// keyHeaders are where APIs look for a key.
var keyHeaders = []string{"X-Api-Key", "Authorization", "X-Goog-Api-Key", "Api-Key"}

// talkTo opens a conversation with a provider behind an address.
func talkTo(t *testing.T, w world, provider, model, address string, talk Talk, flags ...config.Flag) (*App, *Dialogue) {
	t.Helper()
	flags = append(flags, config.Flag{Name: "--provider", Key: "provider", Value: provider}, config.Flag{Name: "--model", Key: "model", Value: model},
		config.Flag{Name: "--permissions", Key: "permissions.mode", Value: "auto-read"})
	a, err := New(Options{Dir: w.project, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	d, err := a.Talk(context.Background(), talk)
	if err != nil {
		t.Fatal(err)
	}
	return a, d
}

// A scripted model behind each API reads, lists and searches in several steps,
// and a second turn tells of what has changed meanwhile.
func TestAConversationOverEveryWire(t *testing.T) {
	mock := providertest.StartMock(t, filepath.Join("testdata", "talk.json"))
	for _, api := range spoken {
		t.Run(api.name, func(t *testing.T) {
			server := tap(t, mock)
			server.addressed = func(request *http.Request) {
				if request.Method != http.MethodPost || request.URL.RequestURI() != api.address {
					t.Errorf("%s %s, want %s", request.Method, request.URL.RequestURI(), api.address)
				}
				for _, header := range keyHeaders {
					want := ""
					if header == api.header {
						want = api.value
					}
					if have := request.Header.Get(header); have != want {
						t.Errorf("%s is %q, want %q", header, have, want)
					}
				}
			}
			w := newWorld(t, map[string]string{
				"notes.md": "the first note\nthe second note\n", "long.md": strings.Repeat("a line of a long file\n", 200),
				".ampersat/config.yaml": "", "~/.ampersat/config.yaml": "providers: {ollama: {base_url: " + server.URL + "/v1}}\n",
			})
			for _, key := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "AZURE_OPENAI_API_KEY"} {
				t.Setenv(key, theKey)
			}
			for name, value := range api.settings {
				t.Setenv(name, value)
			}
			if api.base != "" {
				t.Setenv(api.base, server.URL+api.path)
			}
			a, d := talkTo(t, w, api.provider, api.model, server.URL, Talk{Title: "look around"})
			answer, err := d.Turn(context.Background(), ampersat.Ask("look around in @long.md"), nil)
			if err != nil {
				bodies := server.take()
				t.Fatalf("%v\n%s", err, bodies[len(bodies)-1])
			}
			if text := message.Flatten(answer.Message.Content); text != "Both were there." || answer.Steps != 3 {
				t.Fatalf("%d steps: %s", answer.Steps, text)
			}
			bodies := server.take()
			if len(bodies) != 3 {
				t.Fatalf("%d requests", len(bodies))
			}
			if deployment := api.settings["AZURE_OPENAI_DEPLOYMENT"]; deployment != "" && !strings.Contains(bodies[0], `"model":"`+deployment+`"`) {
				t.Errorf("the deployment is not asked: %s", bodies[0])
			}
			for i, want := range [][]string{{"a line of a long file"}, {"the first note", "notes.md"}, {"notes.md:2:"}} {
				for _, text := range want {
					if !strings.Contains(bodies[i], text) {
						t.Errorf("request %d does not say %q: %s", i, text, bodies[i])
					}
				}
			}
			// What was mentioned is unchanged, and is not sent again; one line of it
			// changes, and only that is sent.
			if err := os.WriteFile(filepath.Join(w.project, "long.md"), []byte(strings.Repeat("a line of a long file\n", 200)+"and one more\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := d.Turn(context.Background(), ampersat.Ask("and now @long.md and @notes.md"), nil); err != nil {
				t.Fatal(err)
			}
			body := server.take()[0]
			if n := strings.Count(body, "a line of a long file"); n > 210 {
				t.Errorf("the long file was sent again: %d lines", n)
			}
			for _, text := range []string{"+and one more", "changed-since", "unchanged since turn 1"} {
				if !strings.Contains(body, text) {
					t.Errorf("the second turn does not say %q: %s", text, body[len(body)*2/3:])
				}
			}
			if n := strings.Count(body, "the first note"); n != 1 {
				t.Errorf("what a tool has read is in the request %d times", n)
			}
			// Another process goes on.
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			_, d = talkTo(t, w, api.provider, api.model, server.URL, Talk{Session: "last"})
			if _, err := d.Turn(context.Background(), ampersat.Ask("and now?"), nil); err != nil {
				t.Fatal(err)
			}
			if next := server.take()[0]; !strings.Contains(next, "and one more") || !strings.Contains(next, "I see.") {
				t.Errorf("the session did not go on: %s", next)
			}
			_, err = d.Turn(context.Background(), ampersat.Ask("refuse me"), nil)
			if !errors.Is(err, message.ErrInvalidRequest) {
				t.Errorf("refused: %v", err)
			}
		})
	}
}

// The placement "tool" is for models that read a file again although they were
// given it. This one reads what no tool has returned: with the placement it
// need not, in this turn nor in the next, and the person sees what they wrote.
func TestAFileThatWasPlacedAsAToolResultIsNotReadAgain(t *testing.T) {
	mock := providertest.StartMock(t, filepath.Join("testdata", "talk.json"))
	for place, steps := range map[ampersat.Placement]int{ampersat.Before: 2, ampersat.AsTool: 1} {
		server := tap(t, mock)
		t.Setenv("OPENAI_BASE_URL", server.URL+"/v1")
		t.Setenv("OPENAI_API_KEY", "sk-test-0123456789")
		w := newWorld(t, map[string]string{"notes.md": "the first note\n", "sub/a.txt": "a"})
		a, d := talkTo(t, w, "openai", "gpt-4.1", server.URL, Talk{}, config.Flag{Name: "--place", Key: "place", Value: string(place)})
		turn := ampersat.Ask("what is in @sub/ and @notes.md?")
		turn.Place = d.Place
		answer, err := d.Turn(context.Background(), turn, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Steps != steps {
			t.Errorf("%s: %d requests, want %d", place, answer.Steps, steps)
		}
		if place != ampersat.AsTool {
			// It reads it again, and is told that it has it.
			if last := server.take()[1]; strings.Count(last, "the first note") != 1 || !strings.Contains(last, "unchanged since turn 1") {
				t.Errorf("%s: %s", place, last)
			}
			continue
		}
		first := server.take()[0]
		for _, want := range []string{`"name":"read_file","arguments":"{\"path\":\"notes.md\"}"`, `"name":"list_files","arguments":"{\"path\":\"sub/\"}"`, `"text":"what is in @sub/ and @notes.md?"`} {
			if !strings.Contains(first, want) {
				t.Errorf("the request has no %s: %s", want, first)
			}
		}
		if _, err := d.Turn(context.Background(), ampersat.Ask("and now?"), nil); err != nil {
			t.Fatal(err)
		}
		if next := server.take()[0]; strings.Count(next, "function_call_output") != 2 || strings.Count(next, "the first note") != 1 {
			t.Errorf("the results are not there any more: %s", next)
		}
		store, err := a.Store(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for record := range store.Read(context.Background(), d.ID(), 1) {
			if e, ok := record.Entry.(session.Said); ok && e.Message.Role == message.User {
				said = append(said, message.Flatten(e.Message.Content))
			}
		}
		if len(said) != 2 || said[0] != "what is in @sub/ and @notes.md?" {
			t.Errorf("the person reads %q", said)
		}
	}
}
