package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/go-json-experiment/json"
)

// chatServer speaks just enough Chat Completions to begin an answer. What it
// answers is up to the test.
func chatServer(t *testing.T, answer func(out http.ResponseWriter, request *http.Request, body string)) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		out.Header().Set("Content-Type", "text/event-stream")
		answer(out, request, string(body))
	}))
	t.Cleanup(server.Close)
	return server
}

// piece is an event of an answer.
func piece(out http.ResponseWriter, text, finish string) {
	if finish == "" {
		finish = "null"
	}
	content, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(out, "data: {\"id\":\"x\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%s},\"finish_reason\":%s}]}\n\n", content, finish)
	out.(http.Flusher).Flush()
}

// program is the test itself, which is the program when it goes by its name.
func program(t *testing.T) string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "ampersat")
	if err := os.Symlink(self, binary); err != nil {
		t.Fatal(err)
	}
	return binary
}

// person is somebody with a home, a project and a server of their own.
type person struct {
	t             *testing.T
	binary, dir   string
	environment   []string
	stdout, stder bytes.Buffer
}

func newPerson(t *testing.T, server string) *person {
	home := t.TempDir()
	p := &person{t: t, binary: program(t), dir: filepath.Join(home, "project")}
	for name, text := range map[string]string{
		".ampersat/config.yaml": "provider: ollama\nmodel: llama3.3\nproviders: {ollama: {base_url: " + server + "/v1}}\n",
		"project/.git/HEAD":     "ref: refs/heads/main\n", "project/notes.md": "a note\n",
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.environment = append(os.Environ(), atOnce+"="+atOnceValue, "HOME="+home, "AMPERSAT_HOME=")
	return p
}

func (p *person) command(args ...string) *exec.Cmd {
	p.stdout.Reset()
	p.stder.Reset()
	command := exec.Command(p.binary, args...)
	command.Dir, command.Env = p.dir, p.environment
	return command
}

func (p *person) start(args ...string) *exec.Cmd {
	p.t.Helper()
	command := p.command(args...)
	command.Stdout, command.Stderr = &p.stdout, &p.stder
	if err := command.Start(); err != nil {
		p.t.Fatal(err)
	}
	return command
}

func (p *person) run(args ...string) string {
	p.t.Helper()
	if err := p.start(args...).Wait(); err != nil {
		p.t.Fatalf("%v: %v\n%s%s", args, err, p.stdout.String(), p.stder.String())
	}
	return p.stdout.String()
}

// The program is killed in the middle of an answer. What the person wrote and
// what was sent is in the log, and the session goes on after seconds, as is said:
// the lease of a process that is gone does not hold. As long as it runs, others
// are told so.
func TestAskIsKilledAndGoesOn(t *testing.T) {
	begun := make(chan struct{})
	var requests atomic.Int32
	server := chatServer(t, func(out http.ResponseWriter, request *http.Request, body string) {
		if requests.Add(1) == 1 {
			piece(out, "This answer never", "")
			close(begun)
			<-request.Context().Done()
			return
		}
		if !strings.Contains(body, "the first question") || !strings.Contains(body, "a note") {
			t.Errorf("what was said is gone: %s", body)
		}
		piece(out, "Here it is.", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	p := newPerson(t, server.URL)
	killed := p.start("ask", "the first question, about @notes.md")
	<-begun
	other := &person{t: t, binary: p.binary, dir: p.dir, environment: p.environment}
	for _, args := range [][]string{{"ask", "--continue", "at the same time"}, {"session", "undo"}, {"session", "compact", "last"}, {"session", "rm", "last", "--yes"}} {
		busy := other.start(args...)
		want := fmt.Sprintf("another ampersat is at work on session \\w{8} \\(process %d on .*\\); wait until it is done, or make a copy to go on with: ampersat session fork \\w{8}\n", killed.Process.Pid)
		if err := busy.Wait(); err == nil || !regexp.MustCompile(want).MatchString(other.stder.String()) {
			t.Errorf("%v: %v %s", args, err, other.stder.String())
		}
	}
	if err := killed.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if out := p.run("ask", "--continue", "still there?"); out != "Here it is.\n" {
		t.Errorf("%q %s", out, p.stder.String())
	}
	if !strings.HasPrefix(p.stder.String(), fmt.Sprintf("waiting for the session: process %d on ", killed.Process.Pid)) {
		t.Errorf("it does not say what it waits for: %s", p.stder.String())
	}
	shown := p.run("session", "show", "last")
	for _, text := range []string{"the first question, about @notes.md", "still there?", "Here it is."} {
		if !strings.Contains(shown, text) {
			t.Errorf("the session has no %q:\n%s", text, shown)
		}
	}
}

// Ctrl-C stops the answer and keeps what has come.
func TestAskIsInterruptedAndKeepsWhatCame(t *testing.T) {
	server := chatServer(t, func(out http.ResponseWriter, request *http.Request, body string) {
		if strings.Contains(body, "what comes next") {
			if !strings.Contains(body, "Half of it") {
				t.Errorf("what came is gone: %s", body)
			}
			piece(out, "The rest.", `"stop"`)
			fmt.Fprint(out, "data: [DONE]\n\n")
			return
		}
		piece(out, "Half of it", "")
		<-request.Context().Done()
	})
	p := newPerson(t, server.URL)
	stopped := p.command("ask", "a question")
	shown, err := stopped.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stopped.Stderr = &p.stder
	if err := stopped.Start(); err != nil {
		t.Fatal(err)
	}
	// It has come when it is shown.
	if _, err := io.ReadFull(shown, make([]byte, len("Half of it"))); err != nil {
		t.Fatal(err)
	}
	if err := stopped.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = stopped.Wait()
	if code := stopped.ProcessState.ExitCode(); code != exitInterrupted || !strings.Contains(p.stder.String(), "--continue goes on") {
		t.Errorf("exit %d: %s", code, p.stder.String())
	}
	if out := p.run("ask", "--continue", "what comes next"); out != "The rest.\n" {
		t.Errorf("%q", out)
	}
}
