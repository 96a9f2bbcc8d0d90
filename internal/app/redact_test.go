package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ampersat/ampersat"
	"github.com/ampersat/ampersat/session"
)

// Neither the log nor what hooks keep has a secret that somebody typed into a
// mention, or that came back in a reason.
func TestNoSecretIsLogged(t *testing.T) {
	w := newWorld(t, map[string]string{
		"~/.ampersat/profiles/kept.md": "---\nhooks: [audit]\n---\nBe kind.",
		"a.md":                         "alpha",
	})
	key := "sk-ant-" + "api03-" + strings.Repeat("aZ3kQ9xW", 11) + "b7Rt2AA"
	github := "ghp_" + "q8Zr4Tn2Vx7Lb5Kd9Wm3Hc6Yf1Ps0Gj8Ae2U"
	secrets := []string{"hunter2", key, github, "s3same-open"}
	prompt := fmt.Sprintf("@a.md @https://user:hunter2@127.0.0.1:1/x?api_key=%s @https://127.0.0.1:1/?q=1&token=s3same-open @\"notes/%s.md\" @https://%s@127.0.0.1:1/",
		key, github, github)
	a, d := echoed(t, w, "kept", Talk{})
	answer, err := d.Turn(context.Background(), ampersat.Ask(prompt), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Stack.Reports) != 5 {
		t.Fatalf("%+v", answer.Stack.Reports)
	}
	var logged strings.Builder
	mentions := 0
	err = a.Logs(context.Background(), LogQuery{}, func(e LogEvent) error {
		if strings.HasPrefix(e.Name, "mention:") {
			mentions++
		}
		fmt.Fprintln(&logged, e.Name, e.Fields)
		return nil
	})
	if err != nil || mentions != 5 {
		t.Fatalf("%v, %d mentions\n%s", err, mentions, &logged)
	}
	kept, err := os.ReadFile(filepath.Join(w.ampHome, "audit.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"the log": logged.String(), "audit.jsonl": string(kept)} {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%s has %s:\n%s", name, secret, text)
			}
		}
		for _, harmless := range []string{"@a.md", "127.0.0.1:1/x?api_key=***", "?q=1&token=***", "notes/***.md"} {
			if !strings.Contains(text, harmless) {
				t.Errorf("%s has no %s:\n%s", name, harmless, text)
			}
		}
	}
}

// What is given to another agent is described in words that may hold anything.
func TestNoSecretOfAnEntryIsLogged(t *testing.T) {
	for _, entry := range []session.Entry{
		session.Delegated{Agent: "reviewer", Description: "fetch https://me:hunter2@example.com"},
		session.Returned{Outcome: "failed", Reason: "fetch https://me:hunter2@example.com: nothing there"},
		session.Compacted{Reason: "https://me:hunter2@example.com"},
	} {
		events := LogEvents("x", session.Record{Seq: 1, Time: time.Unix(0, 0), Entry: entry})
		if text := fmt.Sprint(events); len(events) != 1 || strings.Contains(text, "hunter2") || !strings.Contains(text, "https://***@example.com") {
			t.Errorf("%T: %s", entry, text)
		}
	}
}
