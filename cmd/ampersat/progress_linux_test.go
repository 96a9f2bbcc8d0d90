package main

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// slowPage is a server that answers when it is let.
func slowPage(t *testing.T) (address string, answer func()) {
	answers := make(chan struct{})
	answer = sync.OnceFunc(func() { close(answers) })
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		select {
		case <-answers:
		case <-time.After(tooLong):
		}
		fmt.Fprint(out, "a page at last")
	}))
	t.Cleanup(func() {
		answer()
		server.Close()
	})
	return server.URL, answer
}

// While something that is mentioned takes its time, a terminal says so on a line
// that is gone when it has come; and what goes through a pipe is the result alone.
func TestProgressAtATerminal(t *testing.T) {
	const said = "\rreading what is mentioned… "
	for _, piped := range []bool{false, true} {
		t.Run(fmt.Sprintf("piped %v", piped), func(t *testing.T) {
			address, answer := slowPage(t)
			p, screen := newPerson(t, "http://127.0.0.1:1"), newPty(t)
			command := p.command("context", "--allow", address, "Explain @"+address+"/page")
			var reading *running
			if piped {
				command.Stdout, command.Stderr = &p.stdout, screen.line
				reading = start(t, command)
			} else {
				reading = screen.sits(command)
			}
			screen.waits(reading, 2, said) // and it goes on
			answer()
			code, shown := screen.ends(reading)
			line, rest, gone := strings.Cut(shown, "\r\x1b[K")
			if code != exitDone || !gone || strings.Contains(rest, said) {
				t.Errorf("exit %d: %q", code, shown)
			}
			result := rest
			if piped {
				result = p.stdout.String()
				if rest != "" {
					t.Errorf("on the terminal: %q", rest)
				}
			}
			if strings.Contains(line, "a page at last") || !strings.Contains(result, "a page at last") || strings.Contains(result, "reading what is mentioned") {
				t.Errorf("%q\n%q", line, result)
			}
		})
	}
}

// Where nothing can be taken back it is said once, in plain words.
func TestProgressElsewhere(t *testing.T) {
	address, answer := slowPage(t)
	p := newPerson(t, "http://127.0.0.1:1")
	says(t, p, nil, "reading what is mentioned…", answer, "context", "--allow", address, "Explain @"+address+"/page")
	if out := p.stdout.String(); !strings.Contains(out, "a page at last") || strings.Contains(out, "reading") || strings.Contains(out, "\x1b") {
		t.Errorf("%q", out)
	}
}

// Who started the program may have left a pipe open that says nothing. It is
// waited for, and that is said.
func TestProgressWhileStandardInputIsOpen(t *testing.T) {
	for _, command := range []string{"ask", "context"} {
		t.Run(command, func(t *testing.T) {
			server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, body string) {
				piece(out, fmt.Sprintf("Piped: %v.", strings.Contains(body, "a late line")), `"stop"`)
				fmt.Fprint(out, "data: [DONE]\n\n")
			})
			p := newPerson(t, server.URL)
			silent, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer silent.Close()
			says(t, p, silent, "reading standard input, which is not closed…", func() {
				if _, err := writer.WriteString("a late line\n"); err != nil {
					t.Error(err)
				}
				if err := writer.Close(); err != nil {
					t.Error(err)
				}
			}, command, "summarise")
			if out := p.stdout.String(); !strings.Contains(out, map[string]string{"ask": "Piped: true.", "context": "a late line"}[command]) {
				t.Errorf("%q", out)
			}
		})
	}
}

// says runs a program until it says something on stderr, then does what it waits
// for, and sees that it says no more of the kind.
func says(t *testing.T, p *person, in *os.File, want string, then func(), args ...string) {
	t.Helper()
	command := p.command(args...)
	command.Stdout = &p.stdout
	if in != nil {
		command.Stdin = in
	}
	errs, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer errs.Close()
	command.Stderr = writer
	running := start(t, command)
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errs.SetReadDeadline(time.Now().Add(tooLong)); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(errs)
	count := 0
	for lines.Scan() {
		if lines.Text() == want {
			if count++; count == 1 {
				then()
			}
		} else if strings.Contains(lines.Text(), "\x1b") {
			t.Errorf("it says %q", lines.Text())
		}
	}
	if code := running.ends(t); code != exitDone || count != 1 || lines.Err() != nil {
		t.Errorf("exit %d after saying it %d times, %v", code, count, lines.Err())
	}
}

// While the model, or a command that it runs, takes its time, a terminal says so
// on a line that is gone when something comes.
func TestAskSaysWhatItWaitsFor(t *testing.T) {
	goOn := make(chan struct{})
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, body string) {
		if !strings.Contains(body, `"tool_call_id"`) {
			<-goOn
			calls(out, "shell", `{"command":"until test -e on; do sleep 0.05; done"}`)
			return
		}
		piece(out, "An answer at last.", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	p, screen := newPerson(t, server.URL), newPty(t)
	asking := screen.sits(p.command("ask", "--profile", "dev", "--permissions", "all", "a question"))
	screen.waits(asking, 2, "\rwaiting for the model… ")
	close(goOn)
	screen.waits(asking, 2, "\rwaiting for shell… ")
	if err := os.WriteFile(p.dir+"/on", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	code, shown := screen.ends(asking)
	last := shown[strings.LastIndex(shown, "waiting for"):]
	if code != exitDone || !strings.Contains(last, "\r\x1b[K") || !strings.Contains(last, "An answer at last.") {
		t.Errorf("exit %d: %q", code, shown)
	}
}
