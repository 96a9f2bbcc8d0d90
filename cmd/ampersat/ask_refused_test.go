package main

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ampersat/ampersat/message"
)

// What the provider refuses is told in its words, with an exit code of its own,
// and is not tried again.
func TestAskIsRefusedByTheProvider(t *testing.T) {
	for status, want := range map[int]string{
		http.StatusUnauthorized: "401", http.StatusForbidden: "403", http.StatusBadRequest: "400", http.StatusNotFound: "404",
	} {
		t.Run(want, func(t *testing.T) {
			var requests atomic.Int32
			server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
				requests.Add(1)
				out.Header().Set("Content-Type", "application/json")
				out.WriteHeader(status)
				fmt.Fprint(out, `{"error":{"message":"no entrance for you","type":"some_error","code":null}}`)
			})
			p := newPerson(t, server.URL)
			asking := p.start("ask", "hello")
			if err := asking.Wait(); err == nil || asking.ProcessState.ExitCode() != exitRefused {
				t.Errorf("exit %v, want %d", err, exitRefused)
			}
			if n := requests.Load(); n != 1 {
				t.Errorf("%d requests", n)
			}
			line := ""
			for text := range strings.Lines(p.stder.String()) {
				if strings.HasPrefix(text, "ampersat: ") {
					line += text
				}
			}
			if strings.Count(line, "\n") != 1 || !strings.Contains(line, "no entrance for you") || !strings.Contains(line, "ollama") || p.stdout.Len() > 0 {
				t.Errorf("%q %q", p.stdout.String(), p.stder.String())
			}
		})
	}
}

// A request that may succeed later is sent again, and the person is told why it
// takes so long and for how long.
func TestAskSaysThatItTriesAgain(t *testing.T) {
	var requests atomic.Int32
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		if requests.Add(1)%2 == 1 {
			out.Header().Set("Content-Type", "application/json")
			out.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(out, `{"error":{"message":"too much to do","type":"server_error","code":null}}`)
			return
		}
		piece(out, "Here it is.", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	p := newPerson(t, server.URL)
	if out := p.run("ask", "hello"); out != "Here it is.\n" || requests.Load() != 2 {
		t.Errorf("%q after %d requests", out, requests.Load())
	}
	if again := regexp.MustCompile(`(?m)^.*too much to do.*; trying again in [0-9.]+m?s$`); len(again.FindAllString(p.stder.String(), -1)) != 1 {
		t.Errorf("%s", p.stder.String())
	}
	// Who wants the answer alone is not told.
	if out := p.run("ask", "--quiet", "hello"); out != "Here it is.\n" || p.stder.Len() > 0 {
		t.Errorf("%q %q", out, p.stder.String())
	}
}

// A no is one exit code, what may pass by itself another: a script tries that again.
func TestWhatIsARefusal(t *testing.T) {
	for kind, refusal := range map[message.ErrorKind]bool{
		message.ErrQuota: true, message.ErrAuthentication: true, message.ErrAccessDenied: true, message.ErrContextLength: true,
		message.ErrContentFilter: true, message.ErrInvalidRequest: true, message.ErrNotFound: true,
		message.ErrRateLimit: false, message.ErrUnavailable: false, message.ErrNetwork: false, message.ErrTimeout: false,
		message.ErrStream: false, message.ErrAborted: false, message.ErrConfiguration: false,
	} {
		var by *providerError
		if have := errors.As(refused(fmt.Errorf("turn 3: %w", &message.Error{Kind: kind})), &by); have != refusal {
			t.Errorf("%s: %v", kind, have)
		}
	}
}

// What could not even be asked is not there to go on with, and that is said. So is
// an answer of no words.
func TestAskTellsWhatIsNotThere(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		piece(out, "", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	p := newPerson(t, server.URL)
	config := "provider: ollama\nmodel: small\nproviders: {ollama: {base_url: " + server.URL + "/v1, models: {small: {window: 8000, output: 500}}}}\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(p.dir), ".ampersat/config.yaml"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	asking := p.start("ask", strings.Repeat("many words of it ", 5000))
	if err := asking.Wait(); err == nil || !strings.Contains(p.stder.String(), "ampersat: nothing was sent or kept\n") {
		t.Errorf("%v: %s", err, p.stder.String())
	}
	asking = p.start("ask", "hello")
	if err := asking.Wait(); err != nil || !strings.Contains(p.stder.String(), "ampersat: the model said nothing\n") {
		t.Errorf("%v: %s", err, p.stder.String())
	}
}
