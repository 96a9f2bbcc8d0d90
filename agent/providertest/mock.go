package providertest

import (
	"bufio"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ampersat/ampersat/agent"
	"github.com/ampersat/ampersat/message"
	"github.com/go-json-experiment/json/jsontext"
)

// RunMock runs the provider's client against aimock, which speaks the APIs of many
// providers and was written by others. It needs Node.js and what scripts/need
// installs, and skips the test without.
func RunMock(t *testing.T, s Subject) {
	base := StartMock(t, filepath.Join(moduleRoot(t), "agent/providertest/aimock/fixtures.json")) + s.MockPath
	request := func(text string) message.Request {
		r := withTools(system("Be brief."), user(text))
		r.Model = s.MockModel
		return r
	}
	collect := func(t *testing.T, transport http.RoundTripper, r message.Request) (message.Response, error) {
		t.Helper()
		return agent.Collect(s.Open(base, transport).Stream(t.Context(), r))
	}
	says := func(t *testing.T, r message.Request, want string) message.Response {
		t.Helper()
		response, err := collect(t, nil, r)
		if err != nil {
			t.Fatal(err)
		}
		if text := message.Flatten(response.Content); text != want {
			t.Errorf("it says %q, want %q", text, want)
		}
		return response
	}
	t.Run("text streams", func(t *testing.T) {
		response := says(t, request("say something"), saidText)
		if response.FinishReason != agent.FinishStop {
			t.Errorf("finish reason %q", response.FinishReason)
		}
		if u := response.Usage; u == nil || u.InputTokens != 12 || u.OutputTokens != 7 || u.TotalTokens != 19 {
			t.Errorf("usage %+v", response.Usage)
		}
		pieces := 0
		for event := range s.Open(base, nil).Stream(t.Context(), request("say something")) {
			if event.Type() == message.TypeTextDelta {
				pieces++
			}
		}
		if pieces < 3 {
			t.Errorf("the text came in %d pieces", pieces)
		}
	})
	t.Run("thinking streams", func(t *testing.T) {
		response := says(t, request("think first"), "Forty-two.")
		next := request("think first")
		next.Messages = append(next.Messages, message.Message{Role: message.Assistant, Content: response.Content}, user("say something"))
		says(t, next, saidText)
	})
	t.Run("a tool is called and answered", func(t *testing.T) {
		r := request("use a tool")
		response := says(t, r, "I look.")
		if len(response.ToolCalls) != 1 || response.FinishReason != agent.FinishToolCalls {
			t.Fatalf("calls %+v, finish reason %q", response.ToolCalls, response.FinishReason)
		}
		c := response.ToolCalls[0]
		if want := jsontext.Value(`{"lines":[1,2],"path":"ä.go"}`); c.Name != "read_file" || canonical(c.Input) != string(want) {
			t.Errorf("call of %s with %s", c.Name, c.Input)
		}
		r.Messages = append(r.Messages, message.Message{Role: message.Assistant, Content: response.Content}, results(message.TextResult(c.ID, "package ä")))
		says(t, r, "It is package ä.")
	})
	t.Run("two tools are called and answered", func(t *testing.T) {
		r := request("use two tools")
		response := says(t, r, "")
		if len(response.ToolCalls) != 2 {
			t.Fatalf("calls %+v", response.ToolCalls)
		}
		r.Messages = append(r.Messages, message.Message{Role: message.Assistant, Content: response.Content})
		for _, c := range response.ToolCalls {
			r.Messages = append(r.Messages, results(message.TextResult(c.ID, "done")))
		}
		says(t, r, "Both are there.")
	})
	t.Run("refusals", func(t *testing.T) {
		_, err := collect(t, nil, request("refuse me"))
		expect(t, err, message.ErrInvalidRequest)
		_, err = collect(t, nil, request("lock me out"))
		expect(t, err, message.ErrAuthentication)
	})
	t.Run("too many requests", func(t *testing.T) {
		began := time.Now()
		says(t, request("not so fast"), "Now.")
		if took := time.Since(began); took < time.Second {
			t.Errorf("it was to wait for a second, and waited for %v", took)
		}
	})
	t.Run("an answer that breaks off", func(t *testing.T) {
		for _, text := range []string{"break off", "hang up"} {
			response, err := collect(t, nil, request(text))
			expect(t, err, message.ErrStream)
			if text := message.Flatten(response.Content); text == "" || !strings.HasPrefix("This answer is long enough to be cut somewhere before its end", text) {
				t.Errorf("what came: %q", text)
			}
		}
	})
	for _, chaos := range []string{"drop", "malformed", "disconnect", "ratelimit"} {
		t.Run("after "+chaos+" it is tried again", func(t *testing.T) {
			t.Parallel()
			unruly := &firstOnly{header: "X-AIMock-Chaos-" + chaos, value: "1"}
			response, err := collect(t, unruly, request("say something"))
			if err != nil {
				t.Fatal(err)
			}
			if text := message.Flatten(response.Content); text != saidText || unruly.sent.Load() != 2 {
				t.Errorf("after %d requests: %q", unruly.sent.Load(), text)
			}
		})
	}
}

// firstOnly sends a header with the first request only.
type firstOnly struct {
	header, value string
	sent          atomic.Int32
}

// RoundTrip implements [http.RoundTripper].
func (f *firstOnly) RoundTrip(request *http.Request) (*http.Response, error) {
	if f.sent.Add(1) == 1 {
		request = request.Clone(request.Context())
		request.Header.Set(f.header, f.value)
	}
	return http.DefaultTransport.RoundTrip(request)
}

func canonical(value jsontext.Value) string {
	value = value.Clone()
	if err := value.Canonicalize(); err != nil {
		return err.Error()
	}
	return string(value)
}

// StartMock starts aimock with what it is to answer, and returns its address. It
// ends with the test.
func StartMock(t *testing.T, fixtures string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is missing: aimock cannot run")
	}
	root := moduleRoot(t)
	program := filepath.Join(root, ".cache/npm/aimock/node_modules/@copilotkit/aimock/dist/cli.js")
	if _, err := os.Stat(program); errors.Is(err, fs.ErrNotExist) {
		t.Skip("aimock is missing: scripts/need installs it")
	}
	server := exec.CommandContext(t.Context(), node, program, "--port", "0", "--strict", "--fixtures", fixtures)
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	server.Stderr = server.Stdout
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	address := make(chan string, 1)
	go func() {
		var told strings.Builder
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			told.WriteString(lines.Text() + "\n")
			if _, at, found := strings.Cut(lines.Text(), "listening on "); found {
				address <- strings.TrimSpace(at)
			}
		}
		select {
		case address <- "it ended: " + told.String():
		default:
		}
	}()
	select {
	case at := <-address:
		if !strings.HasPrefix(at, "http://") {
			t.Fatalf("aimock: %s", at)
		}
		return at
	case <-time.After(2 * time.Minute):
		t.Fatal("aimock: it does not say where it listens")
		return ""
	}
}

// moduleRoot is the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("there is no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}
