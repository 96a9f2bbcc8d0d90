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

// An answer that a filter stopped is shown as far as it came, and is a refusal.
func TestAskIsStoppedByAFilter(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		piece(out, "As far as ", "")
		piece(out, "this.", `"content_filter"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	for _, flag := range []string{"--quiet", "--json", "--json=false"} {
		p := newPerson(t, server.URL)
		asking := p.start("ask", flag, "hello")
		if err := asking.Wait(); err == nil || asking.ProcessState.ExitCode() != exitRefused {
			t.Errorf("%s: exit %v, want %d", flag, err, exitRefused)
		}
		if strings.Count(p.stder.String(), "ampersat: the provider's filter stopped the answer; what has come is kept\n") != 1 || strings.Count(p.stder.String(), "filter") != 1 {
			t.Errorf("%s: %s", flag, p.stder.String())
		}
		if out := p.stdout.String(); out != "As far as this.\n" && flag != "--json" || flag == "--json" && !strings.Contains(out, `"finish_reason":"content_filter"`) {
			t.Errorf("%s: %s", flag, out)
		}
		if out := p.run("session", "show", "last"); !strings.Contains(out, "As far as this.") {
			t.Errorf("%s: it is not kept: %s", flag, out)
		}
	}
}

// A model that never comes to its end is stopped, and it is said how to go on.
func TestAskWithoutEnd(t *testing.T) {
	var requests atomic.Int32
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, body string) {
		if strings.Contains(body, "go on") {
			piece(out, "That was it.", `"stop"`)
			fmt.Fprint(out, "data: [DONE]\n\n")
			return
		}
		callsNumbered(out, int(requests.Add(1)), "list_files", `{}`)
	})
	p := newPerson(t, server.URL)
	asking := p.start("ask", "--quiet", "hello")
	if err := asking.Wait(); err == nil || asking.ProcessState.ExitCode() != exitFailed || requests.Load() != 50 {
		t.Errorf("exit %v after %d requests", err, requests.Load())
	}
	const said = "ampersat: the model did not come to an end after 50 requests, as many as a turn may take; what it did is kept, and another turn goes on: ampersat ask --continue \"go on\"\n"
	if p.stder.String() != said {
		t.Errorf("%q, want %q", p.stder.String(), said)
	}
	if out := p.run("ask", "--quiet", "--continue", "go on"); out != "That was it.\n" {
		t.Error(out)
	}
}

// What is no text in a prompt is replaced, which is said once, however it came.
func TestAPromptThatIsNotUTF8(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, _ string) {
		piece(out, "Yes.", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	const bad, good = "a caf\xe9, and many more words of \xff it", "a café, and \uFFFD"
	for _, command := range []string{"ask", "context"} {
		for _, c := range []struct {
			prompt, in string
			want       string // on stderr, or for a pipe beside a prompt in the report
		}{
			{bad, "", "note: the prompt is not valid UTF-8: the model gets it with 2 bytes replaced"},
			{"-", bad, "note: the prompt is not valid UTF-8: the model gets it with 2 bytes replaced"},
			{"look", bad, "shown: with 2 bytes replaced that are not valid UTF-8"},
			{good, "", ""},
		} {
			p := newPerson(t, server.URL)
			asking := p.command(command, c.prompt)
			asking.Stdin = strings.NewReader(c.in)
			said, err := asking.CombinedOutput()
			told, _, _ := strings.Cut(string(said), "── ") // then comes what the model gets
			if n := strings.Count(told, "not valid UTF-8"); err != nil || n != min(len(c.want), 1) || !strings.Contains(told, c.want) {
				t.Errorf("%s %q: %v\n%s", command, c.prompt, err, said)
			}
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
