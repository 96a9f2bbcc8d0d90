package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
)

// A private key, a file of variables and a token in an ordinary file are blocked
// with the reason, wherever they would go: to the screen, to a model, into the
// log. What the reason says to type lets that one through, and nothing else.
func TestSecretsAreBlockedAndAllowedOneByOne(t *testing.T) {
	secrets := []struct {
		file, text string
		// reveals is what must not be seen.
		reveals string
		reason  string
	}{
		{
			"deploy.pem", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW\nQyNTUxOQAAACB7e3t7e3t7e3t7e3t7e3t7e3t7e3t7e3t7e3t7e3t7ewAAAJgAAAAAAAAA\n-----END OPENSSH PRIVATE KEY-----\n",
			"QyNTUxOQAAACB7e3t7", "private-key on line 1 ",
		},
		{".env", "DB_HOST=db.example\nDB_PASSWORD=hunter2hunter2\n", "hunter2hunter2", "env-file"},
		{"howto.md", "# How to\n\nCall it with ghp_aB3dE5gH7jaB3dE5gH7jaB3dE5gH7jaB3dE5 in the header.\n", "ghp_aB3dE5gH7jaB3dE5", "github-token on line 3 "},
	}
	var sent atomic.Value // the last body, a string
	server := chatServer(t, func(out http.ResponseWriter, _ *http.Request, body string) {
		sent.Store(body)
		piece(out, "I see.", `"stop"`)
		fmt.Fprint(out, "data: [DONE]\n\n")
	})
	p := newPerson(t, server.URL)
	prompt := "see"
	for _, s := range secrets {
		if err := os.WriteFile(filepath.Join(p.dir, s.file), []byte(s.text), 0o644); err != nil {
			t.Fatal(err)
		}
		prompt += " @" + s.file
	}
	// kept is all that is in the store of sessions.
	kept := func() (all string) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(filepath.Dir(p.dir), ".ampersat/sessions.db*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("there is no store: %v", err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all += string(data)
		}
		return all
	}
	for _, command := range []string{"context", "ask"} {
		args := []string{command, "--profile", "foundation:base"}
		// look runs the command, and returns what the person and what anybody else
		// gets to see.
		look := func(allow ...string) (told, got string) {
			t.Helper()
			sent.Store("")
			all := append([]string{}, args...)
			for _, a := range allow {
				all = append(all, "--allow", a)
			}
			out := p.run(append(all, prompt)...)
			if told = out + p.stder.String(); command == "ask" {
				return told, sent.Load().(string) + kept()
			}
			return told, out
		}
		told, got := look()
		var advice []string
		for _, s := range secrets {
			line := regexp.MustCompile(`(?m)^@` + regexp.QuoteMeta(s.file) + ` .*\bblocked\b.*it holds secrets: ` + s.reason + `.*; to allow it: --allow (secret:\S+)$`).FindStringSubmatch(told)
			if line == nil {
				t.Fatalf("%s: nothing says why %s is blocked:\n%s", command, s.file, told)
			}
			advice = append(advice, line[1])
			if strings.Contains(told+got, s.reveals) {
				t.Errorf("%s: %s is seen:\n%s\n%q", command, s.file, told, got)
			}
		}
		for i := range secrets {
			// The store keeps what went through before.
			if command == "ask" {
				p.run("session", "rm", "last", "--yes")
			}
			told, _ := look(advice[i])
			seen := told
			if command == "ask" {
				seen = sent.Load().(string)
			}
			for j, s := range secrets {
				loaded := regexp.MustCompile(`(?m)^@` + regexp.QuoteMeta(s.file) + ` .*\bloaded\b`).MatchString(told)
				if want := i == j; strings.Contains(seen, s.reveals) != want || loaded != want {
					t.Errorf("%s --allow %s: %s is seen: %v, and is to be: %v\n%s", command, advice[i], s.file, !want, want, told)
				}
			}
		}
		if told, _ := look(advice...); strings.Contains(told, "blocked") {
			t.Errorf("%s: all are allowed:\n%s", command, told)
		}
		strict := p.start(append(args, "--strict", prompt)...)
		if err := strict.Wait(); err == nil || strict.ProcessState.ExitCode() != exitStrict {
			t.Errorf("%s --strict: %v", command, err)
		}
	}
}
